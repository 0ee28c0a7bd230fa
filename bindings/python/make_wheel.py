#!/usr/bin/env python3
"""Builds the package for Python: the sdist, and from its unpacked files alone the wheel, both into build/python.

auditwheel gives the wheel its platform's tag, and abi3audit holds it to the ABI of its Python's tag. Two builds of the
same sources have the same bytes. This Python has the packages of requirements.txt.
SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "python"
OLDEST_DATE = "315532800"  # 1980, the first that a zip file can state


def environment() -> dict[str, str]:
    """Tools of this Python's environment first, and nothing of this machine in what is built."""
    return {
        "SOURCE_DATE_EPOCH": OLDEST_DATE,
        **os.environ,
        "CFLAGS": f"{os.environ.get('CFLAGS', '')} -ffile-prefix-map={OUT}=.".strip(),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


def run(*command: str | Path, folder: Path = ROOT) -> None:
    """Runs a command; its output is shown if it fails."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\npython: '{Path(command[0]).name} {' '.join(map(str, command[1:4]))} ..' failed")


def hook(name: str, folder: Path, out: Path, **settings: str) -> None:
    """Calls the build backend in a folder of sources."""
    call = f"build.{name}({str(out)!r}, {settings!r})"
    run(sys.executable, "-c", f"from scikit_build_core import build; {call}", folder=folder)


def only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"python: one {pattern} was to be in {folder}, and there are {len(found)}")
    return found[0]


def build_sdist() -> Path:
    hook("build_sdist", ROOT, OUT)
    return only(OUT, "latkem-*.tar.gz")


def build_wheel(sdist: Path) -> Path:
    """The files of an sdist have one date, so that an older build of others would pass for theirs."""
    unpacked = OUT / "sdist"
    for folder in (unpacked, OUT / "cmake"):
        shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(sdist) as tar:
        tar.extractall(unpacked, filter="data")
    hook("build_wheel", only(unpacked, "latkem-*"), OUT / "plain", **{"build-dir": str(OUT / "cmake")})
    return only(OUT / "plain", "*.whl")


def main() -> None:
    for old in [*OUT.glob("*.whl"), *OUT.glob("*.tar.gz"), *OUT.glob("plain/*.whl")]:
        old.unlink()
    (OUT / "plain").mkdir(parents=True, exist_ok=True)
    sdist = build_sdist()
    plain = build_wheel(sdist)
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", OUT, plain)
    wheel = only(OUT, "latkem-*.whl")
    run(sys.executable, "-m", "abi3audit", "--strict", wheel)
    print(f"{sdist.relative_to(ROOT)}\n{wheel.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

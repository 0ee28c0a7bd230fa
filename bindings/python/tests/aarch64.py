#!/usr/bin/env python3
"""Builds the wheel for AArch64 with Debian's cross compiler, into build/python/aarch64, and runs tests on it in QEMU.

Usage: aarch64.py FOLDER, in which Debian's Python for arm64 is unpacked (tools/foreign.sh). Tests that start Python
again and those that compare with other packages are left out. SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from asan import HERE, OUT, TESTS

sys.path.insert(0, str(HERE))
import make_wheel

PYTEST = ["_pytest", "iniconfig", "packaging", "pluggy", "py.py", "pygments", "pytest"]


def build_wheel(python: Path) -> Path:
    """As make_wheel.py makes the wheel of this machine: its variables and those of CMake name the other one."""
    headers = python / "usr/include"
    options = ["SYSTEM_NAME=Linux", "SYSTEM_PROCESSOR=aarch64", "C_COMPILER=aarch64-linux-gnu-gcc-12"]
    cmake = [f"-DPython_INCLUDE_DIR={headers}/python3.11", *(f"-DCMAKE_{option}" for option in options)]
    os.environ |= {
        "_PYTHON_HOST_PLATFORM": "linux-aarch64",
        "CFLAGS": f"-isystem {headers}",
        "CMAKE_ARGS": " ".join(cmake),
    }
    make_wheel.OUT = OUT / "aarch64"
    make_wheel.main()
    return make_wheel.only(make_wheel.OUT, "latkem-*_aarch64.whl")


def site(wheel: Path) -> Path:
    """The wheel unpacked, and beside it pytest, which is Python alone."""
    folder = OUT / "aarch64/site"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    for name in PYTEST:
        (folder / name).symlink_to(Path(sysconfig.get_path("purelib"), name))
    return folder


def main() -> None:
    python = Path(sys.argv[1]).resolve()
    wheel = build_wheel(python)
    environment = {"PYTHONPATH": str(site(wheel)), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"]}
    emulated = ["qemu-aarch64", "-L", str(python), str(python / "usr/bin/python3.11"), "-m"]
    subprocess.run([*emulated, "latkem"], env=environment, check=True)
    tests = [str(HERE / "tests" / name) for name in TESTS]
    subprocess.run([*emulated, "pytest", "-q", "-p", "no:cacheprovider", "-rs", *tests], env=environment, check=True)


if __name__ == "__main__":
    main()

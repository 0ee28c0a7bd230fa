#!/usr/bin/env python3
"""Writes src/sources.txt: what a build without CMake compiles, for packages of other languages. CMake alone decides it
and writes it when it configures (src/less.cmake); this puts the tables of x86-64 and AArch64 together. To them it adds
the parser of key files, which without X-Wing needs no libcrypto.

    tools/sources.py            compare with what both machines configure now
    tools/sources.py --update   write it again
    tools/sources.py --copy DIR put what the table names into a folder, with the headers that it needs

It needs a cross compiler for AArch64 (tools/toolchains/aarch64.cmake). SPDX-License-Identifier: Apache-2.0
"""

import argparse
import difflib
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "src" / "sources.txt"
HEAD = """\
# Written by tools/sources.py. A line has a machine or "any", a definition or a file, and the options of the file; an
# option behind "gcc:" is for gcc alone. All files are C11, with -Iinclude -Isrc -Iprotocol and optimised.
"""
KEYFILE = ["any -DLKP_MLKEM_ONLY", *(f"any protocol/keyfile/{name}.c" for name in ["der", "keyfile", "shape"])]
CHOICES = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DLATKEM_BUILD_CLI=OFF", "-DLATKEM_BUILD_PROTOCOL=OFF"]
MACHINES = {"x86_64": [], "aarch64": ["-DCMAKE_TOOLCHAIN_FILE=tools/toolchains/aarch64.cmake"]}
HEADERS = ["include/latkem/*.h", "src/**/*.h", "src/**/*.inc", "protocol/keyfile/*.h", "protocol/call/*.h"]
OUTSIDE = ["hpke.h", "hybrid.h", "noise.h"]  # headers of what is not compiled


def configured(machine: str) -> list[str]:
    """The table that CMake writes for a machine."""
    with tempfile.TemporaryDirectory() as build:
        command = ["cmake", "-S", ".", "-B", build, *CHOICES, *MACHINES[machine]]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
        return (Path(build) / "src" / "less" / "sources.txt").read_text().splitlines()


def table() -> str:
    """Both machines in one; what they share has to be the same."""
    tables = [configured(machine) for machine in MACHINES]
    shared, other = ([line for line in lines if line.startswith("any ")] for lines in tables)
    if changes := list(difflib.unified_diff(shared, other, lineterm="")):
        sys.exit("\n".join(["the machines differ in what is for any:", *changes]))
    own = [line for lines in tables for line in lines if line not in shared]
    for machine in MACHINES:
        if not any(line.startswith(f"{machine} -D") for line in own):
            sys.exit(f"the build for {machine} has no backend of that machine")
    return HEAD + "".join(f"{line}\n" for line in [*KEYFILE, *shared, *own])


def copy(folder: Path) -> None:
    """The sources, headers and the table itself, in the tree's layout."""
    shutil.rmtree(folder, ignore_errors=True)
    names = [line.split()[1] for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    files = [ROOT / name for name in names if not name.startswith("-D")]
    files += [path for pattern in HEADERS for path in ROOT.glob(pattern) if path.name not in OUTSIDE]
    for path in sorted(set(files)):
        to = folder / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
    shutil.copyfile(TABLE, folder / "sources.txt")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the table")
    parser.add_argument("--copy", type=Path, metavar="DIR", help="copy what the table names")
    arguments = parser.parse_args()
    if arguments.copy:
        copy(arguments.copy)
        return 0
    if platform.machine() not in ("x86_64", "AMD64"):
        sys.exit("this compares what an x86-64 machine configures")
    wanted = table()
    if arguments.update:
        TABLE.write_text(wanted)
    have = TABLE.read_text() if TABLE.exists() else ""
    changes = list(
        difflib.unified_diff(have.splitlines(), wanted.splitlines(), "src/sources.txt", "CMake", lineterm="")
    )
    print("\n".join(changes) + "\nrun tools/sources.py --update" if changes else "sources: src/sources.txt is CMake's")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())

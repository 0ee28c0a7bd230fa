#!/usr/bin/env python3
"""docs/moving-firmware.md: its makefile and its CMake code build examples/pqclean, and each call of its tables is in
moving_firmware.c, which they build too and which runs. The table's sizes are those of spec/sets.json.
SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/moving-firmware.md").read_text()
EXAMPLE = ROOT / "examples/pqclean"
CALLS = ROOT / "tests/packaging/moving_firmware.c"
CALL = re.compile(r"(?:latkem_(?:keypair|encaps|decaps)|PQCLEAN_|crypto_kem_)\w*\(.*\)")
PROGRAMS = ["program", "moving_firmware"]

MAKE = """
all: program moving_firmware
moving_firmware.o: CFLAGS += -Ilatkem
program moving_firmware: %: %.o $(OBJECTS)
	$(CC) $(CFLAGS) $^ -o $@
"""
CMAKE = """
cmake_minimum_required(VERSION 3.22)
project(moved C)
{block}
foreach(name IN ITEMS program moving_firmware)
  add_executable(${{name}} ${{name}}.c)
  target_link_libraries(${{name}} PRIVATE pqclean)
  target_include_directories(${{name}} PRIVATE latkem)
endforeach()
"""


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)
    if len(found) != 1:
        sys.exit(f"moving_firmware: {len(found)} pieces of {language} in the page")
    return found[0]


def run(*command: str | Path, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nmoving_firmware: {' '.join(map(str, command))} fails")


def project(folder: Path) -> Path:
    """A project that has latkem in a folder of its own."""
    folder.mkdir()
    (folder / "latkem").symlink_to(ROOT)
    shutil.copy(EXAMPLE / "program.c", folder)
    shutil.copy(CALLS, folder)
    return folder


def try_make(folder: Path) -> None:
    (folder / "Makefile").write_text(f"all:\n{block('make')}{MAKE}")
    run("make", f"CC={os.environ.get('CC', 'cc')}", folder=folder)
    for name in PROGRAMS:
        run(folder / name, folder=folder)


def try_cmake(folder: Path) -> None:
    (folder / "CMakeLists.txt").write_text(CMAKE.format(block=block("cmake")))
    run("cmake", "-S", folder, "-B", folder / "tree", "-DBUILD_TESTING=OFF", "-DLATKEM_BUILD_CLI=OFF", folder=folder)
    run("cmake", "--build", folder / "tree", "--parallel", folder=folder)
    for name in PROGRAMS:
        run(folder / "tree" / name, folder=folder)


def lacking() -> list[str]:
    """Calls of the tables that the program does not make."""
    program = CALLS.read_text()
    text = re.sub(r"^```.*?^```", "", PAGE, flags=re.M | re.S)
    calls = [call for call in re.findall(r"`([^`]+)`", text) if CALL.fullmatch(call)]
    if len(calls) < 10:
        sys.exit(f"moving_firmware: only {calls} are found in the page")
    return [call for call in calls if f"{call};" not in program]


def other_sizes() -> list[str]:
    """Rows of the table of sizes that are not the library's, and sets without a row."""
    rows = re.findall(r"^\| (`[^|]+`) \| (\d+) \| (\d+) \| (\d+) \|", PAGE, re.M)
    stated = {name: tuple(map(int, sizes)) for names, *sizes in rows for name in re.findall(r"`([^`]+)`", names)}
    facts = json.loads((ROOT / "spec/sets.json").read_text())["sets"]
    return [f["name"] for f in facts if stated.get(f["name"]) != tuple(f["sizes"][size] for size in ("ek", "dk", "ct"))]


def main() -> int:
    faults = [f"no line of {CALLS.name}: {call}" for call in lacking()]
    faults += [f"other sizes: {name}" for name in other_sizes()]
    print("\n".join(faults) or "moving_firmware: every call and size of the page is tried")
    with tempfile.TemporaryDirectory() as work:
        try_make(project(Path(work) / "make"))
        try_cmake(project(Path(work) / "cmake"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

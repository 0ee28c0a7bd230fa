#!/usr/bin/env python3
"""Measures the library on a Cortex-M4: stack, workspace, instructions and code, of the default and of the small build.

The library is built with arm-none-eabi-gcc for the board of examples/cortex-m and run in QEMU. The stack is painted
before each call. Instructions are those that QEMU executes, and not cycles: on a Cortex-M4 loads and taken branches
take more than one. Code is that of a program of ML-KEM-768's three operations (three.c), constants and the C library
included. The operations of each run must agree, and no call may take more than latkem_stack_bytes says.

Writes figures.json beside this file, from which docs/generate/firmware.py makes the tables of docs/firmware.md. --check
compares instead: with the same compiler stack, workspace and code must be equal, instructions within 1 %.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BOARD = ROOT / "examples/cortex-m"
FIGURES = HERE / "figures.json"
CC = "arm-none-eabi-gcc"
CPU = ["-mcpu=cortex-m4", "-mthumb"]
ONE = "ML-KEM-768"
STACK = 0x20000  # more than any operation takes
BUILDS = [  # small, level, sets
    (False, "-Os", "all"),
    (True, "-Os", "all"),
    (False, "-O3", ONE),
    (True, "-O3", ONE),
]
COSTS = ("stack", "stack_with_workspace", "instructions")
TOLERANCE = 0.01  # of instructions


def output(*command: str | Path) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nmeasure: {' '.join(map(str, command))} fails")
    return done.stdout


def library(small: bool, level: str, sets: str) -> Path:
    """Builds the library; returns its file."""
    tree = ROOT / "build/cortex-m" / f"{sets}{level}{'-small' if small else ''}"
    output(
        *("cmake", "-S", ROOT, "-B", tree, f"-DCMAKE_TOOLCHAIN_FILE={BOARD}/cortex-m4.cmake"),
        *("-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DCMAKE_C_FLAGS_MINSIZEREL={level} -DNDEBUG", f"-DLATKEM_SETS={sets}"),
        *("-DBUILD_TESTING=OFF", "-DLATKEM_BUILD_CLI=OFF", f"-DLATKEM_SMALL={'ON' if small else 'OFF'}"),
    )
    output("cmake", "--build", tree, "-j", str(os.cpu_count() or 1))
    return tree / "src/liblatkem.a"


def one_file(small: bool, level: str) -> Path:
    """The library as one file, compiled."""
    tree = ROOT / "build/cortex-m" / f"one{level}{'-small' if small else ''}"
    choice = ["--sets", ONE, *(["--small"] if small else [])]
    output(sys.executable, ROOT / "tools/amalgamate.py", *choice, tree)
    options = ["-DNDEBUG", "-DLATKEM_NO_OS_RANDOM", "-ffunction-sections", "-fdata-sections"]
    output(CC, *CPU, level, *options, "-c", tree / "latkem.c", "-o", tree / "latkem.o")
    return tree / "latkem.o"


def code_bytes(built: Path, level: str) -> int:
    """Of a program with the library's archive or object."""
    program = built.parent / "three.elf"
    link = ["-nostartfiles", "-Wl,-e,main", "-Wl,--gc-sections"]
    output(CC, *CPU, level, f"-I{ROOT}/include", HERE / "three.c", built, *link, "-o", program)
    text, data = output("arm-none-eabi-size", program).splitlines()[1].split()[:2]
    return int(text) + int(data)


def operations(archive: Path) -> dict[str, dict[str, Any]]:
    """By set the workspace, and of key generation, encapsulation and decapsulation each of the costs."""
    program = archive.parent / "operations.elf"
    output(
        *(CC, *CPU, "-Os", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", f"-I{BOARD}"),
        *(HERE / "operations.c", BOARD / "mps2_an386.c", archive, "-nostartfiles"),
        *(f"-Wl,-T,{BOARD}/mps2_an386.ld", f"-Wl,--defsym=stack_bytes={STACK}", "-Wl,--gc-sections", "-o", program),
    )
    *lines, end = output(
        *("qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-semihosting"),
        *("-icount", "shift=0", "-kernel", program),
    ).splitlines()
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        name, operation, *numbers = line.split()
        if end != "complete" or not numbers or not all(map(str.isdigit, numbers)):
            sys.exit(f"costs: {line}")
        stack, instructions, stack_in, workspace, promised = map(int, numbers)
        if stack > promised:
            sys.exit(f"costs: {name}, {operation}: {stack} bytes of stack, latkem_stack_bytes is {promised}")
        costs = found.setdefault(name, {"workspace": workspace})
        for what, cost in zip(COSTS, (stack, stack_in, instructions), strict=True):
            costs.setdefault(what, []).append(cost)
    return found


def measured() -> dict[str, Any]:
    builds = []
    for small, level, sets in BUILDS:
        code = code_bytes(library(small, level, ONE), level)
        of_one_file = code_bytes(one_file(small, level), level)
        of_sets = operations(library(small, level, sets))
        builds.append({"small": small, "level": level, "code": code, "code_of_one_file": of_one_file, "sets": of_sets})
        print(f"{level}{', small' if small else ''}: {len(of_sets)} sets, {code} bytes of code", flush=True)
    version = output(CC, "--version").splitlines()[0]
    return {"compiler": version, "emulator": output("qemu-system-arm", "--version").splitlines()[0], "builds": builds}


def differences(kept: Any, found: Any, place: str = "") -> list[str]:
    """The places at which two figures differ."""
    if isinstance(kept, dict) and isinstance(found, dict) and kept.keys() == found.keys():
        return [each for key in kept for each in differences(kept[key], found[key], f"{place} {key}")]
    if isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        pairs = enumerate(zip(kept, found, strict=True))
        return [each for i, (a, b) in pairs for each in differences(a, b, f"{place} {i}")]
    near = " instructions " in place and abs(kept - found) <= TOLERANCE * kept
    return [] if near or kept == found else [f"{place.strip()}: kept {kept}, found {found}"]


def as_json(figures: dict[str, Any]) -> str:
    """With the costs of three operations on one line."""
    text = json.dumps(figures, indent=1)
    return re.sub(r"\[\s+(\d+),\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2, \3]", text) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with figures.json, and change nothing")
    args = parser.parse_args()
    found = measured()
    if not args.check:
        FIGURES.write_text(as_json(found))
        return 0
    kept = json.loads(FIGURES.read_text())
    if kept["compiler"] != found["compiler"]:
        print(f"skipped: the figures are those of {kept['compiler']}")
        return 0
    differing = differences(kept["builds"], found["builds"])
    print("\n".join(differing) or "the figures are those kept")
    if differing:
        print("costs: run bench/cortex-m/costs.py and docs/generate/firmware.py")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

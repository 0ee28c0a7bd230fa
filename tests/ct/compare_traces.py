#!/usr/bin/env python3
"""Holds traces of one operation with different secrets against each other.

The instructions must be the same, and so must every address: the general registers that an instruction's memory
operands name. An executed gather or scatter fails, for its addresses are in vector registers. Functions whose names
end in _vartime see public data that follow from the secrets given to trace (in key generation, the matrix from its
seed) and are left out. The program is trace.c's, linked statically and not stripped.

Usage: compare_traces.py PROGRAM FIRST OTHER...: exit status 0 if one of the others is the same as the first.
SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import subprocess
import sys
from array import array
from bisect import bisect_right

NAMES = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{i}" for i in range(8, 16))]
NUMBER = {f"%{name}": i + 1 for i, name in enumerate(NAMES)}  # in a row, after the program counter
ROW = 1 + len(NAMES)
OPERAND = re.compile(r"\((%\w+)?(?:,(%\w+)(?:,[1248])?)?\)")
ACCESS_FREE = re.compile(r"(lea|nop)[a-z]*$")


class Program:
    """The disassembly: the text and the address registers of each instruction, and where functions begin."""

    def __init__(self, path: str) -> None:
        objdump = os.environ.get("OBJDUMP", "objdump")
        listing = subprocess.run(
            [objdump, "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True
        )
        self.text: dict[int, str] = {}
        self.starts: list[int] = []
        self.functions: list[str] = []
        for line in listing.stdout.splitlines():
            if start := re.match(r"([0-9a-f]+) <(.*)>:$", line):
                self.starts.append(int(start[1], 16))
                self.functions.append(start[2])
            elif instruction := re.match(r"\s*([0-9a-f]+):\s+(\S.*)", line):
                self.text[int(instruction[1], 16)] = instruction[2]

    def function(self, address: int) -> str:
        return self.functions[bisect_right(self.starts, address) - 1]

    def registers(self, address: int) -> list[str]:
        text = self.text[address]
        if ACCESS_FREE.match(text.split()[0]):
            return []
        return [name for operand in OPERAND.finditer(text) for name in operand.groups() if name]

    def where(self, address: int) -> str:
        return f"{self.function(address)} at {address:x}: {self.text.get(address, 'unknown code')}"


def load(path: str, program: Program) -> list[tuple[int, ...]]:
    """The rows of a trace without those of functions for public data."""
    words = array("Q")
    with open(path, "rb") as file:
        words.frombytes(file.read())
    rows = (tuple(words[i : i + ROW]) for i in range(0, len(words), ROW))
    known: dict[int, bool] = {}
    kept = []
    for row in rows:
        address = row[0]
        if address not in known:
            known[address] = "_vartime" in program.function(address)
        if not known[address]:
            kept.append(row)
    return kept


def gathers(program: Program, rows: list[tuple[int, ...]]) -> list[str]:
    """Executed instructions whose addresses are in vector registers."""
    found = []
    for address in sorted({row[0] for row in rows}):
        if any(name[1] in "xyz" for name in program.registers(address)):
            found.append(f"gather or scatter in {program.where(address)}")
    return found


def difference(program: Program, first: list[tuple[int, ...]], other: list[tuple[int, ...]]) -> str | None:
    for a, b in zip(first, other, strict=False):
        if a == b:
            continue
        if a[0] != b[0]:
            return f"a branch before {program.where(a[0])}"
        for name in program.registers(a[0]):
            number = NUMBER.get(name, 0)
            if a[number] != b[number]:
                return f"an address in {program.where(a[0])}"
    return None if len(first) == len(other) else f"{len(first)} instructions and {len(other)}"


def main() -> int:
    program = Program(sys.argv[1])
    first, *others = (load(path, program) for path in sys.argv[2:])
    if not first or not others:
        print("no trace")
        return 1
    if found := gathers(program, first):
        print("\n".join(found))
        return 1
    differences = [difference(program, first, other) for other in others]
    if None in differences:
        print(f"{len(first)} instructions and their addresses are the same")
        return 0
    print("\n".join(f"depends on a secret: {text}" for text in differences))
    return 1


if __name__ == "__main__":
    sys.exit(main())

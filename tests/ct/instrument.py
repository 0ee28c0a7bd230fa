#!/usr/bin/env python3
"""Compiles a C file with calls between its instructions that log what the program does (trace.c): the beginning of each
block that is executed, and each address that is accessed.

The compiler's own assembly is extended, so that its instructions are those that ship. The calls change neither flags
nor registers and keep off the red zone. Left out are addresses that are constant, or an offset from the stack pointer,
and functions with names that end in _vartime, which see public data alone. For x86-64.

Usage: instrument.py COMPILER ARGUMENT..., as CMake's CMAKE_C_COMPILER_LAUNCHER does.
SPDX-License-Identifier: Apache-2.0
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SECTION = re.compile(r"\s*\.(?:section\s+)?(text|data|bss|rodata|[\w.]+)\b")
FUNCTION = re.compile(r"\s*\.type\s+([\w.$]+),\s*@function")
LABEL = re.compile(r"([\w.$]+):")
OPERAND = re.compile(r"(%[fg]s:)?\*?([^\s,()*]*)\((%\w+)?(?:,\s*(%\w+)(?:,\s*[1248])?)?\)")
STRING = re.compile(r"(?:rep\w*\s+)?(?:stos|movs|lods|scas|cmps)[bwlq]\b")
OF_MEMORY = re.compile(r"(?:call|jmp)q?\s+(?:__)?(memcpy|memmove|memset|memcmp)(?:_chk)?(?:@PLT)?$")
ACCESS_FREE = re.compile(r"(?:lea|nop)")
CONDITIONAL = re.compile(r"j(?!mp)\w+\s")
WITHOUT_LABELS = re.compile(r"(?:loop\w*|j[er]?cxz)\s")

BELOW_RED_ZONE, BACK = "\tleaq\t-128(%rsp), %rsp\n", "\tleaq\t128(%rsp), %rsp\n"
BLOCK = f"{BELOW_RED_ZONE}\tcall\tlk_trace_block\n{BACK}"
GATHER = f"{BELOW_RED_ZONE}\tcall\tlk_trace_gather\n{BACK}"
PUSHED = 128 + 8


def access(operand: str) -> str:
    return f"{BELOW_RED_ZONE}\tpushq\t%rax\n\tleaq\t{operand}, %rax\n\tcall\tlk_trace_access\n\tpopq\t%rax\n{BACK}"


def accesses(instruction: str) -> Iterator[str]:
    """The data logged before an instruction."""
    if STRING.match(instruction):
        yield from (access(operand) for operand in ("(%rdi)", "(%rsi)", "(%rcx)"))
        return
    if OF_MEMORY.match(instruction):
        yield from (access(operand) for operand in ("(%rdi)", "(%rsi)", "(%rdx)"))
        return
    if ACCESS_FREE.match(instruction):
        return
    for operand in OPERAND.finditer(instruction):
        segment, offset, base, index = operand.groups()
        if index and index[1] in "xyz":
            yield GATHER
        elif not segment and (index or base not in (None, "%rip", "%rsp")):
            text = operand[0].replace("*", "")
            yield access(f"{PUSHED}+{offset or 0}{text[len(offset) :]}" if base == "%rsp" else text)


def instrument(lines: list[str]) -> Iterator[str]:
    functions = {found[1] for line in lines if (found := FUNCTION.match(line))}
    in_text, secret = False, False
    for line in lines:
        code = line.split("#")[0].strip()
        if label := LABEL.match(code):
            if label[1] in functions:
                secret = "_vartime" not in label[1]
            yield line
            if in_text and secret:
                yield BLOCK
        elif code.startswith("."):
            if code.startswith((".section", ".text", ".data", ".bss")):
                in_text = SECTION.findall(code)[0].lstrip(".").startswith("text")
            yield line
        elif not (code and in_text and secret):
            yield line
        else:
            if WITHOUT_LABELS.match(code):
                raise ValueError(f"{code}: its target may be too far away")
            yield from accesses(code)
            yield re.sub(r"\bmemcmp(@PLT)?", "lk_trace_memcmp", line) if OF_MEMORY.match(code) else line
            if CONDITIONAL.match(code):
                yield BLOCK


def main() -> int:
    command = sys.argv[1:]
    if "-c" not in command:
        return subprocess.run(command, check=False).returncode
    output = command.index("-o") + 1
    assembly = Path(command[output] + ".s")
    made = ["-S" if word == "-c" else word for word in command]
    made[output] = str(assembly)
    if status := subprocess.run(made, check=False).returncode:
        return status
    assembly.write_text("".join(instrument(assembly.read_text().splitlines(keepends=True))))
    return subprocess.run([command[0], "-c", str(assembly), "-o", command[output]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

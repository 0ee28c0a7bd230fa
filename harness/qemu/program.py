"""The traced program: the text and the class of each instruction, and the function it belongs to.

SPDX-License-Identifier: Apache-2.0
"""

import re
import subprocess
from bisect import bisect_right
from pathlib import Path

FEATURES = "+v8.4a,+sha3,+crypto"
CLASSES = ["scalar", "vector", "multiply", "load_store", "crypto"]

CRYPTO = re.compile(r"(aes|sha\d)[a-z0-9]+$|eor3$|bcax$|rax1$|xar$")
LOAD_STORE = re.compile(r"(ld|st)[0-9a-z]+$|prfu?m$")
MULTIPLY = re.compile(r"(?!f)[a-z]*(mul|mla|mls|madd|msub|mneg|mlal|mlsl)[a-z0-9]*$")
VECTOR_REGISTER = re.compile(r"\b[vqdshb]\d+\b")


def class_of(text: str) -> str:
    mnemonic, _, operands = text.partition(" ")
    if CRYPTO.match(mnemonic):
        return "crypto"
    if LOAD_STORE.match(mnemonic):
        return "load_store"
    if MULTIPLY.match(mnemonic):
        return "multiply"
    return "vector" if VECTOR_REGISTER.search(operands) else "scalar"


class Program:
    """A static executable, disassembled by LLVM into text that llvm-mca understands."""

    def __init__(self, path: Path, objdump: str) -> None:
        listing = subprocess.run(
            [objdump, "-d", "--no-show-raw-insn", f"--mattr={FEATURES}", str(path)],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        self.text: dict[int, str] = {}
        self.starts: list[int] = []
        self.names: list[str] = []
        for line in listing.splitlines():
            if instruction := re.match(r"\s*([0-9a-f]+):\s+(\S.*)", line):
                self.text[int(instruction[1], 16)] = " ".join(instruction[2].split())
            elif start := re.match(r"([0-9a-f]+) <(.*)>:$", line):
                self.starts.append(int(start[1], 16))
                self.names.append(start[2])

    def address(self, name: str) -> int:
        return self.starts[self.names.index(name)]

    def function(self, address: int) -> str:
        return self.names[bisect_right(self.starts, address) - 1]

    def is_measured(self, address: int) -> bool:
        """Whether an instruction counts: those of the library and of the C library do, the program's own do not."""
        name = self.function(address)
        return not name.startswith(("_Z", "latkem_section_")) and name != "main"

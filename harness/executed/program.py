"""A program that is recorded: the text and the class of each instruction, and the function it belongs to.

SPDX-License-Identifier: Apache-2.0
"""

import re
import subprocess
from abc import ABC, abstractmethod
from bisect import bisect_right
from pathlib import Path


def run(command: list[str], cwd: Path | None = None) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=cwd).stdout


class Program(ABC):
    """A static executable, disassembled by LLVM into text that llvm-mca understands."""

    objdump_options: tuple[str, ...] = ()
    mca_options: tuple[str, ...]
    classes: tuple[str, ...]

    def __init__(self, path: Path, objdump: str) -> None:
        listing = run([objdump, "-d", "--no-show-raw-insn", *self.objdump_options, str(path)])
        self.text: dict[int, str] = {}
        self.starts: list[int] = []
        self.names: list[str] = []
        for line in listing.splitlines():
            if instruction := re.match(r"\s*([0-9a-f]+):\s+(\S.*)", line):
                self.text[int(instruction[1], 16)] = " ".join(instruction[2].split())
            elif start := re.match(r"([0-9a-f]+) <(.*)>:$", line):
                self.starts.append(int(start[1], 16))
                self.names.append(start[2])

    @staticmethod
    @abstractmethod
    def class_of(text: str) -> str:
        """The one of `classes` that an instruction is in."""

    @staticmethod
    @abstractmethod
    def assembly(text: str) -> str:
        """An instruction as llvm-mca takes it out of its place: targets do not matter, and a call is a jump, because
        llvm-mca gives calls a latency that no CPU has. Empty for those that it cannot take."""

    def address(self, name: str) -> int:
        return self.starts[self.names.index(name)]

    def function(self, address: int) -> str:
        return self.names[bisect_right(self.starts, address) - 1]

    def is_measured(self, address: int) -> bool:
        """Whether an instruction counts: those of the library and of the C library do, the program's own do not."""
        name = self.function(address)
        return not name.startswith(("_Z", "latkem_section_")) and name != "main"

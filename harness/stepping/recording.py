"""Runs a program step by step on this machine and reads back what each section executed.

SPDX-License-Identifier: Apache-2.0
"""

import tempfile
from array import array
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from executed.program import run
from executed.sections import Block, Section, block_of, read_words
from stepping.program import Program

HERE = Path(__file__).resolve().parent


def build_stepper(folder: Path) -> Path:
    stepper = folder / "stepper"
    run(["cc", "-std=c11", "-O2", "-Wall", "-Wextra", str(HERE / "stepper.c"), "-o", str(stepper)])
    return stepper


class Recorder:
    def __init__(self, executable: Path, program: Program, stepper: Path) -> None:
        self.executable, self.program, self.stepper = executable, program, stepper
        self.following = dict(pairwise(sorted(program.text)))
        self.blocks: dict[tuple[int, int], Block | None] = {}

    def record(self, *arguments: str) -> list[Section]:
        """Runs the program with these arguments; what does not count is left out."""
        begin = self.program.address("latkem_section_begin")
        end = self.program.address("latkem_section_end")
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder) / "trace"
            command = [str(self.stepper), f"{begin:x}", f"{end:x}", str(trace), str(self.executable)]
            names = run([*command, *arguments]).splitlines()
            words = list(read_words(trace))
        return [Section(name, list(self.blocks_of(of_one))) for name, of_one in zip(names, words, strict=True)]

    def blocks_of(self, words: array) -> Iterator[Block]:
        """Cuts where an instruction is not followed by the next one in memory."""
        start = 0
        for at in range(1, len(words) + 1):
            if at < len(words) and self.following[words[at - 1]] == words[at]:
                continue
            if block := self.block(tuple(words[start:at])):
                yield block
            start = at

    def block(self, addresses: tuple[int, ...]) -> Block | None:
        key = addresses[0], len(addresses)
        if key not in self.blocks:
            self.blocks[key] = block_of(self.program, addresses)
        return self.blocks[key]

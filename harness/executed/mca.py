"""Cycles of a recorded section on a CPU that LLVM models, by llvm-mca.

A section is cut into pieces. llvm-mca simulates each once, however often it was executed. A piece costs the cycles that
a second run of it adds to the first, so that neighbours overlap as a piece does with itself.
SPDX-License-Identifier: Apache-2.0
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterable

from executed.program import Program
from executed.sections import Block, Section

PIECE = 400  # instructions after which a piece ends with the next call, return or jump backwards
LONGEST = 4000  # instructions after which it ends anyway

Piece = tuple[Block, ...]


def pieces_of(section: Section) -> Counter[Piece]:
    pieces: Counter[Piece] = Counter()
    piece: list[Block] = []
    size = 0
    following = [*section.blocks[1:], None]
    for block, after in zip(section.blocks, following, strict=True):
        piece.append(block)
        size += block.instructions
        jumps_back = after is None or after.address <= block.address or after.functions[0][0] != block.functions[-1][0]
        if (size >= PIECE and jumps_back) or size >= LONGEST:
            pieces[tuple(piece)] += 1
            piece, size = [], 0
    if piece:
        pieces[tuple(piece)] += 1
    return pieces


class Model:
    """One CPU; `mca` is the program llvm-mca."""

    def __init__(self, cpu: str, mca: str, program: Program) -> None:
        self.cpu, self.mca, self.program = cpu, mca, program
        self.cost: dict[Piece, int] = {}

    def learn(self, sections: Iterable[Section]) -> None:
        """Simulates the pieces that are new."""
        new = list({piece: None for section in sections for piece in pieces_of(section) if piece not in self.cost})
        if new:
            once, twice = (self.simulate(new, iterations) for iterations in (1, 2))
            self.cost.update((piece, b - a) for piece, a, b in zip(new, once, twice, strict=True))

    def cycles(self, section: Section) -> int:
        return sum(count * self.cost[piece] for piece, count in pieces_of(section).items())

    def simulate(self, pieces: list[Piece], iterations: int) -> list[int]:
        """The cycles of so many runs of each piece."""
        source = "".join(f"# LLVM-MCA-BEGIN piece\n{self.source(piece)}\n# LLVM-MCA-END\n" for piece in pieces)
        command = [
            self.mca, *self.program.mca_options, f"-mcpu={self.cpu}", f"-iterations={iterations}",
            "-resource-pressure=false", "-instruction-info=false", "-",
        ]  # fmt: skip
        done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        cycles = [int(number) for number in re.findall(r"^Total Cycles:\s+(\d+)", done.stdout, re.MULTILINE)]
        if len(cycles) != len(pieces):
            raise RuntimeError(f"llvm-mca for {self.cpu}: {done.stderr.strip()[:2000]}")
        return cycles

    def source(self, piece: Piece) -> str:
        texts = (self.program.text[address] for block in piece for address in block.addresses)
        return "\n".join(map(self.program.assembly, texts))

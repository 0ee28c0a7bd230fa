"""The instructions that a program executed between two markers.

SPDX-License-Identifier: Apache-2.0
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from executed.program import Program

SECTION_END = 2**64 - 1


@dataclass(eq=False)
class Block:
    """A piece of code that runs from its first instruction to its last. A recorder has one object for each."""

    addresses: Sequence[int]
    classes: dict[str, int]
    functions: tuple[tuple[str, int], ...]

    @property
    def address(self) -> int:
        return self.addresses[0]

    @property
    def instructions(self) -> int:
        return len(self.addresses)


def block_of(program: Program, addresses: Sequence[int]) -> Block | None:
    """None for a block that does not count."""
    if not program.is_measured(addresses[0]):
        return None
    classes = Counter(program.class_of(program.text[a]) for a in addresses)
    functions = Counter(program.function(a) for a in addresses)
    return Block(addresses, classes, tuple(functions.items()))


@dataclass
class Section:
    """The instructions that one section executed, in order, but for the code of the program itself."""

    name: str
    blocks: list[Block]

    @cached_property
    def counted(self) -> Counter[Block]:
        return Counter(self.blocks)

    @property
    def instructions(self) -> int:
        return sum(count * block.instructions for block, count in self.counted.items())

    @property
    def classes(self) -> Counter[str]:
        totals: Counter[str] = Counter()
        for block, count in self.counted.items():
            for name, part in block.classes.items():
                totals[name] += count * part
        return totals

    @property
    def functions(self) -> dict[str, int]:
        """Instructions by function, the most first."""
        totals: Counter[str] = Counter()
        for block, count in self.counted.items():
            for name, part in block.functions:
                totals[name] += count * part
        return dict(totals.most_common())


def read_words(trace: Path) -> Iterator[array]:
    """A record of 64-bit words, section by section."""
    words = array("Q")
    words.frombytes(trace.read_bytes())
    start = 0
    for _ in range(words.count(SECTION_END)):
        end = words.index(SECTION_END, start)
        yield words[start:end]
        start = end + 1

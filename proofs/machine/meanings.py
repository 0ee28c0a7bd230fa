"""Tables of meanings: of each instruction what it does, by its mnemonic and, where operands decide, by their kinds.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from typing import Generic, TypeVar

Meaning = TypeVar("Meaning")


class Meanings(Generic[Meaning]):
    """A family's meanings, or those of all families of a processor. `shapes` are kinds of operands, "" where a meaning
    is that of all."""

    def __init__(self, *families: "Meanings[Meaning]") -> None:
        self.known: dict[tuple[str, str], Meaning] = {}
        for family in families:
            for (mnemonic, shape), meaning in family.known.items():
                self.define(mnemonic, shape, meaning=meaning)

    def define(self, mnemonic: str, *shapes: str, meaning: Meaning) -> None:
        """Says what a mnemonic with operands of these kinds does; nothing is said twice."""
        for shape in shapes or ("",):
            if (mnemonic, shape) in self.known:
                raise ValueError(f"{mnemonic} {shape} has two meanings")
            self.known[mnemonic, shape] = meaning

    def form(self, mnemonic: str, *shapes: str) -> Callable[[Meaning], Meaning]:
        """The same as a decorator."""

        def keep(meaning: Meaning) -> Meaning:
            self.define(mnemonic, *shapes, meaning=meaning)
            return meaning

        return keep

    def get(self, mnemonic: str, shape: str = "") -> Meaning | None:
        return self.known.get((mnemonic, shape))

    def withdraw(self, mnemonic: str, shape: str = "") -> Meaning:
        """Takes a meaning out, for a family that extends it."""
        return self.known.pop((mnemonic, shape))

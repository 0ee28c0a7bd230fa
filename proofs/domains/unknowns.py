"""Unknowns: secret-independence of whole operations.

Secrets are unknowns and every result that depends on one is a new unknown; what is public has its value. An operation
that runs to its end has no branch and no address that depends on a secret, for all secrets at these public values.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping

from proofs.machine import terms as T
from proofs.machine.frames import StackMemory
from proofs.machine.memory import PAGE
from proofs.machine.terms import Node

Bit = tuple[Node, int]  # of a node that is no constant


def unknown_bytes(count: int) -> list[Node]:
    return [T.fresh(8) for _ in range(count)]


def constant_bytes(data: bytes) -> list[Node]:
    return [T.const(b, 8) for b in data]


class DeclassifyingMemory(StackMemory):
    """Values that are written to places declared public become public, with the bytes given there, and so do all their
    copies, shifted or not. `declassified` has the places that this has happened to."""

    def __init__(self, public: Mapping[int, bytes]) -> None:
        """`public` has the bytes by their first address."""
        super().__init__(unwritten_is_unknown=True)
        self._public = {at + i: b for at, data in public.items() for i, b in enumerate(data)}
        self.declassified: set[int] = set()

    def store(self, at: int, n: Node) -> None:
        super().store(at, n)
        addresses = [a for a in range(at, at + T.W[n] // 8) if a in self._public]
        bytes_there = [(_byte(self._page(a // PAGE)[a % PAGE]), self._public[a]) for a in addresses]
        values = {bit: value >> i & 1 for byte, value in bytes_there for i, bit in _unknown_bits(byte)}
        if values:
            self._replace(values)
        self.declassified.update(addresses)

    def _replace(self, values: Mapping[Bit, int]) -> None:
        nodes = {node for node, _ in values}
        for page in self._pages.values():
            for i, code in enumerate(page):
                byte = _byte(code)
                if (
                    not nodes.isdisjoint(m for m, _, _ in T.pieces(byte))
                    and (value := _value(byte, values)) is not None
                ):
                    page[i] = T.const(value, 8) << 7


def _byte(code: int | None) -> Node:
    """A byte of a page; 0 where none was written."""
    return T.const(0, 8) if code is None else T.extract(code >> 7, 8 * (code & 127), 8)


def _unknown_bits(byte: Node) -> Iterator[tuple[int, Bit]]:
    """Their numbers in the byte, and what they are."""
    at = 0
    for n, low, w in T.pieces(byte):
        if not T.is_const(n):
            yield from ((at + i, (n, low + i)) for i in range(w))
        at += w


def _value(byte: Node, values: Mapping[Bit, int]) -> int | None:
    """None if not all of its bits are known."""
    known = [(i, values.get(bit)) for i, bit in _unknown_bits(byte)]
    constants, at = 0, 0
    for n, low, w in T.pieces(byte):
        constants |= T.val(T.extract(n, low, w)) << at if T.is_const(n) else 0
        at += w
    return None if any(bit is None for _, bit in known) else constants | sum(bit << i for i, bit in known if bit)

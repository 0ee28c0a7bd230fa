"""Unknowns: secret-independence of whole operations.

Secrets are unknowns and every result that depends on one is a new unknown; what is public has its value. An operation
that runs to its end has no branch and no address that depends on a secret, for all secrets at these public values.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping

from proofs.machine import terms as T
from proofs.machine.memory import PAGE, Memory
from proofs.machine.terms import Node

Source = tuple[Node, int]  # a byte: from this bit of a node


def unknown_bytes(count: int) -> list[Node]:
    return [T.fresh(8) for _ in range(count)]


def constant_bytes(data: bytes) -> list[Node]:
    return [T.const(b, 8) for b in data]


class DeclassifyingMemory(Memory):
    """Values that are written to places declared public become public, with the bytes given there, and so do all their
    copies. `declassified` has the places that this has happened to."""

    def __init__(self, public: Mapping[int, bytes]) -> None:
        """`public` has the bytes by their first address."""
        super().__init__(unwritten_is_unknown=True)
        self._public = {at + i: b for at, data in public.items() for i, b in enumerate(data)}
        self.declassified: set[int] = set()

    def store(self, at: int, n: Node) -> None:
        super().store(at, n)
        addresses = [a for a in range(at, at + T.W[n] // 8) if a in self._public]
        values = {self._source(a): self._public[a] for a in addresses}
        values.pop(None, None)
        if values:
            self._replace({source: value for source, value in values.items() if source is not None})
        self.declassified.update(addresses)

    def _source(self, address: int) -> Source | None:
        """Where a byte comes from; None if it is a constant or made of several."""
        return _source_of(self._page(address // PAGE)[address % PAGE])

    def _replace(self, values: Mapping[Source, int]) -> None:
        for page in self._pages.values():
            for i, code in enumerate(page):
                source = _source_of(code)
                if source in values:
                    page[i] = T.const(values[source], 8) << 7


def _source_of(code: int | None) -> Source | None:
    if code is None or T.OP[code >> 7] == "const":
        return None
    pieces = T.pieces(T.extract(code >> 7, 8 * (code & 127), 8))
    if len(pieces) != 1 or T.OP[pieces[0][0]] == "const":
        return None
    return pieces[0][:2]

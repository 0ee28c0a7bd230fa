"""Fields of sums: a slice of a sum, cut down to the bits that can reach it.

Packing code adds many small numbers in one word. Where no carry or borrow can cross a bit, the bits above it do not
depend on those below; `narrow` rewrites a term so that it names only the bits that it depends on.

SPDX-License-Identifier: Apache-2.0
"""

from proofs.machine import terms as T
from proofs.machine.terms import Node

_BITWISE = {"and": T.and_, "or": T.or_, "xor": T.xor}


class Fields:
    """Rewrites terms; the results and bounds are kept, for outputs share their words."""

    def __init__(self) -> None:
        self._slices: dict[tuple[Node, int, int], Node] = {}
        self._bounds: dict[Node, tuple[int, int]] = {}

    def narrow(self, n: Node) -> Node:
        return self.slice(n, 0, T.W[n])

    def slice(self, n: Node, low: int, w: int) -> Node:
        """Bits [low, low + w) of n."""
        key = n, low, w
        if key not in self._slices:
            self._slices[key] = self._slice(n, low, w)
        return self._slices[key]

    def _slice(self, n: Node, low: int, w: int) -> Node:
        op, args = T.OP[n], T.ARGS[n]
        if op in ("const", "var"):
            return T.extract(n, low, w)
        if op == "cat":
            return (
                T.concat([self.slice(m, a, b) for m, a, b in T.pieces(T.extract(n, low, w))])
                if (low or w != T.W[n])
                else T.concat([self.slice(*p) for p in args])
            )
        if op in _BITWISE:
            return _BITWISE[op](*(self.slice(a, low, w) for a in args))
        if op == "not":
            return T.not_(self.slice(args[0], low, w))
        if op == "ite":
            return T.ite(self.narrow(args[0]), self.slice(args[1], low, w), self.slice(args[2], low, w))
        if op in ("add", "sub"):
            return self._slice_sum(n, low, w)
        return T.extract(self._rebuild(n), low, w)

    def _rebuild(self, n: Node) -> Node:
        """The node with narrowed arguments."""
        return T.mk(T.OP[n], T.W[n], *(self.narrow(a) for a in T.ARGS[n]))

    def _slice_sum(self, n: Node, low: int, w: int) -> Node:
        """From the highest bit at or below `low` into which nothing is carried, up to the slice's end."""
        x, y = T.ARGS[n]
        end = low + w
        cut = next(b for b in range(low, -1, -1) if b == 0 or self._nothing_crosses(n, b))
        x, y = self.slice(x, cut, end - cut), self.slice(y, cut, end - cut)
        return T.extract(T.add(x, y) if T.OP[n] == "add" else T.sub(x, y), low - cut, w)

    def _nothing_crosses(self, n: Node, bit: int) -> bool:
        """Whether the sum of the bits below `bit` stays below 2^bit, or their difference is not negative."""
        x, y = (self.slice(a, 0, bit) for a in T.ARGS[n])
        if T.OP[n] == "add":
            return self.bounds(x)[1] + self.bounds(y)[1] < 1 << bit
        return self.bounds(x)[0] >= self.bounds(y)[1]

    def bounds(self, n: Node) -> tuple[int, int]:
        """The least and the greatest value that the structure of the term allows."""
        if n not in self._bounds:
            low, high = self._bound(n)
            self._bounds[n] = (low, high) if low >= 0 and high < 1 << T.W[n] else (0, (1 << T.W[n]) - 1)
        return self._bounds[n]

    def _bound(self, n: Node) -> tuple[int, int]:
        """As if words had no end: a bound beyond the word says nothing."""
        op, args = T.OP[n], T.ARGS[n]
        if op == "const":
            return args[0], args[0]
        if op == "cat":
            return self._bound_cat(n)
        if op in ("add", "sub", "ite"):
            (a, b), (c, d) = (self.bounds(x) for x in args[-2:])
            return {"add": (a + c, b + d), "sub": (a - d, b - c), "ite": (min(a, c), max(b, d))}[op]
        return 0, (1 << T.W[n]) - 1

    def _bound_cat(self, n: Node) -> tuple[int, int]:
        low = high = at = 0
        for m, mlow, w in T.pieces(n):
            a, b = self.bounds(m) if mlow == 0 else (0, (1 << w) - 1)
            if b >= 1 << w:
                a, b = 0, (1 << w) - 1
            low, high, at = low + (a << at), high + (b << at), at + w
        return low, high

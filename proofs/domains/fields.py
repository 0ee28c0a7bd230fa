"""Fields of sums: a slice of a sum, cut down to the bits that can reach it.

Packing code adds many small numbers in one word. If the same is always carried or borrowed across a bit, the bits
above it do not depend on those below; `narrow` rewrites a term so that it names only the bits that it depends on.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Mapping

from proofs.domains.intervals import Interval, compared
from proofs.machine import terms as T
from proofs.machine.terms import Node

_BITWISE = {"and": T.and_, "or": T.or_, "xor": T.xor}
_SIGNS = {"add": 1, "sub": -1}


class Fields:
    """Rewrites terms; the results and bounds are kept, for outputs share their words."""

    def __init__(self) -> None:
        self._slices: dict[tuple[Node, int, int], Node] = {}
        self._bounds: dict[Node, Interval] = {}
        self._sums: dict[Node, dict[Node, int]] = {}

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
        if op in _SIGNS:
            return self._slice_sum(n, low, w)
        if op in ("eq", "ult", "slt"):
            return self._compare(op, *(self.narrow(a) for a in args))
        return T.extract(self._rebuild(n), low, w)

    def _rebuild(self, n: Node) -> Node:
        """The node with narrowed arguments."""
        return T.mk(T.OP[n], T.W[n], *(self.narrow(a) for a in T.ARGS[n]))

    def _compare(self, op: str, x: Node, y: Node) -> Node:
        bounds = self._signed_bounds if op == "slt" else self.bounds
        outcome = compared(op, bounds(x), bounds(y))
        return T.cmp(op, x, y) if outcome is None else T.const(outcome, 1)

    def _slice_sum(self, n: Node, low: int, w: int) -> Node:
        """From the highest bit at or below `low` into which the same is always carried, up to the slice's end."""
        end, terms = low + w, self._terms(n)
        cut, carried = next((b, c) for b in range(low, -1, -1) if (c := self._carry(terms, b)) is not None)
        total = T.const(carried, end - cut)
        for x, multiple in terms.items():
            part = self.slice(x, cut, end - cut)
            total = T.sub(total, part) if multiple == -1 else T.add(total, T.mul(part, T.const(multiple, end - cut)))
        return T.extract(total, low - cut, w)

    def _terms(self, n: Node) -> dict[Node, int]:
        """A sum as multiples of what are no sums: compilers reassociate, and a part alone may borrow."""
        if T.OP[n] not in _SIGNS:
            return {n: 1}
        if n not in self._sums:
            x, y = T.ARGS[n]
            total = dict(self._terms(x))
            for leaf, multiple in self._terms(y).items():
                total[leaf] = total.get(leaf, 0) + _SIGNS[T.OP[n]] * multiple
            self._sums[n] = {leaf: multiple for leaf, multiple in total.items() if multiple}
        return self._sums[n]

    def _carry(self, terms: Mapping[Node, int], bit: int) -> int | None:
        """The carry of the sum of the bits below `bit` into it, if that is always the same."""
        if bit == 0:
            return 0
        low, high = self._bound_sum((self.slice(x, 0, bit), multiple) for x, multiple in terms.items())
        return low >> bit if low >> bit == high >> bit else None

    # ---- bounds ----

    def bounds(self, n: Node) -> Interval:
        """The least and the greatest value that the structure of the term allows."""
        if n not in self._bounds:
            low, high = self._bound(n)
            turns = low >> T.W[n]
            fits = turns == high >> T.W[n]
            self._bounds[n] = (low - (turns << T.W[n]), high - (turns << T.W[n])) if fits else (0, (1 << T.W[n]) - 1)
        return self._bounds[n]

    def _bound(self, n: Node) -> Interval:
        """As if words had no end: a bound on both sides of a multiple of the word says nothing."""
        op, args = T.OP[n], T.ARGS[n]
        if op == "const":
            return args[0], args[0]
        if op == "cat":
            return self._bound_cat(n)
        if op in _SIGNS:
            return self._bound_sum(self._terms(n).items())
        if op == "ite":
            (a, b), (c, d) = (self.bounds(x) for x in args[1:])
            return min(a, c), max(b, d)
        return 0, (1 << T.W[n]) - 1

    def _signed_bounds(self, n: Node) -> Interval:
        (low, high), half = self.bounds(n), 1 << (T.W[n] - 1)
        if low < half <= high:
            return -half, half - 1
        return T.signed(low, T.W[n]), T.signed(high, T.W[n])

    def _bound_sum(self, terms: Iterable[tuple[Node, int]]) -> Interval:
        ends = [sorted(multiple * end for end in self.bounds(x)) for x, multiple in terms]
        return sum(low for low, _ in ends), sum(high for _, high in ends)

    def _bound_cat(self, n: Node) -> Interval:
        low = high = at = 0
        for m, mlow, w in T.pieces(n):
            a, b = self.bounds(m) if mlow == 0 else (0, (1 << w) - 1)
            if b >= 1 << w:
                a, b = 0, (1 << w) - 1
            low, high, at = low + (a << at), high + (b << at), at + w
        return low, high

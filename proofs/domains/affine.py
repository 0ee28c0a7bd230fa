"""Sums modulo 2^b: the low bits of words that are sums of multiples of variables and a constant.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node

Sum = dict[Node | None, int]  # multiples of variables; that of None is the constant


class Affine:
    """Terms as sums modulo 2^bits; what was found is kept, for outputs share their words."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._known: dict[Node, Sum] = {}

    def sum(self, root: Node) -> Sum:
        for n in T.cone([root], self._known):
            if n not in self._known:
                self._known[n] = self._visit(n)
        return self._known[root]

    def _visit(self, n: Node) -> Sum:
        op, args = T.OP[n], T.ARGS[n]
        if op == "const":
            return self._combined({}, {None: args[0]}, 1)
        if op == "var":
            return {n: 1}
        if op == "cat":
            return self._visit_cat(args)
        if T.W[n] >= self._bits and op in ("add", "sub"):
            return self._combined(self._known[args[0]], self._known[args[1]], 1 if op == "add" else -1)
        if T.W[n] >= self._bits and op == "not":
            return self._combined({None: -1}, self._known[args[0]], -1)
        if T.W[n] >= self._bits and op == "mul" and T.is_const(args[1]):
            return self._combined({}, self._known[args[0]], T.val(args[1]))
        if op == "sext" and T.W[args[0]] >= self._bits:
            return self._known[args[0]]
        raise NotProved(f"{op} of {T.W[n]} bits is no sum")

    def _visit_cat(self, parts: tuple[T.Piece, ...]) -> Sum:
        total: Sum = {}
        at = 0
        for n, low, w in parts:
            whole = low == 0 and (w == T.W[n] or at + w >= self._bits)
            if at < self._bits and not whole and not T.is_const(n):
                raise NotProved(f"a slice of {T.OP[n]} is no sum")
            if at < self._bits:
                total = self._combined(total, self._known[n], 1 << at)
            at += w
        return total

    def _combined(self, x: Sum, y: Sum, factor: int) -> Sum:
        total = dict(x)
        for n, multiple in y.items():
            total[n] = (total.get(n, 0) + factor * multiple) % (1 << self._bits)
        return {n: multiple for n, multiple in total.items() if multiple}

    def check(self, got: Node, wanted: Mapping[Node | None, int], what: str) -> None:
        """The low bits of the term are the sum."""
        found = self.sum(got)
        expected = self._combined({}, dict(wanted), 1)
        for n in sorted(found.keys() | expected.keys(), key=str):
            if found.get(n, 0) != expected.get(n, 0):
                name = "1" if n is None else T.ARGS[n][0]
                raise NotProved(f"{what} has {found.get(n, 0)} {name} instead of {expected.get(n, 0)}")

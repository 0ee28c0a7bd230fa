"""Tallies: sums over many variables of functions of one or two of them, and what depends on such sums.

A tally is an integer: for each pair of variables, or one alone, a table of a term at all their values, and of all
tables the sum. A word has a tally modulo its width; where it is extended, the tally must fit it. A result that depends
on words with tallies, and on a few variables beside, is tried at all values of the sums.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.domains.intervals import Interval
from proofs.domains.linear import signed
from proofs.domains.variables import few_together
from proofs.machine import terms as T
from proofs.machine.terms import Node

FEW = 2  # variables of a table
Integers = npt.NDArray[np.int64]
Variables = tuple[Node, ...]
Tally = dict[Variables, Integers]  # the tables by their variables in order, which are the axes


def bounds(tally: Tally) -> Interval:
    return sum(int(table.min()) for table in tally.values()), sum(int(table.max()) for table in tally.values())


def combined(x: Tally, y: Tally, factor: int) -> Tally:
    total = dict(x)
    for variables, table in y.items():
        total[variables] = total.get(variables, np.int64(0)) + factor * table
    return total


def taken_apart(variables: Variables, table: Integers) -> Tally:
    """A table as a sum of such that are 0 where one of their variables is: there is but one."""
    parts: Tally = {(): table}
    for axis, v in enumerate(variables):
        at_zero = {some: part.take([0], axis) for some, part in parts.items()}
        parts = at_zero | {(*some, v): part - at_zero[some] for some, part in parts.items()}
    return {some: part.squeeze() for some, part in parts.items() if part.any()}


class Tallies:
    """Terms over variables that are below a bound; what was found is kept, for outputs share their sums."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._few: dict[Node, Variables | None] = {}  # what a term depends on; None: on more than a few
        self._tallies: dict[Node, Tally | None] = {}  # None: no sum
        self._formula: dict[Node, Tally] = {}
        self._points: dict[Node, Integers] = {}  # values of the formula's sums
        self._named: dict[Node, tuple[Node, int]] = {}  # words that are such sums plus a constant

    def name(self, v: Node, terms: Iterable[Node]) -> Node:
        """A variable for the sum of terms of few variables each, as signed numbers."""
        total: Tally = {}
        for n in terms:
            self._visit(n)
            total = combined(total, self._table(n), 1)
        low, high = bounds(total)
        self._formula[v], self._points[v] = total, np.arange(low, high + 1)
        return v

    def check(self, got: Node, wanted: Node, what: str) -> None:
        """`got` is `wanted`, in which variables may replace sums."""
        if got == wanted:
            return
        self._visit(got)
        words = {n: self._name_of(n, what) for n in self._sums_in(got)}
        used = {n for n in T.cone([got, wanted], words) if T.OP[n] == "var"} | {v for v, _ in words.values()}
        points = {v: self._points.get(v, np.arange(self._bound)) for v in used}
        columns = dict(zip(points, np.ix_(*points.values()), strict=True))
        words |= {v: (v, 0) for v in points}
        values = {n: columns[v] + more & (1 << T.W[n]) - 1 for n, (v, more) in words.items()}
        have, want = np.broadcast_arrays(*T.evaluate([got, wanted], values))
        if (have != want).any():
            at = np.unravel_index(int(np.argmax(have != want)), have.shape)
            where = ", ".join(f"{T.ARGS[v][0]} = {p[i]}" for (v, p), i in zip(points.items(), at, strict=True))
            raise NotProved(f"{what} is {have[at]} instead of {want[at]} at {where}")

    def _name_of(self, n: Node, what: str) -> tuple[Node, int]:
        """The formula's sum that a word is modulo its width, and a constant that is added."""
        if n not in self._named:
            tally = self._tallies[n] or {}
            for v, wanted in self._formula.items():
                more = combined(tally, wanted, -1)
                constant = int(more.pop((), np.int64(0)))
                if not any((table % (1 << T.W[n])).any() for table in more.values()):
                    self._named[n] = v, constant
                    return v, constant
            low, high = bounds(tally)
            raise NotProved(f"{what} depends on a sum from {low} to {high} that is not the formula's")
        return self._named[n]

    def _sums_in(self, root: Node) -> set[Node]:
        """The largest sums of many variables that a term is made of."""
        found, seen, stack = set(), set(), [root]
        while stack:
            n = stack.pop()
            if n not in seen and self._few[n] is None:
                seen.add(n)
                if self._tallies[n] is None:
                    stack += T.children(n)
                else:
                    found.add(n)
        return found

    # ---- the tally of a term ----

    def _visit(self, root: Node) -> None:
        for n in T.cone([root], self._few):
            if n not in self._few:
                own = [n] if T.OP[n] == "var" else []
                self._few[n] = few = few_together([*((v,) for v in own), *(self._few[c] for c in T.children(n))], FEW)
                if few is None:
                    self._tallies[n] = self._sum(n)

    def _tally(self, n: Node) -> Tally | None:
        return self._tallies[n] if self._few[n] is None else self._table(n)

    def _table(self, n: Node) -> Tally:
        variables = self._few[n]
        if variables is None:
            raise NotProved(f"{T.OP[n]} of {T.W[n]} bits depends on more than {FEW} variables")
        columns = np.ix_(*[np.arange(self._bound)] * len(variables))
        (values,) = T.evaluate([n], dict(zip(variables, columns, strict=True)))
        return taken_apart(variables, np.broadcast_to(signed(values, T.W[n]), [self._bound] * len(variables)))

    def _sum(self, n: Node) -> Tally | None:
        op, args = T.OP[n], T.ARGS[n]
        if op == "cat":
            return self._concatenated(args, T.W[n])
        x = self._tally(args[0])
        if x is None:
            return None
        if op == "sext":
            return x if _fits(x, -(1 << T.W[args[0]] - 1), 1 << T.W[args[0]] - 1) else None
        if op == "mul" and T.is_const(args[1]):
            return combined({}, x, T.val(args[1]))
        y = self._tally(args[1]) if op in ("add", "sub") else None
        return None if y is None else combined(x, y, 1 if op == "add" else -1)

    def _concatenated(self, parts: Iterable[T.Piece], width: int) -> Tally | None:
        """Low bits of words, each at its place; what has others above it must fit."""
        total: Tally = {}
        at = 0
        for n, low, w in parts:
            tally = self._tally(n) if low == 0 else None
            if tally is None or (at + w < width and not _fits(tally, 0, 1 << w)):
                return None
            total, at = combined(total, tally, 1 << at), at + w
        return total


def _fits(tally: Tally, low: int, end: int) -> bool:
    least, most = bounds(tally)
    return low <= least and most < end

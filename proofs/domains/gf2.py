"""Bits as sums over GF(2), for AES: all is linear but the S-box (FIPS 197, 5.1.1).

A bit is a set of atoms: the bits of the inputs, of each S-box that was met the eight bits of its result, and 1. Code
without an instruction for the S-box computes it by AND and XOR: a bit is then, beside its set, a function of the eight
bits that an S-box takes, as a table of 256 values. The S-box's results, its arguments and 1 go from such a table to the
set; so the circuit's results have no table left, whatever circuit it is. The S-boxes that there may be are those of the
formula, which is read first; those with arguments that differ by constants share their tables.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from proofs.domains import NotProved
from proofs.domains.intervals import Interval, compared
from proofs.machine import terms as T
from proofs.machine.terms import Node

ONE = 1  # the set of atom 0, which is 1
ALL = (1 << 256) - 1
ARGUMENTS = [sum(1 << x for x in range(256) if x >> k & 1) for k in range(8)]


def results(constant: int) -> list[int]:
    """The tables of the bits of the S-box of x + constant."""
    return [sum(1 << x for x in range(256) if T.SBOX[x ^ constant] >> k & 1) for k in range(8)]


class Bit(NamedTuple):
    """A set of atoms, and by S-box the table that is added; `near` is an S-box that the bit was made of, if any."""

    atoms: int
    tables: tuple[tuple[int, int], ...] = ()
    near: int = -1


class Box:
    """S-boxes that take the same bits but for constants. It knows the sets of 1, of the arguments and of all results,
    each with its table: the span of the sets, and that of the tables."""

    def __init__(self, arguments: Sequence[int]) -> None:
        self.results: dict[int, list[Bit]] = {}  # by the constant
        self._sets, self._tables = [ONE, *arguments], [ALL, *ARGUMENTS]

    def add(self, constant: int, atoms: list[Bit]) -> None:
        self.results[constant] = atoms
        self._sets += [bit.atoms for bit in atoms]
        self._tables += results(constant)
        self._by_set = _echelon(zip(self._sets, self._tables, strict=True))
        self._by_table = _echelon(zip(self._tables, self._sets, strict=True))

    def table(self, atoms: int) -> tuple[int, int]:
        """The table of a set, and what of the set has none."""
        return _reduced(self._by_set, atoms)

    def atoms(self, table: int) -> tuple[int, int]:
        """The set of a table, and what of the table has none."""
        return _reduced(self._by_table, table)


class Bits:
    def __init__(self, inputs: Sequence[Node]) -> None:
        self._atoms = 1
        self._bits: dict[Node, list[Bit]] = {n: [self._new_atom() for _ in range(T.W[n])] for n in inputs}
        self._boxes: list[Box] = []
        self._number_of: dict[tuple[int, ...], int] = {}  # of a box, by the sets that it takes without 1
        self._argument_of: dict[int, int] = {}  # by a set without 1, a box that takes it

    def bits(self, roots: Sequence[Node]) -> list[list[Bit]]:
        for n in T.cone(roots, self._bits):
            if n not in self._bits:
                self._bits[n] = self._visit(n)
        return [self._bits[n] for n in roots]

    def sets(self, roots: Sequence[Node]) -> list[list[int]]:
        """The bits without tables."""
        found = self.bits(roots)
        if any(bit.tables for word in found for bit in word):
            raise NotProved("a result is no sum of bits of the input and of S-boxes")
        return [[bit.atoms for bit in word] for word in found]

    def _new_atom(self) -> Bit:
        self._atoms += 1
        return Bit(1 << (self._atoms - 1))

    # ---- terms ----

    def _visit(self, n: Node) -> list[Bit]:
        op, args = T.OP[n], T.ARGS[n]
        if op == "const":
            return [Bit(args[0] >> i & 1) for i in range(T.W[n])]
        if op == "var":
            raise NotProved(f"the result depends on {args[0]}, which is no input")
        if op == "cat":
            return [bit for m, low, w in args for bit in self._bits[m][low : low + w]]
        x = [self._bits[c] for c in args]
        if op == "sext":
            return x[0] + [x[0][-1]] * (T.W[n] - len(x[0]))
        if op == "not":
            return [self._xor(bit, Bit(ONE)) for bit in x[0]]
        if op == "xor":
            return [self._xor(*pair) for pair in zip(*x, strict=True)]
        if op == "and":
            return [self._and(*pair) for pair in zip(*x, strict=True)]
        if op == "or":
            return [self._xor(self._xor(*pair), self._and(*pair)) for pair in zip(*x, strict=True)]
        if op == "ite":
            return [self._xor(b, self._and(x[0][0], self._xor(a, b))) for a, b in zip(*x[1:], strict=True)]
        if op in ("eq", "ult", "slt"):
            return [self._compare(op, *x)]
        if op == "sbox":
            return self._sbox(x[0])
        raise NotProved(f"{op} of {T.W[n]} bits is neither XOR, AND, a slice nor an S-box")

    def _compare(self, op: str, x: Sequence[Bit], y: Sequence[Bit]) -> Bit:
        """Constant bits decide it, as where a byte is saturated. The sign of a single 1 is less than 0."""
        if len(x) == 1:
            differ = self._xor(x[0], y[0])
            return self._xor(differ, Bit(ONE)) if op == "eq" else self._and(differ, y[0] if op == "ult" else x[0])
        outcome = compared(op, _interval(x, op == "slt"), _interval(y, op == "slt"))
        if outcome is None:
            raise NotProved(f"{op} of words whose constant bits do not decide it")
        return Bit(outcome)

    def _sbox(self, x: Sequence[Bit]) -> list[Bit]:
        if any(bit.tables for bit in x):
            raise NotProved("an S-box takes bits within another one")
        arguments = tuple(bit.atoms & ~ONE for bit in x)
        constant = sum((bit.atoms & ONE) << k for k, bit in enumerate(x))
        number = self._number_of.setdefault(arguments, len(self._boxes))
        if number == len(self._boxes):
            self._boxes.append(Box(arguments))
            self._argument_of.update(dict.fromkeys(arguments, number))
        if constant not in self._boxes[number].results:
            self._boxes[number].add(constant, [self._new_atom() for _ in range(8)])
        return self._boxes[number].results[constant]

    # ---- bits ----

    def _xor(self, x: Bit, y: Bit) -> Bit:
        atoms, tables = x.atoms ^ y.atoms, dict(x.tables)
        for box, table in y.tables:
            atoms ^= self._add(tables, box, table)
        near = self._argument_of.get(atoms & ~ONE, max(self._near(x), self._near(y)))
        return Bit(atoms, tuple(sorted(tables.items())), near)

    def _near(self, x: Bit) -> int:
        return x.tables[0][0] if x.tables else self._argument_of.get(x.atoms & ~ONE, x.near)

    def _and(self, x: Bit, y: Bit) -> Bit:
        for zero, other in ((x, y), (y, x)):
            if not zero.tables and zero.atoms <= ONE:
                return other if zero.atoms else Bit(0)
        for box in {self._near(x), self._near(y)} - {-1}:
            a, b = self._table(x, box), self._table(y, box)
            if a is not None and b is not None:
                tables: dict[int, int] = {}
                atoms = self._add(tables, box, a & b)
                return Bit(atoms, tuple(tables.items()), box)
        return self._new_atom()  # unknown: code may compute blocks that nobody asked for

    def _table(self, x: Bit, box: int) -> int | None:
        """A bit as a function of what an S-box takes, if it is one."""
        tables = dict(x.tables)
        added = tables.pop(box, 0)
        table, rest = self._boxes[box].table(x.atoms)
        return None if rest or tables else table ^ added

    def _add(self, tables: dict[int, int], box: int, table: int) -> int:
        """Adds a table to those that are there; returns what of it is linear, as a set."""
        atoms, rest = self._boxes[box].atoms(table ^ tables.pop(box, 0))
        if rest:
            tables[box] = rest
        return atoms


def _interval(word: Sequence[Bit], signed: bool) -> Interval:
    low = high = 0
    for i, bit in enumerate(word):
        weight = -(1 << i) if signed and i == len(word) - 1 else 1 << i
        constant = not bit.tables and bit.atoms <= ONE
        low += weight * bit.atoms if constant else min(weight, 0)
        high += weight * bit.atoms if constant else max(weight, 0)
    return low, high


def _reduced(basis: Sequence[tuple[int, int]], vector: int) -> tuple[int, int]:
    """The companions of the basis vectors that add up to a vector, and the rest of it."""
    label = 0
    for known, known_label in basis:
        if vector >> (known.bit_length() - 1) & 1:
            vector, label = vector ^ known, label ^ known_label
    return label, vector


def _echelon(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Vectors of the same span with highest bits that differ, from the highest on; what goes with each is added up."""
    basis: list[tuple[int, int]] = []
    for vector, label in pairs:
        more, rest = _reduced(basis, vector)
        if rest:
            basis = sorted([*basis, (rest, label ^ more)], reverse=True)
    return basis

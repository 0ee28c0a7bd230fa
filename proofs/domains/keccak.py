"""XOR and AND: words of 64 bits in a normal form, for Keccak-f[1600].

A word is a sum over GF(2) of rotations of atoms (an input word, or the AND of two words) and a constant: one 64-bit
circulant for each atom. XOR adds, a complement adds all ones, a rotation turns every circulant. An AND becomes an atom
when its operands are turned to a canonical rotation, over which AND distributes, and have lost their complements
(~x & y = y ^ (x & y)). An operand x of x & y loses ANDs with y: it is the same with x ^ (~y & z) for x, and with
x ^ (y & z) ^ z. Words with equal normal forms are equal functions, however lanes are rotated, complemented or
ordered.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node

BITS = 64
ONES = (1 << BITS) - 1

Bare = tuple[tuple[int, int], ...]  # circulants in order
Frozen = tuple[tuple[tuple[int, int], ...], int]  # a word's circulants in order, and its constant
Atom = tuple[Literal["input"], int] | tuple[Literal["and"], Frozen, Frozen]


class Word(NamedTuple):
    """The circulants by atom, and the constant."""

    circulants: dict[int, int]
    constant: int


def rotate(v: int, k: int) -> int:
    k %= BITS
    return ((v << k) | (v >> (BITS - k))) & ONES


class Product(NamedTuple):
    """An AND that was made, the last atom in it, and the rotation that makes the first operand bare."""

    one: Word
    other: Word
    made: Word
    atom: int
    turn: int


class Algebra:
    """Words over a common set of atoms."""

    def __init__(self) -> None:
        self._atoms: dict[Atom, int] = {}
        self._inputs: dict[int, Word] = {}
        self._products: dict[Bare, dict[int, Product]] = {}  # by an operand, and by atom
        self._made: dict[Hashable, tuple[Word, list[Word]]] = {}  # and of what, as the keys have their identities

    def input(self, index: int) -> Word:
        return self._atom(("input", index))

    def _atom(self, key: Atom) -> Word:
        return Word({self._atoms.setdefault(key, len(self._atoms)): 1}, 0)

    @staticmethod
    def constant(value: int) -> Word:
        return Word({}, value)

    @staticmethod
    def xor(x: Word, y: Word) -> Word:
        circulants = dict(x.circulants)
        for atom, c in y.circulants.items():
            c ^= circulants.pop(atom, 0)
            if c:
                circulants[atom] = c
        return Word(circulants, x.constant ^ y.constant)

    def not_(self, x: Word) -> Word:
        return Word(x.circulants, x.constant ^ ONES)

    @staticmethod
    def rotate(x: Word, k: int) -> Word:
        return Word({atom: rotate(c, k) for atom, c in x.circulants.items()}, rotate(x.constant, k))

    def and_(self, x: Word, y: Word) -> Word:
        for one, other in ((x, y), (y, x)):
            if rest := self._without(one, other):
                return self.and_(rest, other)
        turn = self._canonical_turn(x, y)
        made = self.rotate(self._product(self.rotate(x, turn), self.rotate(y, turn)), -turn)
        if made.circulants:
            for one, other in ((x, y), (y, x)):
                bare, turn = _bare(one)
                product = Product(one, other, made, max(made.circulants), turn)
                self._products.setdefault(bare, {}).setdefault(product.atom, product)
        return made

    def _without(self, x: Word, y: Word) -> Word | None:
        """Another word with the same AND with y, if x contains an AND with y or ~y."""
        bare, turn = _bare(y)
        for atom, p in self._products.get(bare, {}).items():
            one, other, made = (self.rotate(z, p.turn - turn) for z in p[:3])
            if made.circulants[atom] & x.circulants.get(atom, 0):
                if one == self.not_(y):
                    return self.xor(x, made)
                if one == y:
                    return self.xor(self.xor(x, made), other)
        return None

    def _product(self, x: Word, y: Word) -> Word:
        """Of operands in their canonical rotation: there a complement shows in bit 0 of the constant."""
        for a, b in ((x, y), (y, x)):
            if a.constant & 1:
                return self.xor(self._product(self.not_(a), b), b)
            if not a.circulants and not a.constant:
                return Word({}, 0)
        first, second = sorted((tuple(sorted(z.circulants.items())), z.constant) for z in (x, y))
        return self._atom(("and", first, second))

    def _canonical_turn(self, x: Word, y: Word) -> int:
        """The rotation that makes the first circulant of an operand the least of its rotations: of the operand after
        which both are less."""

        def turned(turn: int) -> list[list[tuple[int, int]]]:
            return sorted(sorted(self.rotate(z, turn).circulants.items()) for z in (x, y))

        return min((_least_turn(z) for z in (x, y)), key=turned)

    def or_(self, x: Word, y: Word) -> Word:
        return self.xor(self.xor(x, y), self.and_(x, y))

    def normal(self, roots: Sequence[Node], inputs: Sequence[Node]) -> list[Word]:
        """The normal forms of terms over these inputs."""
        words = {n: self._inputs.setdefault(i, self.input(i)) for i, n in enumerate(inputs)}
        for n in T.cone(roots, inputs):
            if n not in words:
                words[n] = self._word(n, words)
        return [words[n] for n in roots]

    def _word(self, n: Node, words: dict[Node, Word]) -> Word:
        """A term that was made of the same words before, as in another lane, is not made again."""
        op, args = T.OP[n], T.ARGS[n]
        number = args[0] if op == "const" else args[0][2] if op == "cat" and _is_rotation(args) else 0
        operands = [words[c] for c in dict.fromkeys(T.children(n))]
        key = (op, number, *sorted(map(id, operands)))
        if key not in self._made:
            self._made[key] = self._make(op, number, operands, T.W[n]), operands
        return self._made[key][0]

    def _make(self, op: str, number: int, operands: list[Word], width: int) -> Word:
        """`number` is a constant's value, or by how much a `cat` rotates."""
        if op == "const":
            return self.constant(number)
        if op in ("xor", "and", "or"):
            return {"xor": self.xor, "and": self.and_, "or": self.or_}[op](*operands)
        if op == "not":
            return self.not_(*operands)
        if op == "cat" and number:
            (rotated,) = operands
            return self.rotate(rotated, number)
        raise NotProved(f"{op} of {width} bits is neither XOR, AND, OR, complement nor rotation")


def _least_turn(x: Word) -> int:
    first = x.circulants[min(x.circulants)] if x.circulants else x.constant
    return min(range(BITS), key=lambda k: rotate(first, k))


def _bare(x: Word) -> tuple[Bare, int]:
    """The circulants in the rotation that makes the first one least, and this rotation."""
    turn = _least_turn(x)
    return tuple((atom, rotate(c, turn)) for atom, c in sorted(x.circulants.items())), turn


def _is_rotation(parts: tuple[T.Piece, ...]) -> bool:
    """The upper bits of a word below its lower bits."""
    if len(parts) != 2:
        return False
    (n, low, w), (m, mlow, _) = parts
    return n == m and mlow == 0 and low == BITS - w and T.W[n] == BITS

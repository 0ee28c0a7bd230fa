"""Sums of words with polynomials over GF(2) as bits, for SHA-2 and for arithmetic without carries.

A sum modulo 2^w is a multiset of words and a constant, in whatever order it is added up, and its bits are atoms. All
else is made of bits, each a set of products of atoms: logic, choices, comparisons, products without carries. Words with
equal sums, or with equal bits, are equal functions.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import NamedTuple

import numpy as np

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node

Product = frozenset[int]  # of atoms; that of none is 1
Bit = frozenset[Product]
Bits = tuple[Bit, ...]
Word = int  # a number for equal bits
ZERO: Bit = frozenset()
ONE: Bit = frozenset({frozenset()})
SIGNS = {"add": 1, "sub": -1}


class Sum(NamedTuple):
    """How often there is each word, and a constant."""

    words: Counter[Word]
    constant: int


class Sums:
    def __init__(self, inputs: Sequence[Node]) -> None:
        self._atoms = 0
        self._inputs = list(inputs)
        self._bits: list[Bits] = []  # by word
        self._number: dict[Bits, Word] = {}  # the other way round
        self._sums: dict[Word, Sum] = {}  # of words that are sums of several
        self._totals: dict[tuple[frozenset[tuple[Word, int]], int], Word] = {}  # the other way round
        self._disjoint: dict[tuple[Word, Word], bool] = {}
        self._words: dict[Node, Word] = {n: self._word(self._new_bits(T.W[n])) for n in inputs}

    # ---- claims ----

    def check(self, got: Node, wanted: Node, what: str) -> None:
        """The terms are equal for all inputs."""
        x, y = self.words([got, wanted])
        if x != y:
            raise NotProved(f"{what} {self._difference(got, wanted)}")

    def _difference(self, got: Node, wanted: Node) -> str:
        """Tried where each input has one byte again and again: of the k-th it is b k, of all b there are."""
        b = np.arange(256, dtype=np.uint64)
        values = {}
        for k, n in enumerate(self._inputs, 1):
            values[n] = b * np.uint64(k) % np.uint64(256) * np.uint64(((1 << T.W[n]) - 1) // 255)
        x, y = (np.broadcast_to(column, b.shape) for column in T.evaluate([got, wanted], values))
        if (x == y).all():
            return "is not seen to be the formula's"
        at = int(np.argmax(x != y))
        return f"is {x[at]:#x} instead of {y[at]:#x} where every byte of the k-th input is {at} k"

    # ---- terms ----

    def words(self, roots: Sequence[Node]) -> list[Word]:
        for n in T.cone(roots, self._words):
            if n not in self._words:
                self._words[n] = self._visit(n)
        return [self._words[n] for n in roots]

    def _visit(self, n: Node) -> Word:
        op, w, args = T.OP[n], T.W[n], T.ARGS[n]
        if op == "var":
            raise NotProved(f"the result depends on {args[0]}, which is no input")
        if op in SIGNS:
            return self._sum(self._words[args[0]], self._words[args[1]], SIGNS[op])
        if op == "const":
            return self._word(_constant(args[0], w))
        if op == "cat":
            return self._word(tuple(bit for m, low, v in args for bit in self._bits[self._words[m]][low : low + v]))
        x = [self._bits[self._words[c]] for c in args]
        if op == "sext":
            return self._word(x[0] + x[0][-1:] * (w - len(x[0])))
        if op in BITS:
            return self._word(BITS[op](*x))
        raise NotProved(f"{op} of {w} bits is no function of bits that is known here")

    def _new_bits(self, w: int) -> Bits:
        self._atoms += w
        return tuple(frozenset({frozenset({atom})}) for atom in range(self._atoms - w, self._atoms))

    def _word(self, bits: Bits) -> Word:
        number = self._number.setdefault(bits, len(self._bits))
        if number == len(self._bits):
            self._bits.append(bits)
        return number

    # ---- sums ----

    def _sum(self, x: Word, y: Word, sign: int) -> Word:
        w, a, b = len(self._bits[x]), self._addends(x), self._addends(y)
        words = Counter(a.words)
        for word, times in b.words.items():
            words[word] += sign * times
        self._join(words, a, b)
        words = Counter({word: times % (1 << w) for word, times in words.items() if times % (1 << w)})
        return self._word_of(Sum(words, (a.constant + sign * b.constant) % (1 << w)), w)

    def _addends(self, x: Word) -> Sum:
        bits = self._bits[x]
        if all(bit in (ZERO, ONE) for bit in bits):
            return Sum(Counter(), sum(1 << i for i, bit in enumerate(bits) if bit))
        return self._sums.get(x) or Sum(Counter({x: 1}), 0)

    def _join(self, words: Counter[Word], a: Sum, b: Sum) -> None:
        """Words without a common bit of 1 add up without carries: compilers take a sum for XOR, or XOR for a sum."""
        once = [[word for word in addends.words if words[word] == 1] for addends in (a, b)]
        for x, y in product(*once):
            if words[x] == words[y] == 1 and self._are_disjoint(x, y):
                del words[x], words[y]
                words[self._word(_xor(self._bits[x], self._bits[y]))] += 1

    def _are_disjoint(self, x: Word, y: Word) -> bool:
        if (x, y) not in self._disjoint:
            pairs = zip(self._bits[x], self._bits[y], strict=True)
            self._disjoint[x, y] = not any(_product(a, b) for a, b in pairs)
        return self._disjoint[x, y]

    def _word_of(self, addends: Sum, w: int) -> Word:
        if not addends.words:
            return self._word(_constant(addends.constant, w))
        if not addends.constant and addends.words.total() == 1:
            return next(iter(addends.words))
        key = frozenset(addends.words.items()), addends.constant
        if key not in self._totals:
            self._totals[key] = self._word(self._new_bits(w))
            self._sums[self._totals[key]] = addends
        return self._totals[key]


# ---- bits ----


def _constant(value: int, w: int) -> Bits:
    return tuple(ONE if value >> i & 1 else ZERO for i in range(w))


def _xor(x: Bits, y: Bits) -> Bits:
    return tuple(a ^ b for a, b in zip(x, y, strict=True))


def _and(x: Bits, y: Bits) -> Bits:
    return tuple(_product(a, b) for a, b in zip(x, y, strict=True))


def _product(x: Bit, y: Bit) -> Bit:
    """Products that become equal cancel in pairs."""
    products: set[Product] = set()
    for a, b in product(x, y):
        products ^= {a | b}
    return frozenset(products)


def _carryless(x: Bits, y: Bits) -> Bits:
    """The whole product without carries."""
    bits: list[Bit] = [ZERO] * (2 * len(x))
    for (i, a), (j, b) in product(enumerate(x), enumerate(y)):
        if a and b:
            bits[i + j] ^= _product(a, b)
    return tuple(bits)


def _choice(condition: Bits, x: Bits, y: Bits) -> Bits:
    return tuple(b ^ _product(condition[0], a ^ b) for a, b in zip(x, y, strict=True))


def _equal(x: Bits, y: Bits) -> Bits:
    return (reduce(_product, (a ^ b ^ ONE for a, b in zip(x, y, strict=True))),)


def _below(x: Bits, y: Bits) -> Bits:
    """The borrow of x - y: it is passed on if bits are equal."""
    borrowed = ZERO
    for a, b in zip(x, y, strict=True):
        borrowed = _product(a ^ ONE, b) ^ _product(a ^ b ^ ONE, borrowed)
    return (borrowed,)


def _below_signed(x: Bits, y: Bits) -> Bits:
    return _below(*((*z[:-1], z[-1] ^ ONE) for z in (x, y)))


BITS: dict[str, Callable[..., Bits]] = {
    "not": lambda x: tuple(bit ^ ONE for bit in x),
    "xor": _xor,
    "and": _and,
    "or": lambda x, y: _xor(_xor(x, y), _and(x, y)),
    "ite": _choice,
    "eq": _equal,
    "ult": _below,
    "slt": _below_signed,
    "clmul": lambda x, y: _carryless(x, y)[: len(x)],
    "clmulh": lambda x, y: _carryless(x, y)[len(x) :],
}

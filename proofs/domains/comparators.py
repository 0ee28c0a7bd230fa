"""Comparators: networks that sort.

A word of a network is an input, or the minimum or maximum of two others. Compilers write these as choices, as masks or
as sums: a term over two words is put into two variables, and Bitwuzla says once for each of its shapes what it is. The
largest number, which fills networks up, is no word: its comparators fall away.

The 0-1 principle (Knuth, The Art of Computer Programming 5.3.4, theorem Z): minima and maxima commute with "is at least
t", for every number t, so a network sorts all inputs if it sorts those of zeros and ones. These are too many, but as
words meet most become equal. So words that have not met are in groups of their own, and a group has the set of the
vectors that its words can have together, each with the number of ones that came in. Two sorted sequences of m and n
words have (m + 1)(n + 1) vectors, and merged they have m + n + 1.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved, bitvector
from proofs.domains.rebuilding import made_of
from proofs.domains.variables import few_together
from proofs.machine import terms as T
from proofs.machine.terms import Node

BITS = 32
MOST = 1 << 18  # vectors of a group
X, Y = T.var("x", BITS), T.var("y", BITS)
TOP = T.const((1 << BITS - 1) - 1, BITS)
MEANINGS = {
    1: {"word itself": X, "top": TOP},
    2: {"minimum": T.ite(T.slt(X, Y), X, Y), "maximum": T.ite(T.slt(X, Y), Y, X)},
}
POINTS = dict(
    zip((X, Y), np.random.default_rng(1).integers(-(1 << 24), 1 << 24, (2, 64)).astype(np.uint32), strict=True)
)
_BITWISE: dict[str, Callable[..., Node]] = {"and": T.and_, "or": T.or_, "xor": T.xor, "not": T.not_}

Bits = npt.NDArray[np.bool_]
Support = tuple[int, ...] | None  # numbers of words, two at most; None where they are more


# ---- from terms to comparators ----


class Comparator(NamedTuple):
    """The minimum or the maximum of the words of these numbers."""

    kind: str
    x: int
    y: int


class Network:
    """The words that terms are made of. The first numbers are the inputs'; `made` has the others."""

    def __init__(self, inputs: Sequence[Node], outputs: Sequence[Node]) -> None:
        self.inputs = len(inputs)
        self.made: dict[int, Comparator] = {}
        self._numbers: dict[Comparator, int] = {}
        self._word: dict[Node, int] = dict(zip(inputs, range(len(inputs)), strict=True))
        self._constant: dict[Node, Node] = {}  # what the top is compared with falls away
        self._support: dict[Node, Support] = {n: (i,) for i, n in enumerate(inputs)}
        self._sign: dict[Node, int] = {}  # by bits that were cut out of it before it was made, the word
        self._shapes: dict[tuple[Node, Support], Node] = {}
        outputs = in_words(outputs)
        for n in T.cone(outputs, inputs):
            if n not in self._word:
                self._visit(n)
        self.outputs = [self._output(n, place) for place, n in enumerate(outputs)]

    def _output(self, n: Node, place: int) -> int:
        if n not in self._word:
            raise NotProved(f"place {place} has no input and no minimum or maximum of two words")
        return self._word[n]

    def _visit(self, n: Node) -> None:
        if T.OP[n] == "var":
            raise NotProved(f"{T.ARGS[n][0]} is no input")
        support = self._support[n] = self._support_of(T.children(n))
        if support:
            self._find(n, support)

    def _support_of(self, nodes: Sequence[Node]) -> Support:
        direct = [self._support[n] for n in nodes]
        by_signs = [(self._sign[n],) if n in self._sign else s for n, s in zip(nodes, direct, strict=True)]
        return few_together(direct, 2) or few_together(by_signs, 2)

    def _find(self, n: Node, support: tuple[int, ...]) -> None:
        shape, w = self._shape(n, support), T.W[n]
        kind = recognised(shape, len(support)) if w in (1, BITS) else None
        if T.is_const(shape) or kind == "top":
            self._constant[n], self._support[n] = upper(TOP, w) if kind == "top" else shape, ()
        elif kind:
            number = support[0] if len(support) == 1 else self._number(Comparator(kind, *support))
            if w == 1:
                self._sign[n] = number
            else:
                self._word[n], self._support[n] = number, (number,)

    def _number(self, made: Comparator) -> int:
        number = self._numbers.setdefault(made, self.inputs + len(self.made))
        self.made[number] = made
        return number

    def _shape(self, n: Node, support: tuple[int, ...]) -> Node:
        """The term with x and y for the words."""
        if n in self._constant:
            return self._constant[n]
        if n in self._word:
            return (X, Y)[support.index(self._word[n])]
        if self._sign.get(n) in support:
            return upper((X, Y)[support.index(self._sign[n])], 1)
        if (n, support) not in self._shapes:
            self._shapes[n, support] = made_of(n, [self._shape(c, support) for c in T.children(n)])
        return self._shapes[n, support]

    def needed(self) -> list[int]:
        """The comparators' words that the outputs are made of."""
        needed, found = set(self.outputs), []
        for number in sorted(self.made, reverse=True):
            if number in needed:
                found.append(number)
                needed.update(self.made[number][1:])
        return found


def upper(word: Node, w: int) -> Node:
    return T.extract(word, BITS - w, w)


def in_words(roots: Sequence[Node]) -> list[Node]:
    """The terms without bitwise operations on two words at a time."""
    known: dict[Node, Node] = {}
    for n in T.cone(roots):
        children = [known[c] for c in T.children(n)]
        if T.OP[n] in _BITWISE and T.W[n] > BITS:
            lanes = zip(*(T.split(c, BITS) for c in children), strict=True)
            known[n] = T.concat(_BITWISE[T.OP[n]](*lane) for lane in lanes)
        else:
            known[n] = made_of(n, children)
    return [known[n] for n in roots]


@cache
def recognised(shape: Node, words: int) -> str | None:
    """An equal of a term of one word or of two, or its sign: some points suggest it, the solver proves it for all."""
    for kind, word in MEANINGS[words].items():
        meaning = upper(word, T.W[shape])
        got, wanted = T.evaluate([shape, meaning], POINTS)
        if (got == wanted).all():
            try:
                bitvector.check(T.eq(shape, meaning), f"that a word is the {kind}")
            except NotProved:
                if T.W[shape] == BITS:
                    raise
            else:
                return kind
    return None


# ---- zeros and ones ----


class Group:
    """Words that have met: by word its bit in each vector, and the number of ones that came in."""

    def __init__(self, ones: npt.NDArray[np.int64], bits: dict[int, Bits]) -> None:
        self.ones, self.bits = ones, bits
        self._may_be_equal = True

    @property
    def size(self) -> int:
        return len(self.ones)

    def compare(self, word: int, made: Comparator) -> None:
        operation = np.logical_and if made.kind == "minimum" else np.logical_or
        self.bits[word] = operation(self.bits[made.x], self.bits[made.y])

    def drop(self, word: int) -> None:
        del self.bits[word]
        self._may_be_equal = True

    def merge_equal(self) -> None:
        """Leaves one of vectors that are equal."""
        if self._may_be_equal:
            ones = self.ones.astype(">u2").view(np.uint8).reshape(self.size, 2).T
            rows = np.vstack([ones, np.packbits(np.array(list(self.bits.values()), dtype=bool), axis=0)]).T
            _, first = np.unique(_as_keys(rows), return_index=True)
            self.ones, self.bits = self.ones[first], {word: column[first] for word, column in self.bits.items()}
            self._may_be_equal = False

    def product(self, other: "Group") -> "Group":
        """Every vector of one beside every one of the other."""
        if self.size * other.size > MOST:
            raise NotProved(f"words meet that can be {self.size} and {other.size} vectors: too many to try them")
        bits = {word: np.repeat(column, other.size) for word, column in self.bits.items()}
        bits |= {word: np.tile(column, self.size) for word, column in other.bits.items()}
        return Group(np.add.outer(self.ones, other.ones).ravel(), bits)


def _as_keys(rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.void]:
    rows = np.ascontiguousarray(rows)
    return rows.view(np.dtype((np.void, rows.shape[1]))).ravel()


class Run:
    """A network on all inputs of zeros and ones."""

    def __init__(self, network: Network) -> None:
        self._made = network.made
        self._groups = [Group(np.arange(2), {i: np.arange(2) > 0}) for i in range(network.inputs)]
        self._group_of = dict(enumerate(self._groups))
        self._users: dict[int, list[int]] = {}
        self._uses = Counter(network.outputs)
        self._needed = network.needed()
        for word in self._needed:
            for operand in self._made[word][1:]:
                self._users.setdefault(operand, []).append(word)
                self._uses[operand] += 1

    def all_outputs(self) -> Group:
        """Groups meet where nothing else is left to compare: those first that have the fewest vectors together."""
        waiting = self._compare(word for word in self._needed if self._is_ready(word))
        while waiting:
            self._meet(*min(map(self._operands, waiting), key=lambda groups: groups[0].size * groups[1].size))
            waiting = self._compare(waiting)
        while len(self._groups) > 1:
            self._meet(*self._groups[:2])
        return self._groups[0]

    def _operands(self, word: int) -> tuple[Group, Group]:
        _, x, y = self._made[word]
        return self._group_of[x], self._group_of[y]

    def _is_ready(self, word: int) -> bool:
        return all(operand in self._group_of for operand in self._made[word][1:])

    def _compare(self, ready: Iterable[int]) -> list[int]:
        """Compares within groups until nothing is left; returns the words that wait for two groups."""
        ready, waiting = list(ready), []
        while ready:
            word = ready.pop()
            x, y = self._operands(word)
            if x is y:
                x.compare(word, self._made[word])
                self._group_of[word] = x
                ready += filter(self._is_ready, self._users.get(word, []))
                self._used(x, self._made[word])
            else:
                waiting.append(word)
        for group in self._groups:
            group.merge_equal()
        return waiting

    def _used(self, group: Group, made: Comparator) -> None:
        for operand in made[1:]:
            self._uses[operand] -= 1
            if not self._uses[operand]:
                group.drop(operand)

    def _meet(self, x: Group, y: Group) -> None:
        both = x.product(y)
        self._groups = [both, *(g for g in self._groups if g is not x and g is not y)]
        self._group_of |= dict.fromkeys(both.bits, both)


def check_sorts(inputs: Sequence[Node], outputs: Sequence[Node]) -> int:
    """The outputs are the inputs in ascending order, as signed numbers. Returns how many comparators there are."""
    network = Network(inputs, outputs)
    group = Run(network).all_outputs()
    for place, word in enumerate(network.outputs):
        wrong = group.bits[word] != (group.ones >= len(inputs) - place)
        if wrong.any():
            at = int(np.argmax(wrong))
            bit, ones = int(group.bits[word][at]), int(group.ones[at])
            raise NotProved(f"place {place} is {bit} where {ones} of {len(inputs)} words are 1 and the others 0")
    return len({network.made[word][1:] for word in network.needed()})

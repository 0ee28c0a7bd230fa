"""The status flags: worked out when an instruction asks for one, as most are never looked at.

A flag has a letter: c carry, z zero, s sign, o overflow, p parity. AF is left out: nothing in the library reads it. A
flag that the manual leaves undefined is a fresh unknown each time.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from proofs.machine import terms as T
from proofs.machine.memory import Violation
from proofs.machine.terms import Node

LETTERS = "czsop"
TERMS = "czso"  # no compiler asks for parity


class Flags(NamedTuple):
    """`read` finds a flag by its letter."""

    read: Callable[[str], Node]

    def __call__(self, letter: str) -> Node:
        return self.read(letter)

    def terms(self) -> list[Node]:
        return [self.read(letter) for letter in TERMS]

    def like(self, terms: Sequence[Node]) -> "Flags":
        known = dict(zip(TERMS, terms, strict=True))
        return Flags(lambda letter: known[letter] if letter in known else unknown())


def top(n: Node) -> Node:
    return T.extract(n, T.W[n] - 1, 1)


def of_result(r: Node, letter: str) -> Node:
    """z, s and p, which most instructions take from their result."""
    if letter == "z":
        return T.is_zero(r)
    if letter == "s":
        return top(r)
    if letter == "p":
        return T.not_(_parity(T.extract(r, 0, 8)))
    raise Violation(f"{letter} is not a flag of the result")


def _parity(n: Node) -> Node:
    while T.W[n] > 1:
        half = T.W[n] // 2
        n = T.xor(T.extract(n, 0, half), T.extract(n, half, half))
    return n


def of_logic(r: Node) -> Flags:
    return Flags(lambda letter: T.const(0, 1) if letter in "co" else of_result(r, letter))


def of_sum(a: Node, b: Node, r: Node) -> Flags:
    """r = a + b + carry in: a carry leaves the top where both have it, or one has and the sum has not."""

    def read(letter: str) -> Node:
        if letter == "c":
            return T.or_(T.and_(top(a), top(b)), T.and_(T.or_(top(a), top(b)), T.not_(top(r))))
        if letter == "o":
            return T.and_(T.xor(top(a), top(r)), T.xor(top(b), top(r)))
        return of_result(r, letter)

    return Flags(read)


def of_difference(a: Node, b: Node, r: Node) -> Flags:
    """r = a - b."""

    def read(letter: str) -> Node:
        if letter == "c":
            return T.ult(a, b)
        if letter == "o":
            return T.and_(T.xor(top(a), top(b)), T.xor(top(a), top(r)))
        return of_result(r, letter)

    return Flags(read)


def of_difference_with_borrow(a: Node, b: Node, r: Node) -> Flags:
    """r = a - b - borrow in."""

    def read(letter: str) -> Node:
        if letter == "c":
            return T.or_(T.and_(T.not_(top(a)), top(b)), T.and_(T.or_(T.not_(top(a)), top(b)), top(r)))
        if letter == "o":
            return T.and_(T.xor(top(a), top(b)), T.xor(top(a), top(r)))
        return of_result(r, letter)

    return Flags(read)


def changed(old: Flags, **new: Callable[[], Node]) -> Flags:
    """Some flags new and the others as they were."""
    return Flags(lambda letter: new[letter]() if letter in new else old(letter))


def unknown() -> Node:
    return T.fresh(1)


undefined = Flags(lambda letter: unknown())


def chosen(condition: Node, one: Flags, other: Flags) -> Flags:
    """Flags that depend on a shift's count."""
    if T.is_const(condition):
        return one if T.val(condition) else other
    return Flags(lambda letter: T.ite(condition, one(letter), other(letter)))


# Intel SDM, volume 1, appendix B. The negations come second.
_CONDITIONS: dict[str, Callable[[Flags], Node]] = {
    "o": lambda f: f("o"),
    "b": lambda f: f("c"),
    "e": lambda f: f("z"),
    "be": lambda f: T.or_(f("c"), f("z")),
    "s": lambda f: f("s"),
    "p": lambda f: f("p"),
    "l": lambda f: T.xor(f("s"), f("o")),
    "le": lambda f: T.or_(f("z"), T.xor(f("s"), f("o"))),
}
_NEGATIONS = {"no": "o", "ae": "b", "ne": "e", "a": "be", "ns": "s", "np": "p", "ge": "l", "g": "le"}
CONDITIONS = [*_CONDITIONS, *_NEGATIONS]


def condition(code: str, flags: Flags) -> Node:
    if code in _NEGATIONS:
        return T.not_(_CONDITIONS[_NEGATIONS[code]](flags))
    return _CONDITIONS[code](flags)

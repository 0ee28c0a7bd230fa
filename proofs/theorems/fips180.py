"""The compression of SHA-256 and SHA-512 (FIPS 180-4) on terms.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from functools import reduce
from itertools import count, islice
from typing import NamedTuple

from proofs.machine import terms as T
from proofs.machine.terms import Node


class Hash(NamedTuple):
    """4.1: the amounts of the functions; the last one of a sigma is a shift, all others are rotations."""

    width: int
    rounds: int
    sum0: tuple[int, int, int]
    sum1: tuple[int, int, int]
    sigma0: tuple[int, int, int]
    sigma1: tuple[int, int, int]


SHA256 = Hash(32, 64, (2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10))
SHA512 = Hash(64, 80, (28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6))


def constants(h: Hash) -> list[int]:
    """4.2: the first bits of the fractional parts of the cube roots of the first primes."""
    primes = islice((p for p in count(2) if all(p % d for d in range(2, p))), h.rounds)
    return [_cube_root(p << 3 * h.width) % (1 << h.width) for p in primes]


def _cube_root(x: int) -> int:
    low, high = 0, 1 << (x.bit_length() // 3 + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= x else (low, middle)
    return low


def _sum(h: Hash, x: Node, amounts: Sequence[int]) -> Node:
    return reduce(T.xor, [T.rol(x, h.width - k) for k in amounts])


def _sigma(h: Hash, x: Node, amounts: Sequence[int]) -> Node:
    *rotations, shift = amounts
    return T.xor(_sum(h, x, rotations), T.lshr(x, shift))


def _add(*x: Node) -> Node:
    return reduce(T.add, x)


def compress(h: Hash, state: Sequence[Node], block: Sequence[Node]) -> list[Node]:
    """6.2.2 and 6.4.2, of one block of 16 words."""
    w = list(block)
    for t in range(16, h.rounds):
        w.append(_add(_sigma(h, w[t - 2], h.sigma1), w[t - 7], _sigma(h, w[t - 15], h.sigma0), w[t - 16]))
    s = list(state)
    for word, constant in zip(w, constants(h), strict=True):
        a, b, c, d, e, f, g, last = s
        choice = T.xor(T.and_(e, f), T.and_(T.not_(e), g))
        majority = T.xor(T.xor(T.and_(a, b), T.and_(a, c)), T.and_(b, c))
        t1 = _add(last, _sum(h, e, h.sum1), choice, T.const(constant, h.width), word)
        t2 = _add(_sum(h, a, h.sum0), majority)
        s = [_add(t1, t2), a, b, c, _add(d, t1), e, f, g]
    return [_add(x, y) for x, y in zip(state, s, strict=True)]

"""Polynomials of FIPS 203 as numbers, for the standard's examples: algorithms 5 to 11 as they are written.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np

from proofs.domains.keccak import Algebra, Word
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import fips202
from proofs.theorems.fips203 import N, Q, gamma, inverse_ntt_matrix, ntt_matrix
from proofs.whole.sponges import Bytes

Numbers = tuple[int, ...]
NTT, INVERSE = ntt_matrix(), inverse_ntt_matrix()
MASK = (1 << 64) - 1


class Words(Algebra):
    """Words that are numbers."""

    def __init__(self, state: Sequence[int]) -> None:
        super().__init__()
        self._state = state

    def input(self, index: int) -> Word:
        return self.constant(self._state[index])

    def and_(self, x: Word, y: Word) -> Word:
        return self.constant(x.constant & y.constant)


def constants(data: bytes) -> Bytes:
    return [T.const(b, 8) for b in data]


def numbers(content: Bytes) -> bytes:
    return bytes(map(T.val, content))


def decoded(d: int, s: bytes) -> list[int]:
    """Algorithm 6, without the reduction of d = 12."""
    whole = int.from_bytes(s, "little")
    return [whole >> d * i & (1 << d) - 1 for i in range(N)]


def encoded(d: int, f: Sequence[int]) -> Bytes:
    """Algorithm 5."""
    return constants(sum(x << d * i for i, x in enumerate(f)).to_bytes(32 * d, "little"))


class Concrete:
    """A stream of any number of blocks: those behind the 256th value are not looked at."""

    def permuted(self, state: Sequence[Node]) -> list[Node]:
        return [T.const(w.constant, 64) for w in fips202.permutation(Words([T.val(n) for n in state]))]

    def sample_ntt(self, stream: list[Bytes]) -> Numbers:
        found: list[int] = []
        data = numbers([byte for block in stream for byte in block])
        for a, b, c in zip(data[::3], data[1::3], data[2::3], strict=True):
            found += [x for x in (a + 256 * (b % 16), b // 16 + 16 * c) if x < Q]
        assert len(found) >= N
        return tuple(found[:N])

    def sample_cbd(self, eta: int, s: Bytes) -> Numbers:
        bits = [b >> i & 1 for b in numbers(s) for i in range(8)]
        pairs = [bits[2 * eta * i : 2 * eta * (i + 1)] for i in range(N)]
        return tuple((sum(pair[:eta]) - sum(pair[eta:])) % Q for pair in pairs)

    def decode(self, s: Bytes) -> Numbers:
        return tuple(x % Q for x in decoded(12, numbers(s)))

    def encode(self, f: Numbers) -> Bytes:
        return encoded(12, f)

    def decompress(self, d: int, s: Bytes) -> Numbers:
        return tuple((Q * y + (1 << d - 1)) >> d for y in decoded(d, numbers(s)))

    def compress(self, d: int, f: Numbers) -> Bytes:
        return encoded(d, [((x << d + 1) + Q) // (2 * Q) % (1 << d) for x in f])

    def ntt(self, f: Numbers) -> Numbers:
        return tuple(int(x) for x in NTT @ np.array(f) % Q)

    def inverse(self, f: Numbers) -> Numbers:
        return tuple(int(x) for x in INVERSE @ np.array(f) % Q)

    def product(self, f: Numbers, g: Numbers) -> Numbers:
        h: list[int] = []
        for i in range(N // 2):
            a, b, c, d = f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]
            h += [(a * c + b * d * gamma(i)) % Q, (a * d + b * c) % Q]
        return tuple(h)

    def total(self, parts: Sequence[tuple[Numbers, int]]) -> Numbers:
        return tuple(sum(f[i] * factor for f, factor in parts) % Q for i in range(N))

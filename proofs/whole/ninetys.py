"""Kyber-90s, round 3: the functions of section 1.4 of its specification (version 3.02), which take the place of
SHA-3's, and what they are made of: FIPS 180-4 and AES in counter mode.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Protocol

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.whole import kyber
from proofs.whole.fips203 import SYM, Bytes, F, Polynomials
from proofs.whole.kyber import Round3

Compress = Callable[[Sequence[Node], Bytes], list[Node]]

SETS = tuple(replace(p, name=f"{p.name}-90s") for p in kyber.SETS)
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
NONCE, BLOCK = 12, 16
FIRST, NEXT = 576, 192  # bytes of a stream that are sampled together


class WithFunctions(Polynomials[F], Protocol[F]):
    def sha256(self, state: Sequence[Node], block: Bytes) -> list[Node]:
        """FIPS 180-4, 6.2.2: the compression of one block."""

    def sha512(self, state: Sequence[Node], block: Bytes) -> list[Node]:
        """6.4.2."""

    def aes256(self, key: Bytes, block: Bytes) -> Bytes:
        """FIPS 197."""


def sha2(compress: Compress, width: int, message: Bytes) -> Bytes:
    """FIPS 180-4: 5.1, padding; 5.3, the first bits of the fractional parts of square roots; 6.2 and 6.4."""
    size, length = 2 * width, width // 4  # bytes of a block, and of the message's length in bits
    zeros = -(len(message) + 1 + length) % size
    ending = bytes([0x80, *bytes(zeros), *(8 * len(message)).to_bytes(length, "big")])
    padded = [*message, *(T.const(b, 8) for b in ending)]
    state = [T.const(isqrt(p << 2 * width) % (1 << width), width) for p in PRIMES]
    for at in range(0, len(padded), size):
        state = compress(state, padded[at : at + size])
    return [byte for word in state for byte in T.split(word, 8)[::-1]]


@dataclass(frozen=True)
class Ninetys(Round3[F]):
    """`blocks` has the pieces of a stream: one of 576 bytes, then of 192."""

    on: WithFunctions[F]

    def h(self, s: Bytes) -> Bytes:
        return sha2(self.on.sha256, 32, s)

    def g(self, s: Bytes) -> tuple[Bytes, Bytes]:
        out = sha2(self.on.sha512, 64, s)
        return out[:SYM], out[SYM:]

    def j(self, s: Bytes) -> Bytes:
        return self.h(s)

    def stream(self, key: Bytes, nonce: Bytes, size: int) -> Bytes:
        """The nonce is filled up with zeros, and a counter of 32 bits follows."""
        start, found = [*nonce, *[T.const(0, 8)] * (NONCE - len(nonce))], Bytes()
        for counter in range(-(-size // BLOCK)):
            found += self.on.aes256(key, [*start, *(T.const(b, 8) for b in counter.to_bytes(4, "big"))])
        return found[:size]

    def prf(self, eta: int, s: Bytes, b: int) -> Bytes:
        return self.stream(s, [T.const(b, 8)], 64 * eta)

    def xof(self, rho: Bytes, i: int, j: int, blocks: int) -> list[Bytes]:
        whole = self.stream(rho, [T.const(i, 8), T.const(j, 8)], FIRST + NEXT * (blocks - 1))
        return [whole[:FIRST], *(whole[at : at + NEXT] for at in range(FIRST, len(whole), NEXT))]

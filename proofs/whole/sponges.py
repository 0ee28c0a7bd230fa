"""FIPS 202 over named permutations: sponges of bytes that are terms, written from the standard.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems.fips202 import WORDS

Bytes = list[Node]
Permutation = Callable[[Sequence[Node]], list[Node]]

SHA3, SHAKE = 0x06, 0x1F  # section 6: the suffix with the first bit of the padding
LAST = 1 << 63  # the last bit of the padding, in its word


def sponge(f: Permutation, rate: int, suffix: int, message: Bytes, blocks: int) -> list[Bytes]:
    """So many blocks of output, of `rate` bytes each (section 4)."""
    state = [T.const(0, 64)] * WORDS
    padded = [*message, T.const(suffix, 8)]
    padded += [T.const(0, 8)] * (-len(padded) % rate)
    for at in range(0, len(padded), rate):
        for w in range(rate // 8):
            state[w] = T.xor(state[w], T.concat(padded[at + 8 * w : at + 8 * w + 8]))
        if at + rate == len(padded):
            state[rate // 8 - 1] = T.xor(state[rate // 8 - 1], T.const(LAST, 64))
        state = f(state)
    out = []
    for i in range(blocks):
        state = f(state) if i else state
        out.append([byte for word in state[: rate // 8] for byte in T.split(word, 8)])
    return out


def sha3_256(f: Permutation, message: Bytes) -> Bytes:
    return sponge(f, 136, SHA3, message, 1)[0][:32]


def sha3_512(f: Permutation, message: Bytes) -> Bytes:
    return sponge(f, 72, SHA3, message, 1)[0][:64]


def shake_128(f: Permutation, message: Bytes, blocks: int) -> list[Bytes]:
    """Whole blocks, of 168 bytes."""
    return sponge(f, 168, SHAKE, message, blocks)


def shake_256(f: Permutation, message: Bytes, size: int) -> Bytes:
    return [byte for block in sponge(f, 136, SHAKE, message, -(-size // 136)) for byte in block][:size]

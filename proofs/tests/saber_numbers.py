"""Saber's polynomials as numbers, and the generator of NIST's known answers (SP 800-90A, CTR_DRBG with AES-256).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from fips203_numbers import Concrete, Numbers, encoded, numbers

from proofs.machine import terms as T
from proofs.whole.saber import EQ
from proofs.whole.sponges import Bytes

Bits = npt.NDArray[np.uint8]
N = 256
KEY, BLOCK, SEED = 32, 16, 48

SBOX = np.array([T.val(T.sbox(T.const(x, 8))) for x in range(256)], dtype=np.uint8)
DOUBLE = np.array([2 * x ^ (0x11B if x & 0x80 else 0) for x in range(256)], dtype=np.uint8)
ROUNDS, WORDS = 14, 60
PLACES = np.arange(BLOCK)
SHIFTED = (PLACES + 4 * (PLACES % 4)) % BLOCK
BELOW = [PLACES // 4 * 4 + (PLACES + i) % 4 for i in range(4)]  # in a column


def bits(d: int, s: bytes) -> list[int]:
    """The numbers of d bits in a string."""
    whole = int.from_bytes(s, "little")
    return [whole >> d * i & (1 << d) - 1 for i in range(8 * len(s) // d)]


class SaberConcrete:
    permuted = Concrete.permuted

    def unpacked(self, d: int, s: Bytes) -> Numbers:
        return tuple(bits(d, numbers(s)))

    def sampled(self, mu: int, s: Bytes) -> Numbers:
        half = (1 << mu // 2) - 1
        return tuple((x & half).bit_count() - (x >> mu // 2).bit_count() for x in bits(mu, numbers(s)))

    def product(self, f: Numbers, g: Numbers) -> Numbers:
        whole = np.convolve(f, g)
        return tuple(int(x) for x in whole[:N] - np.append(whole[N:], 0))

    def total(self, parts: Sequence[tuple[Numbers, int]]) -> Numbers:
        return tuple(sum(f[i] * factor for f, factor in parts) % (1 << EQ) for i in range(N))

    def packed(self, f: Numbers, h: int, of: int, to: int) -> Bytes:
        return encoded(to, [(x + h) % (1 << of) >> of - to for x in f])


def expanded_key(key: bytes) -> Bits:
    """FIPS 197, 5.2: the round keys of AES-256."""
    w, constant = list(np.frombuffer(key, dtype=np.uint8).reshape(8, 4)), 1
    for i in range(8, WORDS):
        word = w[-1]
        if i % 8 == 0:
            word, constant = SBOX[np.roll(word, -1)] ^ np.array([constant, 0, 0, 0], dtype=np.uint8), 2 * constant
        elif i % 8 == 4:
            word = SBOX[word]
        w.append(w[i - 8] ^ word)
    return np.array(w).reshape(ROUNDS + 1, BLOCK)


def cipher(blocks: bytes, keys: Bits) -> bytes:
    """5.1, of each block."""
    s = np.frombuffer(blocks, dtype=np.uint8).reshape(-1, BLOCK) ^ keys[0]
    for key in keys[1:-1]:
        a, b, c, d = (SBOX[s][:, SHIFTED][:, places] for places in BELOW)
        s = DOUBLE[a ^ b] ^ b ^ c ^ d ^ key
    return (SBOX[s][:, SHIFTED] ^ keys[-1]).tobytes()


class Generator:
    """The DRBG, without a derivation function."""

    def __init__(self, entropy: bytes) -> None:
        self._key, self._counter = bytes(KEY), 0
        self._update(entropy)

    def take(self, size: int) -> bytes:
        found = self._stream(size)
        self._update(bytes(SEED))
        return found

    def _stream(self, size: int) -> bytes:
        first, number = self._counter + 1, -(-size // BLOCK)
        self._counter += number
        counters = ((first + i) % (1 << 8 * BLOCK) for i in range(number))
        blocks = b"".join(counter.to_bytes(BLOCK, "big") for counter in counters)
        return cipher(blocks, expanded_key(self._key))[:size]

    def _update(self, data: bytes) -> None:
        new = bytes(x ^ y for x, y in zip(self._stream(SEED), data, strict=True))
        self._key, self._counter = new[:KEY], int.from_bytes(new[KEY:], "big")

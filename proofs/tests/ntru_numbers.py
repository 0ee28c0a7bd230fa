"""NTRU's polynomials as numbers: sections 1.8 to 1.10 of its document as they are written.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np
from fips203_numbers import Concrete, Numbers, constants, numbers

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.whole.fips203 import Bytes
from proofs.whole.ntru import Parameters


class NtruConcrete:
    permuted = Concrete.permuted

    def __init__(self, p: Parameters) -> None:
        self._p, self._n, self._q = p, p.n, 1 << p.log_q

    # ---- strings ----

    def _bits(self, d: int, s: Bytes) -> list[int]:
        """n - 1 numbers of d bits."""
        whole = int.from_bytes(numbers(s), "little")
        return [whole >> d * i & (1 << d) - 1 for i in range(self._n - 1)]

    def ternary(self, s: Bytes) -> Numbers:
        return (*(x % 3 for x in numbers(s)), 0)

    def words(self, s: Bytes) -> Numbers:
        half = self._p.weight // 2
        marks = [1] * half + [2] * half + [0] * (self._n - 1 - 2 * half)
        unsigned = [4 * x + mark for x, mark in zip(self._bits(30, s), marks, strict=True)]
        return tuple(x - (x >> 31 << 32) for x in unsigned)

    def ascending(self, a: Numbers) -> Numbers:
        return tuple(sorted(a))

    def modulo_4(self, a: Numbers) -> Numbers:
        return (*(x % 4 for x in a), 0)

    def packed_s3(self, t: Numbers) -> Bytes:
        fives = [t[i : min(i + 5, self._n - 1)] for i in range(0, self._n - 1, 5)]
        return constants(bytes(sum(x * 3**i for i, x in enumerate(five)) for five in fives))

    def unpacked_s3(self, s: Bytes) -> Numbers:
        trits = [x // 3**i % 3 for x in numbers(s) for i in range(5)]
        return (*trits[: self._n - 1], 0)

    def packed(self, f: Numbers) -> Bytes:
        whole = sum(x % self._q << self._p.log_q * i for i, x in enumerate(f[:-1]))
        return constants(whole.to_bytes(self._p.ct, "little"))

    def unpacked(self, s: Bytes) -> Numbers:
        return (*self._bits(self._p.log_q, s), 0)

    # ---- polynomials ----

    def _numbers(self, f: np.ndarray) -> Numbers:
        return tuple(int(x) % self._q for x in f)

    def _cyclic(self, f: Numbers, g: Numbers) -> np.ndarray:
        whole = np.convolve(f, g)
        whole[: self._n - 1] += whole[self._n :]
        return whole[: self._n]

    def sum_zero(self, f: Numbers) -> Numbers:
        return (*f[:-1], -sum(f[:-1]) % self._q)

    def signed(self, t: Numbers) -> Numbers:
        return tuple((0, 1, self._q - 1)[x] for x in t)

    def quotient(self, t: Numbers) -> Numbers:
        """Coefficient i of (X - 1) b is b_(i-1) - b_i, and modulo Phi b_(n-2) less. Their sum gives b_(n-2)."""
        last = -sum(t) * pow(self._n, -1, 3)
        b = [0]
        for x in t[:-1]:
            b.append((b[-1] - last - x) % 3)
        assert b[-1] == last % 3
        return (*b[1:], 0)

    def times_x_minus_1(self, f: Numbers) -> Numbers:
        return self._numbers(np.roll(f, 1) - np.array(f))

    def product(self, f: Numbers, g: Numbers) -> Numbers:
        return self._numbers(self._cyclic(f, g))

    def total(self, parts: Sequence[tuple[Numbers, int]]) -> Numbers:
        return self._numbers(np.array([[factor * x for x in f] for f, factor in parts]).sum(axis=0))

    def modulo_phi(self, f: Numbers) -> Numbers:
        return self._numbers(np.array(f) - f[-1])

    def modulo_3(self, f: Numbers) -> Numbers:
        centred = [(x + self._q // 2) % self._q - self._q // 2 for x in f]
        return tuple((x - centred[-1]) % 3 for x in centred)

    def product_s3(self, t: Numbers, u: Numbers) -> Numbers:
        whole = self._cyclic(t, u)
        return tuple(int(x) % 3 for x in whole - whole[-1])

    def small(self, f: Numbers) -> Numbers:
        return tuple({0: 0, 1: 1, self._q - 1: 2}.get(x, 0) for x in f)

    def is_small(self, f: Numbers) -> Node:
        return T.const(int(set(f) <= {0, 1, self._q - 1}), 1)

    def has_weight(self, t: Numbers) -> Node:
        return T.const(int(t.count(1) == t.count(2) == self._p.weight // 2), 1)

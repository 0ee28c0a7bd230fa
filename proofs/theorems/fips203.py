"""The formulas of FIPS 203, as matrices and terms: written from the standard, not from the library.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import numpy.typing as npt

from proofs.machine import terms as T
from proofs.machine.terms import Node

Matrix = npt.NDArray[np.int64]

Q = 3329
N = 256
ZETA = 17  # section 4.3: a primitive 256th root of unity
COEFFICIENT_BITS = 12


def bit_reverse(i: int) -> int:
    """BitRev_7."""
    return int(f"{i:07b}"[::-1], 2)


def gamma(i: int) -> int:
    """The i-th factor is X^2 - gamma: zeta^(2 BitRev_7(i) + 1)."""
    return pow(ZETA, 2 * bit_reverse(i) + 1, Q)


def ntt_matrix() -> Matrix:
    """Section 4.3: value i is f modulo X^2 - gamma(i), its coefficients at 2i and 2i + 1."""
    m = np.zeros((N, N), dtype=np.int64)
    for i in range(N // 2):
        for j in range(N // 2):
            m[2 * i, 2 * j] = m[2 * i + 1, 2 * j + 1] = pow(gamma(i), j, Q)
    return m


def inverse_ntt_matrix() -> Matrix:
    """The inverse of ntt_matrix: the sum over the roots, divided by 128."""
    m = np.zeros((N, N), dtype=np.int64)
    scale = pow(N // 2, -1, Q)
    for i in range(N // 2):
        root = pow(gamma(i), -1, Q)
        for j in range(N // 2):
            m[2 * j, 2 * i] = m[2 * j + 1, 2 * i + 1] = pow(root, j, Q) * scale % Q
    return m


def compress(x: Node, d: int) -> Node:
    """Section 4.2.1: round(2^d x / q) mod 2^d, which is floor((2^(d+1) x + q) / 2q) mod 2^d."""
    numerator = T.add(T.shl(T.zext(x, 32), d + 1), T.const(Q, 32))
    return T.extract(T.udiv(numerator, T.const(2 * Q, 32)), 0, d)


def decompress(y: Node, d: int) -> Node:
    """Section 4.2.1: round(q y / 2^d), halves upwards."""
    product = T.mul(T.zext(y, 32), T.const(Q, 32))
    return T.extract(T.lshr(T.add(product, T.const(1 << (d - 1), 32)), d), 0, 16)


def bits(words: list[Node], at: int, count: int) -> Node:
    """Bits of a byte string, each byte's least significant bit first (section 4.2.1, BytesToBits)."""
    first, last = at // 8, (at + count + 7) // 8
    return T.extract(T.concat(words[first:last]), at % 8, count)


def binomial(string: list[Node], i: int, eta: int) -> Node:
    """Algorithm 8: the sum of eta bits less the sum of the next eta bits."""
    ones = [T.zext(bits(string, 2 * i * eta + j, 1), 16) for j in range(2 * eta)]
    total = T.const(0, 16)
    for j, bit in enumerate(ones):
        total = T.add(total, bit) if j < eta else T.sub(total, bit)
    return total

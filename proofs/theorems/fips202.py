"""Keccak-f[1600] of FIPS 202, in the algebra of words: written from the standard.

SPDX-License-Identifier: Apache-2.0
"""

from proofs.domains.keccak import Algebra, Word

WORDS = 25
ROUNDS = 24


def round_constants() -> list[int]:
    """Algorithm 5: bits of a linear feedback shift register over X^8 + X^6 + X^5 + X^4 + 1."""
    constants, register = [], 1
    for _ in range(ROUNDS):
        constant = 0
        for j in range(7):
            constant |= (register & 1) << ((1 << j) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    return constants


def rotations() -> list[int]:
    """Algorithm 2: the offset of word x + 5 y."""
    offsets = [0] * WORDS
    x, y = 1, 0
    for t in range(ROUNDS):
        offsets[x + 5 * y] = (t + 1) * (t + 2) // 2
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


def permutation(w: Algebra) -> list[Word]:
    """The words of Keccak-f[1600] as functions of the 25 inputs."""
    a = [w.input(i) for i in range(WORDS)]
    for constant in round_constants():
        a = _chi(w, _rho_pi(w, _theta(w, a)))
        a[0] = w.xor(a[0], w.constant(constant))
    return a


def _theta(w: Algebra, a: list[Word]) -> list[Word]:
    """Algorithm 1."""
    column = a[:5]
    for i in range(5, WORDS):
        column[i % 5] = w.xor(column[i % 5], a[i])
    d = [w.xor(column[(x - 1) % 5], w.rotate(column[(x + 1) % 5], 1)) for x in range(5)]
    return [w.xor(a[i], d[i % 5]) for i in range(WORDS)]


def _rho_pi(w: Algebra, a: list[Word]) -> list[Word]:
    """Algorithms 2 and 3: A'[x, y] = A[x + 3y, x]."""
    offsets = rotations()
    sources = [(x + 3 * y) % 5 + 5 * x for y in range(5) for x in range(5)]
    return [w.rotate(a[i], offsets[i]) for i in sources]


def _chi(w: Algebra, a: list[Word]) -> list[Word]:
    """Algorithm 4."""

    def at(i: int, step: int) -> Word:
        return a[i // 5 * 5 + (i + step) % 5]

    return [w.xor(a[i], w.and_(w.not_(at(i, 1)), at(i, 2))) for i in range(WORDS)]

"""Saber, round 3: algorithms 17 to 22 of its document. Written from the document.

Bytes are terms. Polynomials and Keccak's permutation are a parameter: names for proofs (saber_models.py), numbers for
the known answers (tests/test_saber.py).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol

from proofs.machine.terms import Node
from proofs.whole import sponges
from proofs.whole.fips203 import SYM, Bytes, Choice, F

EQ, EP = 13, 10  # q = 2^13, p = 2^10
H1 = 1 << (EQ - EP - 1)


@dataclass(frozen=True)
class Parameters:
    """Section 2.3, with l as `rank` and log2 of T as `et`. Keys and ciphertexts are ek = b || seed_A,
    dk = s || ek || H(ek) || z and ct = b' || c_m."""

    name: str
    rank: int
    mu: int
    et: int

    @property
    def h2(self) -> int:
        return (1 << (EP - 2)) - (1 << (EP - self.et - 1)) + (1 << (EQ - EP - 1))

    @property
    def vector(self) -> int:
        return 32 * EP * self.rank

    @property
    def secret(self) -> int:
        return 32 * EQ * self.rank

    @property
    def ek(self) -> int:
        return self.vector + SYM

    @property
    def dk(self) -> int:
        return self.secret + self.ek + 2 * SYM

    @property
    def ct(self) -> int:
        return self.vector + 32 * self.et


SETS = (Parameters("LightSaber", 2, 10, 3), Parameters("Saber", 3, 8, 4), Parameters("FireSaber", 4, 6, 6))


class Polynomials(Protocol[F]):
    """Of Z_q[X] / (X^256 + 1). Products and sums modulo p are those modulo q, which p divides."""

    def permuted(self, state: Sequence[Node]) -> list[Node]:
        """Keccak-f[1600]."""

    def unpacked(self, d: int, s: Bytes) -> F:
        """BS2POL: coefficients of d bits."""

    def sampled(self, mu: int, s: Bytes) -> F:
        """Of each mu bits the Hamming weight of the first half less that of the second."""

    def product(self, f: F, g: F) -> F: ...

    def total(self, parts: Sequence[tuple[F, int]]) -> F:
        """The sum of polynomials with these factors."""

    def packed(self, f: F, h: int, of: int, to: int) -> Bytes:
        """POL2BS of (f + h mod 2^of) >> (of - to), with h in each coefficient."""


class DecryptionKey(NamedTuple):
    s: Bytes
    ek: Bytes
    h: Bytes
    z: Bytes


def parts(p: Parameters, dk: Bytes) -> DecryptionKey:
    ek, h = p.secret, p.secret + p.ek
    return DecryptionKey(dk[:ek], dk[ek:h], dk[h : h + SYM], dk[h + SYM :])


def cut(d: int, s: Bytes) -> list[Bytes]:
    """The strings of the polynomials of a vector."""
    return [s[at : at + 32 * d] for at in range(0, len(s), 32 * d)]


@dataclass(frozen=True)
class Saber(Generic[F]):
    p: Parameters
    on: Polynomials[F]

    # ---- hashes, gen_A and gen_s ----

    def h(self, s: Bytes) -> Bytes:
        return sponges.sha3_256(self.on.permuted, s)

    def g(self, s: Bytes) -> tuple[Bytes, Bytes]:
        out = sponges.sha3_512(self.on.permuted, s)
        return out[:SYM], out[SYM:]

    def shake(self, s: Bytes, size: int) -> Bytes:
        blocks = sponges.shake_128(self.on.permuted, s, -(-size // 168))
        return [byte for block in blocks for byte in block][:size]

    def matrix(self, seed: Bytes) -> list[list[F]]:
        """gen_A: the rows of A, one after the other in one stream."""
        k = self.p.rank
        entries = [self.on.unpacked(EQ, s) for s in cut(EQ, self.shake(seed, 32 * EQ * k * k))]
        return [entries[k * i : k * (i + 1)] for i in range(k)]

    def secret(self, seed: Bytes) -> list[F]:
        """gen_s."""
        mu = self.p.mu
        return [self.on.sampled(mu, s) for s in cut(mu, self.shake(seed, 32 * mu * self.p.rank))]

    # ---- algorithms 17 to 19: Saber.PKE ----

    def dot(self, f: Sequence[F], g: Sequence[F]) -> F:
        return self.on.total([(self.on.product(x, y), 1) for x, y in zip(f, g, strict=True)])

    def rounded(self, rows: Sequence[Sequence[F]], s: Sequence[F]) -> Bytes:
        return [byte for row in rows for byte in self.on.packed(self.dot(row, s), H1, EQ, EP)]

    def keygen_pke(self, seed_a: Bytes, seed_s: Bytes) -> tuple[Bytes, Bytes]:
        a, s = self.matrix(seed_a), self.secret(seed_s)
        b = self.rounded([list(column) for column in zip(*a, strict=True)], s)  # A^T s
        return [*b, *seed_a], [byte for f in s for byte in self.on.packed(f, 0, EQ, EQ)]

    def encrypt(self, ek: Bytes, m: Bytes, r: Bytes) -> Bytes:
        et, b = self.p.et, [self.on.unpacked(EP, s) for s in cut(EP, ek[: self.p.vector])]
        a, s = self.matrix(ek[self.p.vector :]), self.secret(r)
        v = self.on.total([(self.dot(b, s), 1), (self.on.unpacked(1, m), -(1 << (EP - 1)))])
        return [*self.rounded(a, s), *self.on.packed(v, H1, EP, et)]

    def decrypt(self, s: Bytes, c: Bytes) -> Bytes:
        et, size = self.p.et, self.p.vector
        secret, b = [self.on.unpacked(EQ, x) for x in cut(EQ, s)], [self.on.unpacked(EP, x) for x in cut(EP, c[:size])]
        v = self.on.total([(self.dot(b, secret), 1), (self.on.unpacked(et, c[size:]), -(1 << (EP - et)))])
        return self.on.packed(v, self.p.h2, EP, 1)

    # ---- algorithms 20 to 22: Saber.KEM ----

    def seed_a(self, a0: Bytes) -> Bytes:
        return self.shake(a0, SYM)

    def keygen(self, a0: Bytes, seed_s: Bytes, z: Bytes) -> tuple[Bytes, Bytes]:
        ek, s = self.keygen_pke(self.seed_a(a0), seed_s)
        return ek, [*s, *ek, *self.h(ek), *z]

    def kdf(self, key: Bytes, c: Bytes) -> Bytes:
        return self.h([*key, *self.h(c)])

    def encaps(self, ek: Bytes, coins: Bytes) -> tuple[Bytes, Bytes]:
        m = self.h(coins)
        key, r = self.g([*m, *self.h(ek)])
        c = self.encrypt(ek, m, r)
        return c, self.kdf(key, c)

    def decaps(self, dk: Bytes, c: Bytes) -> Choice:
        """`kdf` of the choice is the shared secret."""
        s, ek, h, z = parts(self.p, dk)
        m = self.decrypt(s, c)
        key, r = self.g([*m, *h])
        return Choice(c, self.encrypt(ek, m, r), key, z)

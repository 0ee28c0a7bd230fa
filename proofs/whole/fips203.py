"""FIPS 203, algorithms 13 to 18: what the operations have to be equal to. Written from the standard.

Bytes are terms. Polynomials and Keccak's permutation are a parameter: names for proofs (values.py), numbers for the
standard's examples (tests/test_whole.py).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.whole import sponges

Bytes = list[Node]
Entry = tuple[int, int]
F = TypeVar("F")

SYM = 32  # bytes of seeds and hashes


@dataclass(frozen=True)
class Parameters:
    """Table 2, and the sizes of table 3."""

    name: str
    k: int
    eta1: int
    eta2: int
    du: int
    dv: int

    @property
    def vector(self) -> int:
        return 384 * self.k

    @property
    def ek(self) -> int:
        return self.vector + SYM

    @property
    def dk(self) -> int:
        return self.vector + self.ek + 2 * SYM

    @property
    def ct(self) -> int:
        return 32 * (self.du * self.k + self.dv)


SETS = (
    Parameters("ML-KEM-512", 2, 3, 2, 10, 4),
    Parameters("ML-KEM-768", 3, 2, 2, 10, 4),
    Parameters("ML-KEM-1024", 4, 2, 2, 11, 5),
)


class Polynomials(Protocol[F]):
    """Sections 4.2 and 4.3."""

    def permuted(self, state: Sequence[Node]) -> list[Node]:
        """Keccak-f[1600]."""

    def sample_ntt(self, stream: list[Bytes]) -> F:
        """Algorithm 7, of the blocks of a stream that has enough values in them."""

    def sample_cbd(self, eta: int, s: Bytes) -> F:
        """Algorithm 8."""

    def decode(self, s: Bytes) -> F:
        """ByteDecode_12, algorithm 6."""

    def encode(self, f: F) -> Bytes:
        """ByteEncode_12, algorithm 5."""

    def decompress(self, d: int, s: Bytes) -> F:
        """Decompress_d of ByteDecode_d."""

    def compress(self, d: int, f: F) -> Bytes:
        """ByteEncode_d of Compress_d."""

    def ntt(self, f: F) -> F:
        """Algorithm 9."""

    def inverse(self, f: F) -> F:
        """Algorithm 10."""

    def product(self, f: F, g: F) -> F:
        """Algorithm 11."""

    def total(self, parts: Sequence[tuple[F, int]]) -> F:
        """The sum of polynomials with these factors."""


class DecryptionKey(NamedTuple):
    """Section 7.3: dk = s || ek || H(ek) || z."""

    s: Bytes
    ek: Bytes
    h: Bytes
    z: Bytes


class Choice(NamedTuple):
    """18.9 to 18.12: `equal` if the ciphertexts are, else `other`."""

    c: Bytes
    again: Bytes
    equal: Bytes
    other: Bytes


def parts(p: Parameters, dk: Bytes) -> DecryptionKey:
    ek, h = p.vector, p.vector + p.ek
    return DecryptionKey(dk[:ek], dk[ek:h], dk[h : h + SYM], dk[h + SYM :])


@dataclass(frozen=True)
class Fips203(Generic[F]):
    """`blocks` has, for each entry of A, the blocks of its stream in which there are 256 values."""

    p: Parameters
    on: Polynomials[F]
    blocks: Mapping[Entry, int]

    checks_keys = True  # sections 7.2 and 7.3

    # ---- section 4.1 ----

    def h(self, s: Bytes) -> Bytes:
        return sponges.sha3_256(self.on.permuted, s)

    def g(self, s: Bytes) -> tuple[Bytes, Bytes]:
        out = sponges.sha3_512(self.on.permuted, s)
        return out[:SYM], out[SYM:]

    def j(self, s: Bytes) -> Bytes:
        return sponges.shake_256(self.on.permuted, s, SYM)

    def prf(self, eta: int, s: Bytes, b: int) -> Bytes:
        return sponges.shake_256(self.on.permuted, [*s, T.const(b, 8)], 64 * eta)

    def xof(self, rho: Bytes, i: int, j: int, blocks: int) -> list[Bytes]:
        return sponges.shake_128(self.on.permuted, [*rho, T.const(i, 8), T.const(j, 8)], blocks)

    # ---- algorithms 13 to 15: K-PKE ----

    def matrix(self, rho: Bytes) -> dict[Entry, F]:
        """13.3 to 13.7: A[i, j] = SampleNTT(rho || j || i)."""
        return {(i, j): self.on.sample_ntt(self.xof(rho, j, i, n)) for (i, j), n in self.blocks.items()}

    def noise(self, eta: int, s: Bytes, first: int, count: int) -> list[F]:
        return [self.on.sample_cbd(eta, self.prf(eta, s, first + i)) for i in range(count)]

    def dot(self, f: Sequence[F], g: Sequence[F]) -> F:
        return self.on.total([(self.on.product(x, y), 1) for x, y in zip(f, g, strict=True)])

    def plus(self, *f: F) -> F:
        return self.on.total([(x, 1) for x in f])

    def seeds(self, d: Bytes) -> tuple[Bytes, Bytes]:
        return self.g([*d, T.const(self.p.k, 8)])  # 13.1

    def keygen_pke(self, d: Bytes) -> tuple[Bytes, Bytes]:
        p, k = self.p, self.p.k
        rho, sigma = self.seeds(d)
        a = self.matrix(rho)
        s = [self.on.ntt(f) for f in self.noise(p.eta1, sigma, 0, k)]  # 13.8 to 13.11, 13.16
        e = [self.on.ntt(f) for f in self.noise(p.eta1, sigma, k, k)]  # 13.12 to 13.15, 13.17
        t = [self.plus(self.dot([a[i, j] for j in range(k)], s), e[i]) for i in range(k)]  # 13.18
        return [*self.encoded(t), *rho], self.encoded(s)  # 13.19, 13.20

    def encoded(self, vector: Sequence[F]) -> Bytes:
        return [byte for f in vector for byte in self.on.encode(f)]

    def decoded(self, s: Bytes) -> list[F]:
        return [self.on.decode(s[at : at + 384]) for at in range(0, self.p.vector, 384)]

    def encrypt(self, ek: Bytes, m: Bytes, r: Bytes) -> Bytes:
        p, k = self.p, self.p.k
        t, a = self.decoded(ek), self.matrix(ek[p.vector :])  # 14.2 to 14.8
        y = [self.on.ntt(f) for f in self.noise(p.eta1, r, 0, k)]  # 14.9 to 14.12, 14.18
        e1 = self.noise(p.eta2, r, k, k)  # 14.13 to 14.16
        (e2,) = self.noise(p.eta2, r, 2 * k, 1)  # 14.17
        columns = [[a[i, j] for i in range(k)] for j in range(k)]
        u = [self.plus(self.on.inverse(self.dot(columns[j], y)), e1[j]) for j in range(k)]  # 14.19
        mu = self.on.decompress(1, m)  # 14.20
        v = self.plus(self.on.inverse(self.dot(t, y)), e2, mu)  # 14.21
        return [b for f in u for b in self.on.compress(p.du, f)] + self.on.compress(p.dv, v)  # 14.22, 14.23

    def decrypt(self, dk: Bytes, c: Bytes) -> Bytes:
        p, size = self.p, 32 * self.p.du
        u = [self.on.decompress(p.du, c[size * i : size * (i + 1)]) for i in range(p.k)]  # 15.1, 15.3
        v = self.on.decompress(p.dv, c[size * p.k :])  # 15.2, 15.4
        s = self.decoded(dk)  # 15.5
        product = self.on.inverse(self.dot(s, [self.on.ntt(f) for f in u]))
        return self.on.compress(1, self.on.total([(v, 1), (product, -1)]))  # 15.6, 15.7

    # ---- algorithms 16 to 18 ----

    def keygen(self, d: Bytes, z: Bytes) -> tuple[Bytes, Bytes]:
        ek, dk = self.keygen_pke(d)
        return ek, [*dk, *ek, *self.h(ek), *z]

    def encaps(self, ek: Bytes, m: Bytes) -> tuple[Bytes, Bytes]:
        key, r = self.g([*m, *self.h(ek)])
        return self.encrypt(ek, m, r), key

    def decaps(self, dk: Bytes, c: Bytes) -> Choice:
        s, ek, h, z = parts(self.p, dk)
        m = self.decrypt(s, c)
        key, r = self.g([*m, *h])
        return Choice(c, self.encrypt(ek, m, r), key, self.j([*z, *c]))

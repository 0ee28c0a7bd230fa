"""NTRU, round 3: encapsulation and decapsulation, sections 1.8 to 1.12 of its document. Written from the document.

Bytes are terms. Polynomials and Keccak's permutation are a parameter: names for proofs (ntru_models.py), numbers for
the known answers (tests/test_ntru.py).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.whole import sponges
from proofs.whole.fips203 import SYM, Bytes, F

U = TypeVar("U")  # coefficients modulo 3
A = TypeVar("A")  # the words that Fixed_Type sorts

WORD_BITS = 30  # of a random word of Fixed_Type


@dataclass(frozen=True)
class Parameters:
    """Sections 1.3 and 1.5; `weight` is 0 for HRSS. ek = h, dk = f || 1/f modulo 3 || 1/h || z, ct = c."""

    name: str
    n: int
    log_q: int
    weight: int = 0

    @property
    def is_hrss(self) -> bool:
        return self.weight == 0

    @property
    def packed_s3(self) -> int:
        return -(-(self.n - 1) // 5)

    @property
    def ek(self) -> int:
        return -(-self.log_q * (self.n - 1) // 8)

    @property
    def ct(self) -> int:
        return self.ek

    @property
    def dk(self) -> int:
        return 2 * self.packed_s3 + self.ek + SYM

    @property
    def coins(self) -> int:
        """Of r, one byte for a coefficient; and of m."""
        return self.n - 1 + (self.n - 1 if self.is_hrss else -(-WORD_BITS * (self.n - 1) // 8))


SETS = (
    Parameters("NTRU-HPS-2048-509", 509, 11, 254),
    Parameters("NTRU-HPS-2048-677", 677, 11, 254),
    Parameters("NTRU-HPS-4096-821", 821, 12, 510),
    Parameters("NTRU-HRSS-701", 701, 13),
)


class Polynomials(Protocol[F, U, A]):
    """Those of a set: F is of Z_q[X] / (X^n - 1), U of Z_3[X] / Phi."""

    def permuted(self, state: Sequence[Node]) -> list[Node]:
        """Keccak-f[1600]."""

    def ternary(self, s: Bytes) -> U:
        """1.10.3: bytes modulo 3."""

    def words(self, s: Bytes) -> A:
        """1.10.5: 4 times numbers of 30 bits, plus 1 in the first half of the weight, plus 2 in the second."""

    def ascending(self, a: A) -> A: ...
    def modulo_4(self, a: A) -> U: ...

    def packed_s3(self, t: U) -> Bytes:
        """1.8.7."""

    def unpacked_s3(self, s: Bytes) -> U:
        """1.8.8."""

    def packed(self, f: F) -> Bytes:
        """1.8.3 and 1.8.5: log2(q) bits of each coefficient but the last."""

    def unpacked(self, s: Bytes) -> F:
        """1.8.6: the last coefficient is 0."""

    def sum_zero(self, f: F) -> F:
        """The last coefficient is that with which all add up to 0."""

    def signed(self, t: U) -> F:
        """Coefficients 0, 1 and -1."""

    def quotient(self, t: U) -> U:
        """t / (X - 1) modulo (3, Phi)."""

    def times_x_minus_1(self, f: F) -> F: ...
    def product(self, f: F, g: F) -> F: ...

    def total(self, parts: Sequence[tuple[F, int]]) -> F:
        """The sum of polynomials with these factors."""

    def modulo_phi(self, f: F) -> F: ...

    def modulo_3(self, f: F) -> U:
        """1.9.4: coefficients from -q/2 to q/2 - 1, modulo (3, Phi)."""

    def product_s3(self, t: U, u: U) -> U: ...

    def small(self, f: F) -> U:
        """The trits of coefficients 0, 1 and -1."""

    def is_small(self, f: F) -> Node:
        """Whether f has no others: a bit."""

    def has_weight(self, t: U) -> Node:
        """Whether half of the weight is of 1, half of -1: a bit."""


class DecryptionKey(NamedTuple):
    f: Bytes
    f_inverse: Bytes
    h_inverse: Bytes
    z: Bytes


class Rejection(NamedTuple):
    """The shared secret is `rejected` if the bit `fails` is 1."""

    fails: Node
    accepted: Bytes
    rejected: Bytes


def parts(p: Parameters, dk: Bytes) -> DecryptionKey:
    f_inverse, h_inverse, z = p.packed_s3, 2 * p.packed_s3, 2 * p.packed_s3 + p.ek
    return DecryptionKey(dk[:f_inverse], dk[f_inverse:h_inverse], dk[h_inverse:z], dk[z:])


@dataclass(frozen=True)
class Ntru(Generic[F, U, A]):
    p: Parameters
    on: Polynomials[F, U, A]

    def h(self, s: Bytes) -> Bytes:
        return sponges.sha3_256(self.on.permuted, s)

    # ---- 1.9 and 1.10 ----

    def lift(self, m: U) -> F:
        if not self.p.is_hrss:
            return self.on.signed(m)
        return self.on.times_x_minus_1(self.on.signed(self.on.quotient(m)))

    def fixed_type(self, s: Bytes) -> U:
        return self.on.modulo_4(self.on.ascending(self.on.words(s)))

    def sample_rm(self, coins: Bytes) -> tuple[U, U]:
        first, second = coins[: self.p.n - 1], coins[self.p.n - 1 :]
        m = self.on.ternary(second) if self.p.is_hrss else self.fixed_type(second)
        return self.on.ternary(first), m

    # ---- 1.11: DPKE ----

    def encrypt(self, ek: Bytes, r: U, m: U) -> Bytes:
        h = self.on.sum_zero(self.on.unpacked(ek))
        product = self.on.product(self.on.signed(r), h)
        return self.on.packed(self.on.total([(product, 1), (self.lift(m), 1)]))

    def decrypt(self, key: DecryptionKey, ct: Bytes) -> tuple[U, U, Node]:
        """r, m, and whether ct is no encryption of a pair of the message space."""
        p, on = self.p, self.on
        c = on.sum_zero(on.unpacked(ct))
        a = on.product(c, on.signed(on.unpacked_s3(key.f)))
        m = on.product_s3(on.modulo_3(a), on.unpacked_s3(key.f_inverse))
        b = on.total([(c, 1), (self.lift(m), -1)])
        r = on.modulo_phi(on.product(b, on.unpacked(key.h_inverse)))
        fails = T.or_(self.is_padded(ct), T.not_(on.is_small(r)))
        if not p.is_hrss:
            fails = T.or_(fails, T.not_(on.has_weight(m)))
        return on.small(r), m, fails

    def is_padded(self, ct: Bytes) -> Node:
        """Whether unused bits of the last byte are not 0."""
        unused = 8 * self.p.ct - self.p.log_q * (self.p.n - 1)
        return T.not_(T.is_zero(T.extract(ct[-1], 8 - unused, unused))) if unused else T.const(0, 1)

    # ---- 1.12: the KEM ----

    def hashed(self, r: U, m: U) -> Bytes:
        return self.h([*self.on.packed_s3(r), *self.on.packed_s3(m)])

    def encaps(self, ek: Bytes, coins: Bytes) -> tuple[Bytes, Bytes]:
        r, m = self.sample_rm(coins)
        return self.encrypt(ek, r, m), self.hashed(r, m)

    def decaps(self, dk: Bytes, ct: Bytes) -> Rejection:
        key = parts(self.p, dk)
        r, m, fails = self.decrypt(key, ct)
        return Rejection(fails, self.hashed(r, m), self.h([*key.z, *ct]))

"""The contracts of the kernels that Saber's operations call, each one object: for its theorem (saber.py), and for the
model that takes the kernel's place where an operation calls it (whole/saber_models.py).

Polynomials are residues modulo 2^13 in the backend's order; an interval is that of the residues next to zero.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from proofs.rung import Rung
from proofs.theorems.bounds import bound
from proofs.theorems.contracts import Contract, Interval

FAMILY = "negacyclic"
N = bound(FAMILY, "N")
RANKS = (2, 3, bound(FAMILY, "RANK_MAX"))  # l of LightSaber, Saber and FireSaber
Q_BITS, P_BITS = 13, 10
H1 = 4
ANY = Interval(-(1 << (Q_BITS - 1)), (1 << (Q_BITS - 1)) - 1)
SIZES = {"evaluate": "evaluated_bytes", "evaluate_small": "small_bytes"}  # of what they write
SMALL = Interval(-bound(FAMILY, "SMALL"), bound(FAMILY, "SMALL"))


@dataclass(frozen=True, kw_only=True)
class RingContract(Contract):
    family: str = FAMILY


@dataclass(frozen=True, kw_only=True)
class Unpacking(RingContract):
    """Unpack_d, in the low `width` bits of each word."""

    d: int
    width: int

    @property
    def size(self) -> int:
        return N * self.d // 8

    @property
    def gives(self) -> Interval:
        return ANY if self.d == Q_BITS else Interval(0, (1 << self.d) - 1)


@dataclass(frozen=True, kw_only=True)
class Sampling(RingContract):
    """Of each mu bits the ones in the lower half less those in the upper half, in the low `width` bits of a word."""

    mu: int
    width: int = Q_BITS

    @property
    def size(self) -> int:
        return N * self.mu // 8

    @property
    def gives(self) -> Interval:
        return Interval(-self.mu // 2, self.mu // 2)


@dataclass(frozen=True, kw_only=True)
class Rounding(RingContract):
    """Pack_to of (f + constant - 2^(of - d) Unpack_d(bytes) mod 2^of) >> (of - to); without bytes if d is 0."""

    of: int
    to: int
    constant: int = 0
    d: int = 0

    @property
    def size(self) -> int:
        return N * self.to // 8

    @property
    def other_size(self) -> int:
        return N * self.d // 8


@dataclass(frozen=True, kw_only=True)
class Product(RingContract):
    """One of three kernels that together make the sum of l products f g."""

    left: Interval = ANY
    right: Interval = SMALL
    ranks: tuple[int, ...] = RANKS


UNPACK_D13 = Unpacking("unpack_d13", "Unpack_13 in the backend's order", "terms", d=Q_BITS, width=Q_BITS)
UNPACK_D10 = Unpacking("unpack_d10", "Unpack_10", "all inputs", d=P_BITS, width=16)
PACK_D13 = Rounding("pack_d13", "Pack_13, for any words", "all inputs", of=Q_BITS, to=Q_BITS)
ROUND_D10 = Rounding(
    "round_d10",
    "Pack_10 of (f + 4 mod 8192) >> 3, for any words",
    "all inputs",
    of=Q_BITS,
    to=P_BITS,
    constant=H1,
)


def _encryption(d: int) -> Rounding:
    claim = f"Pack_{d} of (v - 512 m + 4 mod 1024) >> {P_BITS - d}"
    rung = Rung.SLICE if d == 3 else Rung.QUICK
    return Rounding(f"encrypt_d{d}", claim, "all inputs", rung, of=P_BITS, to=d, constant=H1, d=1)


def _decryption(d: int) -> Rounding:
    claim = f"Pack_1 of (v + h2 - 2^{P_BITS - d} c mod 1024) >> 9"
    h2 = (1 << (P_BITS - 2)) - (1 << (P_BITS - d - 1)) + H1
    return Rounding(f"decrypt_d{d}", claim, "all inputs", of=P_BITS, to=1, constant=h2, d=d)


ROUNDINGS = (PACK_D13, ROUND_D10, *map(_encryption, (3, 4, 6)), *map(_decryption, (3, 4, 6)))
SAMPLINGS = tuple(
    Sampling(f"cbd_mu{mu}", f"centred binomial samples, mu = {mu}", "all inputs", mu=mu) for mu in (6, 8, 10)
)


def _product(kernel: str) -> Product:
    claim = (
        f"together the sum of l products f g modulo X^256 + 1 and 2^13, l = {', '.join(map(str, RANKS))}, "
        f"for any f and |g| <= {SMALL.high}"
    )
    return Product(kernel, claim, "products", Rung.ALL)


EVALUATE, EVALUATE_SMALL, INNER_PRODUCT = map(_product, ("evaluate", "evaluate_small", "inner_product"))

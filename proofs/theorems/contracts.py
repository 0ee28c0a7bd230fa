"""The contracts of the kernels that ML-KEM's operations call, each one object.

From it come the kernel's theorem (q3329.py, keccak.py) and the model that takes the kernel's place where an operation
calls it (whole/models.py). So the model cannot promise what the theorem does not prove, nor ask for less: a bound that
is too good for the code is refused in the theorem's row, and with it every operation that rests on the row. An
operation with a model of another contract than the theorem's is refused too: it rests on a contract, not on its words.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import NamedTuple

from proofs.rung import Rung
from proofs.theorems import fips203 as spec
from proofs.theorems.bounds import bound, constants, stated
from proofs.theorems.target import CACHE_LINE, MAX_ALIGN

Q, N = spec.Q, spec.N
R = 1 << 16
POLY_BYTES = 2 * N
CACHE_WORDS = N // 2
RING, KECCAK = "q3329", "keccak"
RANKS = (2, 3, 4)
XOF_BLOCK = constants(KECCAK)["LK_SHAKE128_RATE"]
FIRST_LANES = 4  # code may have a way of its own for a set of these alone


class Interval(NamedTuple):
    """All integers from the lowest to the highest."""

    low: int
    high: int

    def holds(self, other: "Interval") -> bool:
        return self.low <= other.low and other.high <= self.high

    def joined(self, other: "Interval") -> "Interval":
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def times(self, factor: int) -> "Interval":
        ends = self.low * factor, self.high * factor
        return Interval(min(ends), max(ends))

    def plus(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high)


class Domain(Enum):
    """The words of a polynomial: coefficients, values in the backend's order, values in the standard's."""

    NORMAL = "normal domain"
    NTT = "NTT domain"
    STANDARD = "NTT domain, in the standard's order"


class Map(Enum):
    """Linear maps: they take a polynomial of one domain, None if of any, to one of another."""

    SAME = None, None
    NTT = Domain.NORMAL, Domain.NTT
    INVERSE = Domain.NTT, Domain.NORMAL


ANY = Interval(-R // 2, R // 2 - 1)
CANONICAL = Interval(0, bound(RING, "CANONICAL_MAX"))
DECODED = Interval(0, bound(RING, "DECODED_MAX"))


def within(name: str) -> Interval:
    limit = bound(RING, name)
    return Interval(-limit, limit)


@dataclass(frozen=True)
class Contract:
    """`kernel` is its field in the table, `claim` what its theorem says. Polynomials, caches and states lie at
    multiples of `align` bytes."""

    kernel: str
    claim: str
    domain: str
    rung: Rung = field(default=Rung.QUICK, compare=False, repr=False)
    family: str = RING
    align: int = MAX_ALIGN


@dataclass(frozen=True, kw_only=True)
class LinearMap(Contract):
    """f = factor * map(f) modulo q, in place."""

    map: Map
    factor: int = 1
    takes: Interval = ANY
    gives: Interval


@dataclass(frozen=True, kw_only=True)
class Cache(Contract):
    """A factor's part of the work of inner_product, done once; so many words."""

    takes: Interval
    words: int = CACHE_WORDS


@dataclass(frozen=True, kw_only=True)
class Product(Contract):
    """h = factor * (the sum of k products), with a cache of what is congruent to the right factor."""

    k: int
    cache: Cache
    left: Interval
    right: Interval
    gives: Interval
    factor: int = pow(R, -1, Q)


@dataclass(frozen=True, kw_only=True)
class Sum(Contract):
    """f = own * f + other * g, in place, in integers that must fit the words."""

    own: int
    other: int
    fits: Interval = ANY


@dataclass(frozen=True, kw_only=True)
class Reduction(Contract):
    """f = f modulo q, in place."""

    takes: Interval = ANY
    gives: Interval = CANONICAL


@dataclass(frozen=True, kw_only=True)
class Order(Contract):
    """From the standard's order into the backend's, in place: a permutation, which all other contracts mean by the
    backend's order."""


@dataclass(frozen=True, kw_only=True)
class Coding(Contract):
    """ByteEncode_d or ByteDecode_d, with Compress_d or Decompress_d or without: 32 d bytes. `words` bounds the words
    that are read or written."""

    d: int
    encodes: bool
    compresses: bool
    of: Domain
    words: Interval

    @property
    def size(self) -> int:
        return 32 * self.d


@dataclass(frozen=True, kw_only=True)
class Binomial(Contract):
    """SamplePolyCBD_eta."""

    eta: int

    @property
    def size(self) -> int:
        return 64 * self.eta

    @property
    def gives(self) -> Interval:
        return Interval(-self.eta, self.eta)


@dataclass(frozen=True, kw_only=True)
class Rejection(Contract):
    """SampleNTT on the next bytes of a stream, after any number of values below N."""

    size: int
    below: int = Q

    @property
    def gives(self) -> Interval:
        return Interval(0, self.below - 1)


@dataclass(frozen=True, kw_only=True)
class LaneRejection(Rejection):
    """The same of one lane's stream, out of interleaved states with this alignment. Other lanes take part after the
    same of two numbers of values, or none does: LanesApart says that these are enough."""

    lane: int
    beside: tuple[int, int]
    states: int = CACHE_LINE


@dataclass(frozen=True, kw_only=True)
class LanesApart(Contract):
    """A call's work for a lane depends on nothing of other lanes that LaneRejection's examples do not have: any set of
    lanes, any bytes and any numbers of values below `most`."""

    size: int
    most: int = N
    beside: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Permutation(Contract):
    """Keccak-f[1600] of the first lanes, so many at least; the other lanes have any content afterwards."""

    fewest: int = 1


SLICE = Rung.SLICE
LINEAR = (
    LinearMap(
        "ntt",
        "FIPS 203 algorithm 9, bounds in and out",
        "linear",
        SLICE,
        map=Map.NTT,
        takes=within("NTT_IN"),
        gives=within("NTT_OUT"),
    ),
    LinearMap(
        "invntt_tomont",
        "FIPS 203 algorithm 10 times R, for any words",
        "linear",
        map=Map.INVERSE,
        factor=R,
        gives=within("INVNTT_OUT"),
    ),
    LinearMap("tomont", "R f, for any words", "linear", map=Map.SAME, factor=R, gives=within("TOMONT_OUT")),
)
MULCACHE = Cache(
    "mulcache",
    "the cache with which inner_product is algorithm 11, k = 1",
    "linear, products",
    SLICE,
    takes=within("NTT_OUT"),
)
REDUCE = Reduction("reduce", "f mod q in [0, q), for any words", "all inputs")
SUMS = (
    Sum("add", "f + g", "terms", own=1, other=1),
    Sum("sub_from", "g - f", "terms", own=-1, other=1),
)
ORDER = Order("ntt_order", "a permutation", "terms")
ENCODE = Coding(
    "encode_d12",
    "FIPS 203 algorithm 5",
    "all inputs",
    d=12,
    encodes=True,
    compresses=False,
    of=Domain.NTT,
    words=CANONICAL,
)
DECODE = Coding(
    "decode_d12",
    "FIPS 203 algorithm 6 and the modulus check of 7.2",
    "all inputs, Bitwuzla",
    SLICE,
    d=12,
    encodes=False,
    compresses=False,
    of=Domain.NTT,
    words=DECODED,
)


def _compression(d: int, encodes: bool) -> Coding:
    claim = f"algorithm 5 of Compress_{d} (4.2.1)" if encodes else f"Decompress_{d} (4.2.1) of algorithm 6"
    return Coding(
        f"{'' if encodes else 'de'}compress_d{d}",
        claim,
        "all inputs",
        d=d,
        encodes=encodes,
        compresses=True,
        of=Domain.NORMAL,
        words=CANONICAL,
    )


COMPRESSIONS = tuple(_compression(d, encodes) for encodes in (True, False) for d in (1, 4, 5, 10, 11))
BINOMIALS = tuple(
    Binomial(f"cbd_eta{eta}", f"FIPS 203 algorithm 8, eta = {eta}", "all inputs", eta=eta) for eta in (2, 3)
)
PERMUTE = Permutation(
    "permute",
    "Keccak-f[1600] (FIPS 202, 3.3), 24 rounds; returns the number of lanes",
    "XOR and AND",
    SLICE,
    KECCAK,
    CACHE_LINE,
)


@cache
def product(k: int) -> Product:
    caches = stated(RING, "inner_product", "each cache of any polynomial congruent to its g")
    return Product(
        "inner_product",
        f"R^-1 times algorithm 11 summed over k = {k}, {caches}",
        "products",
        k=k,
        cache=MULCACHE,
        left=DECODED,
        right=MULCACHE.takes,
        gives=within("PRODUCT_OUT"),
    )


@cache
def rejection(size: int, rung: Rung = Rung.ALL) -> Rejection:
    claim = f"FIPS 203 algorithm 7 of {size} bytes, after any number of values"
    return Rejection("rej_uniform_vartime", claim, "cases", rung, size=size)


@cache
def rejection_in_lane(lane: int, numbers: tuple[int, int]) -> LaneRejection:
    """Beside others with so few and so many values."""
    claim = (
        f"FIPS 203 algorithm 7 of {XOF_BLOCK} bytes in lane {lane}, after any number of values; "
        f"alone, beside an example in all others after {numbers[0]} or after {numbers[1]} values, "
        f"and beside one in the first {FIRST_LANES} after {numbers[1]}"
    )
    return LaneRejection(
        "rej_uniform_lanes_vartime", claim, "cases", Rung.ALL, size=XOF_BLOCK, lane=lane, beside=numbers
    )


@cache
def lanes_apart(numbers: tuple[int, int]) -> LanesApart:
    """Beside those of the lanes' own theorems."""
    claim = (
        f"{XOF_BLOCK} bytes of each of any set of lanes, after any numbers of values: the work for a lane depends "
        "on nothing of others that is not among the examples of its own row"
    )
    return LanesApart("rej_uniform_lanes_vartime", claim, "lanes", Rung.ALL, size=XOF_BLOCK, beside=numbers)

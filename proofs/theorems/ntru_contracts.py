"""The contracts of the kernels that NTRU's encapsulation and decapsulation call, each one object: for its theorem
(ntru.py, ntru_products.py, ternary.py), and for the model that takes the kernel's place where an operation calls it
(whole/ntru_models.py).

Polynomials are residues modulo 2^13 or coefficients modulo 3, at the places of the coefficients; the places behind
them, to the end of the last unit, are 0 in and out. But for those that say more, all hold for each n in `sizes`.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, field
from enum import Enum

from proofs.rung import Rung
from proofs.theorems.bounds import bound, constants
from proofs.theorems.contracts import Contract

CYCLIC, TERNARY = "cyclic", "ternary"
Q_BITS = bound(CYCLIC, "BITS")
UNIT = constants(TERNARY)["LK_CYCLIC_UNIT"]
N_MAX = constants(TERNARY)["LK_CYCLIC_N_MAX"]
TRITS = constants(TERNARY)["LK_TRIT_MAX"] + 1
LOGARITHMS = {509: 11, 677: 11, 821: 12, 701: 13}  # of q, by n: table 1 of the document
SIZES = tuple(LOGARITHMS)
WEIGHTS = {509: 254, 677: 254, 821: 510}  # by n: likewise
LIFTED = (701,)  # n of HRSS
WORD_BITS = 30  # of a random word of Sample_fixed_type


class Map(Enum):
    """Of a polynomial in place, by a kernel."""

    TIMES_X_MINUS_1 = "(X - 1) f modulo X^n - 1"
    MOD_PHI = "f modulo Phi"
    SUM_ZERO = "the last coefficient makes the sum 0"
    TWO_MINUS = "2 - f"


@dataclass(frozen=True, kw_only=True)
class OfSizes(Contract):
    """A kernel of polynomials of n coefficients."""

    rung: Rung = field(default=Rung.ALL, compare=False, repr=False)
    family: str = CYCLIC
    sizes: tuple[int, ...] = SIZES


@dataclass(frozen=True, kw_only=True)
class InPlace(OfSizes):
    """f = map(f) modulo 2^13, in place. With `last_is_zero` the last word is 0 with all its bits."""

    map: Map
    last_is_zero: bool = False


@dataclass(frozen=True, kw_only=True)
class Sum(OfSizes):
    """f = f + sign g modulo 2^13, in place."""

    sign: int


@dataclass(frozen=True, kw_only=True)
class FromTrits(OfSizes):
    """f = scale t, with t's coefficients taken as 0, 1, -1."""

    scales: tuple[int, ...] = (1, 3)  # as the scheme uses it


@dataclass(frozen=True, kw_only=True)
class ToTrits(OfSizes):
    """The trits of the low bits of the words, and 0 if all of these are -1, 0 or 1; else some trits, and 2^32 - 1. The
    last word is 0."""


@dataclass(frozen=True, kw_only=True)
class Mod3(OfSizes):
    """The low bits of the words from -q/2 to q/2, modulo 3 and Phi."""


@dataclass(frozen=True, kw_only=True)
class Coding(OfSizes):
    """The low d bits of all words but the last, packed or unpacked. An unpacked polynomial has a last word of 0."""

    d: int
    packs: bool

    def bytes(self, n: int) -> int:
        return (self.d * (n - 1) + 7) // 8


@dataclass(frozen=True, kw_only=True)
class Product(OfSizes):
    """One of two kernels that together make f g modulo X^n - 1 and 2^13."""


@dataclass(frozen=True, kw_only=True)
class Square(OfSizes):
    """The square modulo 4 and X^n - 1 of the polynomial of one bit of each word."""

    bit: int = 2  # as the scheme calls it


@dataclass(frozen=True, kw_only=True)
class OfTrits(OfSizes):
    """A kernel of coefficients modulo 3. The last one that it writes is 0."""

    family: str = TERNARY


@dataclass(frozen=True, kw_only=True)
class Sampling(OfTrits):
    """Sample_iid: a byte modulo 3 each."""


@dataclass(frozen=True, kw_only=True)
class FixedType(OfTrits):
    """A step of Sample_fixed_type, by n the weight. Words behind the n - 1 may be any."""

    sizes: tuple[int, ...] = tuple(WEIGHTS)
    weights: tuple[tuple[int, int], ...] = tuple(WEIGHTS.items())

    def weight(self, n: int) -> int:
        return dict(self.weights)[n]


@dataclass(frozen=True, kw_only=True)
class Sorting(OfTrits):
    """So many words of any value, ascending. Those that fill the last unit up are any, before and afterwards."""

    counts: tuple[int, ...] = (1, UNIT, 100, *(n - 1 for n in WEIGHTS), N_MAX)


@dataclass(frozen=True, kw_only=True)
class PackedTrits(OfTrits):
    """Five coefficients in a byte, packed or unpacked; of a byte from 243 on those of 243 less."""

    packs: bool

    def bytes(self, n: int) -> int:
        return (n + 3) // 5


@dataclass(frozen=True, kw_only=True)
class Quotient(OfTrits):
    """b with (X - 1) b = t modulo (3, Phi)."""

    sizes: tuple[int, ...] = LIFTED


@dataclass(frozen=True, kw_only=True)
class TernaryProduct(OfTrits):
    """f g modulo (3, Phi)."""


def _in_place(kernel: str, map_: Map, last_is_zero: bool = False) -> InPlace:
    return InPlace(kernel=kernel, claim=map_.value, domain="sums", map=map_, last_is_zero=last_is_zero)


LINEAR = (
    _in_place("times_x_minus_1", Map.TIMES_X_MINUS_1),
    _in_place("mod_phi", Map.MOD_PHI, last_is_zero=True),
    _in_place("sum_zero", Map.SUM_ZERO),
)
TWO_MINUS = _in_place("two_minus", Map.TWO_MINUS)
SUMS = (Sum("add", "f + g", "sums", sign=1), Sum("sub", "f - g", "sums", sign=-1))
FROM_TRITS = FromTrits("from_trits", "scale t, for scale = 1 and 3", "all inputs")
MOD3 = Mod3("mod3", "f modulo 3 and Phi, for any words", "all inputs")
TO_TRITS = ToTrits("to_trits", "the trits, and whether all coefficients are 0, 1 or -1", "every")
PACKS = tuple(Coding(f"pack_d{d}", f"the low {d} bits", "all inputs", d=d, packs=True) for d in (11, 12, 13))
UNPACKS = tuple(Coding(f"unpack_d{d}", f"{d} bits each", "all inputs", d=d, packs=False) for d in (11, 12, 13))
EVALUATE, PRODUCT = (
    Product(kernel, "together f g modulo X^n - 1 and 2^13", "bilinear") for kernel in ("evaluate", "product")
)
SQUARE = Square("square_of_bits", "the square modulo 4 and X^n - 1 of the polynomial of bits", "sums and bits")
SAMPLE_IID = Sampling("sample_iid", "Sample_iid", "all inputs")
MAKE_NONNEGATIVE = OfTrits("make_nonnegative", "the second half of Sample_iid_plus", "tallies")
FIXED_TYPE_WORDS = FixedType("fixed_type_words", "the words of Sample_fixed_type", "Bitwuzla")
SORT = Sorting("sort", "ascending, words of any value", "comparators")
WORDS_TO_TRITS = OfTrits("words_to_trits", "the words modulo 4, none of which is 3", "all inputs")
WEIGHT_DIFFERS = FixedType("weight_differs", "whether w/2 coefficients are 1 and w/2 are -1", "tallies")
PACK_S3 = PackedTrits("pack", "Pack_S3", "all inputs", packs=True)
UNPACK_S3 = PackedTrits("unpack", "Unpack_S3, bytes from 243 on less 243", "all inputs", packs=False)
LIFT_QUOTIENT = Quotient("lift_quotient", "(X - 1) b = t modulo (3, Phi)", "linear")
MULTIPLY = TernaryProduct("multiply", "f g modulo (3, Phi)", "residues")

"""Models of the kernels that NTRU's encapsulation and decapsulation call, each its contract
(theorems/ntru_contracts.py), and names of NTRU's polynomials.

A polynomial modulo q is known by its residue modulo 2^13, one modulo 3 by the name of a value.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import contracts
from proofs.theorems import ntru_contracts as ntru
from proofs.theorems.ntru_contracts import (
    CYCLIC,
    LOGARITHMS,
    Q_BITS,
    UNIT,
    Coding,
    FixedType,
    FromTrits,
    InPlace,
    Map,
    Mod3,
    OfSizes,
    OfTrits,
    PackedTrits,
    Product,
    Quotient,
    Sampling,
    Sorting,
    Sum,
    TernaryProduct,
    ToTrits,
)
from proofs.theorems.target import Kernel
from proofs.whole import values
from proofs.whole.models import Models
from proofs.whole.ntru import Parameters
from proofs.whole.values import Bytes, Name, Residue

Q = 1 << Q_BITS
WORD, TRIT = 16, 8  # bits of a coefficient


# ---- names that the specification (ntru.py) and the models both give ----


def mapped(map_: Map, f: Residue) -> Residue:
    """By a linear map."""
    return values.total([(values.atom(map_.name, a), c) for a, c in f], Q)


def signed(t: Name) -> Residue:
    return values.atom("signed", t)


def unpacked(d: int, s: Bytes) -> Residue:
    return values.atom("Unpack", d, values.string(s))


def packed(d: int, f: Residue, size: int) -> Bytes:
    return values.named_bytes("Pack", d, modulo(d, f), size)


def modulo(bits: int, f: Residue) -> Residue:
    """The low bits of its coefficients."""
    return values.total([(f, 1)], 1 << bits)


def modulo_3(n: int, bits: int, f: Residue) -> Name:
    """The product of two polynomials of -1, 0 and 1 has coefficients from -n to n. They are less than q / 2, so that it
    is the product of integers, and modulo (3, Phi) that of the two."""
    factors = _factors(f)
    if factors and 2 * n < 1 << bits:
        return product_s3(*factors)
    return values.name_of(("modulo 3", bits, modulo(bits, f)))


def _factors(f: Residue) -> tuple[Name, Name] | None:
    """Two polynomials modulo 3 with the product f, if it is one."""
    if len(f) != 1 or f[0][1] != 1:
        return None
    kind, *factors = values.value_of(f[0][0])
    made = [values.value_of(a) for a in factors] if kind == "product" else []
    return (made[0][1], made[1][1]) if [of[0] for of in made] == ["signed"] * 2 else None


def product_s3(t: Name, u: Name) -> Name:
    return values.name_of(("product modulo 3", *sorted((t, u))))


def small(bits: int, f: Residue) -> Name:
    """The trits that to_trits writes: those of f, if all are small."""
    return values.name_of(("small", bits, modulo(bits, f)))


def is_not_small(bits: int, f: Residue) -> Node:
    return T.var(("is not small", bits, modulo(bits, f)), 1)


def words(weight: int, s: Bytes) -> Name:
    return values.name_of(("words", weight, values.string(s)))


def differs_in_weight(weight: int, t: Name) -> Node:
    return T.var(("differs in weight", weight, t), 1)


def packed_s3(n: int, t: Name) -> Bytes:
    return [T.var(("Pack_S3", t, i), 8) for i in range(ntru.PACK_S3.bytes(n))]


@dataclass(frozen=True)
class NtruNamed:
    p: Parameters

    permuted = staticmethod(values.permuted)
    signed = staticmethod(signed)
    product_s3 = staticmethod(product_s3)

    @staticmethod
    def sum_zero(f: Residue) -> Residue:
        return mapped(Map.SUM_ZERO, f)

    @staticmethod
    def times_x_minus_1(f: Residue) -> Residue:
        return mapped(Map.TIMES_X_MINUS_1, f)

    @staticmethod
    def modulo_phi(f: Residue) -> Residue:
        return mapped(Map.MOD_PHI, f)

    @staticmethod
    def ternary(s: Bytes) -> Name:
        return values.name_of(("Sample_iid", values.string(s)))

    @staticmethod
    def ascending(a: Name) -> Name:
        return values.name_of(("ascending", a))

    @staticmethod
    def modulo_4(a: Name) -> Name:
        return values.name_of(("modulo 4", a))

    @staticmethod
    def unpacked_s3(s: Bytes) -> Name:
        return values.name_of(("Unpack_S3", values.string(s)))

    @staticmethod
    def quotient(t: Name) -> Name:
        return values.name_of(("quotient", t))

    @staticmethod
    def product(f: Residue, g: Residue) -> Residue:
        return values.product(f, g, Q)

    @staticmethod
    def total(parts: Sequence[tuple[Residue, int]]) -> Residue:
        return values.total(parts, Q)

    def words(self, s: Bytes) -> Name:
        return words(self.p.weight, s)

    def packed_s3(self, t: Name) -> Bytes:
        return packed_s3(self.p.n, t)

    def packed(self, f: Residue) -> Bytes:
        return packed(self.p.log_q, f, self.p.ct)

    def unpacked(self, s: Bytes) -> Residue:
        return unpacked(self.p.log_q, s)

    def modulo_3(self, f: Residue) -> Name:
        return modulo_3(self.p.n, self.p.log_q, f)

    def small(self, f: Residue) -> Name:
        return small(self.p.log_q, f)

    def is_small(self, f: Residue) -> Node:
        return T.not_(is_not_small(self.p.log_q, f))

    def has_weight(self, t: Name) -> Node:
        return T.not_(differs_in_weight(self.p.weight, t))


# ---- models ----


@dataclass(frozen=True)
class Poly:
    """Words in memory: congruent to `residue`. Equal `made` is equal words."""

    made: tuple[Hashable, ...]
    residue: Residue
    last_is_zero: bool = False


class NtruModels(Models):
    """`_written` has, by the trits of a residue that may not be small, the words that they were made of first."""

    def _replace_kernels(self) -> None:
        self._written: dict[Name, Name] = {}
        for linear in ntru.LINEAR:
            self._replace(linear, self._linear_map)
        for added in ntru.SUMS:
            self._replace(added, self._sum_of_two)
        self._replace(ntru.FROM_TRITS, self._from_trits)
        self._replace(ntru.TO_TRITS, self._to_trits)
        self._replace(ntru.MOD3, self._mod3)
        for coding in (*ntru.PACKS, *ntru.UNPACKS):
            self._replace(coding, self._pack if coding.packs else self._unpack)
        self._replace(ntru.EVALUATE, self._evaluate)
        self._replace(ntru.PRODUCT, self._product_of_evaluated)
        self._replace(ntru.SAMPLE_IID, self._sample)
        self._replace(ntru.FIXED_TYPE_WORDS, self._fixed_type_words)
        self._replace(ntru.SORT, self._sort)
        self._replace(ntru.WORDS_TO_TRITS, self._words_to_trits)
        self._replace(ntru.WEIGHT_DIFFERS, self._weight_differs)
        self._replace(ntru.PACK_S3, self._pack_s3)
        self._replace(ntru.UNPACK_S3, self._unpack_s3)
        self._replace(ntru.LIFT_QUOTIENT, self._lift_quotient)
        self._replace(ntru.MULTIPLY, self._multiply)
        self._replace(contracts.PERMUTE, self._permute)

    # ---- arguments ----

    def _size(self, c: OfSizes, index: int) -> int:
        n = self._number(index)
        if n not in c.sizes:
            raise self._refuse(f"of {n} coefficients")
        return n

    def _logarithm(self, n: int, index: int) -> int:
        bits = self._number(index)
        if bits != LOGARITHMS[n]:
            raise self._refuse(f"modulo another power of 2 than n = {n} has")
        return bits

    def _weight(self, c: FixedType, n: int, index: int) -> int:
        w = self._number(index)
        if w != c.weight(n):
            raise self._refuse(f"of weight {w}")
        return w

    def _of_units(self, family: str, field: str, n: int) -> int:
        unit = self._target.sibling(Kernel("", family, "", 0, self._tables[family]), field) or 0
        return unit * (places(n) // UNIT)

    def _scratch(self, c: OfSizes, index: int, n: int) -> tuple[int, int]:
        """It has any content afterwards."""
        at, size = self._number(index), self._of_units(c.family, "scratch_unit", n)
        if size:
            self._check_alignment(at, c.align)
            self._put(at, [T.fresh(64) for _ in range(size // 8)], size)
        return at, size

    # ---- polynomials in memory ----

    def _named(self, c: OfSizes, at: int, kind: str, n: int, w: int) -> Name:
        """The name of just the words that a kernel wrote, all of them, in their places."""
        self._memory.check(at, places(n) * w // 8, False)
        self._check_alignment(at, c.align)
        name = values.name_in(self._memory.lanes(at, 1, w)[0], kind)
        if name is None:
            raise self._refuse(f"what lies at {at:#x} is no {kind} that a kernel wrote")
        return name

    def _cyclic(self, c: OfSizes, at: int, n: int) -> Poly:
        f: Poly = values.value_of(self._named(c, at, "polynomial", n, WORD))
        if self._memory.lanes(at, places(n), WORD) != poly_words(n, f):
            raise self._refuse(f"the polynomial at {at:#x} is not whole")
        return f

    def _put_cyclic(self, c: OfSizes, at: int, n: int, f: Poly) -> None:
        self._check_alignment(at, c.align)
        self._put(at, poly_words(n, f), places(n) * WORD // 8)

    def _trits(self, c: OfSizes, at: int, n: int) -> Name:
        t = self._named(c, at, "trits", n, TRIT)
        if self._memory.lanes(at, places(n), TRIT) != trit_words(n, t):
            raise self._refuse(f"the trits at {at:#x} are not whole")
        return t

    def _put_trits(self, c: OfSizes, at: int, n: int, t: Name) -> None:
        self._check_alignment(at, c.align)
        self._put(at, trit_words(n, t), places(n) * TRIT // 8)

    # ---- polynomials modulo q ----

    def _linear_map(self, c: InPlace) -> None:
        at, n = self._number(0), self._size(c, 1)
        f = self._cyclic(c, at, n)
        made = self._made(values.name_of(f))
        self._put_cyclic(c, at, n, Poly(made, mapped(c.map, f.residue), c.last_is_zero))

    def _sum_of_two(self, c: Sum) -> None:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        self._apart(poly_at(to, n), poly_at(at, n))
        f, g = self._cyclic(c, to, n), self._cyclic(c, at, n)
        residue = NtruNamed.total([(f.residue, 1), (g.residue, c.sign)])
        self._put_cyclic(c, to, n, Poly(self._made(values.name_of(f), values.name_of(g)), residue))

    def _from_trits(self, c: FromTrits) -> None:
        to, at, n, scale = self._number(0), self._number(1), self._size(c, 2), self._number(3)
        if scale not in c.scales:
            raise self._refuse(f"times {scale}")
        self._apart(poly_at(to, n), trits_at(at, n))
        t = self._trits(c, at, n)
        self._put_cyclic(c, to, n, Poly(self._made(t, scale), NtruNamed.total([(signed(t), scale)])))

    def _to_trits(self, c: ToTrits) -> Node:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        bits = self._logarithm(n, 3)
        self._apart(trits_at(to, n), poly_at(at, n))
        f = self._cyclic(c, at, n)
        if not f.last_is_zero:
            raise self._refuse("the last coefficient may not be 0")
        t = small(bits, f.residue)
        if self._written.setdefault(t, values.name_of(f)) != values.name_of(f):
            raise self._refuse("the same residue in other words")
        self._put_trits(c, to, n, t)
        return T.concat([T.sext(is_not_small(bits, f.residue), 32), T.fresh(32)])

    def _mod3(self, c: Mod3) -> None:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        bits = self._logarithm(n, 3)
        self._apart(trits_at(to, n), poly_at(at, n))
        self._put_trits(c, to, n, modulo_3(n, bits, self._cyclic(c, at, n).residue))

    def _pack(self, c: Coding) -> None:
        out, at, n = self._number(0), self._number(1), self._size(c, 2)
        self._apart((out, c.bytes(n)), poly_at(at, n))
        self._put(out, packed(c.d, self._cyclic(c, at, n).residue, c.bytes(n)), c.bytes(n))

    def _unpack(self, c: Coding) -> None:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        self._apart(poly_at(to, n), (at, c.bytes(n)))
        content = self._bytes(at, c.bytes(n))
        made = self._made(values.string(content))
        self._put_cyclic(c, to, n, Poly(made, unpacked(c.d, content), last_is_zero=True))

    # ---- products ----

    def _evaluate(self, c: Product) -> None:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        f, evaluated = self._cyclic(c, at, n), (to, self._of_units(CYCLIC, "evaluated_unit", n))
        scratch = self._scratch(c, 3, n)
        self._apart(evaluated, poly_at(at, n), scratch)
        self._apart(scratch, poly_at(at, n))
        self._check_alignment(to, c.align)
        self._put(to, self._evaluated(n, values.name_of(f)), evaluated[1])

    def _evaluated(self, n: int, f: Name) -> list[Node]:
        by, size = self._address(CYCLIC, ntru.EVALUATE.kernel), self._of_units(CYCLIC, "evaluated_unit", n)
        return [T.var(("evaluated", f, by, i), 64) for i in range(size // 8)]

    def _product_of_evaluated(self, c: Product) -> None:
        h, f, g, n = *(self._number(i) for i in range(3)), self._size(c, 3)
        size = self._of_units(CYCLIC, "evaluated_unit", n)
        left, right = self._factor(f, n), self._factor(g, n)
        scratch = self._scratch(c, 4, n)
        self._apart(poly_at(h, n), (f, size), (g, size), scratch)
        self._apart(scratch, (f, size), (g, size))
        made = self._made(values.name_of(left), values.name_of(right))
        self._put_cyclic(c, h, n, Poly(made, NtruNamed.product(left.residue, right.residue)))

    def _factor(self, at: int, n: int) -> Poly:
        """The polynomial that was evaluated."""
        self._rest_on(ntru.EVALUATE)
        size = self._of_units(CYCLIC, "evaluated_unit", n)
        self._memory.check(at, size, False)
        self._check_alignment(at, ntru.EVALUATE.align)
        words = self._memory.lanes(at, size // 8, 64)
        name = values.name_in(words[0], "evaluated")
        if name is None or words != self._evaluated(n, name):
            raise self._refuse(f"what lies at {at:#x} is no evaluated polynomial")
        f: Poly = values.value_of(name)
        return f

    # ---- polynomials modulo 3 ----

    def _put_made(self, c: OfTrits, to: int, at: int, size: int, n: int, t: Callable[[Bytes], Name]) -> None:
        """Trits made of a string."""
        self._apart(trits_at(to, n), (at, size))
        self._put_trits(c, to, n, t(self._bytes(at, size)))

    def _sample(self, c: Sampling) -> None:
        n = self._size(c, 2)
        self._put_made(c, self._number(0), self._number(1), n - 1, n, NtruNamed.ternary)

    def _unpack_s3(self, c: PackedTrits) -> None:
        n = self._size(c, 2)
        to, at = self._number(0), self._number(1)
        self._put_made(c, to, at, c.bytes(n), n, NtruNamed.unpacked_s3)

    def _pack_s3(self, c: PackedTrits) -> None:
        out, at, n = self._number(0), self._number(1), self._size(c, 2)
        self._apart((out, c.bytes(n)), trits_at(at, n))
        self._put(out, packed_s3(n, self._trits(c, at, n)), c.bytes(n))

    def _lift_quotient(self, c: Quotient) -> None:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        self._apart(trits_at(to, n), trits_at(at, n))
        self._put_trits(c, to, n, NtruNamed.quotient(self._trits(c, at, n)))

    def _weight_differs(self, c: FixedType) -> Node:
        at, n = self._number(0), self._size(c, 1)
        differs = differs_in_weight(self._weight(c, n, 2), self._trits(c, at, n))
        return T.concat([T.sext(differs, 32), T.fresh(32)])

    def _multiply(self, c: TernaryProduct) -> None:
        h, f, g, n = *(self._number(i) for i in range(3)), self._size(c, 3)
        left, right = self._trits(c, f, n), self._trits(c, g, n)
        scratch = self._scratch(c, 4, n)
        self._apart(trits_at(h, n), trits_at(f, n), trits_at(g, n), scratch)
        self._apart(scratch, trits_at(f, n), trits_at(g, n))
        self._put_trits(c, h, n, product_s3(left, right))

    # ---- words that are sorted ----

    def _put_words(self, c: OfTrits, at: int, count: int, name: Name) -> None:
        """The words behind them, to the end of the last unit, are any."""
        behind = places(count) - count
        self._check_alignment(at, c.align)
        self._put(at, [*sorted_words(count, name), *(T.fresh(32) for _ in range(behind))], 4 * places(count))

    def _some_words(self, c: OfTrits, at: int, count: int) -> Name:
        name = self._named(c, at, "words", count, 32)
        if self._memory.lanes(at, count, 32) != sorted_words(count, name):
            raise self._refuse(f"the words at {at:#x} are not whole")
        return name

    def _fixed_type_words(self, c: FixedType) -> None:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        size, weight = -(-ntru.WORD_BITS * (n - 1) // 8), self._weight(c, n, 3)
        self._apart((to, 4 * places(n)), (at, size))
        self._put_words(c, to, n - 1, words(weight, self._bytes(at, size)))

    def _sort(self, c: Sorting) -> None:
        at, count = self._number(0), self._number(1)
        if count not in c.counts:
            raise self._refuse(f"of {count} words")
        name = self._some_words(c, at, count)
        self._apart(self._scratch(c, 2, count), (at, 4 * places(count)))
        self._put_words(c, at, count, NtruNamed.ascending(name))

    def _words_to_trits(self, c: OfTrits) -> None:
        to, at, n = self._number(0), self._number(1), self._size(c, 2)
        self._apart(trits_at(to, n), (at, 4 * places(n)))
        name = self._some_words(c, at, n - 1)
        if values.value_of(name)[0] != "ascending":
            raise self._refuse("the words are not sorted ones")
        self._put_trits(c, to, n, NtruNamed.modulo_4(name))


def places(n: int) -> int:
    """Those of a padded polynomial."""
    return -(-n // UNIT) * UNIT


def poly_at(at: int, n: int) -> tuple[int, int]:
    return at, places(n) * WORD // 8


def trits_at(at: int, n: int) -> tuple[int, int]:
    return at, places(n) * TRIT // 8


def poly_words(n: int, f: Poly) -> list[Node]:
    name, count = values.name_of(f), n - f.last_is_zero
    coefficients = [T.var(("polynomial", name, i), WORD) for i in range(count)]
    return coefficients + [T.const(0, WORD)] * (places(n) - count)


def trit_words(n: int, t: Name) -> list[Node]:
    coefficients = [T.var(("trits", t, i), TRIT) for i in range(n - 1)]
    return coefficients + [T.const(0, TRIT)] * (places(n) - n + 1)


def sorted_words(count: int, name: Name) -> list[Node]:
    return [T.var(("words", name, i), 32) for i in range(count)]

"""Vector instructions that work lane by lane: arithmetic, bitwise operations, comparisons, shifts and reductions.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.integer import and_not, or_not, ror
from proofs.machine.aarch64.operands import Element, General, Immediate, Meaning, Modified, Operand, Scalar, Vector
from proofs.machine.aarch64.registers import sign
from proofs.machine.meanings import Meanings
from proofs.machine.terms import (
    W,
    add,
    and_,
    ashr,
    concat,
    const,
    eq,
    extract,
    is_zero,
    ite,
    lshr,
    lshrv,
    mul,
    neg,
    not_,
    or_,
    popcnt,
    rol,
    sext,
    shl,
    shlv,
    slt,
    sub,
    ult,
    xor,
    zext,
)

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

MEANINGS: Meanings[Meaning] = Meanings()
define, form = MEANINGS.define, MEANINGS.form

LaneFunction = Callable[..., int]


def lanewise(f: LaneFunction) -> Meaning:
    """Each lane of d is f of the same lane of every source; one lane as a source is taken for all."""

    def run(m: Machine, d: Vector | Scalar, *sources: Operand) -> None:
        count = d.lanes if isinstance(d, Vector) else 1
        m.set_lanes(d, [f(*lanes) for lanes in zip(*(m.lanes(s, count) for s in sources), strict=True)])

    return run


def onto(f: LaneFunction) -> Meaning:
    """The same, with the lane of d before as the first argument."""

    def run(m: Machine, d: Vector, *sources: Operand) -> None:
        lanewise(f)(m, d, d, *sources)

    return run


# ---- bitwise: whole registers ----


def bitwise(f: LaneFunction) -> Meaning:
    def run(m: Machine, d: Vector, *sources: Vector) -> None:
        parts = [f(*part) for part in zip(*m.common_lanes(sources), strict=True)]
        m.set_lanes(Vector(d.number, len(parts), W[parts[0]]), parts)

    return run


def bitwise_onto(f: LaneFunction) -> Meaning:
    def run(m: Machine, d: Vector, *sources: Vector) -> None:
        bitwise(f)(m, d, d, *sources)

    return run


def chosen(mask: int, x: int, y: int) -> int:
    """The bits of x where the mask has ones, else of y."""
    return or_(and_(mask, x), and_(not_(mask), y))


for _name, _f in {"and": and_, "orr": or_, "eor": xor, "bic": and_not, "orn": or_not}.items():
    define(_name, "v v v", meaning=bitwise(_f))
define("mov", "v v", meaning=bitwise(lambda x: x))
define("mvn", "v v", meaning=bitwise(not_))
define("eor3", "v v v v", meaning=bitwise(lambda x, y, z: xor(xor(x, y), z)))
define("bcax", "v v v v", meaning=bitwise(lambda x, y, z: xor(x, and_not(y, z))))
define("bsl", "v v v", meaning=bitwise_onto(chosen))
define("bit", "v v v", meaning=bitwise_onto(lambda old, x, mask: chosen(mask, x, old)))
define("bif", "v v v", meaning=bitwise_onto(lambda old, x, mask: chosen(mask, old, x)))


def with_immediate(f: LaneFunction) -> Meaning:
    """bic v0.8h, #240, lsl #8: every lane of d with one constant."""

    def run(m: Machine, d: Vector, a: Immediate | Modified) -> None:
        m.set_lanes(d, [f(x, m.get(a, d.width)) for x in m.lanes(d)])

    return run


define("bic", "v i", "v m", meaning=with_immediate(and_not))
define("orr", "v i", meaning=with_immediate(or_))


# ---- sums, products, extremes ----


def sqdmulh(x: int, y: int) -> int:
    """The upper half of twice the product; only the square of the least number does not fit, and saturates."""
    return upper_half_of_double(x, y, 0)


def sqrdmulh(x: int, y: int) -> int:
    """The same, rounded to the nearest."""
    return upper_half_of_double(x, y, 1 << (W[x] - 2))


def upper_half_of_double(x: int, y: int, rounding: int) -> int:
    w = W[x]
    product = mul(sext(x, 2 * w), sext(y, 2 * w))
    upper = extract(add(product, const(rounding, 2 * w)), w - 1, w)
    least, greatest = const(1 << (w - 1), w), const((1 << (w - 1)) - 1, w)
    return ite(and_(eq(x, least), eq(y, least)), greatest, upper)


def halved(f: LaneFunction) -> LaneFunction:
    """Half of an unsigned sum or difference with its carry, rounded down."""

    def run(x: int, y: int) -> int:
        w = W[x]
        return extract(f(zext(x, w + 1), zext(y, w + 1)), 1, w)

    return run


def umin(x: int, y: int) -> int:
    return ite(ult(x, y), x, y)


def umax(x: int, y: int) -> int:
    return ite(ult(x, y), y, x)


def smin(x: int, y: int) -> int:
    return ite(slt(x, y), x, y)


def smax(x: int, y: int) -> int:
    return ite(slt(x, y), y, x)


def uqsub(x: int, y: int) -> int:
    """The difference, or zero where it would be negative."""
    return ite(ult(x, y), const(0, W[x]), sub(x, y))


LANES = {
    "add": add,
    "sub": sub,
    "uqsub": uqsub,
    "uhadd": halved(add),
    "uhsub": halved(sub),
    "umin": umin,
    "umax": umax,
    "smin": smin,
    "smax": smax,
    "rax1": lambda x, y: xor(x, rol(y, 1)),
}
for _name, _f in LANES.items():
    define(_name, "v v v", meaning=lanewise(_f))
for _name, _f in {"mul": mul, "sqdmulh": sqdmulh, "sqrdmulh": sqrdmulh}.items():
    define(_name, "v v v", "v v e", meaning=lanewise(_f))
define("mla", "v v v", "v v e", meaning=onto(lambda old, x, y: add(old, mul(x, y))))
define("mls", "v v v", "v v e", meaning=onto(lambda old, x, y: sub(old, mul(x, y))))
define("neg", "v v", "s s", meaning=lanewise(neg))
define("cnt", "v v", meaning=lanewise(popcnt))


@form("xar", "v v v i")
def xar(m: Machine, d: Vector, a: Vector, b: Vector, k: Immediate) -> None:
    """The XOR rotated to the right."""
    lanewise(lambda x, y: ror(xor(x, y), k.value))(m, d, a, b)


@form("addp", "v v v")
def addp(m: Machine, d: Vector, a: Vector, b: Vector) -> None:
    """Sums of neighbours, those of a first."""
    x = m.lanes(a) + m.lanes(b)
    m.set_lanes(d, [add(p, q) for p, q in zip(x[::2], x[1::2], strict=True)])


# ---- comparisons: all ones if it is so, else zero ----


def comparison(f: Callable[[int, int], int]) -> LaneFunction:
    return lambda x, y: sext(f(x, y), W[x])


def with_zero(f: Callable[[int, int], int]) -> Meaning:
    """The immediate can only be zero."""

    def run(m: Machine, d: Vector, a: Vector, _: Immediate) -> None:
        lanewise(lambda x: comparison(f)(x, const(0, W[x])))(m, d, a)

    return run


def at_least(x: int, y: int) -> int:
    return not_(slt(x, y))


define("cmgt", "v v v", meaning=lanewise(comparison(lambda x, y: slt(y, x))))
define("cmhi", "v v v", meaning=lanewise(comparison(lambda x, y: ult(y, x))))
define("cmhs", "v v v", meaning=lanewise(comparison(lambda x, y: not_(ult(x, y)))))
define("cmtst", "v v v", meaning=lanewise(comparison(lambda x, y: not_(is_zero(and_(x, y))))))
define("cmeq", "v v v", meaning=lanewise(comparison(eq)))
define("cmeq", "v v i", meaning=with_zero(eq))
define("cmge", "v v i", meaning=with_zero(at_least))
define("cmlt", "v v i", meaning=with_zero(slt))


# ---- shifts by an immediate ----


def shifted(f: LaneFunction) -> Meaning:
    def run(m: Machine, d: Vector | Scalar, a: Vector | Scalar, k: Immediate) -> None:
        lanewise(lambda x: f(x, k.value))(m, d, a)

    return run


def shifted_onto(f: LaneFunction) -> Meaning:
    def run(m: Machine, d: Vector, a: Vector, k: Immediate) -> None:
        onto(lambda old, x: f(old, x, k.value))(m, d, a)

    return run


def rounded_right(x: int, k: int) -> int:
    """Half of the last bit's weight is added; the sum has room."""
    w = W[x]
    return extract(add(zext(x, w + 1), const(1 << (k - 1), w + 1)), k, w + 1 - k)


def inserted_right(old: int, x: int, k: int) -> int:
    """x >> k, but the upper k bits are the old ones."""
    w = W[x]
    return concat([extract(x, k, w - k), extract(old, w - k, k)]) if k < w else old


def inserted_left(old: int, x: int, k: int) -> int:
    """x << k, but the lower k bits are the old ones."""
    return concat([extract(old, 0, k), extract(x, 0, W[x] - k)]) if k else x


define("shl", "v v i", meaning=shifted(shl))
define("ushr", "v v i", "s s i", meaning=shifted(lshr))
define("sshr", "v v i", meaning=shifted(ashr))
define("urshr", "v v i", meaning=shifted(lambda x, k: zext(rounded_right(x, k), W[x])))
define("usra", "v v i", meaning=shifted_onto(lambda old, x, k: add(old, lshr(x, k))))
define("ssra", "v v i", meaning=shifted_onto(lambda old, x, k: add(old, ashr(x, k))))
define("sri", "v v i", meaning=shifted_onto(inserted_right))
define("sli", "v v i", meaning=shifted_onto(inserted_left))


# ---- shifts by a register: the lowest byte of each lane is a signed count, and negative ones shift to the right ----


def shifted_by_lane(extend: Callable[[int, int], int]) -> LaneFunction:
    """A count beyond the width shifts everything out; `sext` keeps the sign, `zext` does not."""

    def run(x: int, y: int) -> int:
        w = W[x]
        bits = max(w, 16)  # room for every count
        count = sext(extract(y, 0, 8), bits)
        wide = zext(x, bits)
        left = extract(shlv(wide, count), 0, w)
        if extend is sext:
            flip = sext(sign(x), w)
            right = xor(extract(lshrv(zext(xor(x, flip), bits), neg(count)), 0, w), flip)
        else:
            right = extract(lshrv(wide, neg(count)), 0, w)
        return ite(sign(count), right, left)

    return run


define("ushl", "v v v", meaning=lanewise(shifted_by_lane(zext)))
define("sshl", "v v v", meaning=lanewise(shifted_by_lane(sext)))


# ---- reductions: all lanes to one ----


def reduction(f: LaneFunction, extend: Callable[[int, int], int] = zext) -> Meaning:
    """The lanes, extended to the width of d, taken together two by two."""

    def run(m: Machine, d: Scalar, a: Vector) -> None:
        lanes = [extend(x, d.width) for x in m.lanes(a)]
        while len(lanes) > 1:
            lanes = [f(x, y) for x, y in zip(lanes[::2], lanes[1::2], strict=True)]
        m.set_lanes(d, lanes)

    return run


define("addv", "s v", meaning=reduction(add))
define("addp", "s v", meaning=reduction(add))
define("umaxv", "s v", meaning=reduction(umax))
define("uaddlv", "s v", meaning=reduction(add))
define("saddlv", "s v", meaning=reduction(add, sext))


# ---- constants, and copies between registers ----


def lane_constant(f: Callable[[int], int]) -> Meaning:
    def run(m: Machine, d: Vector, a: Immediate | Modified) -> None:
        m.set_lanes(d, [f(m.get(a, d.width))] * d.lanes)

    return run


define("movi", "v i", "v m", meaning=lane_constant(lambda x: x))
define("mvni", "v i", "v m", meaning=lane_constant(not_))


@form("dup", "v r")
def dup(m: Machine, d: Vector, a: General) -> None:
    """The lowest bits of a general register in every lane."""
    m.set_lanes(d, [extract(m.get(a), 0, d.width)] * d.lanes)


define("dup", "v e", meaning=lambda m, d, a: m.set_lanes(d, m.lanes(a, d.lanes)))


@form("mov", "e r")
@form("fmov", "s r")
def lane_from_general(m: Machine, d: Element | Scalar, a: General) -> None:
    m.set_lanes(d, [extract(m.get(a), 0, d.width)])


define("mov", "e e", "s e", meaning=lambda m, d, a: m.set_lanes(d, m.lanes(a)))
define("fmov", "s s", meaning=lambda m, d, a: m.set_lanes(d, m.lanes(a)))


def general_from_lane(extend: Callable[[int, int], int]) -> Meaning:
    def run(m: Machine, d: General, a: Element | Scalar) -> None:
        m.set(d, extend(m.lanes(a)[0], d.width))

    return run


define("mov", "r e", meaning=general_from_lane(zext))
define("umov", "r e", meaning=general_from_lane(zext))
define("smov", "r e", meaning=general_from_lane(sext))
define("fmov", "r s", meaning=general_from_lane(zext))

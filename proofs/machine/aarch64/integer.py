"""Instructions on general registers. SPDX-License-Identifier: Apache-2.0"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.operands import Condition, General, Immediate, Meaning, Modified, Operand
from proofs.machine.aarch64.registers import Flags, flags_of_bits, flags_of_difference, flags_of_sum
from proofs.machine.meanings import Meanings
from proofs.machine.terms import (
    W,
    add,
    and_,
    ashr,
    ashrv,
    concat,
    const,
    eq,
    extract,
    ite,
    lshr,
    lshrv,
    mul,
    neg,
    not_,
    or_,
    rol,
    sext,
    shl,
    shlv,
    split,
    sub,
    udiv,
    umulh,
    xor,
    zext,
)

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

MEANINGS: Meanings[Meaning] = Meanings()
define, form = MEANINGS.define, MEANINGS.form

Binary = Callable[[int, int], int]
Extend = Callable[[int, int], int]


def and_not(x: int, y: int) -> int:
    return and_(x, not_(y))


def or_not(x: int, y: int) -> int:
    return or_(x, not_(y))


def xor_not(x: int, y: int) -> int:
    return xor(x, not_(y))


# Sums, differences and bitwise operations of two operands. With an s at the end they set the flags; cmp, cmn and tst
# do nothing else.


def binary(f: Binary) -> Meaning:
    def run(m: Machine, d: General, a: General, b: Operand) -> None:
        m.set(d, f(m.get(a), m.get(b, d.width)))

    return run


def setting_flags(f: Binary, flags: Callable[[int, int], Flags]) -> Meaning:
    def run(m: Machine, d: General, a: General, b: Operand) -> None:
        x, y = m.get(a), m.get(b, d.width)
        m.set(d, f(x, y))
        m.flags = flags(x, y)

    return run


def only_flags(flags: Callable[[int, int], Flags]) -> Meaning:
    def run(m: Machine, a: General, b: Operand) -> None:
        m.flags = flags(m.get(a), m.get(b, a.width))

    return run


def flags_of_and(x: int, y: int) -> Flags:
    return flags_of_bits(and_(x, y))


def flags_of_and_not(x: int, y: int) -> Flags:
    return flags_of_bits(and_not(x, y))


BINARY = {"add": add, "sub": sub, "and": and_, "orr": or_, "eor": xor}
for _name, _f in BINARY.items():
    define(_name, "r r r", "r r m", "r r i", meaning=binary(_f))
define("bic", "r r r", "r r m", meaning=binary(and_not))
define("eon", "r r r", meaning=binary(xor_not))
define("adds", "r r i", meaning=setting_flags(add, flags_of_sum))
define("subs", "r r r", "r r i", meaning=setting_flags(sub, flags_of_difference))
define("ands", "r r r", "r r i", meaning=setting_flags(and_, flags_of_and))
define("bics", "r r r", meaning=setting_flags(and_not, flags_of_and_not))
define("cmp", "r r", "r m", "r i", meaning=only_flags(flags_of_difference))
define("cmn", "r i", meaning=only_flags(flags_of_sum))
define("tst", "r r", "r i", meaning=only_flags(flags_of_and))


# One operand.


def unary(f: Callable[[int], int]) -> Meaning:
    def run(m: Machine, d: General, a: Operand) -> None:
        m.set(d, f(m.get(a, d.width)))

    return run


def bytes_reversed(x: int) -> int:
    return concat(split(x, 8)[::-1])


define("mov", "r r", "r i", meaning=unary(lambda x: x))
define("neg", "r r", "r m", meaning=unary(neg))
define("mvn", "r r", meaning=unary(not_))
define("rev", "r r", meaning=unary(bytes_reversed))


def extended(extend: Extend, bits: int) -> Meaning:
    def run(m: Machine, d: General, a: General) -> None:
        m.set(d, extend(extract(m.get(a), 0, bits), d.width))

    return run


define("sxth", "r r", meaning=extended(sext, 16))
define("sxtw", "r r", meaning=extended(sext, 32))


@form("movk", "r i", "r m")
def movk(m: Machine, d: General, a: Immediate | Modified) -> None:
    """Puts 16 bits at a multiple of 16 and keeps the others."""
    at = a.amount if isinstance(a, Modified) else 0
    value = a.base if isinstance(a, Modified) else a
    old = m.get(d)
    above = extract(old, at + 16, d.width - at - 16) if d.width > at + 16 else None
    parts = [extract(old, 0, at)] if at else []
    m.set(d, concat([*parts, m.get(value, 16), *([above] if above is not None else [])]))


# Shifts: by an immediate, or by a register modulo the width.


def shift(by_constant: Callable[[int, int], int]) -> Meaning:
    def run(m: Machine, d: General, a: General, k: Immediate) -> None:
        m.set(d, by_constant(m.get(a), k.value))

    return run


def ror(x: int, k: int) -> int:
    return rol(x, W[x] - k)


def shift_by_register(by_term: Binary) -> Meaning:
    def run(m: Machine, d: General, a: General, b: General) -> None:
        m.set(d, by_term(m.get(a), and_(m.get(b), const(d.width - 1, d.width))))

    return run


for _name, _by_constant in {"lsl": shl, "lsr": lshr, "asr": ashr, "ror": ror}.items():
    define(_name, "r r i", meaning=shift(_by_constant))
for _name, _by_term in {"lsl": shlv, "lsr": lshrv, "asr": ashrv}.items():
    define(_name, "r r r", meaning=shift_by_register(_by_term))


@form("extr", "r r r i")
def extr(m: Machine, d: General, a: General, b: General, k: Immediate) -> None:
    """A register's width of bits from bit k of a : b, a being the upper half."""
    m.set(d, extract(concat([m.get(b), m.get(a)]), k.value, d.width))


# Bit fields: `low` is the lowest bit, `bits` the number of bits.


def field_taken(extend: Extend) -> Meaning:
    """The field moves to the bottom."""

    def run(m: Machine, d: General, a: General, low: Immediate, bits: Immediate) -> None:
        m.set(d, extend(extract(m.get(a), low.value, bits.value), d.width))

    return run


def field_placed(extend: Extend) -> Meaning:
    """The field at the bottom moves up, zeros below it."""

    def run(m: Machine, d: General, a: General, low: Immediate, bits: Immediate) -> None:
        m.set(d, shl(extend(extract(m.get(a), 0, bits.value), d.width), low.value))

    return run


define("ubfx", "r r i i", meaning=field_taken(zext))
define("sbfx", "r r i i", meaning=field_taken(sext))
define("ubfiz", "r r i i", meaning=field_placed(zext))
define("sbfiz", "r r i i", meaning=field_placed(sext))


def inserted(old: int, field: int, low: int) -> int:
    """`old` with the field's bits from bit `low` on."""
    end = low + W[field]
    below = [extract(old, 0, low)] if low else []
    above = [extract(old, end, W[old] - end)] if end < W[old] else []
    return concat([*below, field, *above])


@form("bfi", "r r i i")
def bfi(m: Machine, d: General, a: General, low: Immediate, bits: Immediate) -> None:
    """The lowest bits of a go to bit `low` of d, which keeps the others."""
    m.set(d, inserted(m.get(d), extract(m.get(a), 0, bits.value), low.value))


@form("bfxil", "r r i i")
def bfxil(m: Machine, d: General, a: General, low: Immediate, bits: Immediate) -> None:
    """The bits of a from bit `low` on go to the bottom of d, which keeps the others."""
    m.set(d, inserted(m.get(d), extract(m.get(a), low.value, bits.value), 0))


# Products and quotients.

define("mul", "r r r", meaning=binary(mul))


def product_and(join: Binary, extend: Extend | None) -> Meaning:
    """join(c, a b); with `extend` a and b are words of half the width."""

    def run(m: Machine, d: General, a: General, b: General, c: General) -> None:
        x, y = (extend(m.get(r), d.width) if extend else m.get(r) for r in (a, b))
        m.set(d, join(m.get(c), mul(x, y)))

    return run


def product_negated(x: int, y: int) -> int:
    return neg(mul(x, y))


def long_product(extend: Extend) -> Meaning:
    def run(m: Machine, d: General, a: General, b: General) -> None:
        m.set(d, mul(extend(m.get(a), d.width), extend(m.get(b), d.width)))

    return run


define("mneg", "r r r", meaning=binary(product_negated))
define("madd", "r r r r", meaning=product_and(add, None))
define("msub", "r r r r", meaning=product_and(sub, None))
define("smaddl", "r r r r", meaning=product_and(add, sext))
define("umaddl", "r r r r", meaning=product_and(add, zext))
define("umsubl", "r r r r", meaning=product_and(sub, zext))
define("smull", "r r r", meaning=long_product(sext))
define("umull", "r r r", meaning=long_product(zext))
define("umulh", "r r r", meaning=binary(umulh))  # the upper 64 of the product's 128 bits


def quotient(x: int, y: int) -> int:
    """Rounded down; 0 if the divisor is."""
    zero = const(0, W[x])
    by_zero = eq(y, zero)
    return ite(by_zero, zero, udiv(x, ite(by_zero, const(1, W[x]), y)))


define("udiv", "r r r", meaning=binary(quotient))


# Selection by a condition.


def select(otherwise: Callable[[int], int]) -> Meaning:
    """a if the condition holds, else b changed."""

    def run(m: Machine, d: General, a: General, b: General, c: Condition) -> None:
        m.set(d, ite(m.holds(c.name), m.get(a), otherwise(m.get(b))))

    return run


def incremented(x: int) -> int:
    return add(x, const(1, W[x]))


define("csel", "r r r c", meaning=select(lambda x: x))
define("csinc", "r r r c", meaning=select(incremented))


def changed_if(change: Callable[[int], int]) -> Meaning:
    def run(m: Machine, d: General, a: General, c: Condition) -> None:
        m.set(d, ite(m.holds(c.name), change(m.get(a)), m.get(a)))

    return run


define("cinc", "r r c", meaning=changed_if(incremented))
define("cinv", "r r c", meaning=changed_if(not_))


def truth(extend: Extend) -> Meaning:
    def run(m: Machine, d: General, c: Condition) -> None:
        m.set(d, extend(m.holds(c.name), d.width))

    return run


define("cset", "r c", meaning=truth(zext))
define("csetm", "r c", meaning=truth(sext))


@form("ccmp", "r r i c", "r i i c")
def ccmp(m: Machine, a: General, b: Operand, otherwise: Immediate, c: Condition) -> None:
    """The flags of a - b if the condition holds, else the four bits n, z, c, v of the immediate."""
    holds, new = m.holds(c.name), flags_of_difference(m.get(a), m.get(b, a.width))
    n, z, carry, v = (const(otherwise.value >> bit, 1) for bit in (3, 2, 1, 0))
    m.flags = Flags(ite(holds, new.n, n), ite(holds, new.z, z), ite(holds, new.c, carry), ite(holds, new.v, v))


@form("adrp", "r i")
@form("adr", "r i")
def adr(m: Machine, d: General, a: Immediate) -> None:
    """An address relative to the instruction, which capstone has worked out."""
    m.set(d, const(a.value, 64))

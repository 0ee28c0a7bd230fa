"""The registers of AArch64, read and written by operands. Their contents are terms.

A vector register is kept as the lanes that were last written, at most 64 bits each, so that a kernel's lanes stay whole
terms. SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from proofs.machine.aarch64.operands import ZERO, Element, General, Immediate, Modified, Operand, Scalar, Vector
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.processor import LARGEST_LANE, Processor, relane
from proofs.machine.terms import (
    W,
    add,
    and_,
    ashr,
    const,
    eq,
    extract,
    fresh,
    lshr,
    not_,
    or_,
    rol,
    sext,
    shl,
    sub,
    ult,
    xor,
    zext,
)

VECTOR_BITS = 128


@dataclass(frozen=True)
class Flags:
    """Negative, zero, carry, overflow: one bit each."""

    n: int
    z: int
    c: int
    v: int

    def terms(self) -> list[int]:
        return [self.n, self.z, self.c, self.v]

    def like(self, terms: Sequence[int]) -> "Flags":
        return Flags(*terms)


def sign(x: int) -> int:
    return extract(x, W[x] - 1, 1)


def flags_of_sum(x: int, y: int) -> Flags:
    """Of x + y: c is the carry, v says that two numbers of one sign have a sum of the other."""
    total = add(x, y)
    overflow = and_(not_(xor(sign(x), sign(y))), xor(sign(x), sign(total)))
    return Flags(sign(total), eq(total, const(0, W[x])), ult(total, x), overflow)


def flags_of_difference(x: int, y: int) -> Flags:
    """Of x - y: c is set unless something is borrowed."""
    difference = sub(x, y)
    overflow = and_(xor(sign(x), sign(y)), xor(sign(x), sign(difference)))
    return Flags(sign(difference), eq(x, y), not_(ult(x, y)), overflow)


def flags_of_bits(x: int) -> Flags:
    """Of ands, bics and tst: c and v are cleared."""
    return Flags(sign(x), eq(x, const(0, W[x])), const(0, 1), const(0, 1))


def undefined_flags() -> Flags:
    return Flags(*(fresh(1) for _ in range(4)))


class Registers(Processor):
    """x0 to x30, sp, v0 to v31 and the flags, unknown at first."""

    flags: Flags

    def __init__(self, image: Image, memory: Memory) -> None:
        super().__init__(image, memory)
        self.general = [fresh(64) for _ in range(32)]  # the last is sp
        self.vector = [[fresh(64), fresh(64)] for _ in range(32)]
        self.flags = undefined_flags()

    # ---- general registers and immediates ----

    def get(self, operand: Operand, bits: int = 64) -> int:
        """A register's value in its own width; an immediate, and what is extended, in as many bits as asked for."""
        if isinstance(operand, General):
            if operand.number == ZERO:
                return const(0, operand.width)
            return extract(self.general[operand.number], 0, operand.width)
        if isinstance(operand, Immediate):
            return const(operand.value, bits)
        if isinstance(operand, Modified):
            return self.modified(operand, bits)
        raise Violation(f"{operand} is no number")

    def modified(self, operand: Modified, bits: int) -> int:
        """A shift keeps the register's width; an extension takes its lowest 8 to 64 bits to the width asked for."""
        value, k = self.get(operand.base, bits), operand.amount
        match operand.how:
            case "lsl":
                return shl(value, k)
            case "lsr":
                return lshr(value, k)
            case "asr":
                return ashr(value, k)
            case "ror":
                return rol(value, W[value] - k)
            case "msl":  # shifted with ones that follow
                return or_(shl(value, k), const((1 << k) - 1, bits))
            case "uxtb" | "uxth" | "uxtw" | "uxtx" | "sxtb" | "sxth" | "sxtw" | "sxtx":
                extend = zext if operand.how[0] == "u" else sext
                taken = {"b": 8, "h": 16, "w": 32, "x": 64}[operand.how[3]]
                return shl(extend(extract(value, 0, taken), bits), k)
        raise Violation(f"no modifier is called {operand.how}")

    def set(self, register: Operand, value: int) -> None:
        """Writes a register; 32 bits clear the upper half, and the zero register keeps nothing."""
        if not isinstance(register, General) or W[value] != register.width:
            raise Violation(f"{W[value]} bits for {register}")
        if register.number != ZERO:
            self.general[register.number] = zext(value, 64)

    # ---- vector registers ----

    def lanes(self, operand: Operand, count: int = 1) -> list[int]:
        """The lanes of a vector; one lane, repeated as often as asked for; the scalar in the lowest bits."""
        if isinstance(operand, Vector):
            return relane(self.vector[operand.number], operand.width)[: operand.lanes]
        if isinstance(operand, Element):
            return [relane(self.vector[operand.number], operand.width)[operand.lane]] * count
        if isinstance(operand, Scalar):
            return relane(self.vector[operand.number], operand.width)[:1]
        raise Violation(f"{operand} is no vector")

    def set_lanes(self, operand: Operand, lanes: Sequence[int]) -> None:
        """Writes a vector or a scalar and clears the rest of its register; one lane, and keeps the others."""
        bits = W[lanes[0]]
        if not isinstance(operand, Vector | Element | Scalar) or bits != operand.width:
            raise Violation(f"lanes of {bits} bits for {operand}")
        if isinstance(operand, Element):
            kept = list(relane(self.vector[operand.number], bits))
            kept[operand.lane] = lanes[0]
            self.vector[operand.number] = kept
            return
        if len(lanes) != (operand.lanes if isinstance(operand, Vector) else 1):
            raise Violation(f"{len(lanes)} lanes for {operand}")
        held = relane(list(lanes), min(bits, LARGEST_LANE))
        bits = W[held[0]]
        self.vector[operand.number] = held + [const(0, bits)] * (VECTOR_BITS // bits - len(held))

    def common_lanes(self, operands: Sequence[Vector]) -> list[list[int]]:
        """The bits of vectors of one size in the narrowest lanes that any is kept in."""
        bits = min(W[self.vector[o.number][0]] for o in operands)
        count = operands[0].lanes * operands[0].width // bits
        return [relane(self.vector[o.number], bits)[:count] for o in operands]

    # ---- conditions ----

    def holds(self, condition: str) -> int:
        """One bit: whether the flags meet the condition."""
        f = self.flags
        match condition:
            case "eq":  # equal
                return f.z
            case "cs":  # unsigned at least: no borrow
                return f.c
            case "mi":  # negative
                return f.n
            case "vs":  # overflow
                return f.v
            case "hi":  # unsigned greater
                return and_(f.c, not_(f.z))
            case "ge":  # signed at least
                return not_(xor(f.n, f.v))
            case "gt":  # signed greater
                return and_(not_(xor(f.n, f.v)), not_(f.z))
            case "ne" | "cc" | "pl" | "vc" | "ls" | "lt" | "le":
                opposite = {"ne": "eq", "cc": "cs", "pl": "mi", "vc": "vs", "ls": "hi", "lt": "ge", "le": "gt"}
                return not_(self.holds(opposite[condition]))
        raise Violation(f"no condition is called {condition}")

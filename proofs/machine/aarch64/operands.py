"""Instructions of AArch64 as capstone reads them: a mnemonic and typed operands.

A *form* is what an instruction is without its register numbers and immediates: `sqrdmulh v.8h, v.8h, v.h[]`. The
meaning of a form is found by its mnemonic and its *shape*, the kinds of its operands: `v v e`.

    r general register   i immediate   m either with a shift or an extension   a address   c condition
    v vector   e one lane of a vector   s scalar in a vector register   V list of vectors   E list of lanes

Text that no rule here reads is a Violation. SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

import capstone

from proofs.machine.memory import Violation

WIDTHS = {"b": 8, "h": 16, "s": 32, "d": 64, "q": 128, "w": 32, "x": 64}
SP, ZERO = 31, 32  # the numbers of the stack pointer and of the zero register
CONDITIONS = {"hs": "cs", "lo": "cc"}  # the second names of two conditions
CONDITION_NAMES = ("eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al")


@dataclass(frozen=True)
class General:
    """A general register of 32 or 64 bits: w3, x3, wzr, xzr, sp."""

    number: int
    width: int
    kind: ClassVar[str] = "r"

    @property
    def form(self) -> str:
        letter = "x" if self.width == 64 else "w"
        return {SP: "sp" if self.width == 64 else "wsp", ZERO: letter + "zr"}.get(self.number, letter)


@dataclass(frozen=True)
class Vector:
    """A vector register seen as lanes: v3.8h."""

    number: int
    lanes: int
    width: int  # of a lane
    kind: ClassVar[str] = "v"

    @property
    def form(self) -> str:
        return f"v.{self.lanes}{letter_of(self.width)}"


@dataclass(frozen=True)
class Element:
    """One lane of a vector register: v3.h[2]."""

    number: int
    width: int
    lane: int
    kind: ClassVar[str] = "e"

    @property
    def form(self) -> str:
        return f"v.{letter_of(self.width)}[]"


@dataclass(frozen=True)
class Scalar:
    """The lowest bits of a vector register: q3, d3, s3, h3, b3."""

    number: int
    width: int
    kind: ClassVar[str] = "s"

    @property
    def form(self) -> str:
        return letter_of(self.width)


@dataclass(frozen=True)
class Immediate:
    """A number in the instruction, also an address that capstone has worked out."""

    value: int
    kind: ClassVar[str] = "i"
    form: ClassVar[str] = "#"


@dataclass(frozen=True)
class Modified:
    """A general register or an immediate that is shifted or extended before use: x3, lsl #2; w3, uxtw; #1, msl #8."""

    base: "General | Immediate"
    how: str  # lsl, lsr, asr, ror, msl, or uxtb ... sxtx
    amount: int
    kind: ClassVar[str] = "m"

    @property
    def form(self) -> str:
        extends = self.how in EXTENSIONS
        return f"{self.base.form}, {self.how}" + ("" if extends and not self.amount else " #")


@dataclass(frozen=True)
class Address:
    """[x0], [x0, #8], [x0, x1, lsl #3], [x0, #8]! and, with the amount behind the bracket, [x0], #8."""

    base: General
    offset: "General | Immediate | Modified | None"
    writeback: str  # "", "before" (the access) or "after"
    kind: ClassVar[str] = "a"

    @property
    def form(self) -> str:
        if self.offset is None:
            return f"[{self.base.form}]"
        if self.writeback == "after":
            return f"[{self.base.form}], {self.offset.form}"
        return f"[{self.base.form}, {self.offset.form}]" + ("!" if self.writeback else "")


@dataclass(frozen=True)
class Registers:
    """{v0.8h, v1.8h}: vectors, or the same lane of each: {v0.h, v1.h}[3]."""

    members: tuple["Vector | Element", ...]

    @property
    def kind(self) -> str:
        return "V" if isinstance(self.members[0], Vector) else "E"

    @property
    def form(self) -> str:
        return "{" + ", ".join(m.form for m in self.members) + "}"


@dataclass(frozen=True)
class Condition:
    """eq, ne, ... as the last operand."""

    name: str
    kind: ClassVar[str] = "c"
    form: ClassVar[str] = "cond"


Operand = General | Vector | Element | Scalar | Immediate | Modified | Address | Registers | Condition
Meaning = Callable[..., None]  # of the machine and the operands
SHIFTS = ("lsl", "lsr", "asr", "ror", "msl")
EXTENSIONS = ("uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx")


@dataclass(frozen=True)
class Instruction:
    address: int
    mnemonic: str
    operands: tuple[Operand, ...]
    text: str

    @property
    def shape(self) -> str:
        return " ".join(o.kind for o in self.operands)

    @property
    def form(self) -> str:
        return f"{self.mnemonic} {', '.join(o.form for o in self.operands)}".rstrip()

    def __str__(self) -> str:
        return self.text


def letter_of(width: int) -> str:
    return {8: "b", 16: "h", 32: "s", 64: "d", 128: "q"}[width]


_capstone = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_LITTLE_ENDIAN)


def decode(address: int, word: bytes) -> Instruction:
    """The instruction of four bytes at the address."""
    found = next(_capstone.disasm_lite(word, address), None)
    if found is None:
        raise Violation(f"{address:#x}: {word[::-1].hex()} is no instruction that capstone knows")
    return read(address, found[2], found[3])


def read(address: int, mnemonic: str, operands: str) -> Instruction:
    """The instruction of a line of assembly; a condition in the mnemonic (b.eq) becomes an operand."""
    text = f"{mnemonic} {operands}".rstrip()
    try:
        out = list(parsed(split(operands)))
    except (ValueError, KeyError, AttributeError) as e:
        raise Violation(f"{address:#x}: the operands of '{text}' are of no known kind") from e
    name, _, condition = mnemonic.partition(".")
    if condition:
        out.insert(0, Condition(CONDITIONS.get(condition, condition)))
    return Instruction(address, name, tuple(out), text)


def split(text: str) -> list[str]:
    """The operands between the commas outside brackets and braces."""
    return [part.strip() for part in re.split(r",(?![^\[{]*[\]}])", text)] if text else []


def parsed(parts: list[str]) -> Iterable[Operand]:
    """One operand for each part; a modifier, and the offset behind a bracket, belong to the part before."""
    k = 0
    while k < len(parts):
        follower = parts[k + 1] if k + 1 < len(parts) else ""
        operand: Operand = address(parts[k], follower) if parts[k][0] == "[" else simple(parts[k])
        k += 1
        if isinstance(operand, Address) and operand.writeback == "after":
            k += 1
        elif follower.split(" ")[0] in SHIFTS + EXTENSIONS:
            operand = modified(operand, follower)
            k += 1
        yield operand


def simple(text: str) -> Operand:
    """An operand that is one word or a list of registers."""
    if text[0] == "{":
        return registers(text)
    if text[0] == "#":
        return Immediate(number(text))
    if m := re.fullmatch(r"([xw])(\d+|zr)|(w?sp)", text):
        if m[3]:
            return General(SP, 64 if text == "sp" else 32)
        return General(ZERO if m[2] == "zr" else int(m[2]), WIDTHS[m[1]])
    if m := re.fullmatch(r"v(\d+)\.(\d+)([bhsdq])", text):
        return Vector(int(m[1]), int(m[2]), WIDTHS[m[3]])
    if m := re.fullmatch(r"v(\d+)\.([bhsd])\[(\w+)\]", text):
        return Element(int(m[1]), WIDTHS[m[2]], int(m[3], 0))
    if m := re.fullmatch(r"([bhsdq])(\d+)", text):
        return Scalar(int(m[2]), WIDTHS[m[1]])
    name = CONDITIONS.get(text, text)
    if name in CONDITION_NAMES:
        return Condition(name)
    raise ValueError(text)


def number(text: str) -> int:
    """#12, #-0x10; capstone writes some negative offsets as unsigned numbers of 64 bits."""
    value = int(text.removeprefix("#"), 0)
    return value - (1 << 64) if value >= 1 << 63 else value


def modified(base: Operand, text: str) -> Modified:
    how, _, amount = text.partition(" ")
    if not isinstance(base, General | Immediate):
        raise ValueError(text)
    return Modified(base, how, number(amount) if amount else 0)


def address(text: str, follower: str) -> Address:
    inside, update = text[1:].split("]")
    base, *rest = parsed(split(inside))
    if not isinstance(base, General) or len(rest) > 1 or update not in ("", "!"):
        raise ValueError(text)
    if follower:
        offset = simple(follower)
        if rest or update or not isinstance(offset, General | Immediate):
            raise ValueError(text)
        return Address(base, offset, "after")
    shifted = rest[0] if rest else None
    if not isinstance(shifted, General | Immediate | Modified | None):
        raise ValueError(text)
    return Address(base, shifted, "before" if update else "")


def registers(text: str) -> Registers:
    found = re.fullmatch(r"\{([^{}]*)\}(\[\w+\])?", text)
    if not found:
        raise ValueError(text)
    named = [simple(name.strip() + (found[2] or "")) for name in found[1].split(",")]
    members = tuple(m for m in named if isinstance(m, Vector | Element))
    if len(members) != len(named):
        raise ValueError(text)
    return Registers(members)

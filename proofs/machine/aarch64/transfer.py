"""Loads and stores. Addresses are constants, or the machine stops. SPDX-License-Identifier: Apache-2.0"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.operands import Address, Element, General, Meaning, Registers, Scalar, Vector
from proofs.machine.meanings import Meanings
from proofs.machine.memory import Violation
from proofs.machine.terms import W, concat, extract, sext, zext

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

MEANINGS: Meanings[Meaning] = Meanings()
define = MEANINGS.define

Extend = Callable[[int, int], int]


def value_of(m: Machine, register: General | Scalar) -> int:
    return m.get(register) if isinstance(register, General) else m.lanes(register)[0]


def write(m: Machine, register: General | Scalar, value: int) -> None:
    if isinstance(register, General):
        m.set(register, value)
    else:
        m.set_lanes(register, [value])


# ---- one register, or two in a row ----


def load(bits: int | None = None, extend: Extend = zext) -> Meaning:
    """So many bits, extended to the register; the register's own width if none is said."""

    def run(m: Machine, d: General | Scalar, at: Address) -> None:
        value = m.memory.load(m.address(at), (bits or d.width) // 8)
        write(m, d, extend(value, d.width))

    return run


def store(bits: int | None = None) -> Meaning:
    """The lowest bits of the register."""

    def run(m: Machine, s: General | Scalar, at: Address) -> None:
        value = value_of(m, s)
        m.memory.store(m.address(at), extract(value, 0, bits or W[value]))

    return run


for _name in ("ldr", "ldur"):
    define(_name, "r a", "s a", meaning=load())
for _name in ("str", "stur"):
    define(_name, "r a", "s a", meaning=store())
for _suffix, _bits in {"b": 8, "h": 16}.items():
    define("ldr" + _suffix, "r a", meaning=load(_bits))
    define("ldur" + _suffix, "r a", meaning=load(_bits))
    define("str" + _suffix, "r a", meaning=store(_bits))
    define("stur" + _suffix, "r a", meaning=store(_bits))
define("ldrsh", "r a", meaning=load(16, sext))
define("ldursh", "r a", meaning=load(16, sext))
define("ldrsw", "r a", meaning=load(32, sext))
define("ldar", "r a", meaning=load())  # one thread alone: the order of accesses is the program's
define("stlr", "r a", meaning=store())


def load_pair(m: Machine, d: General | Scalar, e: General | Scalar, at: Address) -> None:
    start, size = m.address(at), d.width // 8
    first, second = m.memory.load(start, size), m.memory.load(start + size, size)
    write(m, d, first)
    write(m, e, second)


def store_pair(m: Machine, s: General | Scalar, t: General | Scalar, at: Address) -> None:
    first, second = value_of(m, s), value_of(m, t)
    m.memory.store(m.address(at), concat([first, second]))


define("ldp", "r r a", "s s a", meaning=load_pair)
define("stp", "r r a", "s s a", meaning=store_pair)


# ---- structures: lane j of register r is element j * n + r of memory where n registers are interleaved ----


def places(registers: tuple[Vector | Element, ...], interleaved: bool) -> list[tuple[int, int]]:
    """The register and the lane of each element of memory, in order."""
    lanes = registers[0].lanes if isinstance(registers[0], Vector) else 1
    if interleaved:
        return [(r, j) for j in range(lanes) for r in range(len(registers))]
    return [(r, j) for r in range(len(registers)) for j in range(lanes)]


def load_structures(interleaved: bool) -> Meaning:
    def run(m: Machine, d: Registers, at: Address) -> None:
        start, size = m.address(at), d.members[0].width // 8
        lanes: list[list[int]] = [[] for _ in d.members]
        for i, (r, _) in enumerate(places(d.members, interleaved)):
            lanes[r].append(m.memory.load(start + i * size, size))
        for register, values in zip(d.members, lanes, strict=True):
            m.set_lanes(register, values)

    return run


def store_structures(interleaved: bool) -> Meaning:
    def run(m: Machine, s: Registers, at: Address) -> None:
        lanes = [m.lanes(register) for register in s.members]
        m.memory.store(m.address(at), concat(lanes[r][j] for r, j in places(s.members, interleaved)))

    return run


def load_and_repeat(m: Machine, d: Registers, at: Address) -> None:
    """One element in every lane."""
    (register,) = d.members
    if not isinstance(register, Vector):
        raise Violation(f"{register} is no vector")
    value = m.memory.load(m.address(at), register.width // 8)
    m.set_lanes(register, [value] * register.lanes)


define("ld1", "V a", "E a", meaning=load_structures(False))
define("st1", "V a", "E a", meaning=store_structures(False))
define("ld1r", "V a", meaning=load_and_repeat)
for _n in "234":
    define("ld" + _n, "V a", meaning=load_structures(True))
    define("st" + _n, "V a", meaning=store_structures(True))

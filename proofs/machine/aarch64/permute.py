"""Vector instructions that move lanes and compute nothing. SPDX-License-Identifier: Apache-2.0"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.operands import Immediate, Meaning, Registers, Vector
from proofs.machine.meanings import Meanings
from proofs.machine.processor import relane
from proofs.machine.terms import const, extract, is_const, ite, split, ult, val

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

MEANINGS: Meanings[Meaning] = Meanings()
define, form = MEANINGS.define, MEANINGS.form


def arranged(f: Callable[[list[int], list[int]], list[int]]) -> Meaning:
    """The lanes of d from those of a and b."""

    def run(m: Machine, d: Vector, a: Vector, b: Vector) -> None:
        m.set_lanes(d, f(m.lanes(a), m.lanes(b)))

    return run


def alternating(x: list[int], y: list[int]) -> list[int]:
    return [lane for pair in zip(x, y, strict=True) for lane in pair]


define("uzp1", "v v v", meaning=arranged(lambda x, y: (x + y)[::2]))
define("uzp2", "v v v", meaning=arranged(lambda x, y: (x + y)[1::2]))
define("zip1", "v v v", meaning=arranged(lambda x, y: alternating(x, y)[: len(x)]))
define("zip2", "v v v", meaning=arranged(lambda x, y: alternating(x, y)[len(x) :]))
define("trn1", "v v v", meaning=arranged(lambda x, y: alternating(x[::2], y[::2])))
define("trn2", "v v v", meaning=arranged(lambda x, y: alternating(x[1::2], y[1::2])))


@form("ext", "v v v i")
def ext(m: Machine, d: Vector, a: Vector, b: Vector, k: Immediate) -> None:
    """Bytes of a : b from the k-th of a on."""
    m.set_lanes(d, (m.lanes(a) + m.lanes(b))[k.value : k.value + d.lanes])


def reversed_in(bits: int) -> Meaning:
    """The lanes of each group of so many bits in reverse order."""

    def run(m: Machine, d: Vector, a: Vector) -> None:
        groups = relane(m.lanes(a), bits)
        m.set_lanes(d, [lane for group in groups for lane in split(group, d.width)[::-1]])

    return run


define("rev32", "v v", meaning=reversed_in(32))
define("rev64", "v v", meaning=reversed_in(64))


def looked_up(table: list[int], index: int, beyond: int) -> int:
    """The byte of the table at an index of 8 bits; `beyond` where there is none."""
    if is_const(index):
        return table[val(index)] if val(index) < len(table) else beyond
    candidates = table
    bit = 0
    while len(candidates) > 1:
        last = [candidates[-1]] * (len(candidates) % 2)
        pairs = zip(candidates[::2], candidates[1::2] + last, strict=True)
        candidates = [ite(extract(index, bit, 1), odd, even) for even, odd in pairs]
        bit += 1
    return ite(ult(index, const(len(table), 8)), candidates[0], beyond)


@form("tbl", "v V v")
def tbl(m: Machine, d: Vector, tables: Registers, indices: Vector) -> None:
    """Bytes of the registers in a row; 0 for an index beyond them."""
    table = [byte for register in tables.members for byte in m.lanes(register)]
    m.set_lanes(d, [looked_up(table, i, const(0, 8)) for i in m.lanes(indices)])


@form("tbx", "v V v")
def tbx(m: Machine, d: Vector, tables: Registers, indices: Vector) -> None:
    """The same, but d keeps its byte for an index beyond them."""
    table = [byte for register in tables.members for byte in m.lanes(register)]
    pairs = zip(m.lanes(indices), m.lanes(d), strict=True)
    m.set_lanes(d, [looked_up(table, i, old) for i, old in pairs])

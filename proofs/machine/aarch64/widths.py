"""Vector instructions with results that are wider or narrower than their operands.

A narrow vector of 64 bits is the lower half of its register; mnemonics that end in 2 mean the upper half.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.operands import Element, Immediate, Meaning, Vector
from proofs.machine.aarch64.vector import rounded_right
from proofs.machine.meanings import Meanings
from proofs.machine.terms import W, add, extract, mul, sext, shl, sub, zext

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

MEANINGS: Meanings[Meaning] = Meanings()
define = MEANINGS.define

Extend = Callable[[int, int], int]
Binary = Callable[[int, int], int]

# ---- wider results ----


def narrow_lanes(m: Machine, a: Vector | Element, count: int) -> list[int]:
    """The lower lanes if a vector of 64 bits is named, the upper ones of a whole register; one lane repeated."""
    lanes = m.lanes(a, count)
    return lanes if isinstance(a, Element) else lanes[-count:]


def long(f: Binary, extend: Extend, join: Binary | None = None) -> Meaning:
    """f of two narrow lanes, both extended; with `join` the old lane of d and f."""

    def run(m: Machine, d: Vector, a: Vector, b: Vector | Element) -> None:
        pairs = zip(narrow_lanes(m, a, d.lanes), narrow_lanes(m, b, d.lanes), strict=True)
        lanes = [f(extend(x, d.width), extend(y, d.width)) for x, y in pairs]
        if join:
            lanes = [join(old, x) for old, x in zip(m.lanes(d), lanes, strict=True)]
        m.set_lanes(d, lanes)

    return run


def wide(f: Binary, extend: Extend) -> Meaning:
    """f of a wide lane and a narrow one, extended."""

    def run(m: Machine, d: Vector, a: Vector, b: Vector) -> None:
        pairs = zip(m.lanes(a), narrow_lanes(m, b, d.lanes), strict=True)
        m.set_lanes(d, [f(x, extend(y, d.width)) for x, y in pairs])

    return run


def lengthened(extend: Extend) -> Meaning:
    """Narrow lanes extended, then shifted to the left."""

    def run(m: Machine, d: Vector, a: Vector, k: Immediate) -> None:
        m.set_lanes(d, [shl(extend(x, d.width), k.value) for x in narrow_lanes(m, a, d.lanes)])

    return run


def pairs_added(m: Machine, d: Vector, a: Vector) -> None:
    """Sums of neighbours, sign-extended."""
    x = [sext(lane, d.width) for lane in m.lanes(a)]
    m.set_lanes(d, [add(p, q) for p, q in zip(x[::2], x[1::2], strict=True)])


for _half in ("", "2"):
    define("smull" + _half, "v v v", "v v e", meaning=long(mul, sext))
    define("umull" + _half, "v v v", meaning=long(mul, zext))
    define("smlal" + _half, "v v v", meaning=long(mul, sext, add))
    define("umlal" + _half, "v v v", meaning=long(mul, zext, add))
    define("smlsl" + _half, "v v v", "v v e", meaning=long(mul, sext, sub))
    define("umlsl" + _half, "v v v", meaning=long(mul, zext, sub))
    define("uaddl" + _half, "v v v", meaning=long(add, zext))
    define("saddw" + _half, "v v v", meaning=wide(add, sext))
    define("uaddw" + _half, "v v v", meaning=wide(add, zext))
    define("ssubw" + _half, "v v v", meaning=wide(sub, sext))
    define("usubw" + _half, "v v v", meaning=wide(sub, zext))
    define("sshll" + _half, "v v i", meaning=lengthened(sext))
    define("ushll" + _half, "v v i", meaning=lengthened(zext))
    define("shll" + _half, "v v i", meaning=lengthened(zext))
define("saddlp", "v v", meaning=pairs_added)


# ---- narrower results: they go to the lower half and clear the upper one, or with a 2 to the upper half ----


def set_half(m: Machine, d: Vector, lanes: list[int]) -> None:
    if len(lanes) < d.lanes:
        lanes = m.lanes(d)[: len(lanes)] + lanes
    m.set_lanes(d, lanes)


def narrowed(f: Callable[[int, int], int]) -> Meaning:
    """The lowest bits of f of a lane and the immediate."""

    def run(m: Machine, d: Vector, a: Vector, k: Immediate) -> None:
        set_half(m, d, [extract(f(x, k.value), 0, d.width) for x in m.lanes(a)])

    return run


def truncated(m: Machine, d: Vector, a: Vector) -> None:
    set_half(m, d, [extract(x, 0, d.width) for x in m.lanes(a)])


def upper_half_of_sum(m: Machine, d: Vector, a: Vector, b: Vector) -> None:
    pairs = zip(m.lanes(a), m.lanes(b), strict=True)
    set_half(m, d, [extract(add(x, y), d.width, d.width) for x, y in pairs])


for _half in ("", "2"):
    define("xtn" + _half, "v v", meaning=truncated)
    define("shrn" + _half, "v v i", meaning=narrowed(lambda x, k: extract(x, k, W[x] - k)))
    define("rshrn" + _half, "v v i", meaning=narrowed(rounded_right))
    define("addhn" + _half, "v v v", meaning=upper_half_of_sum)

"""Branches, calls and returns. A condition is a constant, or the machine stops.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.operands import Condition, General, Immediate, Meaning
from proofs.machine.meanings import Meanings
from proofs.machine.terms import const, extract, is_zero, not_

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

MEANINGS: Meanings[Meaning] = Meanings()
define, form = MEANINGS.define, MEANINGS.form

LINK = General(30, 64)


@form("nop", "")
def nothing(m: Machine) -> None:
    """Only time passes."""


@form("b", "i")
def branch(m: Machine, target: Immediate) -> None:
    m.branch(const(1, 1), target.value)


@form("b", "c i")
def branch_on_flags(m: Machine, c: Condition, target: Immediate) -> None:
    m.branch(m.holds(c.name), target.value)


def branch_on(test: Callable[[int], int]) -> Meaning:
    """On a whole register, or on one of its bits."""

    def run(m: Machine, a: General, *bit_and_target: Immediate) -> None:
        *bit, target = bit_and_target
        value = extract(m.get(a), bit[0].value, 1) if bit else m.get(a)
        m.branch(test(value), target.value)

    return run


define("cbz", "r i", meaning=branch_on(is_zero))
define("cbnz", "r i", meaning=branch_on(lambda x: not_(is_zero(x))))
define("tbz", "r i i", meaning=branch_on(is_zero))
define("tbnz", "r i i", meaning=branch_on(lambda x: not_(is_zero(x))))


def link(m: Machine) -> None:
    """The next instruction's address goes to x30."""
    m.set(LINK, const(m.pc, 64))


@form("bl", "i")
def call(m: Machine, target: Immediate) -> None:
    link(m)
    m.branch(const(1, 1), target.value)


@form("blr", "r")
def call_register(m: Machine, target: General) -> None:
    to = m.constant(m.get(target), "target of a call")
    link(m)
    m.branch(const(1, 1), to)


@form("br", "r")
def branch_to_register(m: Machine, target: General) -> None:
    m.branch(const(1, 1), m.constant(m.get(target), "target of a branch"))


define("ret", "", meaning=lambda m: branch_to_register(m, LINK))

"""Where the meaning of each form is found: by mnemonic and by the kinds of the operands.

    r general register   i immediate   m either with a shift or an extension   a address   c condition
    v vector   e one lane of a vector   s scalar in a vector register   V list of vectors   E list of lanes

A meaning is a function of the machine and the operands. SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.operands import Instruction
from proofs.machine.memory import Violation

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

Meaning = Callable[..., None]
MEANINGS: dict[tuple[str, str], Meaning] = {}


def define(mnemonic: str, *shapes: str, meaning: Meaning) -> None:
    """Says what a mnemonic with operands of these kinds does; nothing is said twice."""
    for shape in shapes:
        if (mnemonic, shape) in MEANINGS:
            raise ValueError(f"{mnemonic} {shape} has two meanings")
        MEANINGS[mnemonic, shape] = meaning


def form(mnemonic: str, *shapes: str) -> Callable[[Meaning], Meaning]:
    """The same as a decorator."""

    def keep(meaning: Meaning) -> Meaning:
        define(mnemonic, *shapes, meaning=meaning)
        return meaning

    return keep


def has_meaning(instruction: Instruction) -> bool:
    return (instruction.mnemonic, instruction.shape) in MEANINGS


def meaning_of(instruction: Instruction) -> Callable[["Machine"], None]:
    """What the instruction does to a machine; a form that no family defines is a Violation."""
    meaning = MEANINGS.get((instruction.mnemonic, instruction.shape))
    if meaning is None:
        raise Violation(f"no meaning is known of {instruction.form}")
    operands = instruction.operands
    return lambda machine: meaning(machine, *operands)

"""An AArch64 processor on terms: executes functions of an image (AAPCS64).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator, Sequence

from proofs.machine.aarch64 import control, crypto, integer, permute, transfer, vector, widths
from proofs.machine.aarch64.operands import SP, Address, Instruction, Meaning, decode
from proofs.machine.aarch64.registers import Registers, undefined_flags
from proofs.machine.meanings import Meanings
from proofs.machine.memory import Violation
from proofs.machine.processor import RETURN, STACK_TOP, Decoded, Step, constant, relane
from proofs.machine.terms import Node, add, const, fresh

INSTRUCTION_BYTES = 4
KEPT_GENERAL = range(19, 30)  # registers that belong to the caller: x19 to x29,
KEPT_VECTOR = range(8, 16)  # and the lower halves of v8 to v15
LINK = 30
FAMILIES = (control, crypto, integer, permute, transfer, vector, widths)
MEANINGS: Meanings[Meaning] = Meanings(*(family.MEANINGS for family in FAMILIES))


def meaning_of(instruction: Instruction) -> Callable[["Machine"], None]:
    """The effect of the instruction on a machine; a form that no family defines is a Violation."""
    meaning = MEANINGS.get(instruction.mnemonic, instruction.shape)
    if meaning is None:
        raise Violation(f"no meaning is known of {instruction.form}")
    operands = instruction.operands
    return lambda machine: meaning(machine, *operands)


class Machine(Registers):
    """A vector register is kept as the lanes that were last written."""

    STACK_POINTER = SP
    ARGUMENTS = range(8)
    STACK_SIZE = 1 << 20
    RETURN_BYTES = 0
    NOP = bytes.fromhex("1f2003d5")

    # ---- calls ----

    def begin_call(self, arguments: Sequence[int]) -> None:
        """The first eight arguments in registers, the others on the stack."""
        for i, value in zip(self.ARGUMENTS, arguments, strict=False):
            self.general[i] = const(value, 64)
        others = arguments[len(self.ARGUMENTS) :]
        sp = STACK_TOP - (8 * len(others) + 15) // 16 * 16
        self.memory.put(sp, [const(value, 64) for value in others])
        self.general[SP] = const(sp, 64)
        self.general[LINK] = const(RETURN, 64)

    def kept(self) -> dict[str, Node]:
        kept = {f"x{i}": self.general[i] for i in KEPT_GENERAL}
        return kept | {f"d{i}": relane(self.vector[i], 64)[0] for i in KEPT_VECTOR}

    def end_model(self) -> None:
        self.pc = self.constant(self.general[LINK], "return address")
        for i in [*range(KEPT_GENERAL.start), LINK]:
            self.general[i] = fresh(64)
        for i in range(32):
            lower = relane(self.vector[i], 64)[0] if i in KEPT_VECTOR else fresh(64)
            self.vector[i] = [lower, fresh(64)]
        self.flags = undefined_flags()

    # ---- instructions ----

    def decode(self, at: int) -> Decoded:
        found = decode(at, self.image.code(at, INSTRUCTION_BYTES))
        return Decoded(found, found.form, at + INSTRUCTION_BYTES, found.mnemonic == "ret", lambda: self._meaning(found))

    @classmethod
    def addresses(cls, code: bytes, at: int) -> Iterator[int]:
        places = range(0, len(code), INSTRUCTION_BYTES)
        return (at + i for i in places if code[i : i + INSTRUCTION_BYTES] != cls.NOP)

    def _meaning(self, instruction: Instruction) -> Step:
        execute = meaning_of(instruction)
        return lambda: execute(self)

    # ---- what meanings ask for ----

    def constant(self, node: Node, what: str) -> int:
        return constant(node, f"the {what}")

    def branch(self, condition: Node, target: int) -> None:
        if self.constant(condition, "condition of a branch"):
            self.pc = target

    def address(self, at: Address) -> int:
        """The address of an access, after the base register has been updated."""
        base = self.get(at.base)
        moved = add(base, self.get(at.offset, 64)) if at.offset else base
        access = base if at.writeback == "after" else moved
        if at.writeback:
            self.set(at.base, moved)
        return self.constant(access, "address")

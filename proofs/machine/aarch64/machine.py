"""An AArch64 processor on terms: executes functions of an image (AAPCS64).

A branch on a value that is no constant, an address that is none, an access outside the declared buffers and an
instruction of an unknown form are Violations: to reach the end without one is a proof that there is none for any input.
SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from itertools import count

from proofs.machine import imports
from proofs.machine.aarch64 import control, crypto, integer, permute, transfer, vector, widths  # noqa: F401 (they fill the table of meanings)
from proofs.machine.aarch64.meanings import meaning_of
from proofs.machine.aarch64.operands import SP, Address, Instruction, decode
from proofs.machine.aarch64.registers import Registers, undefined_flags, with_lanes
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import Node, add, const, fresh, is_const, settled, val

INSTRUCTION_BYTES = 4
STACK_TOP = 0x7FFF00000000
STACK_SIZE = 1 << 20
RETURN = 0x7FFFFFFF0000  # where the called function returns to
ARGUMENT_REGISTERS = 8
KEPT_GENERAL = range(19, 30)  # registers that belong to the caller: x19 to x29,
KEPT_VECTOR = range(8, 16)  # and the lower halves of v8 to v15
LINK = 30

Model = Callable[["Machine"], Node | None]
Step = Callable[["Machine"], None]


class Machine(Registers):
    """`hooks` are models that stand for whole functions, by address; `before` is called ahead of the instruction at an
    address, for declassification. `forms_used` are the forms of instruction that were met."""

    def __init__(self, image: Image, memory: Memory) -> None:
        super().__init__()
        self.image, self.memory = image, memory
        self.hooks: dict[int, Model] = {at: imports.model(name) for at, name in image.imports.items()}
        self.before: dict[int, Step] = {}
        self.forms_used: set[str] = set()
        self.instructions = 0
        self.pc = self.next = RETURN
        self._decoded: dict[int, tuple[Instruction, Step]] = {}

    # ---- calls ----

    def call(self, target: str | int, arguments: Sequence[int], limit: int | None = None) -> Node:
        """Calls a function with constants; returns what x0 has at the end. Checks that the function keeps the registers
        that belong to its caller, and the stack."""
        self.pc = self.image.address(target) if isinstance(target, str) else target
        self._pass(arguments)
        self.general[LINK] = const(RETURN, 64)
        before = self._kept()
        self._run(limit)
        changed = [name for name, node in self._kept().items() if node != before[name]]
        if changed:
            raise Violation(f"{target} does not keep {', '.join(changed)}")
        return self.general[0]

    def _pass(self, arguments: Sequence[int]) -> None:
        """The first eight arguments in registers, the others on the stack."""
        if all(region.name != "stack" for region in self.memory.regions):
            self.memory.region(STACK_TOP - STACK_SIZE, STACK_SIZE, True, "stack", own=True)
        for i, value in enumerate(arguments[:ARGUMENT_REGISTERS]):
            self.general[i] = const(value, 64)
        others = arguments[ARGUMENT_REGISTERS:]
        sp = STACK_TOP - (8 * len(others) + 15) // 16 * 16
        self.memory.put(sp, [const(value, 64) for value in others])
        self.general[SP] = const(sp, 64)

    def _kept(self) -> dict[str, Node]:
        """What the registers of the caller have."""
        kept = {f"x{i}": self.general[i] for i in KEPT_GENERAL}
        kept |= {f"d{i}": with_lanes(self.vector[i], 64)[0] for i in KEPT_VECTOR}
        return kept | {"sp": self.general[SP]}

    def _run(self, limit: int | None) -> None:
        for _ in count() if limit is None else range(limit):
            if self.pc == RETURN:
                return
            self.step()
        raise Violation(f"{limit} instructions were not enough")

    # ---- instructions ----

    def step(self) -> None:
        """Executes one instruction, or the model that stands for a function."""
        at = self.pc
        if at in self.hooks:
            self._run_model(self.hooks[at])
            return
        if at in self.before:
            self.before[at](self)
        instruction, execute = self._decoded.get(at) or self._decode(at)
        self.next = at + INSTRUCTION_BYTES
        self.instructions += 1
        try:
            execute(self)
        except Violation as violation:
            raise Violation(f"{self.image.where(at)} ({at:#x}) {instruction.text}: {violation}") from None
        self.pc = self.next

    def _decode(self, at: int) -> tuple[Instruction, Step]:
        """The work of the first time alone: code does not change."""
        instruction = decode(at, self.image.code(at, INSTRUCTION_BYTES))
        try:
            decoded = instruction, meaning_of(instruction)
        except Violation as violation:
            raise Violation(f"{self.image.where(at)} ({at:#x}) {instruction.text}: {violation}") from None
        self._decoded[at] = decoded
        self.forms_used.add(instruction.form)
        return decoded

    def _run_model(self, model: Model) -> None:
        """The registers that a function may change are unknown after it."""
        result = model(self)
        self.pc = self.constant(self.general[LINK], "return address")
        for i in [*range(KEPT_GENERAL.start), LINK]:
            self.general[i] = fresh(64)
        for i in range(32):
            lower = with_lanes(self.vector[i], 64)[0] if i in KEPT_VECTOR else fresh(64)
            self.vector[i] = [lower, fresh(64)]
        self.flags = undefined_flags()
        if result is not None:
            self.general[0] = result

    def argument(self, index: int) -> Node:
        """An argument of the function that a model stands for."""
        return self.general[index]

    # ---- what meanings ask for ----

    def constant(self, node: Node, what: str) -> int:
        node = settled(node)
        if not is_const(node):
            raise Violation(f"the {what} depends on data")
        return val(node)

    def branch(self, condition: Node, target: int) -> None:
        if self.constant(condition, "condition of a branch"):
            self.next = target

    def address(self, at: Address) -> int:
        """The address of an access, after the base register has been updated."""
        base = self.get(at.base)
        moved = add(base, self.get(at.offset, 64)) if at.offset else base
        access = base if at.writeback == "after" else moved
        if at.writeback:
            self.set(at.base, moved)
        return self.constant(access, "address")

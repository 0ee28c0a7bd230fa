"""An AArch64 processor on terms: executes functions of an image (AAPCS64).

A branch on a value that is no constant, an address that is none, an access outside the declared buffers and an
instruction of an unknown form are Violations: to reach the end without one is a proof that there is none for any input.
SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

from proofs.machine.aarch64 import control, crypto, integer, permute, transfer, vector, widths  # noqa: F401 their meanings
from proofs.machine.aarch64.meanings import meaning_of
from proofs.machine.aarch64.operands import SP, Address, Instruction, decode
from proofs.machine.aarch64.registers import Registers, with_lanes
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import Node, add, const, is_const, val

INSTRUCTION_BYTES = 4
STACK_TOP = 0x7FFF00000000
STACK_BYTES = 1 << 20
RETURN = 0x7FFFDEAD0000  # where the caller of the executed function seems to be
ARGUMENT_REGISTERS = 8
KEPT_GENERAL = range(19, 30)  # registers that a function leaves as it found them: x19 to x29,
KEPT_VECTOR = range(8, 16)  # and the lower halves of v8 to v15

Hook = Callable[["Machine"], None]
Import = Callable[["Machine"], None]


class Machine(Registers):
    """`forms_used` collects what was executed; `hooks` are called when execution reaches their address; `imports` are
    models of the functions of other libraries, by name."""

    def __init__(self, image: Image, memory: Memory, imports: dict[str, Import] | None = None) -> None:
        super().__init__()
        self.image, self.memory = image, memory
        self.imports = imports or {}
        self.hooks: dict[int, Hook] = {}
        self.forms_used: set[str] = set()
        self.executed = 0
        self.pc = self.next = RETURN
        self._decoded: dict[int, tuple[Instruction, Callable[[Machine], None]]] = {}
        memory.region(STACK_TOP - STACK_BYTES, STACK_BYTES, True, "the stack")

    # ---- functions ----

    def call(self, function: str | int, arguments: Sequence[int]) -> Node:
        """Executes a function; returns x0."""
        self.pc = self.image.address(function) if isinstance(function, str) else function
        self.pass_arguments(arguments)
        self.general[30] = const(RETURN, 64)
        before = self.kept_registers()
        while self.pc != RETURN:
            self.step()
        changed = [name for name, node in self.kept_registers().items() if node != before[name]]
        if changed:
            raise Violation(f"{function} changed {', '.join(changed)}, which it must keep")
        return self.general[0]

    def pass_arguments(self, arguments: Sequence[int]) -> None:
        """The first eight in registers, the others on the stack."""
        for i, value in enumerate(arguments[:ARGUMENT_REGISTERS]):
            self.general[i] = const(value, 64)
        others = arguments[ARGUMENT_REGISTERS:]
        start = STACK_TOP - (8 * len(others) + 15) // 16 * 16
        self.memory.put(start, [const(value, 64) for value in others])
        self.general[SP] = const(start, 64)

    def kept_registers(self) -> dict[str, Node]:
        kept = {f"x{i}": self.general[i] for i in KEPT_GENERAL}
        kept |= {f"d{i}": with_lanes(self.vector[i], 64)[0] for i in KEPT_VECTOR}
        return kept | {"sp": self.general[SP]}

    # ---- instructions ----

    def step(self) -> None:
        if self.pc in self.hooks:
            self.hooks[self.pc](self)
        if self.pc in self.image.imports:
            self.run_import(self.image.imports[self.pc])
            return
        instruction, run = self.decoded(self.pc)
        self.next = self.pc + INSTRUCTION_BYTES
        try:
            run(self)
        except Violation as e:
            raise Violation(f"{self.image.where(self.pc)} ({self.pc:#x}): '{instruction.text}': {e}") from e
        self.executed += 1
        self.pc = self.next

    def decoded(self, address: int) -> tuple[Instruction, Callable[["Machine"], None]]:
        """Of each address only once: code does not change."""
        known = self._decoded.get(address)
        if known is None:
            instruction = decode(address, self.image.code(address, INSTRUCTION_BYTES))
            known = self._decoded[address] = instruction, meaning_of(instruction)
            self.forms_used.add(instruction.form)
        return known

    def run_import(self, name: str) -> None:
        model = self.imports.get(name)
        if model is None:
            raise Violation(f"call of {name}, of which there is no model")
        model(self)
        self.pc = self.constant(self.general[30], "return address")

    # ---- what meanings ask for ----

    def constant(self, node: Node, what: str) -> int:
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

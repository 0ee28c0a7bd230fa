"""The interpreter: registers, and instructions executed one after the other on terms.

A branch or an address that is no constant, an access outside the declared buffers and an instruction without a meaning
stop it with a Violation. So reaching the end proves that the code stays inside its buffers and that no branch and no
address depends on the variables.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from itertools import count

from iced_x86 import Decoder, Instruction

from proofs.machine import imports
from proofs.machine import terms as T
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import Node
from proofs.machine.x86_64 import crypto, flags, integer, mask, vector  # noqa: F401  (they fill the table of rules)
from proofs.machine.x86_64.operands import Lanes, Operands, Step, constant, form, relane
from proofs.machine.x86_64.registers import ARGUMENTS, CALLEE_SAVED, GENERAL, RAX, RSP
from proofs.machine.x86_64.rules import RULES

STACK_SIZE = 0x40000
STACK_ARGUMENTS = 64
STACK_TOP = 0x7FFF00000000
RETURN = 0x7FFFFFFF0000  # where the called function returns to
INSTRUCTION_BYTES = 15

Model = Callable[["Machine"], Node | None]


def _as_words(lanes: Lanes) -> Lanes:
    """Bytes that are no more than words moved, shifted or rotated stay words, for what computes on them next."""
    if T.W[lanes[0]] != 8 or len(lanes) % 8:
        return lanes
    words = relane(lanes, 64)
    return words if all(len(T.pieces(n)) <= 2 for n in words) else lanes


class Machine:
    """`hooks` are models that stand for whole functions, by address; what is in `before` is called ahead of the
    instruction at an address, for declassification. Both are set before the first call. `forms_used` are the forms of
    instruction that were met."""

    def __init__(self, image: Image, memory: Memory) -> None:
        self.image, self.memory = image, memory
        # Steps hold on to these lists and to the memory: they are changed in place.
        self.gpr: list[Node] = [T.fresh(64) for _ in GENERAL]
        self.k: list[Node] = [T.fresh(64) for _ in range(8)]
        self.vec: list[tuple[int, Lanes]] = [(64, [T.fresh(64) for _ in range(8)]) for _ in range(32)]
        self.flags: flags.Flags = flags.undefined
        self.pc = 0
        self.instructions = 0
        self.forms_used: set[str] = set()
        self.hooks: dict[int, Model] = {at: imports.model(name) for at, name in image.imports.items()}
        self.before: dict[int, Callable[[Machine], None]] = {}
        self._steps: dict[int, tuple[Step, int, Instruction]] = {}

    # ---- vector registers: (width of the lanes as last written, lanes of all 512 bits) ----

    def lanes(self, index: int, bits: int, w: int) -> Lanes:
        """The lowest bits of a register as lanes of w bits."""
        v, lanes = self.vec[index]
        if v != w:
            lanes = relane(lanes, w)
            self.vec[index] = (w, lanes)
        return lanes[: bits // w]

    def set_lanes(self, index: int, lanes: Lanes) -> None:
        """Writes the lowest bits and clears those above."""
        lanes = _as_words(lanes)
        w = T.W[lanes[0]]
        self.vec[index] = (w, [*lanes, *[T.const(0, w)] * (512 // w - len(lanes))])

    def set_low_lanes(self, index: int, lanes: Lanes) -> None:
        """Writes the lowest bits and keeps those above."""
        lanes = _as_words(lanes)
        w = T.W[lanes[0]]
        self.vec[index] = (w, [*lanes, *self.lanes(index, 512, w)[len(lanes) :]])

    # ---- calls ----

    def call(self, target: str | int, arguments: Sequence[int], limit: int | None = None) -> Node:
        """Calls a function by the System V ABI with constants; returns what rax has at the end. The function must keep
        the registers that belong to its caller, and leave the stack as it was."""
        self.pc = self.image.address(target) if isinstance(target, str) else target
        self._declare_stack()
        for register, value in zip(ARGUMENTS, arguments, strict=False):
            self.gpr[register] = T.const(value, 64)
        self.memory.put(STACK_TOP, [T.const(value, 64) for value in arguments[len(ARGUMENTS) :]])
        self.gpr[RSP] = T.const(STACK_TOP - 8, 64)
        self.memory.store(STACK_TOP - 8, T.const(RETURN, 64))
        kept = {r: self.gpr[r] for r in CALLEE_SAVED} | {RSP: T.const(STACK_TOP, 64)}
        self._run(limit)
        for register, value in kept.items():
            if self.gpr[register] != value:
                raise Violation(f"{target} does not keep {GENERAL[register]}")
        return self.gpr[RAX]

    def _declare_stack(self) -> None:
        if all(region.name != "stack" for region in self.memory.regions):
            self.memory.region(STACK_TOP - STACK_SIZE, STACK_SIZE, True, "stack", own=True)
            self.memory.region(STACK_TOP, STACK_ARGUMENTS, True, "arguments on the stack")

    def _run(self, limit: int | None) -> None:
        for _ in count() if limit is None else range(limit):
            if self.pc == RETURN:
                return
            self.step()
        raise Violation(f"{limit} instructions were not enough")

    def step(self) -> None:
        """Executes one instruction, or the model that stands for a function."""
        at = self.pc
        entry = self._steps.get(at)
        if entry is None:
            if at in self.hooks:
                return self._run_model(self.hooks[at])
            entry = self._steps[at] = self._prepare(at)
        execute, self.pc, ins = entry
        self.instructions += 1
        try:
            execute()
        except Violation as violation:
            raise Violation(f"{self.image.where(at)} ({at:#x}) {ins}: {violation}") from None
        return None

    def _prepare(self, at: int) -> tuple[Step, int, Instruction]:
        """Decodes; what follows is the work of the first time alone."""
        ins = Decoder(64, self.image.code(at, INSTRUCTION_BYTES), ip=at).decode()
        operands = Operands(ins, self)
        if operands.mnemonic not in RULES or ins.has_lock_prefix:
            raise Violation(f"{self.image.where(at)} ({at:#x}) {ins}: no meaning is known of {form(ins)}")
        try:
            step = RULES[operands.mnemonic](operands)
        except Violation as violation:
            raise Violation(f"{self.image.where(at)} ({at:#x}) {ins}: {violation}") from None
        self.forms_used.add(form(ins))
        if at in self.before:
            step = self._after(self.before[at], step)
        return step, ins.next_ip, ins

    def _after(self, observe: Callable[["Machine"], None], step: Step) -> Step:
        def both() -> None:
            observe(self)
            step()

        return both

    def _run_model(self, model: Model) -> None:
        """The registers that a function may change are unknown after it."""
        result = model(self)
        sp = constant(self.gpr[RSP], "the stack pointer")
        self.pc = constant(self.memory.load(sp, 8), "the return address")
        for register in range(16):
            if register not in CALLEE_SAVED:
                self.gpr[register] = T.fresh(64)
        self.vec = [(64, [T.fresh(64) for _ in range(8)]) for _ in range(32)]
        self.k[:] = [T.fresh(64) for _ in range(8)]
        self.flags = flags.undefined
        self.gpr[RSP] = T.const(sp + 8, 64)
        if result is not None:
            self.gpr[RAX] = result

    def argument(self, index: int) -> Node:
        """An argument of the function that a model stands for."""
        return self.gpr[ARGUMENTS[index]]

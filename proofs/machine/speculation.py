"""Speculation: what a processor may execute behind a branch that it predicts wrongly.

At each conditional branch the machine goes the right way, and before that the wrong one: for so many instructions, with
registers and memory as they are, and then all of it is undone. An address or a branch there that depends on a secret is
a leak.

On a wrong way nothing stops at the end of a buffer. A byte outside of every buffer, or one that nobody wrote, is not
known to be a secret of this call. If such a value decides, it counts as 0 and the place is kept by itself. A store
outside of every buffer is left out.

One wrong branch at a time: within a wrong way all further branches go the right way. Returns and jumps to addresses in
registers go where they lead, and each load reads what was stored last.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter

from iced_x86 import FlowControl
from iced_x86 import Instruction as X8664

from proofs.machine import imports
from proofs.machine import terms as T
from proofs.machine.aarch64.operands import Immediate
from proofs.machine.aarch64.operands import Instruction as AArch64
from proofs.machine.frames import Frames, StackMemory
from proofs.machine.image import Image
from proofs.machine.memory import PAGE, Region, Violation
from proofs.machine.processor import RETURN, Decoded, constant
from proofs.machine.terms import Node

ENDS = (Violation, ValueError, KeyError, IndexError, StopIteration, ZeroDivisionError)  # the latter: there is no code
COPIES = (imports.memcpy, imports.memmove, imports.memset)
COPIED = 64  # bytes in the time of an instruction, at most
ACCESSES = 20_000  # of a wrong way, at most: a string instruction that makes more has not the time


def ways(decoded: Decoded) -> tuple[int, int] | None:
    """The two ways of a conditional branch: to its target and to the next instruction. None of all else."""
    match decoded.text:
        case X8664() as ins if ins.flow_control == FlowControl.CONDITIONAL_BRANCH:
            return ins.near_branch_target, decoded.following
        case AArch64(mnemonic="b" | "cbz" | "cbnz" | "tbz" | "tbnz", operands=(_, *_, Immediate(value=target))):
            return target, decoded.following
    return None


class TransientMemory(StackMemory):
    """Memory that can take back what is stored while `log` is a list of places and the bytes that they had. Then it
    also has the bytes of frames that have returned."""

    log: list[tuple[int, list[int | None]]] | None = None
    left: dict[int, int]  # by place, those bytes
    nobody: set[Node]  # unknowns that nobody wrote, what registers held before the call among them
    accesses = 0  # of the wrong way

    def check(self, at: int, size: int, write: bool) -> Region:
        if self.log is None:
            return super().check(at, size, write)
        return self._region_of(at, size) or Region(at, at + size, False, "nothing", False)

    def _region_of(self, at: int, size: int) -> Region | None:
        region = self._region_before(at)
        return region if region and at + size <= region.end else None

    def load(self, at: int, size: int) -> Node:
        if self.log is None:
            return super().load(at, size)
        self._count()
        return self._get(at, size) if self._region_of(at, size) else self._written_by_nobody(8 * size)

    def store(self, at: int, n: Node) -> None:
        if self.log is None:
            super().store(at, n)
            return
        self._count()
        if (region := self._region_of(at, T.W[n] // 8)) and region.writable:
            self._log(at, T.W[n] // 8)
            self._set(at, n)

    def _count(self) -> None:
        self.accesses += 1
        if self.accesses > ACCESSES:
            raise Violation("there is no time for more accesses")

    def forget_below(self, sp: int) -> None:
        stack = self._region_before(sp - 1)
        for number in range(stack.start // PAGE if stack else sp, (sp - 1) // PAGE + 1):
            frame = self._pages.get(number, [])[: sp - number * PAGE]
            if frame.count(None) < len(frame):
                self.left.update((number * PAGE + i, code) for i, code in enumerate(frame) if code is not None)
        super().forget_below(sp)

    def _unwritten(self, at: int) -> int:
        if self.log is None:
            return super()._unwritten(at)
        self._log(at, 1)
        code = self._page(at // PAGE)[at % PAGE] = self.left.get(at) or self._written_by_nobody(8) << 7
        return code

    def _written_by_nobody(self, w: int) -> Node:
        unknown = T.fresh(w)
        self.nobody.add(unknown)
        return unknown

    def _log(self, at: int, size: int) -> None:
        if self.log is not None:
            self.log.append((at, [self._page((at + i) // PAGE)[(at + i) % PAGE] for i in range(size)]))

    def begin(self) -> None:
        self.log, self.accesses = [], 0

    def take_back(self) -> None:
        for at, codes in reversed(self.log or []):
            for i, code in enumerate(codes):
                self._page((at + i) // PAGE)[(at + i) % PAGE] = code
        self.log = None


class Speculating(Frames):
    """A machine with TransientMemory that goes wrong ways while `window` is not 0: so many instructions each. On the
    right way results are unknown (`results_unknown`)."""

    memory: TransientMemory
    window = 0
    _right: set[int]  # instructions that were executed on the right way
    _branch_at = 0  # the branch that began the wrong way
    _at = 0  # the instruction on it
    _wrong = False  # whether this is one
    _decided_by_secret = False

    def __init__(self, image: Image, memory: TransientMemory) -> None:
        super().__init__(image, memory)
        self._right = set()
        before = self.save()
        memory.left = {}
        memory.nobody = {*before.general, *(n for lanes in before.vector for n in lanes)}
        self.branches = self.followed = 0
        self.leaks: Counter[str] = Counter()  # the branch, and what depends on a secret behind it
        self.unwritten: Counter[str] = Counter()  # likewise, on what nobody wrote

    def step(self) -> None:
        self._at = self.pc
        if self._wrong:
            super().step()
            return
        self._right.add(self.pc)
        decoded = self.decoded(self.pc) if self.window else None
        both = ways(decoded) if decoded else None
        if both:
            self._branch(*both)
        else:
            self._step_right()

    def executed(self) -> set[int]:
        return super().executed() & self._right

    def _step_right(self) -> None:
        with T.results_unknown():
            super().step()

    def _branch(self, target: int, following: int) -> None:
        """The right way has to be known first: a branch on a secret stops it."""
        at = self.pc
        self._step_right()
        if target != following:
            self.branches += 1
            self._go_wrong(at, following if self.pc == target else target)

    def _go_wrong(self, at: int, pc: int) -> None:
        before, instructions, self.pc = self.save(), self.instructions, pc
        self._branch_at, self._decided_by_secret = at, False
        self.memory.begin()
        self._wrong = True
        try:
            with T.settling(self._settle):
                self._follow()
        except ENDS as end:
            if self._decided_by_secret:
                self.leaks[f"{self._place(at)}, then {end}"] += 1
        self._wrong = False
        self.memory.take_back()
        self.restore(before)
        self.followed += self.instructions - instructions
        self.instructions = instructions

    def _follow(self) -> None:
        left = self.window
        while left > 0 and self.pc != RETURN:
            left -= 1
            self.step()

    def _settle(self, n: Node) -> Node:
        """Of a branch or an address on a wrong way that is no constant: a secret stops the way."""
        if not self.memory.nobody.issuperset(m for m in T.cone([n]) if T.OP[m] == "var"):
            self._decided_by_secret = True
            return n
        self.unwritten[f"{self._place(self._branch_at)}, then {self._place(self._at)}"] += 1
        return T.const(0, T.W[n])

    def _place(self, at: int) -> str:
        return f"{self.image.where(at)} ({at:#x})"

    def _run_model(self, model: imports.Model) -> None:
        """On a wrong way a function of the C library copies no more than there is time for."""
        if self._wrong and model in COPIES and constant(self.argument(2), "the length") > COPIED * self.window:
            self.pc = RETURN
        else:
            super()._run_model(model)

    def _forget_frames(self) -> None:
        """On a wrong way frames that have returned are still there."""
        if not self._wrong:
            super()._forget_frames()

"""Frames that have returned: nothing below the stack pointer outlives a return or a call of another library.

What a function left in its frame is there no longer when it has returned, and a function of the C library may use as
much of the stack as it likes. So these bytes count as never written, and code that reads them gets what it gets of the
rest of the stack: unknowns. How an instruction works does not change with it, and records of comparisons stand.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from iced_x86 import Mnemonic

from proofs.machine.aarch64.machine import SP
from proofs.machine.aarch64.machine import Machine as AArch64Machine
from proofs.machine.memory import PAGE, Memory
from proofs.machine.terms import Node, is_const, val
from proofs.machine.x86_64.machine import STACK_TOP
from proofs.machine.x86_64.machine import Machine as X8664Machine
from proofs.machine.x86_64.registers import RSP

RETURN_ADDRESS = 8  # bytes that a call puts on the stack of x86-64


class StackMemory(Memory):
    """Memory in which the stack below a place can be forgotten. `lowest` is the lowest address that was used of what
    has been forgotten."""

    lowest: int

    def forget_below(self, sp: int) -> None:
        """Bytes of the stack below its pointer count as never written."""
        stack = self._region_before(sp - 1)
        if stack is None or stack.end < sp:
            return
        last, offset = divmod(sp, PAGE)
        for number in range(stack.start // PAGE, last):
            if number in self._pages:
                self._measure(number, PAGE)
                del self._pages[number]
        if offset and last in self._pages:
            self._measure(last, offset)
            self._pages[last][:offset] = [None] * offset

    def _measure(self, number: int, size: int) -> None:
        """Whether the first `size` bytes of a page have a lower one that was used."""
        unseen = min(size, self.lowest - number * PAGE)
        page = self._pages[number]
        if unseen > 0 and page[:unseen].count(None) < unseen:
            self.lowest = number * PAGE + next(i for i, code in enumerate(page) if code is not None)


class _Frames:
    """A machine that forgets frames. `stack_bytes` is the most that a call used below its entry; what functions of the
    C library use is not known. `pointers` has the variables that are passed in the place of addresses."""

    memory: StackMemory
    stack_bytes = 0
    pointers: Mapping[int, Node] = MappingProxyType({})

    def call(self, target: str | int, arguments: Any, limit: int | None = None) -> int:
        self.memory.lowest = STACK_TOP
        result: int = super().call(target, arguments, limit)  # type: ignore[misc]
        self.stack_bytes = max(self.stack_bytes, self._entry() - self.memory.lowest)
        return result

    def _run(self, limit: int | None) -> None:
        words = self._general()
        words[:] = [self.pointers.get(val(n), n) if is_const(n) else n for n in words]
        super()._run(limit)  # type: ignore[misc]

    def _run_model(self, model: Any) -> None:
        self._forget_frames()
        super()._run_model(model)  # type: ignore[misc]
        self._forget_frames()

    def _forget_frames(self) -> None:
        self.memory.forget_below(self._stack_pointer())

    def executed(self) -> set[int]:
        """The addresses of the instructions that were executed."""
        raise NotImplementedError

    def _general(self) -> list[Node]:
        raise NotImplementedError

    def _stack_pointer(self) -> int:
        raise NotImplementedError

    def _entry(self) -> int:
        """The stack pointer at the entry of a function that has returned."""
        raise NotImplementedError


class X8664(_Frames, X8664Machine):
    """An x86-64 processor that forgets frames."""

    def executed(self) -> set[int]:
        return set(self._steps)

    def _general(self) -> list[Node]:
        return self.gpr

    def _stack_pointer(self) -> int:
        return val(self.gpr[RSP])

    def _entry(self) -> int:
        return self._stack_pointer() - RETURN_ADDRESS

    def _prepare(self, at: int) -> Any:
        step, following, ins = super()._prepare(at)

        def leave() -> None:
            step()
            self._forget_frames()

        return (leave if ins.mnemonic == Mnemonic.RET else step), following, ins


class AArch64(_Frames, AArch64Machine):
    """An AArch64 processor that forgets frames."""

    def executed(self) -> set[int]:
        return set(self._decoded)

    def _general(self) -> list[Node]:
        return self.general

    def _stack_pointer(self) -> int:
        return val(self.general[SP])

    _entry = _stack_pointer

    def _decode(self, at: int) -> Any:
        instruction, execute = super()._decode(at)

        def leave(machine: AArch64Machine) -> None:
            execute(machine)
            self._forget_frames()

        self._decoded[at] = instruction, (leave if instruction.mnemonic == "ret" else execute)
        return self._decoded[at]

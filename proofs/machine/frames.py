"""Frames that have returned: nothing below the stack pointer outlives a return or a call of another library.

The bytes that a function left in its frame are gone when it has returned, and a function of the C library may use as
much of the stack as it likes. So these bytes count as never written, and code that reads them gets what it gets of the
rest of the stack: unknowns. This changes no instruction, and records of comparisons stay valid.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from proofs.machine import imports
from proofs.machine.image import Image
from proofs.machine.memory import PAGE, Memory
from proofs.machine.processor import STACK_TOP, Decoded, Processor, Step, joined
from proofs.machine.terms import Node, is_const, val


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


class Frames(Processor):
    """A machine that forgets frames. `stack_bytes` is the most that a call used below its entry; what functions of the
    C library use is not known. `pointers` has the variables that are passed in the place of addresses."""

    memory: StackMemory
    stack_bytes = 0
    pointers: Mapping[int, Node] = MappingProxyType({})

    def __init__(self, image: Image, memory: StackMemory) -> None:
        super().__init__(image, memory)

    def call(self, target: str | int, arguments: Sequence[int], limit: int | None = None) -> Node:
        self.memory.lowest = STACK_TOP
        result = super().call(target, arguments, limit)
        entry = self.stack_pointer - self.RETURN_BYTES
        self.stack_bytes = max(self.stack_bytes, entry - self.memory.lowest)
        return result

    def pass_instead(self, variables: Mapping[int, Node]) -> None:
        """Variables take the places of constants that have been passed."""
        self.general[:] = [variables.get(val(n), n) if is_const(n) else n for n in self.general]

    def _run(self, limit: int | None) -> None:
        self.pass_instead(self.pointers)
        super()._run(limit)

    def _run_model(self, model: imports.Model) -> None:
        self._forget_frames()
        super()._run_model(model)
        self._forget_frames()

    def _step_of(self, decoded: Decoded) -> Step:
        step = super()._step_of(decoded)
        if not decoded.returns:
            return step

        def leave() -> None:
            step()
            self._forget_frames()

        return leave

    def _forget_frames(self) -> None:
        self.memory.forget_below(self.stack_pointer)


@cache
def forgetting(machine: type[Processor]) -> type[Frames]:
    """The machine, with frames that are forgotten."""
    return joined(Frames, machine)

"""The interface of all processors to the proofs, with everything that they have in common.

Registers, flags and memory hold terms, and instructions are executed one after the other. A branch or an address that
is no constant, an access outside of the declared buffers and an instruction without a meaning are Violations, which
stop the execution. So reaching the end proves that the code stays inside its buffers and that no branch and no address
depends on the variables.

A further processor is a folder with a subclass, and a line in machines.py. SPDX-License-Identifier: Apache-2.0
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import ClassVar, NamedTuple, Protocol, TypeVar, cast

from proofs.machine import imports
from proofs.machine import terms as T
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import Node

STACK_TOP = 0x7FFF00000000
RETURN = 0x7FFFFFFF0000  # where the called function returns to
RESULT = 0  # the general register that has it, of every processor
LARGEST_LANE = 64

Step = Callable[[], None]
Lanes = list[Node]
Kind = TypeVar("Kind")


def relane(lanes: Lanes, w: int) -> Lanes:
    """The same bits as lanes of w bits, the lowest first."""
    v = T.W[lanes[0]]
    if v == w:
        return lanes
    if v > w:
        return [part for n in lanes for part in T.split(n, w)]
    per = w // v
    return [T.concat(lanes[i : i + per]) for i in range(0, len(lanes), per)]


def constant(n: Node, what: str) -> int:
    """The value of a term that may not depend on data."""
    n = T.settled(n)
    if not T.is_const(n):
        raise Violation(f"{what} depends on data")
    return T.val(n)


def joined(first: Callable[..., Kind], second: type) -> type[Kind]:
    """A class with the behaviour of both, the first one's ahead of the other's. The first may be abstract."""
    bases = cast(tuple[type, type], (first, second))
    return cast(type[Kind], type("".join(base.__name__ for base in bases), bases, {}))


class Flags(Protocol):
    """The status flags between two instructions."""

    def terms(self) -> list[Node]:
        """Those that conditions ask for, one bit each."""

    def like(self, terms: Sequence[Node]) -> "Flags":
        """Flags with these terms."""


class Registers(NamedTuple):
    """The state between two instructions beside memory: general registers and those of one processor alone; vector
    registers as lanes of 64 bits."""

    general: list[Node]
    flags: Flags
    vector: list[Lanes]
    pc: int


class Decoded(NamedTuple):
    """An instruction: its text, its form, the address of the next one, whether it returns from a function, and how to
    find what it does."""

    text: object
    form: str
    following: int
    returns: bool
    meaning: Callable[[], Step]


class Processor(ABC):
    """`hooks` are models that replace whole functions, by address; what is in `before` is called ahead of the
    instruction at an address, for declassification. Both are set before the first call. `forms_used` are the forms of
    instruction that were met."""

    STACK_POINTER: ClassVar[int]  # a general register
    ARGUMENTS: ClassVar[Sequence[int]]  # general registers
    STACK_SIZE: ClassVar[int]
    RETURN_BYTES: ClassVar[int]  # that a call puts on the stack
    NOP: ClassVar[bytes]

    general: list[Node]
    vector: list[Lanes]
    flags: Flags

    def __init__(self, image: Image, memory: Memory) -> None:
        self.image, self.memory = image, memory
        self.pc = RETURN
        self.instructions = 0
        self.forms_used: set[str] = set()
        self.hooks: dict[int, imports.Model] = {at: imports.model(name) for at, name in image.imports.items()}
        self.before: dict[int, Callable[[Processor], None]] = {}
        self._bound: dict[int, tuple[Step, int, Decoded]] = {}

    # ---- what each processor has of its own ----

    @abstractmethod
    def decode(self, at: int) -> Decoded:
        """The instruction at an address."""

    @classmethod
    @abstractmethod
    def addresses(cls, code: bytes, at: int) -> Iterator[int]:
        """Those of a function's instructions, without the ones that only fill up to an aligned address."""

    @abstractmethod
    def begin_call(self, arguments: Sequence[int]) -> None:
        """Passes constants to a function that returns to RETURN."""

    @abstractmethod
    def kept(self) -> dict[str, Node]:
        """The contents of the registers that belong to the caller of a function, but for the stack pointer."""

    @abstractmethod
    def end_model(self) -> None:
        """Returns from the function that a model replaces: the registers that it may change are unknown."""

    # ---- registers ----

    @property
    def stack_pointer(self) -> int:
        return constant(self.general[self.STACK_POINTER], "the stack pointer")

    def argument(self, index: int) -> Node:
        """An argument of the function that begins here."""
        return self.general[self.ARGUMENTS[index]]

    def save(self) -> Registers:
        return Registers(list(self.general), self.flags, [relane(v, LARGEST_LANE) for v in self.vector], self.pc)

    def restore(self, r: Registers) -> None:
        self.general[:], self.vector[:] = r.general[: len(self.general)], r.vector
        self.flags, self.pc = r.flags, r.pc

    # ---- calls ----

    def call(self, target: str | int, arguments: Sequence[int], limit: int | None = None) -> Node:
        """Calls a function with constants; returns its result. The function must keep the registers that belong to its
        caller, and leave the stack as it was."""
        self.pc = self.image.address(target) if isinstance(target, str) else target
        if all(region.name != "stack" for region in self.memory.regions):
            self.memory.region(STACK_TOP - self.STACK_SIZE, self.STACK_SIZE, True, "stack", own=True)
        self.begin_call(arguments)
        before = self.kept() | {"the stack pointer": T.const(self.stack_pointer + self.RETURN_BYTES, 64)}
        self._run(limit)
        after = self.kept() | {"the stack pointer": self.general[self.STACK_POINTER]}
        changed = [name for name, node in after.items() if node != before[name]]
        if changed:
            raise Violation(f"{target} does not keep {', '.join(changed)}")
        return self.general[RESULT]

    def _run(self, limit: int | None) -> None:
        for _ in count() if limit is None else range(limit):
            if self.pc == RETURN:
                return
            self.step()
        raise Violation(f"{limit} instructions were not enough")

    # ---- instructions ----

    def step(self) -> None:
        """Executes one instruction, or the model that replaces a function. An instruction finds in `pc` the address
        of the next one, which a branch changes."""
        at = self.pc
        bound = self._bound.get(at)
        if bound is None:
            if at in self.hooks:
                return self._run_model(self.hooks[at])
            bound = self._bind(at)
        execute, self.pc, decoded = bound
        self.instructions += 1
        try:
            execute()
        except Violation as violation:
            raise self._violation(at, decoded, violation) from None
        return None

    def _bind(self, at: int) -> tuple[Step, int, Decoded]:
        """The work of the first time alone: code does not change."""
        decoded = self.decode(at)
        try:
            step = self._step_of(decoded)
        except Violation as violation:
            raise self._violation(at, decoded, violation) from None
        self.forms_used.add(decoded.form)
        if at in self.before:
            step = self._after(self.before[at], step)
        self._bound[at] = step, decoded.following, decoded
        return self._bound[at]

    def _after(self, observe: Callable[["Processor"], None], step: Step) -> Step:
        def both() -> None:
            observe(self)
            step()

        return both

    def _step_of(self, decoded: Decoded) -> Step:
        return decoded.meaning()

    def _violation(self, at: int, decoded: Decoded, violation: Violation) -> Violation:
        return Violation(f"{self.image.where(at)} ({at:#x}) {decoded.text}: {violation}")

    def decoded(self, at: int) -> Decoded | None:
        """The instruction that a step from an address executes; None of a model."""
        if at in self.hooks:
            return None
        return (self._bound.get(at) or self._bind(at))[2]

    def executed(self) -> set[int]:
        """The addresses of the instructions that were executed."""
        return set(self._bound)

    def _run_model(self, model: imports.Model) -> None:
        result = model(self)
        self.end_model()
        if result is not None:
            self.general[RESULT] = result

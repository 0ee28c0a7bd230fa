"""Faults in the machine code: an instruction is left out, or one bit of a constant that the kernel reads is turned.

A proof is run once to see which instructions and constants it meets, then again on faulty copies of the image. Some
faults do no harm (an instruction that clears registers at the end, a lane that nobody reads), and a proof that then
still holds is right; so faults are tried until one is refused. A row may read constants that only another row of its
kernel uses: those faults are tried there. A row for which none is refused fails.

SPDX-License-Identifier: Apache-2.0
"""

import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from proofs.domains import NotProved
from proofs.machine.frames import Frames, StackMemory
from proofs.machine.image import Image, Segment
from proofs.machine.memory import Violation
from proofs.machine.processor import joined
from proofs.machine.terms import Node
from proofs.outcome import SECONDS, limited
from proofs.theorems.all import Task
from proofs.theorems.target import Target

TRIES = 12


@dataclass(frozen=True)
class Fault:
    """Bytes of the image that are replaced."""

    what: str
    address: int
    data: bytes


@dataclass(frozen=True)
class Verdict:
    fault: Fault
    witness: str  # empty if the proof still holds


def _segment(image: Image, at: int) -> Segment:
    return next(s for s in image.segments if s.start <= at < s.start + len(s.data))


def with_fault(target: Target, fault: Fault) -> Target:
    """A target with the fault in its image."""
    faulty, image = copy.copy(target), copy.copy(target.image)
    image.segments = [s._replace(data=bytearray(s.data)) for s in image.segments]
    segment = _segment(image, fault.address)
    at = fault.address - segment.start
    segment.data[at : at + len(fault.data)] = fault.data
    faulty.image = image
    return faulty


class Watch:
    """Which instructions and constants of the image the proof of a row meets."""

    def __init__(self, target: Target, task: Task) -> None:
        self.instructions: dict[int, None] = {}
        self.constants: dict[int, None] = {}
        self._image = target.image
        watched = copy.copy(target)
        watched.machine, watched.memory = self._machine(target.machine), self._memory()
        _prove(watched, task)

    def _machine(self, machine: type[Frames]) -> type[Frames]:
        met = self.instructions

        class Watched(Frames):
            def step(self) -> None:
                met[self.pc] = None
                super().step()

        return joined(Watched, machine)

    def _memory(self) -> type[StackMemory]:
        watch = self

        class Watched(StackMemory):
            def load(self, at: int, size: int) -> Node:
                if watch.is_constant(at):
                    watch.constants.update(dict.fromkeys(range(at, at + size)))
                return super().load(at, size)

        return Watched

    def is_constant(self, at: int) -> bool:
        return any(s.start <= at < s.start + len(s.data) and not s.writable for s in self._image.segments)


def _prove(target: Target, task: Task) -> None:
    if task.theorem is None or task.kernel is None:
        raise TypeError(f"{task.title} has nothing to prove")
    task.theorem.prove(target, task.kernel)


def left_out(target: Target, watch: Watch, rng: random.Random) -> Iterator[Fault]:
    """Instructions of the kernel, replaced by instructions that do nothing."""
    places = [at for at in watch.instructions if watch.is_constant(at)]
    machine = target.machine(target.image, StackMemory())
    for at in rng.sample(places, len(places)):
        nop, size = machine.NOP, machine.decode(at).following - at
        yield Fault(f"without the instruction at {target.image.where(at)}", at, nop * (size // len(nop)))


def turned(target: Target, watch: Watch, rng: random.Random) -> Iterator[Fault]:
    """Constants with one bit turned."""
    for at in rng.sample(list(watch.constants), len(watch.constants)):
        segment, bit = _segment(target.image, at), rng.randrange(8)
        byte = segment.data[at - segment.start] ^ 1 << bit
        yield Fault(f"with bit {bit} of the constant at {target.image.where(at)} turned", at, bytes([byte]))


def verdicts(target: Target, task: Task, others: Sequence[Task], kind: str, tries: int = TRIES) -> Iterator[Verdict]:
    """Faults of a kind until one is refused, by the task or else by another of its kernel."""
    rng = random.Random(f"{task.title} {kind}")
    watch = Watch(target, task)
    faults = {"instruction": left_out, "constant": turned}[kind](target, watch, rng)
    tried = list(islice(faults, tries))
    for chosen in (task, *others):
        for fault in tried:
            verdict = Verdict(fault, _witness(with_fault(target, fault), chosen))
            yield verdict
            if verdict.witness:
                return


def _witness(target: Target, task: Task) -> str:
    try:
        with limited(SECONDS):
            _prove(target, task)
    except (NotProved, Violation) as reason:
        return str(reason)
    except (KeyError, ValueError, IndexError, StopIteration) as reason:  # the fault made code that is no kernel
        return f"the proof stops: {reason!r}"
    return ""

"""All outcomes of rejection: the code between the kernels run on random tags (tags.c), with the lanes of each backend.

This is no proof. Tags are hashes of 64 bits, so a row says *random tags*: two values that differ have equal tags with a
probability of 2^-64, and a branch on data is not seen.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from proofs.builds import ROOT, WORK
from proofs.domains import NotProved
from proofs.rung import Rung
from proofs.theorems.all import Task
from proofs.theorems.target import Kernel, Target
from proofs.theorems.theorem import Theorem

SOURCE = Path(__file__).with_name("tags.c")
OPTIONS = ("-O2", "-std=c11", f"-I{ROOT / 'src'}", f"-I{ROOT / 'include'}")
SECONDS = 1800
STREAMS = {"512": 4, "768": 9, "1024": 16}  # by the number in the set's name
OPERATIONS = ("keygen", "encaps", "decaps", "rejects")


class Host(NamedTuple):
    """How a machine's programs are compiled and run here."""

    compiler: str
    run: tuple[str, ...]

    @property
    def possible(self) -> bool:
        return all(shutil.which(program) for program in (self.compiler, *self.run[:1]))


HOSTS = {
    "x64": Host("gcc", ()),
    "AArch64": Host("aarch64-linux-gnu-gcc-12", ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")),
}


class Shape(NamedTuple):
    """A backend as the scheduler sees it: fields of its tables of Keccak's kernels and the ring's."""

    lanes: int
    pairs: int
    narrow: int
    sink: bool  # it has rej_uniform_lanes_vartime
    order: bool  # and ntt_order

    @property
    def arguments(self) -> list[str]:
        return [str(int(value)) for value in self]


ONE_LANE = Shape(1, 0, 0, sink=False, order=False)


@dataclass(frozen=True)
class Scheduled(Kernel):
    """The scheduler with a backend's shape. Backends of one shape have the same table."""

    shape: Shape = ONE_LANE


def schedulers(target: Target, backend: str, theorem: Theorem) -> Iterator[Scheduled]:
    """One for each shape that a backend's variants have; none where the program cannot run."""
    if not HOSTS[target.image.machine].possible:
        return
    first: dict[Shape, int] = {}
    for name in target.backends:
        for shape, table in _shapes(target, name):
            first.setdefault(shape, table)
    for shape in dict(_shapes(target, backend)):
        at = target.image.address("lk_backend_force")
        yield Scheduled(backend, theorem.family, theorem.kernel, at, first[shape], shape)


def _shapes(target: Target, backend: str) -> Iterator[tuple[Shape, int]]:
    for tables in target.backends[backend]:
        keccak = Kernel(backend, "keccak", "", 0, tables["keccak"])
        ring = Kernel(backend, "q3329", "", 0, tables["q3329"])
        lanes, pairs, narrow = (target.sibling(keccak, name) or 0 for name in ("lanes", "pairs", "narrow"))
        sink, order = (target.sibling(ring, name) for name in ("rej_uniform_lanes_vartime", "ntt_order"))
        yield Shape(lanes, pairs, narrow, sink is not None, order is not None), keccak.table


def program(machine: str) -> Path:
    """tags.c, compiled for a machine."""
    made = WORK / "tags" / machine
    if not made.exists() or made.stat().st_mtime < SOURCE.stat().st_mtime:
        made.parent.mkdir(parents=True, exist_ok=True)
        new = made.with_suffix(f".{os.getpid()}")
        subprocess.run([HOSTS[machine].compiler, *OPTIONS, str(SOURCE), "-o", str(new), "-ldl"], check=True)
        new.replace(made)
    return made


def examine(name: str, operation: str, elements: int, fives: int, target: Target, kernel: Kernel) -> str:
    """Runs the operation for all outcomes; returns their number."""
    if not isinstance(kernel, Scheduled):
        raise TypeError(f"{kernel} is no scheduler")
    image = target.image
    offset = image.address("lk_backend_force") - image.address("latkem_kem_find")
    words = [str(program(image.machine)), str(target.path.resolve()), str(offset), name, operation, str(elements)]
    command = [*HOSTS[image.machine].run, *words, *kernel.shape.arguments, str(fives)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise NotProved(f"does not end within {SECONDS} s") from None
    if done.returncode:
        raise NotProved(done.stdout.strip() or f"ends with {done.returncode}: {done.stderr.strip()}")
    return f"{done.stdout.strip()}, {kernel.shape.lanes} lanes"


def claim(streams: int, elements: int, fives: int) -> str:
    """The outcomes in words."""
    who = "as single operations in one lane" if elements > 1 else "as in one lane"
    batch = f" of {elements} elements" if elements > 1 else ""
    few = f", at most {fives} of them 5" if fives else ""
    needs = "3, 4 or 5 blocks" if fives >= streams else f"3 or 4 blocks{few}"
    return f"outputs{batch} {who}, if each stream needs {needs}"


def theorems() -> Iterator[Theorem]:
    """By set: elements, streams that may need 5 blocks, rung."""
    cases = {
        "512": [(1, 4, Rung.QUICK), (2, 8, Rung.QUICK), (3, 0, Rung.ALL)],
        "768": [(1, 9, Rung.QUICK)],
        "1024": [(1, 0, Rung.ALL), (1, 2, Rung.ALL)],
    }
    for family in ("ML-KEM-", "Kyber"):
        for size, rows in cases.items():
            for elements, fives, rung in rows:
                for operation in OPERATIONS:
                    name = f"{family}{size}"
                    yield Theorem(
                        name,
                        operation,
                        claim(STREAMS[size] * elements, elements, fives),
                        "tags",
                        partial(examine, name, operation, elements, fives),
                        rung if family == "ML-KEM-" else Rung.ALL,
                        tags=True,
                    )


def tasks(target: Target) -> Iterator[Task]:
    for backend in target.backends:
        for theorem in theorems():
            for number, scheduler in enumerate(schedulers(target, backend, theorem)):
                yield Task(backend, theorem.name, theorem, scheduler, number)

"""The table's rows of whole operations.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from typing import TypeVar

from proofs.rung import Rung
from proofs.theorems.all import Task
from proofs.theorems.contracts import Interval
from proofs.theorems.independence import variants
from proofs.theorems.target import Kernel, Target
from proofs.theorems.theorem import Finding, Need, Theorem
from proofs.whole import kyber, ninetys, ntru_operations, saber_operations
from proofs.whole.fips203 import SETS, Entry, Fips203, Parameters
from proofs.whole.kyber import Round3
from proofs.whole.ninetys import Ninetys
from proofs.whole.ninetys_models import NinetysNamed, NinetysPath
from proofs.whole.ntru_operations import NtruPath
from proofs.whole.operations import (
    KeyUser,
    MlKem,
    Operation,
    check_wiped,
    further_operations,
    operations,
    round3_operations,
)
from proofs.whole.paths import Bench, Path, every_path
from proofs.whole.saber_operations import SaberPath
from proofs.whole.values import Named

FEWEST, MOST = 3, 5  # blocks of a stream: 2^-261 is the chance that five are not enough (FIPS 203, appendix B)
IN_SLICE = ("ML-KEM-512.encaps", "avx2")
DOMAIN = "names"

Blocks = Mapping[Entry, int]
S = TypeVar("S", bound=KeyUser)


@dataclass(frozen=True)
class Outcomes:
    """Of rejection: the blocks that the streams of the entries of A take, in words and one by one."""

    claim: str
    all: Callable[[list[Entry]], Iterator[Blocks]]


def _three(entries: list[Entry]) -> Iterator[Blocks]:
    yield dict.fromkeys(entries, FEWEST)


def _one(entries: list[Entry]) -> Iterator[Blocks]:
    yield dict.fromkeys(entries, 1)


def _at_most(most: int, entries: list[Entry]) -> Iterator[Blocks]:
    for count in range(most + 1):
        for longer in combinations(entries, count):
            yield {entry: FEWEST + (entry in longer) for entry in entries}


def _every(entries: list[Entry]) -> Iterator[Blocks]:
    for numbers in product(range(FEWEST, MOST + 1), repeat=len(entries)):
        yield dict(zip(entries, numbers, strict=True))


THREE = Outcomes("three blocks of SHAKE128 are enough for each entry of A", _three)
PIECE = Outcomes(f"{ninetys.FIRST} bytes of AES-256 are enough for each entry of A", _one)
FOUR = "three blocks are enough for each entry of A, but for at most {} that take four"
AT_MOST_ONE = Outcomes(FOUR.format("one"), partial(_at_most, 1))
AT_MOST_TWO = Outcomes(FOUR.format("two"), partial(_at_most, 2))
EVERY = Outcomes("three, four or five blocks are enough for each entry of A", _every)
MORE = {2: EVERY, 3: AT_MOST_TWO, 4: AT_MOST_ONE}  # by rank, as many as fit into minutes


def stated(p: Parameters) -> Iterator[tuple[Outcomes, Rung]]:
    yield THREE, Rung.QUICK
    yield MORE[p.k], Rung.ALL


class Examined:
    """The paths of an operation so far: how many end so, the rows that they rest on, the bounds that they reach."""

    def __init__(self, target: Target, kernel: Kernel) -> None:
        """The kernel is the backend's table."""
        self._target, self._tables = target, (kernel.address, target.fields_of(kernel.address))
        self._bench = Bench(target)
        self._needs, self._reached, self._ends = set[Need](), dict[str, Interval](), Counter[str]()

    def add(self, scheme: S, operation: Callable[[S, Path], str], kind: type[Path] = Path) -> None:
        """All paths of an operation."""

        def start(arms: Sequence[int]) -> Path:
            return kind(self._bench, self._target, self._tables, scheme.p.name, arms)

        for path, end in every_path(start, partial(operation, scheme)):
            check_wiped(path)
            self._ends[end] += 1
            self._needs |= path.models.needs
            for name, bounds in path.models.reached.items():
                self._reached[name] = bounds.joined(self._reached.get(name, bounds))

    def found(self, of: str = "") -> Finding:
        told = ", ".join(f"{count} {end}" for end, count in sorted(self._ends.items()))
        most = ", ".join(f"{name} {max(-bounds.low, bounds.high)}" for name, bounds in sorted(self._reached.items()))
        words = [f"{told} paths{of}", f"largest words at calls: {most}" if most else ""]
        return Finding("; ".join(filter(None, words)), tuple(sorted(self._needs)))


def prove(p: Parameters, operation: Operation, outcomes: Outcomes, target: Target, kernel: Kernel) -> Finding:
    """On all paths of all outcomes."""
    examined, number = Examined(target, kernel), 0
    for blocks in outcomes.all([(i, j) for i in range(p.k) for j in range(p.k)]):
        number += 1
        if p in ninetys.SETS:
            examined.add(MlKem(Ninetys(p, NinetysNamed(), blocks)), operation, NinetysPath)
        else:
            examined.add(MlKem((Round3 if p in kyber.SETS else Fips203)(p, Named(), blocks)), operation)
    return examined.found(f" of {number} outcomes" if number > 1 else "")


def prove_on(
    kind: type[Path], scheme: S, operation: Callable[[S, Path], str], target: Target, kernel: Kernel
) -> Finding:
    """Of a scheme without rejection sampling."""
    examined = Examined(target, kernel)
    examined.add(scheme, operation, kind)
    return examined.found()


def theorems() -> Iterator[Theorem]:
    for p in SETS:
        for operation, claim in operations():
            for outcomes, rung in stated(p):
                yield _theorem(p, operation, claim, outcomes, rung)
        for operation, claim in further_operations():
            yield _theorem(p, operation, claim, THREE, Rung.ALL)
    for p in kyber.SETS:
        for operation, claim in round3_operations():
            yield _theorem(p, operation, claim, THREE, Rung.ALL)
    for p in ninetys.SETS:
        for operation, claim in round3_operations():
            yield _theorem(p, operation, f"{claim} with the functions of the 90s", PIECE, Rung.ALL)
    for saber in saber_operations.SCHEMES:
        for operation, claim in saber_operations.operations():
            yield _without_rejection(SaberPath, saber, operation, claim)
    for ntru in ntru_operations.SCHEMES:
        for use, claim in ntru_operations.operations():
            yield _without_rejection(NtruPath, ntru, use, claim)


def _without_rejection(kind: type[Path], scheme: S, operation: Callable[[S, Path], str], claim: str) -> Theorem:
    words = f"{claim}; the stack is wiped"
    proof = partial(prove_on, kind, scheme, operation)
    return Theorem(scheme.p.name, operation.__name__, words, DOMAIN, proof, Rung.ALL)


def sentence() -> str:
    """The claim of single operations, for the README."""
    *names, last = (p.name for p in SETS)
    *algorithms, last_one = (number for _, claim in operations() for number in re.findall(r"algorithm (\d+)", claim))
    return (
        f"key generation, encapsulation and decapsulation of {', '.join(names)} and {last} equal algorithms "
        f"{', '.join(algorithms)} and {last_one} of FIPS 203 for all inputs, where {THREE.claim}"
    )


def _theorem(p: Parameters, operation: Operation, claim: str, outcomes: Outcomes, rung: Rung) -> Theorem:
    whole = f"{claim}, where {outcomes.claim}; the stack is wiped"
    return Theorem(p.name, operation.__name__, whole, DOMAIN, partial(prove, p, operation, outcomes), rung)


def missing() -> Iterator[tuple[str, str, str]]:
    """Sets and operations that no row compares with their standard."""
    for ntru in ntru_operations.SCHEMES:
        yield ntru.p.name, "keygen", "it equals NTRU round 3 section 1.12.1; the inversions have no theorems"


def tasks(target: Target) -> Iterator[Task]:
    """Of each backend, once for each of its variants with other kernels; a missing claim once for all of them."""
    for theorem in theorems():
        for backend in target.backends:
            soon = theorem.rung == Rung.QUICK and (theorem.name, backend) == IN_SLICE
            stated_here = replace(theorem, rung=Rung.SLICE) if soon else theorem
            for kernel in variants(target, backend, theorem):
                yield Task(backend, theorem.name, stated_here, kernel, kernel.variant)
    for name, operation, what in missing():
        for backend in target.backends:
            address = target.table_addresses(backend)[0]
            whole = Kernel(backend, name, operation, address, address)
            yield Task(backend, f"{name}.{operation}", None, whole, missing=what)

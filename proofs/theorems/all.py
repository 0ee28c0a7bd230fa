"""All theorems, and every pair of a kernel and a claim that the table has a row for.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from proofs.theorems import (
    aes,
    independence,
    keccak,
    keccak_lanes,
    ntru,
    ntru_products,
    q3329,
    saber,
    sha2,
    speculation,
    ternary,
)
from proofs.theorems.bounds import HEADERS, check_overlap, kernel_fields
from proofs.theorems.target import Kernel, Target
from proofs.theorems.theorem import Theorem

# Fields of the tables that are numbers, and the lists of kernels that portable C is compiled again for.
NO_KERNELS = {
    *("lanes", "pairs", "narrow", "instructions"),
    *("evaluated_bytes", "small_bytes", "scratch_bytes", "evaluated_unit", "scratch_unit", "plain", "recompiled"),
}


@cache
def kernel_theorems() -> dict[str, list[Theorem]]:
    """By the kernel's name."""
    found: dict[str, list[Theorem]] = {}
    for module in (q3329, keccak, keccak_lanes, aes, sha2, saber, ntru, ntru_products, ternary):
        for theorem in module.theorems():
            found.setdefault(theorem.name, []).append(theorem)
    return found


@dataclass(frozen=True)
class Task:
    """A row of the table. Without a theorem nothing is claimed, and `missing` may say what is not; without a kernel
    the backend has none."""

    backend: str
    name: str
    theorem: Theorem | None
    kernel: Kernel | None
    variant: int = 0
    missing: str = ""

    @property
    def same(self) -> tuple[object, ...]:
        """The key of the outcome: backends share functions, and tables."""
        if self.theorem and self.theorem.together:
            return self.theorem.family, self.theorem.claim, self.theorem.backends, self.kernel and self.kernel.table
        return self.name, self.theorem, self.kernel and (self.kernel.address, self.kernel.table)

    @property
    def title(self) -> str:
        return f"{self.name} on {self.backend}" + (f" ({self.variant + 1})" if self.variant else "")


def tasks(target: Target) -> Iterator[Task]:
    """Every kernel of every backend of a build, then the operations."""
    for backend in target.backends:
        for family in HEADERS:
            for field in kernel_fields(family):
                if field not in NO_KERNELS:
                    yield from _kernel_tasks(target, backend, family, field)
        for theorem in (*independence.theorems(), *filter(_of(backend), speculation.theorems())):
            for kernel in independence.variants(target, backend, theorem):
                yield Task(backend, theorem.name, theorem, kernel, kernel.variant)


def _of(backend: str) -> Callable[[Theorem], bool]:
    """Whether a theorem is stated of a backend."""
    return lambda theorem: not theorem.backends or backend in theorem.backends


def _kernel_tasks(target: Target, backend: str, family: str, field: str) -> Iterator[Task]:
    check_overlap(family)
    name = f"{family}.{field}"
    kernels = target.kernels(backend, family, field)
    stated: list[Theorem | None] = [*filter(_of(backend), kernel_theorems().get(name, []))]
    for theorem in stated or [None]:
        if not kernels:
            yield Task(backend, name, theorem, None)
        for variant, kernel in enumerate(kernels):
            yield Task(backend, name, theorem, kernel, variant)

"""Theorems of rejection sampling: FIPS 203 algorithm 7, of public bytes, from which the code may branch.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import Any

from proofs.domains import NotProved
from proofs.domains.cases import Candidates
from proofs.domains.paths import Stream, explored
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.machine.x86_64.registers import ARGUMENTS
from proofs.theorems import fips203 as spec
from proofs.theorems.target import MAX_ALIGN, Execution, Kernel, Target

RATE = 72  # bytes of a block: 48 candidates, two or three steps of every loop and a rest
SIZES = (3, 51, RATE)  # one pair of candidates; too few for a vector kernel; a block
STARTS = (0, 216, 255)  # numbers of values there are: room for the block, for part of it, for one value more
CANDIDATE_BITS = 12


def candidates_in(size: int) -> list[Node]:
    """Algorithm 7: two candidates in three bytes, the lower bits first."""
    return [T.var(f"candidate {i}", CANDIDATE_BITS) for i in range(2 * size // 3)]


def prove_bytes(target: Target, kernel: Kernel) -> str:
    for size in SIZES:
        _prove_size(target, kernel, size)
    return f"{', '.join(map(str, SIZES))} bytes from {', '.join(map(str, STARTS))} values"


def _prove_size(target: Target, kernel: Kernel, size: int) -> None:
    run, variables = Execution(explored(target)), candidates_in(size)
    f = run.output(spec.N, 16, MAX_ALIGN)
    stream = run.machine.stream = Stream(Candidates(variables, spec.Q), f.address, spec.N)
    run.machine.number = _result

    def each_start(machine: Any) -> Iterator[int]:
        for have in STARTS:
            registers, index = (machine.gpr, ARGUMENTS[1]) if hasattr(machine, "gpr") else (machine.general, 1)
            registers[index] = T.const(have, 64)
            stream.start(machine.memory, have)
            yield have

    run.machine.begin = each_start
    run.call(kernel.address, f, 0, run.input(T.split(T.concat(variables), 8)), size)
    for outcome in run.machine.outcomes:
        _check_end(outcome.decided, outcome.have, len(variables))
        if outcome.result != T.const(outcome.have, 64):
            raise NotProved(f"the result is not {outcome.have}")


def _check_end(decided: int, have: int, candidates: int) -> None:
    if have < spec.N and decided < candidates:
        raise NotProved(f"it ends after {decided} of {candidates} candidates with {have} values")


def _result(machine: Any) -> Node:
    return (machine.gpr if hasattr(machine, "gpr") else machine.general)[0]

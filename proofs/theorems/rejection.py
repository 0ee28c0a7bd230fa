"""Theorems of rejection sampling: FIPS 203 algorithm 7, of public bytes, from which the code may branch.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from proofs.domains import NotProved
from proofs.domains.cases import Candidates
from proofs.domains.paths import Stream, explored
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.machine.x86_64.registers import ARGUMENTS
from proofs.theorems import fips203 as spec
from proofs.theorems.bounds import constants
from proofs.theorems.target import CACHE_LINE, MAX_ALIGN, WORD, Buffer, Execution, Kernel, Target

STATE_WORDS = constants("keccak")["LK_KECCAK_WORDS"]
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


# ---- several streams at once ----


class Lane(NamedTuple):
    """A stream beside the one that is proved: example bytes, and the values there are before and after."""

    data: bytes
    before: int
    after: int


def example(number: int) -> Lane:
    """Random bytes; in every other lane they fill the polynomial."""
    data = random.Random(number).randbytes(RATE)
    packed = int.from_bytes(data, "little")
    accepted = sum((packed >> CANDIDATE_BITS * i) % (1 << CANDIDATE_BITS) < spec.Q for i in range(2 * RATE // 3))
    before = 230 if number % 2 else 17
    return Lane(data, before, min(spec.N, before + accepted))


def lanes_of(target: Target, kernel: Kernel) -> int:
    """The lanes of the Keccak kernels that a backend has beside these."""
    table = next(t for t in target.backends[kernel.backend] if t[kernel.family] == kernel.table)
    keccak = Kernel(kernel.backend, "keccak", "lanes", 0, table["keccak"])
    return target.sibling(keccak, "lanes") or 0


def prove_lanes(target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    for lane in range(lanes):
        for others in (False, True):
            _prove_lane(target, kernel, lanes, lane, others)
    return f"a block in each of {lanes} lanes, alone and beside examples, from {STARTS[0]} or {STARTS[1]} values"


def _prove_lane(target: Target, kernel: Kernel, lanes: int, lane: int, others: bool) -> None:
    run, variables = Execution(explored(target)), candidates_in(RATE)
    polynomials = [run.output(spec.N, 16, MAX_ALIGN) for _ in range(lanes)]
    beside = {i: example(i) for i in range(lanes) if others and i != lane}
    sinks = [run.in_place([T.const(n, 64) for n in (0, f.address, 0)], WORD) for f in polynomials]
    have_at = [sink.address + 2 * WORD for sink in sinks]
    for i, example_lane in beside.items():
        run.memory.put(have_at[i], [T.const(example_lane.before, 64)])
    stream = run.machine.stream = Stream(Candidates(variables, spec.Q), polynomials[lane].address, spec.N)
    run.machine.number = partial(_have_of, have_at[lane])

    def each_start(machine: Any) -> Iterator[int]:
        for have in STARTS[:2]:
            machine.memory.put(have_at[lane], [T.const(have, 64)])
            stream.start(machine.memory, have)
            yield have

    run.machine.begin = each_start
    streams = run.input([T.const(sink.address, 64) for sink in sinks], WORD)
    state = run.input(_interleaved(variables, lane, lanes, beside), CACHE_LINE)
    mask = sum(1 << i for i in [lane, *beside])
    run.call(kernel.address, streams, mask, state, lanes, RATE)
    full = sum(1 << i for i, other in beside.items() if other.after == spec.N)
    for outcome in run.machine.outcomes:
        _check_end(outcome.decided, outcome.have, len(variables))
        wanted = full | (outcome.have == spec.N) << lane
        if T.extract(outcome.result, 0, 32) != T.const(wanted, 32):
            raise NotProved(f"with {outcome.have} values in lane {lane} the result is not {wanted:#x}")
        if outcome.number != T.const(outcome.have, 64):
            raise NotProved(f"the number of values is not {outcome.have}")
    _check_others(run, polynomials, have_at, beside)


def _have_of(at: int, machine: Any) -> Node:
    return machine.memory.lanes(at, 1, 64)[0]


def _interleaved(variables: Sequence[Node], lane: int, lanes: int, beside: dict[int, Lane]) -> list[Node]:
    """Keccak states: word w of lane l at w * lanes + l. What no stream reads, and what follows the rate, is unknown."""
    columns = []
    for i in range(lanes):
        if i == lane:
            words = T.split(T.concat(variables), 64)
        else:
            data = beside[i].data if i in beside else b""
            words = [T.const(int.from_bytes(data[j : j + WORD], "little"), 64) for j in range(0, len(data), WORD)]
        columns.append([*words, *(T.fresh(64) for _ in range(STATE_WORDS - len(words)))])
    return [columns[i][w] for w in range(STATE_WORDS) for i in range(lanes)]


def _check_others(
    run: Execution, polynomials: Sequence[Buffer], have_at: Sequence[int], beside: dict[int, Lane]
) -> None:
    for i, other in beside.items():
        packed = int.from_bytes(other.data, "little")
        all_values = [(packed >> CANDIDATE_BITS * j) % (1 << CANDIDATE_BITS) for j in range(2 * RATE // 3)]
        accepted = [T.const(v, 16) for v in all_values if v < spec.Q][: other.after - other.before]
        at = polynomials[i].address + 2 * other.before
        if run.memory.lanes(at, len(accepted), 16) != accepted:
            raise NotProved(f"the values of lane {i} are wrong")
        if run.memory.lanes(have_at[i], 1, 64) != [T.const(other.after, 64)]:
            raise NotProved(f"the number of values of lane {i} is wrong")

"""Theorems of rejection sampling: FIPS 203 algorithm 7, of public bytes, from which the code may branch.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from proofs.domains import NotProved
from proofs.domains.cases import Candidates
from proofs.domains.paths import Stream, explored
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.machine.x86_64.registers import ARGUMENTS
from proofs.theorems import fips203 as spec
from proofs.theorems.fips202 import WORDS
from proofs.theorems.target import CACHE_LINE, MAX_ALIGN, Execution, Kernel, Target

RATE = 72  # bytes of a block: 48 candidates, two or three steps of every loop and a rest
SIZES = (3, 51, RATE)  # one pair of candidates; too few for a vector kernel; a block
STARTS = (0, 216, 255)  # numbers of values there are: room for the block, for part of it, for one value more
CANDIDATE_BITS = 12

Tell = Callable[[Any, Node], None]


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
    stream = Stream(Candidates(variables, spec.Q), f.address, spec.N)
    _explore(run, stream, STARTS, _set_second_argument, _result)
    run.call(kernel.address, f, 0, run.input(T.split(T.concat(variables), 8)), size)
    for outcome in run.machine.outcomes:
        _check_end(outcome.decided, outcome.have, len(variables))
        if outcome.result != T.const(outcome.have, 64):
            raise NotProved(f"the result is not {outcome.have}")


def _explore(run: Execution, stream: Stream, starts: Sequence[int], tell: Tell, number: Callable[[Any], Node]) -> None:
    """What the call is to explore: all paths from each number of values that there may be before, which `tell` tells
    the code; `number` finds the number of values at the end."""

    def each_start(machine: Any) -> Iterator[int]:
        for have in starts:
            tell(machine, T.const(have, 64))
            stream.start(machine.memory, have)
            yield have

    run.machine.stream, run.machine.number, run.machine.begin = stream, number, each_start


def _set_second_argument(machine: Any, have: Node) -> None:
    registers, index = (machine.gpr, ARGUMENTS[1]) if hasattr(machine, "gpr") else (machine.general, 1)
    registers[index] = have


def _check_end(decided: int, have: int, candidates: int) -> None:
    if have < spec.N and decided < candidates:
        raise NotProved(f"it ends after {decided} of {candidates} candidates with {have} values")


def _result(machine: Any) -> Node:
    return (machine.gpr if hasattr(machine, "gpr") else machine.general)[0]


# ---- several streams, in the lanes of a Keccak state ----

HAVE_AT = 16  # in lk_sink_state: behind two pointers


def prove_each_lane(target: Target, kernel: Kernel) -> str:
    """Each lane beside the others; there is no room for all values of a block."""
    counts = _lane_counts(target, kernel)
    for lanes in counts:
        for lane in range(lanes):
            _prove_lane(target, kernel, lanes, lane, (1 << lanes) - 1, STARTS[1])
    return f"each of {_told(counts)} lanes, {RATE} bytes after {STARTS[1]} values"


def prove_lane_alone(target: Target, kernel: Kernel) -> str:
    """The last lane, which no other stands behind; there is room for all values."""
    counts = _lane_counts(target, kernel)
    for lanes in counts:
        _prove_lane(target, kernel, lanes, lanes - 1, 1 << (lanes - 1), STARTS[0])
    return f"the last of {_told(counts)} lanes, {RATE} bytes after {STARTS[0]} values"


def _told(counts: Sequence[int]) -> str:
    return " and of ".join(map(str, counts))


def _lane_counts(target: Target, kernel: Kernel) -> list[int]:
    """Of the Keccak kernels that stand beside the kernel in a backend."""
    tables = (table for variants in target.backends.values() for table in variants)
    beside = {table["keccak"] for table in tables if table[kernel.family] == kernel.table}
    return sorted({target.sibling(Kernel("", "keccak", "lanes", 0, table), "lanes") or 0 for table in beside})


def _prove_lane(target: Target, kernel: Kernel, lanes: int, lane: int, mask: int, start: int) -> None:
    """Any bytes in one lane; in the others of the mask zeros, of which all are accepted."""
    run, variables = Execution(explored(target)), candidates_in(RATE)
    outputs = [run.output(spec.N, 16, MAX_ALIGN) for _ in range(lanes)]
    states = [run.in_place([T.const(x, 64) for x in (0, f.address, 0)], 8) for f in outputs]
    streams = run.input([T.const(s.address if mask >> i & 1 else 0, 64) for i, s in enumerate(states)], 8)
    have = states[lane].address + HAVE_AT
    _explore(
        run,
        Stream(Candidates(variables, spec.Q), outputs[lane].address, spec.N),
        (start,),
        lambda machine, n: machine.memory.put(have, [n]),
        lambda machine: machine.memory.lanes(have, 1, 64)[0],
    )
    words = run.input(_interleaved(T.split(T.concat(variables), 64), lanes, lane, mask), CACHE_LINE)
    run.call(kernel.address, streams, mask, words, lanes, RATE)
    for outcome in run.machine.outcomes:
        _check_end(outcome.decided, outcome.have, len(variables))
        if T.extract(outcome.result, 0, 32) != T.const((outcome.have == spec.N) << lane, 32):
            raise NotProved(f"lane {lane} has {outcome.have} values, and the lanes told complete are others")


def _interleaved(block: list[Node], lanes: int, lane: int, mask: int) -> list[Node]:
    """The words of all lanes' states: behind the block, and in lanes that take no part, anything."""
    block = block + [T.fresh(64) for _ in range(WORDS - len(block))]
    others = [T.const(0, 64) if mask >> i & 1 else T.fresh(64) for i in range(lanes)]
    return [block[w] if i == lane else others[i] for w in range(WORDS) for i in range(lanes)]

"""Theorems of rejection sampling: FIPS 203 algorithm 7, of public bytes, from which the code may branch.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from proofs.domains import NotProved
from proofs.domains.cases import Candidates
from proofs.domains.paths import Outcome, Stream, explored
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.machine.x86_64.registers import ARGUMENTS
from proofs.theorems import fips203 as spec
from proofs.theorems.bounds import SOURCES, constants
from proofs.theorems.fips202 import WORDS
from proofs.theorems.target import CACHE_LINE, MAX_ALIGN, Execution, Kernel, Target

FEWEST = 3  # bytes of a call: one pair of candidates
FEW = 51  # too few for some vector kernels
SHAKE_BLOCK = constants("keccak")["LK_SHAKE128_RATE"]
SHORT_BLOCK = 72  # two or three steps of every loop and a rest
ROOM = {"portable": 2, "avx512": 32}  # places that a kernel fills without asking
NUMBERS = (0, 216, 255)  # of values before: there is room for the block, for part of it, for one value more
CANDIDATE_BITS = 12

Tell = Callable[[Any, Node], None]


def stream_pieces() -> list[int]:
    """The bytes of AES that a sink gets at a time, the first and the next."""
    text = (SOURCES / "symmetric/serial.c").read_text()
    return [int(n) for n in re.findall(r"\bSTREAM_(?:FIRST|NEXT) = (\d+)", text)]


def candidates_in(size: int) -> list[Node]:
    """Algorithm 7: two candidates in three bytes, the lower bits first."""
    return [T.var(f"candidate {i}", CANDIDATE_BITS) for i in range(2 * size // 3)]


def prove_bytes(size: int, target: Target, kernel: Kernel) -> str:
    """From any number of values."""
    return _prove_bytes(size, None, target, kernel)


def prove_some(target: Target, kernel: Kernel) -> str:
    """Of few sizes, from few numbers of values."""
    for size in (FEWEST, FEW, SHORT_BLOCK):
        _prove_bytes(size, NUMBERS, target, kernel)
    return ""


def _prove_bytes(size: int, numbers: Sequence[int] | None, target: Target, kernel: Kernel) -> str:
    run, variables = Execution(explored(target)), candidates_in(size)
    f = run.output(spec.N, 16, MAX_ALIGN)
    _explore(run, _stream(kernel, variables, f.address), numbers, _set_second_argument, _result)
    run.call(kernel.address, f, 0, run.input(T.split(T.concat(variables), 8)), size)
    for outcome in run.machine.outcomes:
        _check_end(outcome, len(variables))
        if outcome.result != outcome.have:
            raise NotProved(f"the result is not {_told_number(outcome.have)}")
    return f"{len(run.machine.outcomes)} ends"


def _stream(kernel: Kernel, variables: list[Node], address: int) -> Stream:
    return Stream(Candidates(variables, spec.Q), address, spec.N, ROOM.get(kernel.backend, 0))


def _explore(
    run: Execution, stream: Stream, numbers: Sequence[int] | None, tell: Tell, number: Callable[[Any], Node]
) -> None:
    """What the call is to explore: all paths from these numbers of values before, or any, which `tell` tells the code;
    `number` finds the number of values at the end."""

    def each_start(machine: Any) -> Iterator[tuple[int, ...]]:
        for start in stream.starts() if numbers is None else ((n,) for n in numbers):
            have = start[0] if len(start) == 1 else None
            tell(machine, stream.number if have is None else T.const(have, 64))
            stream.start(machine.memory, have)
            yield start

    run.machine.stream, run.machine.number, run.machine.begin = stream, number, each_start


def _set_second_argument(machine: Any, have: Node) -> None:
    registers, index = (machine.gpr, ARGUMENTS[1]) if hasattr(machine, "gpr") else (machine.general, 1)
    registers[index] = have


def _told_number(have: Node) -> str:
    return str(T.val(have)) if T.is_const(have) else "the number of values"


def _is_full(have: Node) -> bool:
    return have == T.const(spec.N, 64)


def _check_end(outcome: Outcome, candidates: int) -> None:
    if not _is_full(outcome.have) and outcome.decided < candidates:
        number = _told_number(outcome.have)
        raise NotProved(f"it ends after {outcome.decided} of {candidates} candidates with {number} values")


def _result(machine: Any) -> Node:
    return (machine.gpr if hasattr(machine, "gpr") else machine.general)[0]


# ---- several streams, in the lanes of a Keccak state ----

HAVE_AT = 16  # in lk_sink_state: behind two pointers


def prove_each_lane(target: Target, kernel: Kernel) -> str:
    """Each lane beside the others; there is no room for all values of a block."""
    counts = _lane_counts(target, kernel)
    for lanes in counts:
        for lane in range(lanes):
            _prove_lane(target, kernel, lanes, lane, (1 << lanes) - 1, NUMBERS[1])
    return f"each of {_told(counts)} lanes"


def prove_lane_alone(target: Target, kernel: Kernel) -> str:
    """The last lane, which no other stands behind; there is room for all values."""
    counts = _lane_counts(target, kernel)
    for lanes in counts:
        _prove_lane(target, kernel, lanes, lanes - 1, 1 << (lanes - 1), NUMBERS[0])
    return f"the last of {_told(counts)} lanes"


def _told(counts: Sequence[int]) -> str:
    return " and of ".join(map(str, counts))


def _lane_counts(target: Target, kernel: Kernel) -> list[int]:
    """Of the Keccak kernels that stand beside the kernel in a backend."""
    tables = (table for variants in target.backends.values() for table in variants)
    beside = {table["keccak"] for table in tables if table[kernel.family] == kernel.table}
    return sorted({target.sibling(Kernel("", "keccak", "lanes", 0, table), "lanes") or 0 for table in beside})


def _prove_lane(target: Target, kernel: Kernel, lanes: int, lane: int, mask: int, start: int) -> None:
    """Any bytes in one lane; in the others of the mask zeros, of which all are accepted."""
    run, variables = Execution(explored(target)), candidates_in(SHORT_BLOCK)
    outputs = [run.output(spec.N, 16, MAX_ALIGN) for _ in range(lanes)]
    states = [run.in_place([T.const(x, 64) for x in (0, f.address, 0)], 8) for f in outputs]
    streams = run.input([T.const(s.address if mask >> i & 1 else 0, 64) for i, s in enumerate(states)], 8)
    have = states[lane].address + HAVE_AT
    _explore(
        run,
        _stream(kernel, variables, outputs[lane].address),
        (start,),
        lambda machine, n: machine.memory.put(have, [n]),
        lambda machine: machine.memory.lanes(have, 1, 64)[0],
    )
    words = run.input(_interleaved(T.split(T.concat(variables), 64), lanes, lane, mask), CACHE_LINE)
    run.call(kernel.address, streams, mask, words, lanes, SHORT_BLOCK)
    for outcome in run.machine.outcomes:
        _check_end(outcome, len(variables))
        if T.extract(outcome.result, 0, 32) != T.const(_is_full(outcome.have) << lane, 32):
            number = _told_number(outcome.have)
            raise NotProved(f"lane {lane} has {number} values, and the lanes told complete are others")


def _interleaved(block: list[Node], lanes: int, lane: int, mask: int) -> list[Node]:
    """The words of all lanes' states: behind the block, and in lanes that take no part, anything."""
    block = block + [T.fresh(64) for _ in range(WORDS - len(block))]
    others = [T.const(0, 64) if mask >> i & 1 else T.fresh(64) for i in range(lanes)]
    return [block[w] if i == lane else others[i] for w in range(WORDS) for i in range(lanes)]

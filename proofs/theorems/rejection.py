"""Theorems of rejection sampling: FIPS 203 algorithm 7, of public bytes, from which the code may branch.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import shake_128
from typing import NamedTuple

from proofs.domains import NotProved
from proofs.domains.cases import Candidates
from proofs.domains.paths import Exploring, Outcome, Remembering, Stream
from proofs.machine import terms as T
from proofs.machine.processor import RESULT
from proofs.machine.terms import Node
from proofs.theorems import fips203 as spec
from proofs.theorems.bounds import SOURCES
from proofs.theorems.contracts import FIRST_LANES, XOF_BLOCK, LaneRejection, Rejection, rejection
from proofs.theorems.fips202 import WORDS
from proofs.theorems.target import BUFFER_SPACE, FIRST_BUFFER, MAX_ALIGN, Buffer, Execution, Kernel, Target
from proofs.theorems.theorem import NEON

FEWEST = 3  # bytes of a call: one pair of candidates
FEW = 51  # too few for some vector kernels
SHORT = 72  # two or three steps of every loop and a rest
ALIGNMENTS = (0, 1, 2, 63)  # of the bytes to 64; the polynomial is aligned to 0, 16, 32 and 48
ROOM = {"portable": 2, "avx2": 16}  # places that a kernel fills without asking
MOST_ROOM = 32
CANDIDATE_BITS = 12

Tell = Callable[[Exploring, Node], None]


def stream_pieces() -> list[int]:
    """The bytes of AES that a sink gets at a time: the first, in the small build and in others, and the next."""
    text = (SOURCES / "symmetric/serial.c").read_text()
    first, following = (re.findall(rf"\bSTREAM_{name} = ([^,}}]*)", text) for name in ("FIRST", "NEXT"))
    return sorted({int(n) for value in (*first, *following) for n in re.findall(r"\d+", value)})


def candidates_in(size: int) -> list[Node]:
    """Algorithm 7: two candidates in three bytes, the lower bits first."""
    return [T.var(f"candidate {i}", CANDIDATE_BITS) for i in range(2 * size // 3)]


def prove_bytes(contract: Rejection, target: Target, kernel: Kernel) -> str:
    """From any number of values."""
    return f"{_prove_bytes(contract, (), target, kernel)} ends"


def prove_places(target: Target, kernel: Kernel) -> str:
    """The same of a short call, wherever its buffers lie of these places."""
    for addresses in places():
        _prove_bytes(rejection(SHORT), addresses, target, kernel)
    return ""


def places() -> list[tuple[int, int]]:
    """Addresses of the polynomial and of the bytes: adjacent in both orders, and apart at several alignments."""
    near = [(FIRST_BUFFER, FIRST_BUFFER + spec.N * 2), (FIRST_BUFFER + MAX_ALIGN, FIRST_BUFFER + MAX_ALIGN - SHORT)]
    apart = [(FIRST_BUFFER + MAX_ALIGN * i, FIRST_BUFFER + BUFFER_SPACE + n) for i, n in enumerate(ALIGNMENTS)]
    return near + apart


def _prove_bytes(contract: Rejection, addresses: tuple[int, ...], target: Target, kernel: Kernel) -> int:
    run, variables = Execution(_explored(target), addresses), candidates_in(contract.size)
    f = run.output(spec.N, 16, contract.align)
    machine = _explore(run, _stream(kernel, variables, f.address, contract.below), _set_second_argument, _result)
    run.call(kernel.address, f, 0, run.input(T.split(T.concat(variables), 8)), contract.size)
    for outcome in machine.outcomes:
        _check_end(outcome, len(variables))
    return len(machine.outcomes)


def _explored(target: Target) -> Target:
    return target.at_one_place().on(Exploring).in_memory(Remembering)


def _stream(kernel: Kernel, variables: list[Node], address: int, below: int) -> Stream:
    return Stream(Candidates(variables, below), address, spec.N, ROOM.get(kernel.backend, MOST_ROOM))


def _explore(run: Execution, stream: Stream, tell: Tell, number: Callable[[Exploring], Node]) -> Exploring:
    """Explores the call: all paths from any number of values before, which `tell` passes to the code. `number`
    finds the number of values at the end."""

    def each_start(machine: Exploring) -> Iterator[tuple[int, ...]]:
        for start in stream.starts():
            have = start[0] if len(start) == 1 else None
            tell(machine, stream.number if have is None else T.const(have, 64))
            stream.start(machine.memory, have)
            yield start

    machine = run.machine
    assert isinstance(machine, Exploring)
    machine.stream, machine.number, machine.begin = stream, number, each_start
    return machine


def _set_second_argument(machine: Exploring, have: Node) -> None:
    machine.general[machine.ARGUMENTS[1]] = have


def _told_number(have: Node) -> str:
    return str(T.val(have)) if T.is_const(have) else "the number of values"


def _is_full(have: Node) -> bool:
    return have == T.const(spec.N, 64)


def _check_end(outcome: Outcome, candidates: int) -> None:
    number = _told_number(outcome.have)
    if not _is_full(outcome.have) and outcome.decided < candidates:
        raise NotProved(f"it ends after {outcome.decided} of {candidates} candidates with {number} values")
    if outcome.number != outcome.have:
        raise NotProved(f"it ends with {number} values, and the number told is another")


def _result(machine: Exploring) -> Node:
    return machine.general[RESULT]


# ---- several streams, in the lanes of a Keccak state ----

HAVE_AT = 16  # in lk_sink_state: behind two pointers
LANES = {"avx512": 8} | dict.fromkeys(NEON, 3)  # at most
NUMBERS = (0, spec.N - 1)  # of values before in the other lanes: there is room for all, or for one


class Lane(NamedTuple):
    """A lane's polynomial, its state, and the words of its block."""

    f: Buffer
    state: Buffer
    words: list[Node]

    @property
    def have(self) -> int:
        """The address of its number of values."""
        return self.state.address + HAVE_AT


def prove_lane(contract: LaneRejection, target: Target, kernel: Kernel) -> str:
    """Any bytes in one lane, after any number of values: alone, and beside the others."""
    counts = [lanes for lanes in target.lanes_beside(kernel) if lanes > contract.lane]
    if not counts:
        raise NotProved(f"there is no lane {contract.lane}")
    for lanes in counts:
        for others in beside(contract.lane, lanes, contract.beside):
            _prove_lane(contract, target, kernel, lanes, others)
    return f"of {' and of '.join(map(str, counts))} lanes"


def beside(lane: int, lanes: int, numbers: tuple[int, int]) -> list[dict[int, int]]:
    """The other lanes of the examples, with the number of values that each has before."""
    calls: list[dict[int, int]] = [{}, *({i: number for i in range(lanes) if i != lane} for number in numbers)]
    if lane < FIRST_LANES < lanes:
        calls.append({i: numbers[1] for i in range(FIRST_LANES) if i != lane})
    return calls


def _prove_lane(contract: LaneRejection, target: Target, kernel: Kernel, lanes: int, others: Mapping[int, int]) -> None:
    """The others have so many values before, and examples of blocks."""
    lane = contract.lane
    run, variables = Execution(_explored(target)), candidates_in(contract.size)
    all_lanes = {i: _other_lane(contract, run, i, number) for i, number in others.items()}
    f = run.output(spec.N, 16, contract.align)
    mine = all_lanes[lane] = Lane(f, _state(run, f, 0), T.split(T.concat(variables), 64))
    machine = _explore(
        run,
        _stream(kernel, variables, f.address, contract.below),
        lambda machine, n: machine.memory.put(mine.have, [n]),
        lambda machine: machine.memory.lanes(mine.have, 1, 64)[0],
    )
    pointers = [T.const(all_lanes[i].state.address if i in all_lanes else 0, 64) for i in range(lanes)]
    words = run.input(_interleaved({i: x.words for i, x in all_lanes.items()}, lanes), contract.states)
    run.call(kernel.address, run.input(pointers, 8), sum(1 << i for i in all_lanes), words, lanes, contract.size)
    complete = sum(_check_other(run, i, all_lanes[i], number) << i for i, number in others.items())
    for outcome in machine.outcomes:
        _check_end(outcome, len(variables))
        if T.extract(outcome.result, 0, 32) != T.const(complete | _is_full(outcome.have) << lane, 32):
            number = _told_number(outcome.have)
            raise NotProved(f"lane {lane} has {number} values, and the lanes told complete are others")


def _state(run: Execution, f: Buffer, have: int) -> Buffer:
    return run.in_place([T.const(x, 64) for x in (0, f.address, have)], 8)


def _other_lane(contract: LaneRejection, run: Execution, i: int, have: int) -> Lane:
    """With values before, anything behind them, and an example of a block."""
    f = run.output(spec.N, 16, contract.align)
    run.memory.put(f.address, _values_of(i))
    block = int.from_bytes(_example(i), "little")
    return Lane(f, _state(run, f, have), T.split(T.const(block, 8 * XOF_BLOCK), 64))


def _values_of(i: int) -> list[Node]:
    return [T.var(f"value {k} of lane {i}", 16) for k in range(spec.N)]


def _example(i: int) -> bytes:
    return shake_128(bytes([i])).digest(XOF_BLOCK)


def _check_other(run: Execution, i: int, lane: Lane, have: int) -> bool:
    """Its values are those before and those that its block gives, as far as there is room. Whether it is full."""
    block = int.from_bytes(_example(i), "little")
    candidates = [block >> at & (1 << CANDIDATE_BITS) - 1 for at in range(0, 8 * XOF_BLOCK, CANDIDATE_BITS)]
    wanted = [*_values_of(i)[:have], *(T.const(x, 16) for x in candidates if x < spec.Q)][: spec.N]
    if run.read(lane.f)[: len(wanted)] != wanted:
        raise NotProved(f"the values in lane {i} are not those of its block")
    if run.memory.lanes(lane.have, 1, 64) != [T.const(len(wanted), 64)]:
        raise NotProved(f"the number of values in lane {i} is not {len(wanted)}")
    return len(wanted) == spec.N


def _interleaved(blocks: Mapping[int, list[Node]], lanes: int) -> list[Node]:
    """The words of all lanes' states: behind the block, and in lanes that take no part, anything."""

    def word(lane: int, w: int) -> Node:
        block = blocks.get(lane, [])
        return block[w] if w < len(block) else T.fresh(64)

    return [word(lane, w) for w in range(WORDS) for lane in range(lanes)]

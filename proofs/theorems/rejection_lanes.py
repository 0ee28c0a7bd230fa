"""Theorem of rejection sampling in lanes: no lane's values depend on another lane, in any set of lanes.

The code is executed on a set that is a variable, on pointers, numbers of values and words that are variables, each of
one lane. If it asks something about all lanes together, each answer has to be that of an example for which the
lane's own theorem (rejection.py) has been proved. SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

import numpy as np

from proofs.domains import NotProved, bitvector
from proofs.domains.apart import Conditions, LaneMemory, Owners, Separating, bit, first
from proofs.domains.rebuilding import rebuilt
from proofs.machine import terms as T
from proofs.machine.processor import RESULT
from proofs.machine.terms import Node
from proofs.theorems.contracts import FIRST_LANES, LanesApart
from proofs.theorems.fips202 import WORDS
from proofs.theorems.rejection import beside
from proofs.theorems.target import CACHE_LINE, Buffer, Execution, Kernel, Target

SET = 1 << 40  # the variable set takes its place
Sets = tuple[int, ...]  # of lanes, a bit for each


def prove_apart(contract: LanesApart, target: Target, kernel: Kernel) -> str:
    counts = target.lanes_beside(kernel)
    for lanes in counts:
        for sets in _kinds(lanes):
            Lanes(contract, lanes, sets).prove(target, kernel)
    return f"of {' and of '.join(map(str, counts))} lanes"


def _kinds(lanes: int) -> list[Sets]:
    """All sets of lanes, those within the first few by themselves."""
    every = tuple(range(1 << lanes))
    if lanes <= FIRST_LANES:
        return [every]
    return [every[: 1 << FIRST_LANES], every[1 << FIRST_LANES :]]


class Lanes:
    """A call with a set of lanes that is one of `sets`, whichever."""

    def __init__(self, contract: LanesApart, lanes: int, sets: Sets) -> None:
        self._contract, self._lanes, self._sets = contract, lanes, sets
        self._owners = Owners(lanes)
        self._beside_set = Owners(lanes)  # without lanes: terms that say but which of them are in the set,
        self._beside_numbers = Owners(lanes)  # or that and their numbers
        self._member = [self._own(f"lane {i} is in the set", 1, i) for i in range(lanes)]
        for n in self._member:
            self._beside_set.give(n, 0)
        width = (contract.most - 1).bit_length()
        self._number = [self._own(f"number of values of lane {i}", width, i) for i in range(lanes)]
        for n in [*self._member, *self._number]:
            self._beside_numbers.give(n, 0)
        self._out = [self._own(f"polynomial of lane {i}", 64, i) for i in range(lanes)]
        self._conditions: list[Node] = []  # about all lanes
        self._decided: dict[Node, Node] = {}
        tables = [tuple(members >> i & 1 for members in sets) for i in range(lanes)]
        self._alike = dict(zip(tables, self._member, strict=True))  # conditions, by their values for all sets

    def _own(self, name: str, width: int, lane: int) -> Node:
        return self._owners.give(T.var(name, width), 1 << lane)

    def prove(self, target: Target, kernel: Kernel) -> None:
        run = Execution(target.at_one_place().on(Separating).in_memory(LaneMemory))
        machine = run.machine
        assert isinstance(machine, Separating)
        machine.owners, machine.decide, machine.present = self._owners, self._decide, reduce(or_, self._sets)
        machine.is_kept = lambda n: not self._beside_numbers.of(n)
        states = [run.in_place(self._state(i), 8) for i in range(self._lanes)]
        machine.end = lambda machine, conditions: self._check_end(run, states, machine, conditions)
        pointers = run.input([T.const(s.address, 64) for s in states], 8)
        words = [self._own(f"word {w} of lane {i}", 64, i) for w in range(WORDS) for i in range(self._lanes)]
        machine.instead = {SET: T.concat([*self._member, T.const(0, 32 - self._lanes), T.fresh(32)])}
        run.call(kernel.address, pointers, SET, run.input(words, CACHE_LINE), self._lanes, self._contract.size)
        for lane in range(self._lanes):
            self._check_conditions(lane)

    def _state(self, lane: int) -> list[Node]:
        return [T.const(0, 64), self._out[lane], T.zext(self._number[lane], 64)]

    def _decide(self, n: Node) -> Node:
        """A term that says but which lanes are in the set: a constant, or the first of those that say the same."""
        if n not in self._decided:
            self._decided[n] = n if self._beside_set.of(n) else self._first_alike(n)
        return self._decided[n]

    def _first_alike(self, n: Node) -> Node:
        (values,) = T.evaluate([n], {m: np.array(self._sets) >> i & 1 for i, m in enumerate(self._member)})
        table = tuple(map(int, np.broadcast_to(values, len(self._sets))))
        if len(set(table)) == 1:
            return T.const(table[0], T.W[n])
        if T.W[n] > 1:
            return n
        opposite = self._alike.get(tuple(1 - x for x in table))
        return T.not_(opposite) if opposite else self._alike.setdefault(table, n)

    def _check_end(self, run: Execution, states: Sequence[Buffer], machine: Separating, conditions: Conditions) -> None:
        result = machine.general[RESULT]
        for lane, state in enumerate(states):
            sink, out, have = run.read(state)
            if [sink, out] != self._state(lane)[:2]:
                raise NotProved(f"the state of lane {lane} has another polynomial")
            self._check_own(lane, have, "the number of values")
            self._check_own(lane, bit(result, lane), "whether it is complete")
        if any(bit(result, i) != T.const(0, 1) for i in range(self._lanes, 32)):
            raise NotProved("the result has lanes that are not there")
        self._conditions += [n for n, _ in conditions if n not in self._conditions]
        if any(map(self._beside_numbers.of, self._conditions)):
            raise NotProved("what is asked about all lanes depends on their bytes")

    def _check_own(self, lane: int, n: Node, what: str) -> None:
        if others := self._owners.of(n) & ~(1 << lane):
            raise NotProved(f"{what} of lane {lane} depends on lane {first(others)}")

    def _check_conditions(self, lane: int) -> None:
        """The answers to questions about all lanes are those of one of this lane's examples."""
        examples = [self._example(lane, others) for others in beside(lane, self._lanes, self._contract.beside)]
        same = [
            reduce(T.and_, [T.eq(n, rebuilt(n, dict(example))) for n in self._conditions], T.const(1, 1))
            for example in examples
            if example is not None
        ]
        if any(members >> lane & 1 for members in self._sets):
            is_one = reduce(T.or_, map(self._is_set, self._sets))
            claim = reduce(T.or_, same, T.const(0, 1))
            bitvector.check(claim, f"that lane {lane} has an example", [self._member[lane], is_one])

    def _example(self, lane: int, others: Mapping[int, int]) -> dict[Node, Node] | None:
        """The other lanes of an example; None if its set is another kind."""
        members = {*others, lane}
        if sum(1 << i for i in members) not in self._sets:
            return None
        new = {n: T.const(i in members, 1) for i, n in enumerate(self._member)}
        numbers = {n: T.const(others.get(i, 0), T.W[n]) for i, n in enumerate(self._number) if i != lane}
        return new | numbers

    def _is_set(self, members: int) -> Node:
        return T.eq(T.concat(self._member), T.const(members, self._lanes))

"""Lanes apart: snippets of x86-64 with two lanes. rdi points to a word of each and to a pointer of each, and the lowest
bits of rsi say which of them are in the set.

SPDX-License-Identifier: Apache-2.0
"""

from itertools import product
from types import SimpleNamespace
from typing import cast

import pytest
from test_machine_x86_64 import CODE, Code

from proofs.domains import decisions
from proofs.domains.apart import Conditions, LaneMemory, Owners, Separating, bit
from proofs.domains.decisions import Decision
from proofs.machine import terms as T
from proofs.machine.image import Symbol
from proofs.machine.memory import Violation
from proofs.machine.processor import joined
from proofs.machine.terms import Node
from proofs.machine.x86_64 import Machine
from proofs.theorems.target import Execution, Target

NO_IMAGE = {"map_into": lambda self, memory, may_write: None}
SET = 0x5EED00001  # the set takes its place
LANES = 2

# Each adds a number to its word if it is in the set.
APART = "40f6c601740a488b074883c00548890740f6c602740c488b47084883c0074889470831c0c3"
THREADED = (
    "40f6c601750840f6c6027411eb0a4883070540f6c60274054883470807c3"  # the same, and lane 0's way asks for lane 1 itself
)
# The same three times, in a loop that begins anew at two places.
TWO_ENTRIES = "ba0300000040f6c60174044883070540f6c60274054883470807ffca740840f6c60175e7ebe9c3"
ROUNDS = "ba03000000483917740848830701ffca75f34883470807c3"  # a loop that lane 0 may leave, then lane 1 adds
# Bit i of the result: lane i is in the set, and its word is 9.
BITS = "31c040f6c601740a48833f090f94c00fb6c040f6c602740f48837f08090f94c10fb6c901c909c8c3"
OWN_MEMORY = "488b4710488b0f488908488b4718488b0848894f08c3"  # lane 0 stores to its memory, lane 1 loads from its own
COPIES = "488b0748894708c3"  # lane 0's word to lane 1's
DECIDES = "40f6c601740848c7470800000000c3"  # lane 1's word becomes 0 if lane 0 is in the set
LATE = "ba03000000483917740d488307014883470807ffca75eec3"  # lane 1 adds as long as lane 0 does
STORES = "488b4710488b4f08488908c3"  # lane 1's word to lane 0's memory
ON_A_PATH = "40f6c602740b488b471048c70000000000c3"  # lane 0 stores if lane 1 is in the set
TWO_LANES = "488b4710488b4f08488b1408c3"  # lane 0's pointer and lane 1's index
PUBLIC = "488b0748c7040700000000488b4708c3"  # lane 0's word is an index of everyone's memory
COUNT = "488b0f31c0480fa3c8c3"  # lane 0's word is the number of a bit
OUT = "40f6c601740a48c70705000000c390904883470807c3"  # without lane 0, out of the function
OUT_SIZE = 14
TOGETHER = "488b07480b47087404488307054883470807c3"  # lane 0 adds unless both words are 0


class Run:
    """A call with a set that is a variable. `ends` has the words of both lanes and the result, and what led there."""

    def __init__(self, text: str, is_kept: bool = False, size: int = 0) -> None:
        """`size` is that of the first function, if there is another one behind it."""
        owners, self.ends = Owners(LANES), list[tuple[list[Node], Node, Conditions]]()
        self.owners = owners
        self.set, self.words, self.pointers = (
            [owners.give(T.var(f"{what} of lane {i}", width), 1 << i) for i in range(LANES)]
            for what, width in (("membership", 1), ("word", 64), ("pointer", 64))
        )
        image = type("Snippet", (Code,), NO_IMAGE)(text)
        end = len(bytes.fromhex(text))
        size = size or end
        image.named = {"f": [Symbol(CODE, size)], "g": [Symbol(CODE + size, end - size)]}
        target = SimpleNamespace(image=image, machine=joined(Separating, Machine), memory=LaneMemory, anywhere=False)
        run = Execution(cast(Target, target))
        machine = run.machine
        assert isinstance(machine, Separating)
        machine.owners, machine.present = owners, (1 << LANES) - 1
        machine.decide, machine.is_kept = lambda n: n, lambda n: is_kept
        machine.instead = {SET: T.concat([*self.set, T.const(0, 62)])}
        state = run.in_place([*self.words, *self.pointers])
        machine.end = lambda machine, conditions: self.ends.append(
            (run.read(state)[:LANES], machine.general[0], conditions)
        )
        run.call(CODE, state, SET)

    def lanes(self, end: int = 0) -> list[int]:
        """The lanes on which the words depend."""
        return [self.owners.of(n) for n in self.ends[end][0]]


@pytest.mark.parametrize("text", [APART, THREADED, TWO_ENTRIES, ROUNDS])
def test_each_word_depends_on_its_lane(text: str) -> None:
    run = Run(text)
    assert run.lanes() == [1, 2]
    assert len(run.ends) == 1


def test_what_is_joined_is_right() -> None:
    run = Run(TWO_ENTRIES, is_kept=True)
    for members in product((0, 1), repeat=LANES):
        env = dict(zip([*run.set, *run.words], [*members, 100, 200], strict=True))
        assert [int(x) for x in T.evaluate(run.ends[0][0], env)] == [100 + 15 * members[0], 200 + 21 * members[1]]


def test_bits_of_a_result_have_a_lane_each() -> None:
    run = Run(BITS)
    result = run.ends[0][1]
    assert [run.owners.of(bit(result, i)) for i in range(3)] == [1, 2, 0]


def test_a_lane_has_its_own_memory() -> None:
    run = Run(OWN_MEMORY)
    assert run.lanes() == [1, 2]
    assert run.ends[0][0][1] != run.words[1]


@pytest.mark.parametrize(("text", "lanes"), [(COPIES, [1, 1]), (DECIDES, [1, 3]), (LATE, [1, 3])])
def test_a_word_that_depends_on_another_lane_is_seen(text: str, lanes: list[int]) -> None:
    assert Run(text).lanes() == lanes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (STORES, "what is stored for lane 0 depends on lane 1"),
        (ON_A_PATH, "what is stored for lane 0 depends on lane 1"),
        (TWO_LANES, "the address depends on data"),
        (COUNT, "the number of a bit depends on data"),
    ],
)
def test_lanes_that_meet_are_refused(text: str, message: str) -> None:
    with pytest.raises(Violation, match=message):
        Run(text)


def test_a_place_is_in_one_function() -> None:
    """One way goes on in another function, as many instructions behind its beginning."""
    with pytest.raises(Violation, match="two functions are at one place"):
        Run(OUT, size=OUT_SIZE)


def test_an_index_of_a_lane_leads_to_its_own_memory() -> None:
    """So a theorem has to show of each lane alone where its addresses lead."""
    assert Run(PUBLIC).lanes() == [1, 2]


def test_what_is_asked_about_all_lanes_is_executed_apart() -> None:
    run = Run(TOGETHER)
    assert [run.lanes(end) for end in range(2)] == [[1, 2]] * 2
    ((condition, first),), ((same, second),) = (conditions for _, _, conditions in run.ends)
    assert (condition, {first, second}) == (same, {False, True})
    assert run.owners.of(condition) == 3


# ---- decisions ----

A, B, C = (T.var(f"condition {i}", 1) for i in range(3))
VALUES = list(product((False, True), repeat=3))


def value(f: Decision, values: tuple[bool, ...]) -> bool:
    (found,) = T.evaluate([decisions.term(f)], dict(zip((A, B, C), map(int, values), strict=True)))
    return bool(found)


def test_decisions_have_one_form() -> None:
    a, b, c = (decisions.of(n, True) for n in (A, B, C))
    not_a = decisions.of(A, False)
    assert decisions.either(decisions.both(a, b), decisions.both(not_a, b)) == b
    assert decisions.either(a, not_a) is decisions.ALWAYS
    assert decisions.both(a, not_a) is decisions.NEVER
    assert decisions.conditions(decisions.either(decisions.both(a, b), decisions.both(b, c))) == {A, B, C}


def test_decisions_are_the_functions() -> None:
    a, b, c = (decisions.of(n, True) for n in (A, B, C))
    f, g = decisions.either(decisions.both(a, b), c), decisions.either(b, decisions.of(C, False))
    for values in VALUES:
        x, y, z = values
        assert value(f, values) == ((x and y) or z)
        assert value(decisions.both(f, g), values) == (value(f, values) and value(g, values))
        assert value(decisions.either(f, g), values) == (value(f, values) or value(g, values))
        if value(g, values):
            assert value(decisions.within(f, g), values) == value(f, values)


def test_what_is_known_is_not_asked() -> None:
    a, b = decisions.of(A, True), decisions.of(B, True)
    assert decisions.within(decisions.both(a, b), b) == a

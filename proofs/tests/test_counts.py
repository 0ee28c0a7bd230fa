"""Counts that are variables: snippets of x86-64 with an output in rdi, an input in rsi, and counts in edx and ecx.

SPDX-License-Identifier: Apache-2.0
"""

from types import SimpleNamespace
from typing import cast

import pytest
from test_machine_x86_64 import CODE, Code

from proofs.domains import NotProved
from proofs.domains.counts import Counting, CountingMemory, Counts
from proofs.machine import terms as T
from proofs.machine.memory import Violation
from proofs.machine.processor import joined
from proofs.machine.terms import Node
from proofs.machine.x86_64 import Machine
from proofs.theorems.target import Execution, Target

NO_IMAGE = {"map_into": lambda self, memory, may_write: None}
FIRST, SECOND = T.var("first count", 8), T.var("second count", 8)
STANDS_FOR = {0x5EED00001: FIRST, 0x5EED00002: SECOND}
MOST = 3
INPUT, OUTPUT = ([T.var(f"{name}[{i}]", 64) for i in range(MOST)] for name in ("x", "y"))

LOOP = "488b06 488907 4883c608 4883c708 ffca 75ee"  # copies a word, counts edx down
COPY = "85d2 7412" + LOOP + "c3"
LEAST = "89d0 39d1 0f42c1 c3"  # mov eax, edx; cmp ecx, edx; cmovb eax, ecx
MASKED = "b801000000 c4e269f7c0 ffc8 c5f992c8 62f1fec96f06 62f1fe497f07 c3"  # copies under the mask (1 << edx) - 1


def called(text: str, conditions: tuple[Node, ...] = ()) -> tuple[Counts, list[Node], Node]:
    """The words of the output, which has the first count of words, as has the input; and what is returned."""
    counts = Counts({FIRST: range(MOST + 1), SECOND: range(MOST + 1)}, conditions)
    image = type("Snippet", (Code,), NO_IMAGE)(text)
    target = SimpleNamespace(image=image, machine=joined(Counting, Machine), memory=CountingMemory, anywhere=False)
    instead = {value: T.zext(count, 64) for value, count in STANDS_FOR.items()}
    run = Execution(cast(Target, target))
    assert isinstance(run.machine, Counting)
    run.machine.counts, run.machine.instead = counts, instead
    out, data = run.in_place(OUTPUT), run.input(INPUT)
    assert isinstance(run.memory, CountingMemory)
    run.memory.counts.update({out.address: FIRST, data.address: FIRST})
    returned = run.call(CODE, out, data, *STANDS_FOR)
    return counts, run.read(out), returned


def with_count(counts: Counts, n: Node, first: int, wanted: Node) -> bool:
    return counts.is_equal(n, wanted, ((T.eq(FIRST, T.const(first, 8)), True),), {FIRST: T.const(first, 8)})


@pytest.mark.parametrize("text", [COPY, MASKED])
def test_so_many_words_are_copied(text: str) -> None:
    counts, out, _ = called(text)
    for first in range(MOST + 1):
        for i, n in enumerate(out):
            assert with_count(counts, n, first, INPUT[i] if i < first else OUTPUT[i])
            assert not with_count(counts, n, first, OUTPUT[i] if i < first else INPUT[i])


def test_paths_meet_in_a_choice() -> None:
    counts, _, returned = called(LEAST)
    least = T.ite(T.ult(SECOND, FIRST), SECOND, FIRST)
    assert counts.decide(T.eq(returned, T.zext(least, 64)), ()) is True
    assert counts.decide(T.eq(returned, T.zext(FIRST, 64)), ()) is None


def test_conditions_hold_of_counts_together() -> None:
    counts, _, returned = called(LEAST, (T.ult(FIRST, SECOND),))
    assert counts.decide(T.eq(returned, T.zext(FIRST, 64)), ()) is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOOP + "c3", "whatever the number of its words"),  # a word of none; then on and on
        (COPY.replace("85d2", "85c9"), "whatever the number of its words"),  # by the other count
        (MASKED.replace("ffc8", "90 90"), "whatever the number of its words"),  # the mask is 1 << edx
        ("488b06 4885c0 7403 488907 c3", "whatever the number of its words"),
    ],
)
def test_words_beyond_the_count_are_refused(text: str, message: str) -> None:
    with pytest.raises(Violation, match=message):
        called(text)


def test_data_decide_no_branch() -> None:
    with pytest.raises(Violation, match="depends on data"):
        called("85d2 740b 488b06 4885c0 7403 488907 c3", (T.ult(T.const(0, 8), FIRST),))


def test_a_lane_may_depend_on_another_ones_count() -> None:
    """cmp ecx, 2; jne over: mov qword [rdi], 0: it is seen in the first word, whatever its own count is."""
    counts, out, _ = called("83f902 7507 48c70700000000 c3", (T.ult(T.const(0, 8), FIRST),))
    assert not with_count(counts, out[0], 1, OUTPUT[0])
    assert with_count(counts, out[1], 1, OUTPUT[1])


def test_paths_that_do_not_meet_are_refused() -> None:
    """test edx, edx; je over: push rax."""
    with pytest.raises((NotProved, Violation)):
        called("85d2 7401 50 c3")

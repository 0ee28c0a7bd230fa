"""Memory stops what a proof forbids. SPDX-License-Identifier: Apache-2.0"""

import pytest

from proofs.machine import terms as T
from proofs.machine.memory import Memory, Violation

AT = 0x100000 - 16  # a buffer that crosses a page


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    memory.region(AT, 64, True, "f")
    memory.region(0x200000, 64, False, "constants")
    memory.back(0x200000, bytes(range(64)))
    memory.put(AT, [T.var(f"f{i}", 16) for i in range(16)])
    return memory


@pytest.mark.parametrize(
    ("at", "size", "message"),
    [
        (AT - 1, 1, "outside"),
        (AT + 63, 2, "outside"),
        (AT + 64, 1, "outside"),
        (0, 8, "outside"),
        (AT + 31, 2, "uninitialised"),
    ],
)
def test_reads_that_are_refused(memory: Memory, at: int, size: int, message: str) -> None:
    with pytest.raises(Violation, match=message):
        memory.load(at, size)


def test_writes_that_are_refused(memory: Memory) -> None:
    with pytest.raises(Violation, match="read-only constants"):
        memory.store(0x200000, T.const(0, 8))
    with pytest.raises(Violation, match="outside"):
        memory.store(AT + 60, T.const(0, 64))
    with pytest.raises(Violation, match="store of 12 bits"):
        memory.store(AT, T.const(0, 12))


def test_regions_may_not_overlap(memory: Memory) -> None:
    with pytest.raises(ValueError, match="overlaps f"):
        memory.region(AT + 63, 8, True, "g")


def test_words_are_found_again_in_any_cut(memory: Memory) -> None:
    f = [T.var(f"f{i}", 16) for i in range(16)]
    assert memory.load(AT + 14, 4) == T.concat(f[7:9])  # across the page
    assert memory.load(AT + 1, 2) == T.concat([T.extract(f[0], 8, 8), T.extract(f[1], 0, 8)])
    word = T.var("w", 64)
    memory.store(AT + 12, word)
    assert memory.load(AT + 12, 8) == word
    memory.store(AT + 14, T.const(0xAB, 8))
    assert memory.load(AT + 12, 8) == T.concat([T.extract(word, 0, 16), T.const(0xAB, 8), T.extract(word, 24, 40)])


def test_constants_are_there_from_the_start(memory: Memory) -> None:
    assert T.val(memory.load(0x200003, 4)) == 0x06050403


def test_what_nobody_wrote_may_be_unknown() -> None:
    memory = Memory(unwritten_is_unknown=True)
    memory.region(0, 8, True, "padding")
    first = memory.load(0, 1)
    assert T.is_unknown(first)
    assert first == memory.load(0, 1)
    assert first != memory.load(1, 1)

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


def test_what_was_never_written_on_the_stack_stays_there(memory: Memory) -> None:
    memory.region(0x300000, 64, True, "stack", own=True)
    memory.store(0x300000, T.const(7, 16))
    word = memory.load(0x300000, 8)
    assert word == memory.load(0x300000, 8), "a byte is the same until it is written"
    memory.store(0x300010, T.add(word, word))
    copied = memory.load(0x300010, 8)
    memory.store(AT, T.extract(word, 0, 16))
    assert T.val(memory.load(AT, 2)) == 7
    for n in (T.extract(word, 8, 16), copied, T.ite(T.is_zero(word), T.const(1, 8), T.const(2, 8))):
        with pytest.raises(Violation, match="what was never written on the stack reaches f"):
            memory.store(AT, n)
    memory.store(0x300002, T.const(0, 48))
    memory.store(AT, memory.load(0x300000, 8))


def test_no_other_memory_may_be_read_before_it_is_written(memory: Memory) -> None:
    memory.region(0x300000, 64, True, "stack", own=True)
    memory.region(0x300040, 64, True, "arguments")
    for at, size in ((AT + 32, 1), (AT + 60, 4), (0x300040, 8)):
        with pytest.raises(Violation, match="uninitialised"):
            memory.load(at, size)
    with pytest.raises(Violation, match="outside every buffer"):
        memory.load(0x30003C, 8)
    with pytest.raises(Violation, match="uninitialised"):
        memory.lanes(0x300080, 1, 8)


def test_what_nobody_wrote_may_be_unknown() -> None:
    memory = Memory(unwritten_is_unknown=True)
    memory.region(0, 8, True, "padding")
    first = memory.load(0, 1)
    assert T.is_unknown(first)
    assert first == memory.load(0, 1)
    assert first != memory.load(1, 1)

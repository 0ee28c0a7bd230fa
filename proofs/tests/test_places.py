"""A kernel may not depend on where its buffers lie: snippets of x86-64 with an output in rdi and an input in rsi.

SPDX-License-Identifier: Apache-2.0
"""

from types import SimpleNamespace
from typing import cast

import pytest
from test_machine_x86_64 import CODE, Code

from proofs.machine import terms as T
from proofs.machine.frames import StackMemory, forgetting
from proofs.machine.memory import Violation
from proofs.machine.x86_64 import Machine
from proofs.theorems.bounds import HEADERS, check_overlap
from proofs.theorems.target import Execution, Target

CONSTANTS = range(0x20000000, 0x20000100)
IMAGE = {"map_into": lambda self, memory, may_write: None, "constants": [CONSTANTS]}


def called(text: str, align: int = 1) -> Execution:
    image = type("Snippet", (Code,), IMAGE)(text)
    target = SimpleNamespace(image=image, machine=forgetting(Machine), memory=StackMemory, anywhere=True)
    run = Execution(cast(Target, target))
    out = run.output(8, 8, align)
    run.call(CODE, out, run.input([T.var(f"x[{i}]", 8) for i in range(8)]))
    return run


END_OF_OUT = "488d4708"  # lea rax, [rdi + 8]
WRITE = "c60701"  # mov byte [rdi], 1


def test_addresses_in_a_buffer_may_be_compared() -> None:
    """Until rdi = rax: mov byte [rdi], 0; inc rdi."""
    called(END_OF_OUT + "c60700 48ffc7 4839c7 75f5 c3")


def test_the_distance_of_two_buffers_may_be_added_again() -> None:
    """mov rax, rsi; sub rax, rdi; movzx eax, byte [rdi + rax]; mov [rdi], al."""
    called("4889f0 4829f8 0fb60407 8807 c3")


@pytest.mark.parametrize(("align", "refused"), [(1, True), (8, True), (16, False), (64, False)])
def test_a_branch_on_alignment(align: int, refused: bool) -> None:
    """test dil, 15; jnz to the end."""
    text = "40f6c70f 7503" + WRITE + "c3"
    if refused:
        with pytest.raises(Violation, match="written to an output of 8 bytes depends on where buffers lie"):
            called(text, align)
    else:
        called(text, align)


@pytest.mark.parametrize("distance", ["03", "00"])
def test_a_branch_on_adjacency(distance: str) -> None:
    """cmp rsi, rax; je over the write, or to the write: then both ways write the same."""
    text = END_OF_OUT + "4839c6 74" + distance + WRITE + "c3"
    if distance == "00":
        called(text)
    else:
        with pytest.raises(Violation, match="depends on where buffers lie"):
            called(text)


def test_an_address_may_be_rounded_to_what_it_is_aligned_to() -> None:
    """lea rax, [rdi + 15]; and rax, -8; mov byte [rax - 8], 1; mov ecx, eax; sub ecx, edi; store at rdi + rcx - 1."""
    text = "488d470f 4883e0f8 c640f801 89c1 29f9 c6440fff01 c3"
    called(text, 8)
    with pytest.raises(Violation, match="outside every buffer"):
        called(text, 4)


@pytest.mark.parametrize("filled", [True, False])
def test_every_value_of_bits_that_are_rounded_off_is_tried(filled: bool) -> None:
    """mov rax, 0x0101010101010101; mov [rdi], rax, or not; lea rax, [rdi + 7]; and rax, -8; mov byte [rax], 1."""
    text = "48b80101010101010101 488907" * filled + "488d4707 4883e0f8 c60001 c3"
    if filled:
        called(text)
    else:
        with pytest.raises(Violation, match="written to an output of 8 bytes depends on where buffers lie"):
            called(text)


def test_a_buffer_is_not_in_the_frame() -> None:
    """lea rax, [rsp - 8]; cmp rax, rdi; je over the write."""
    called("488d4424f8 4839f8 7403" + WRITE + "c3")


def test_buffers_that_are_written_do_not_overlap() -> None:
    """cmp rsi, rdi; je."""
    called("4839fe 7403" + WRITE + "c3")


@pytest.mark.parametrize(
    ("address", "register", "refused"),
    [
        (CONSTANTS.start - 7, "c7", False),  # the output's last byte would be the first constant
        (CONSTANTS.start - 8, "c7", True),  # the output may end there
        (CONSTANTS.stop - 1, "c7", False),
        (CONSTANTS.stop, "c7", True),
        (CONSTANTS.start, "c6", True),  # the input may be a constant
    ],
)
def test_no_buffer_that_is_written_is_a_constant(address: int, register: str, refused: bool) -> None:
    """mov rax, address; cmp rdi or rsi, rax; je over the write."""
    text = f"48b8{address.to_bytes(8, 'little').hex()} 4839{register} 7403" + WRITE + "c3"
    if refused:
        with pytest.raises(Violation, match="depends on where buffers lie"):
            called(text)
    else:
        called(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4883e7f0" + WRITE + "c3", "a number depends on where an output of 8 bytes lies"),  # and rdi, -16
        ("0fb687 00000001 8807 c3", "an address in an input of 8 bytes is none of its own"),  # by a constant
        ("4889f8 4801f0 c60001 c3", "outside|none of its own"),  # the sum of two addresses
    ],
)
def test_addresses_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(Violation, match=message):
        called(text)


def test_an_address_is_no_number_that_may_be_written() -> None:
    """mov [rdi], rsi: it reaches the output as what it is, a variable, and no formula has it."""
    run = called("488937 c3")
    (word,) = run.memory.lanes(run.buffers.writable[0].address, 1, 64)
    assert word in run.buffers.symbols.values()


def test_every_family_says_what_may_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    for family in HEADERS:
        check_overlap(family)
    monkeypatch.setattr("proofs.theorems.bounds.OVERLAP", "Pointers may be equal.")
    with pytest.raises(ValueError, match="does not say"):
        check_overlap.__wrapped__("q3329")

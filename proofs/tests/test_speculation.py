"""Wrong ways behind branches: leaks that must be refused, and all else taken back.

SPDX-License-Identifier: Apache-2.0
"""

import json
from itertools import product
from pathlib import Path

import pytest
from aarch64_assembly import BUFFER, assembled, needs_compiler
from test_machine_x86_64 import BUFFER as X8664_BUFFER
from test_machine_x86_64 import CODE, IMPORT, Code

from proofs.machine import aarch64, x86_64
from proofs.machine import terms as T
from proofs.machine.frames import forgetting
from proofs.machine.image import Image
from proofs.machine.processor import Processor, joined
from proofs.machine.speculation import Speculating, TransientMemory
from proofs.theorems import speculation

PUBLIC = 8  # its place in the buffer, behind the secret
ROOT = Path(__file__).resolve().parents[2]


def speculating(machine: type[Processor], image: Image, buffer: int) -> Speculating:
    memory = TransientMemory()
    memory.region(buffer, 64, True, "buffer")
    memory.put(buffer, [T.var("secret", 64), *[T.const(buffer, 64)] * 7])
    made = joined(Speculating, forgetting(machine))(image, memory)
    made.window = 8
    return made


def on_x86_64(*parts: str) -> Speculating:
    """The code, called with the buffer's address."""
    machine = speculating(x86_64.Machine, Code("".join(parts)), X8664_BUFFER)
    machine.call(CODE, [X8664_BUFFER])
    return machine


NEVER = "31c0 85c0 75 {0:02x}"  # xor eax, eax; test eax, eax; jnz over so many bytes: it never does
LOAD_SECRET = "488b07"  # mov rax, [rdi]
LOAD_PUBLIC = "488b4708"  # mov rax, [rdi + 8]
FOLLOW = "488b00"  # mov rax, [rax]
BEYOND = "488b4740"  # mov rax, [rdi + 64]: behind the buffer
BRANCH = "4885c0 7400"  # test rax, rax; jz +0
RET = "c3"


def skipped(*parts: str) -> str:
    """Code that only a wrong way reaches: a jump over `ret`."""
    return NEVER.format(1) + RET + "".join(parts) + RET


@pytest.mark.parametrize(("code", "what"), [(FOLLOW, "the address"), (BRANCH, "the branch")])
def test_a_secret_that_decides_on_a_wrong_way_is_a_leak(code: str, what: str) -> None:
    (leak,) = on_x86_64(skipped(LOAD_SECRET, code)).leaks
    assert f"{what} depends on data" in leak
    assert not on_x86_64(skipped(LOAD_PUBLIC, code)).leaks


def test_the_window_ends_a_wrong_way() -> None:
    nop = "90"
    assert on_x86_64(skipped(nop * 6, LOAD_SECRET, FOLLOW)).leaks
    assert not on_x86_64(skipped(nop * 7, LOAD_SECRET, FOLLOW)).leaks


def test_an_instruction_without_a_meaning_ends_a_wrong_way() -> None:
    lfence = "0faee8"
    assert not on_x86_64(skipped(LOAD_SECRET, lfence, FOLLOW)).leaks


def test_nobody_wrote_what_is_behind_a_buffer() -> None:
    machine = on_x86_64(skipped(BEYOND, FOLLOW, LOAD_SECRET, FOLLOW))
    assert len(machine.unwritten) == 1  # and the way goes on
    assert len(machine.leaks) == 1


def test_a_wrong_way_is_taken_back() -> None:
    store = "c7470807000000"  # mov dword [rdi + 8], 7
    beyond = "c7474007000000"  # mov dword [rdi + 64], 7
    machine = on_x86_64(skipped(store, beyond))
    assert T.val(machine.memory.load(X8664_BUFFER + PUBLIC, 8)) == X8664_BUFFER
    assert T.val(machine.general[0]) == 0
    assert (machine.branches, machine.instructions) == (1, 4)
    assert machine.followed == 3
    assert machine.executed() == {CODE, CODE + 2, CODE + 4, CODE + 6}


@pytest.mark.parametrize(("length", "leaks"), [("488b17", 1), ("ba08000000", 0), ("ba00000001", 0)])
def test_a_copy_of_a_secret_length_is_a_leak(length: str, leaks: int) -> None:
    """Of [rdi] bytes, 8, or more than there is time for."""
    call = "48b8" + IMPORT.to_bytes(8, "little").hex() + "488d7708 ffd0"  # memcpy from rdi + 8
    assert len(on_x86_64(skipped(length, call)).leaks) == leaks


@pytest.mark.parametrize(("count", "leaks"), [(8, 1), (1 << 61, 0)])
def test_a_string_instruction_ends_a_wrong_way_where_it_has_not_the_time(count: int, leaks: int) -> None:
    """rep stosq behind the buffer, then back in front of it, if it is of 8 words."""
    behind, back = "4883c740", "4881ef80000000"  # add rdi, 64; sub rdi, 128
    code = behind + "48b9" + count.to_bytes(8, "little").hex() + "f348ab" + back
    assert len(on_x86_64(skipped(code, LOAD_SECRET, FOLLOW)).leaks) == leaks


def test_a_store_on_a_wrong_way_is_read_there() -> None:
    """The secret goes to the public place, from which it is followed."""
    move = LOAD_SECRET + "48894708" + LOAD_PUBLIC  # mov [rdi + 8], rax
    assert on_x86_64(skipped(move, FOLLOW)).leaks


def test_one_branch_at_a_time_is_wrong() -> None:
    """The second branch of the wrong way goes the right way."""
    assert not on_x86_64(skipped(NEVER.format(1), RET, LOAD_SECRET, FOLLOW)).leaks


@needs_compiler
@pytest.mark.parametrize(("register", "leaks"), [("x2", 1), ("x3", 0)])
@pytest.mark.parametrize("branch", ["b.ne 1f", "cbnz x1, 1f", "tbnz x1, #3, 1f"])
def test_the_ways_of_branches_on_aarch64(tmp_path: Path, branch: str, register: str, leaks: int) -> None:
    code = f"mov x1, #0\n cmp x1, #0\n {branch}\n ret\n 1: ldr x2, [x0]\n ldr x3, [x0, #8]\n ldr x4, [{register}]\n ret"
    machine = speculating(aarch64.Machine, Image(assembled(tmp_path, code)), BUFFER)
    machine.call("f", [BUFFER])
    assert len(machine.leaks) == leaks


def test_every_operation_of_every_set_has_a_row_on_every_backend() -> None:
    stated = {(t.family, t.kernel, backend) for t in speculation.theorems() for backend in t.backends}
    sets = [facts["name"] for facts in json.loads((ROOT / "spec" / "sets.json").read_text())["sets"]]
    operations = product(sets, ("keygen", "encaps", "decaps"), speculation.BACKENDS)
    assert stated == set(operations)

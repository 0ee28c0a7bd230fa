"""Memory below the stack pointer does not outlive a return or a call of another library.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest
from aarch64_assembly import BUFFER, assembled, needs_compiler
from test_machine_x86_64 import BUFFER as X8664_BUFFER
from test_machine_x86_64 import CODE, IMPORT, Code

from proofs.machine import aarch64, x86_64
from proofs.machine import terms as T
from proofs.machine.frames import Frames, StackMemory, forgetting
from proofs.machine.image import Image
from proofs.machine.memory import Violation
from proofs.machine.processor import STACK_TOP

STACK_SIZE = x86_64.Machine.STACK_SIZE
STACK = STACK_TOP - STACK_SIZE


def memory() -> StackMemory:
    made = StackMemory()
    made.region(STACK, STACK_SIZE, True, "stack", own=True)
    made.lowest = STACK_TOP
    return made


def test_what_is_forgotten_counts_as_never_written() -> None:
    stack = memory()
    for at in (STACK_TOP - 8, STACK_TOP - 16, STACK_TOP - 5000, STACK_TOP - 50000):
        stack.store(at, T.const(7, 64))
    stack.forget_below(STACK_TOP - 8)
    assert T.val(stack.load(STACK_TOP - 8, 8)) == 7
    assert not any(T.is_const(stack.load(STACK_TOP - at, 8)) for at in (16, 5000, 50000))
    assert stack.lowest == STACK_TOP - 50000


def on_x86_64(text: str) -> Frames:
    stack = StackMemory()
    stack.region(X8664_BUFFER, 64, True, "buffer")
    stack.put(X8664_BUFFER, [T.var(f"secret{i}", 64) for i in range(8)])
    return forgetting(x86_64.Machine)(Code(text), stack)


CALLEE = "e8 {distance:02x} 00 00 00"  # call the code behind the caller's
LEAVE = "48c74424f007000000 c3"  # mov qword [rsp - 16], 7; ret
READ = "488b4424e8"  # mov rax, [rsp - 24]: where the callee wrote
BRANCH = "4885c0 7400 c3"  # test rax, rax; jz +0; ret


def test_a_branch_on_what_a_callee_left_is_refused_on_x86_64() -> None:
    caller = READ + BRANCH
    text = CALLEE.format(distance=len(bytes.fromhex(caller))) + caller + LEAVE
    with pytest.raises(Violation, match="depends on data"):
        on_x86_64(text).call(CODE, [])


def test_what_was_below_the_stack_pointer_at_an_import_is_forgotten_on_x86_64() -> None:
    """Room is made for a frame, which memcpy of no bytes may use."""
    write, read = "48c74424e807000000", "488b4424e8"  # [rsp - 24]
    call = "48b8" + IMPORT.to_bytes(8, "little").hex() + "31d2 ffd0"  # mov rax, memcpy; xor edx, edx; call rax
    arguments = "488d7708"  # lea rsi, [rdi + 8]
    with pytest.raises(Violation, match="depends on data"):
        on_x86_64(write + arguments + call + read + BRANCH).call(CODE, [X8664_BUFFER])
    on_x86_64(write + read + BRANCH).call(CODE, [X8664_BUFFER])  # a function may use the bytes itself


def test_the_stack_that_a_call_uses_is_counted_on_x86_64() -> None:
    machine = on_x86_64("48c78424 18fcffff 01000000 c3")  # mov qword [rsp - 1000], 1; ret
    machine.call(CODE, [])
    assert machine.stack_bytes == 1000


@needs_compiler
@pytest.mark.parametrize(("code", "refused"), [("bl 1f\n", True), ("str x0, [sp, #-16]\n", False)])
def test_a_branch_on_what_a_callee_left_is_refused_on_aarch64(tmp_path: Path, code: str, refused: bool) -> None:
    read = "ldr x1, [sp, #-16]\n cbz x1, 2f\n 2: mov x30, x9\n ret\n 1: str x0, [sp, #-16]\n ret"
    stack = StackMemory()
    image = Image(assembled(tmp_path, "mov x9, x30\n" + code + read))
    image.map_into(stack)
    machine = forgetting(aarch64.Machine)(image, stack)
    if refused:
        with pytest.raises(Violation, match="depends on data"):
            machine.call("f", [BUFFER])
    else:
        machine.call("f", [BUFFER])
        assert machine.stack_bytes == 16

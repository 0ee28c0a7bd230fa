"""Violations that stop the AArch64 interpreter, and the registers that its calls keep.
SPDX-License-Identifier: Apache-2.0"""

from pathlib import Path

import pytest
from aarch64_assembly import BUFFER, machine_of, needs_compiler

from proofs.machine.memory import Violation
from proofs.machine.terms import W, const, is_const, val, var

pytestmark = needs_compiler


def run(folder: Path, code: str, *arguments: int) -> int:
    return val(machine_of(folder, code).call("f", list(arguments)))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("ldr x1, [x0]\n cbz x1, 1f\n 1: ret", "condition of a branch depends on data"),
        ("ldr x1, [x0]\n cmp x1, #5\n b.lo 1f\n 1: ret", "condition of a branch depends on data"),
        ("ldr x1, [x0]\n tbnz x1, #3, 1f\n 1: ret", "condition of a branch depends on data"),
        ("ldr x1, [x0]\n br x1", "target of a branch depends on data"),
        ("ldr x1, [x0]\n ldrb w2, [x0, x1]\n ret", "address depends on data"),
        ("ldr x1, [x0]\n and x1, x1, #7\n strb w1, [x0, x1]\n ret", "address depends on data"),
        ("ldr q0, [x0, #49]\n ret", "outside every buffer"),
        ("strb wzr, [x0, #-1]\n ret", "outside every buffer"),
        ("adr x1, .\n str x0, [x1]\n ret", "read-only"),
        ("ldr x1, [sp, #-16]\n str x1, [x0]\n ret", "never written on the stack reaches buffer"),
        ("brk #1", r"no meaning is known of brk #"),
        ("fadd d0, d0, d1\n ret", r"no meaning is known of fadd d, d, d"),
        ("mrs x0, midr_el1\n ret", "midr_el1"),
        ("mov x19, #1\n ret", "does not keep x19"),
        ("mov x29, #1\n ret", "does not keep x29"),
        ("movi v8.2d, #0\n ret", "does not keep d8"),
        ("movi v15.4h, #0\n ret", "does not keep d15"),
        ("sub sp, sp, #16\n ret", "does not keep the stack pointer"),
        ("b f", "100 instructions were not enough"),
        ("bl elsewhere", "call of elsewhere, of which no model is known"),
    ],
)
def test_violation(tmp_path: Path, code: str, reason: str) -> None:
    machine = machine_of(tmp_path, code)
    machine.memory.put(BUFFER, [var(("input", i), 64) for i in range(8)])
    with pytest.raises(Violation, match=reason):
        machine.call("f", [BUFFER], limit=100)


def test_violation_names_instruction(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, "nop\n ldr x1, [x0, #64]\n ret")
    with pytest.raises(Violation, match=r"f\+0x4 \(0x\w+\) ldr x1, \[x0, #0x40\]: read of 8 bytes"):
        machine.call("f", [BUFFER])


def test_kept_registers_may_be_saved(tmp_path: Path) -> None:
    """The upper half of v8 belongs to nobody."""
    save = "stp x19, x30, [sp, #-32]!\n str d8, [sp, #16]\n mov x19, x0\n movi v8.2d, #0\n bl 1f\n"
    restore = "mov x0, x19\n ldr d8, [sp, #16]\n ldp x19, x30, [sp], #32\n ret\n 1: mov x0, #0\n ret"
    assert run(tmp_path, save + restore, 77) == 77


def test_arguments_after_the_eighth(tmp_path: Path) -> None:
    assert run(tmp_path, "ldr x0, [sp, #8]\n add x0, x0, x7\n ret", *range(100, 110)) == 109 + 107


def test_word_write_clears_upper_half(tmp_path: Path) -> None:
    assert run(tmp_path, "mov w0, w0\n ret", 0xFFFFFFFF_00000005) == 5


def test_short_vector_write_clears_upper_half(tmp_path: Path) -> None:
    code = "movi v0.16b, #255\n movi v1.16b, #255\n add v0.8b, v0.8b, v1.8b\n mov x0, v0.d[1]\n ret"
    assert run(tmp_path, code) == 0


def test_model_of_import(tmp_path: Path) -> None:
    """Registers that the function may change are unknown after it; those that it must keep are there."""
    machine = machine_of(tmp_path, "mov x28, x30\n mov x3, #3\n mov x2, #8\n bl memset\n mov x30, x28\n ret")
    kept = machine.general[28]
    with pytest.raises(Violation, match="does not keep x28"):
        machine.call("f", [BUFFER, 0x5A])
    assert machine.general[28] != kept
    assert val(machine.memory.load(BUFFER, 8)) == 0x5A5A5A5A5A5A5A5A
    assert val(machine.general[0]) == BUFFER
    assert not is_const(machine.general[3])
    assert not is_const(machine.general[17])


def test_hook_stands_for_function(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, "mov x29, x30\n bl 1f\n ret x29\n 1: brk #1")
    inner = machine.image.address("f") + 12
    machine.hooks[inner] = lambda m: const(5, 64)
    with pytest.raises(Violation, match="no meaning is known of ret x"):
        machine.call("f", [0])
    assert val(machine.general[0]) == 5


def test_before_sees_registers(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, "ldr x1, [x0]\n cbz x1, 1f\n 1: mov x0, x1\n ret")
    machine.memory.put(BUFFER, [var("secret", 64)])

    def declassify(m: object) -> None:
        machine.general[1] = const(3, 64)

    machine.before[machine.image.address("f") + 4] = declassify
    assert val(machine.call("f", [BUFFER])) == 3


def test_forms_used(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, "ldr q0, [x0], #16\n sqrdmulh v0.8h, v0.8h, v1.h[2]\n add w1, w2, w3, lsl #2\n ret")
    machine.memory.put(BUFFER, [var("input", 64)] * 2)
    machine.call("f", [BUFFER])
    assert machine.forms_used == {
        "ldr q, [x], #",
        "sqrdmulh v.8h, v.8h, v.h[]",
        "add w, w, w, lsl #",
        "ret",
    }
    assert machine.instructions == 4
    assert all(W[lane] == 16 for lane in machine.vector[0])

"""Decoding of AArch64, and the comparison of every form with QEMU: that it passes, and that it sees faults.

The library is the build `aarch64-gcc` of the proofs, where it was made. SPDX-License-Identifier: Apache-2.0
"""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from aarch64_assembly import assembled, needs_compiler, needs_qemu

from proofs.builds import BUILDS
from proofs.machine.aarch64 import integer, registers, vector
from proofs.machine.aarch64.machine import MEANINGS
from proofs.machine.aarch64.operands import General, Immediate, Instruction, Operand, decode, read
from proofs.machine.check import aarch64_forms as forms
from proofs.machine.check.record import Checked
from proofs.machine.memory import Violation
from proofs.machine.terms import W, add, concat, const, extract, lshr, mul, sext, sub, ult, zext

LIBRARY = next(build.library for build in BUILDS if build.name == "aarch64-gcc")
OBJDUMP = "aarch64-linux-gnu-objdump"

needs_library = pytest.mark.skipif(not LIBRARY.exists(), reason=f"{LIBRARY} was not built")


# ---- decoding ----


@pytest.mark.parametrize(
    ("text", "form", "shape"),
    [
        ("add x0, x1, w2, sxtw #2", "add x, x, w, sxtw #", "r r m"),
        ("add x0, x1, w2, uxtb", "add x, x, w, uxtb", "r r m"),
        ("sub sp, sp, #0x20", "sub sp, sp, #", "r r i"),
        ("mov wzr, w3", "mov wzr, w", "r r"),
        ("ldr q0, [x1, #-0x10]!", "ldr q, [x, #]!", "s a"),
        ("ldr q0, [x1], #0x10", "ldr q, [x], #", "s a"),
        ("ldrh w0, [x1, w2, uxtw #1]", "ldrh w, [x, w, uxtw #]", "r a"),
        ("ld1 {v0.b}[0xa], [x1]", "ld1 {v.b[]}, [x]", "E a"),
        ("ld3 {v1.8h, v2.8h, v3.8h}, [x1], x2", "ld3 {v.8h, v.8h, v.8h}, [x], x", "V a"),
        ("movi v0.4s, #0xff, msl #8", "movi v.4s, #, msl #", "v m"),
        ("b.lo #0x100", "b cond, #", "c i"),
        ("ccmp x0, #1, #4, hs", "ccmp x, #, #, cond", "r i i c"),
    ],
)
def test_form(text: str, form: str, shape: str) -> None:
    mnemonic, _, operands = text.partition(" ")
    instruction = read(0, mnemonic, operands)
    assert (instruction.form, instruction.shape) == (form, shape)


@pytest.mark.parametrize("operands", ["z0.d, z1.d", "x0, midr_el1", "d0, #1.0", "v0.8h, {v1.8h", "x0, [x1, x2, x3]"])
def test_unknown_operands(operands: str) -> None:
    with pytest.raises(Violation, match="of no known kind"):
        read(0, "add", operands)


def test_no_instruction() -> None:
    with pytest.raises(Violation, match="no instruction"):
        decode(0, b"\xff\xff\xff\xff")


ALIASES = {
    "sxtl": "sshll",
    "sxtl2": "sshll2",
    "uxtl": "ushll",
    "uxtl2": "ushll2",
}  # a shift by 0, which objdump leaves out


def objdump_read(line: re.Match[str]) -> Instruction:
    """An instruction as objdump writes it: ranges of registers, targets without a sign, comments."""
    mnemonic, operands = line["mnemonic"], re.sub(r"\s*(<.*>|//.*)", "", line["operands"])
    operands = re.sub(r"\{v(\d+)(\.\w+)-v\d+\.\w+\}", lambda m: listed(int(m[1]), m[2], m[0]), operands)
    if mnemonic.partition(".")[0] in ("b", "bl", "cbz", "cbnz", "tbz", "tbnz", "adr", "adrp"):
        operands = re.sub(r"([0-9a-f]+)$", r"#0x\1", operands)
    if mnemonic in ALIASES:
        mnemonic, operands = ALIASES[mnemonic], operands + ", #0"
    return read(int(line["address"], 16), mnemonic, operands)


def listed(first: int, suffix: str, text: str) -> str:
    last = int(re.findall(r"v(\d+)", text)[1])
    return "{" + ", ".join(f"v{i % 32}{suffix}" for i in range(first, first + (last - first) % 32 + 1)) + "}"


def same_bits(a: Instruction, b: Instruction) -> bool:
    """Whether two readings are the same but for the sign of an immediate, which both write as they like."""
    if (a.mnemonic, a.form) != (b.mnemonic, b.form):
        return False
    bits = 32 if a.form.startswith(f"{a.mnemonic} w") else 64
    pairs = zip(a.operands, b.operands, strict=True)
    return all(x == y or same_number(x, y, bits) for x, y in pairs)


def same_number(x: Operand, y: Operand, bits: int) -> bool:
    return isinstance(x, Immediate) and isinstance(y, Immediate) and (x.value - y.value) % (1 << bits) == 0


@needs_library
def test_decoding_agrees_with_objdump() -> None:
    """On every instruction of the library: two decoders read the same."""
    if not shutil.which(OBJDUMP):
        pytest.skip(f"{OBJDUMP} is not here")
    text = subprocess.run([OBJDUMP, "-d", str(LIBRARY)], check=True, capture_output=True, text=True).stdout
    pattern = r"^\s*(?P<address>\w+):\t(?P<word>\w{8}) \t(?P<mnemonic>\S+)[ \t]*(?P<operands>.*)$"
    lines = [line for line in re.finditer(pattern, text, re.M) if line["mnemonic"] not in ("mrs", ".inst")]
    assert len(lines) > 50_000
    for line in lines:
        word = bytes.fromhex(line["word"])[::-1]
        ours, theirs = decode(int(line["address"], 16), word), objdump_read(line)
        assert same_bits(ours, theirs), f"{ours.text}: {line[0]}"


# ---- the comparison with QEMU ----


def compared(library: Path, states: int = 500) -> list[Checked]:
    check = forms.Check([library], states)
    return [check.compare(form, ["qemu"]) for form in check.forms]


def differences(library: Path) -> list[str]:
    return [checked.difference for checked in compared(library) if checked.difference]


@needs_library
@needs_compiler
@needs_qemu
def test_every_form_of_the_library() -> None:
    """On few states; `make proofs-check` takes 10,000. Traps, what asks for the CPU, and constants between functions,
    which decode as `udf`, have no meaning."""
    found = compared(LIBRARY, states=64)
    assert sum(checked.agrees for checked in found) > 500
    without = [checked for checked in found if not checked.agrees]
    assert all(not c.has_meaning and ("mrs" in c.form or c.form in ("brk #", "udf #")) for c in without)


@needs_library
@needs_compiler
@needs_qemu
def test_no_form_passes_that_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in MEANINGS.known:
        monkeypatch.setitem(MEANINGS.known, key, lambda machine, *operands: None)
    assert [checked.form for checked in compared(LIBRARY, states=64) if checked.agrees] == ["nop"]


def unsaturated(x: int, y: int) -> int:
    w = W[x]
    product = mul(sext(x, 2 * w), sext(y, 2 * w))
    return extract(add(product, const(1 << (w - 2), 2 * w)), w - 1, w)


def rounded_without_carry(x: int, k: int) -> int:
    return lshr(add(x, const(1 << (k - 1), W[x])), k)


def carry_forgotten(x: int, y: int) -> registers.Flags:
    f = registers.flags_of_difference(x, y)
    return registers.Flags(f.n, f.z, ult(x, y), f.v)


def overflow_of_sum(x: int, y: int) -> registers.Flags:
    f = registers.flags_of_difference(x, y)
    return registers.Flags(f.n, f.z, f.c, registers.flags_of_sum(x, y).v)


FAULTS: list[tuple[str, str, str, Callable[..., None]]] = [
    ("sqrdmulh v0.8h, v1.8h, v2.8h", "sqrdmulh", "v v v", vector.lanewise(unsaturated)),
    ("sqdmulh v0.8h, v1.8h, v2.h[3]", "sqdmulh", "v v e", vector.lanewise(vector.sqrdmulh)),
    ("urshr v0.8h, v1.8h, #3", "urshr", "v v i", vector.shifted(rounded_without_carry)),
    ("sri v0.2d, v1.2d, #9", "sri", "v v i", vector.shifted(lshr)),
    ("sli v0.4s, v1.4s, #9", "sli", "v v i", vector.shifted_onto(lambda old, x, k: vector.inserted_left(x, old, k))),
    ("bif v0.16b, v1.16b, v2.16b", "bif", "v v v", vector.bitwise_onto(vector.chosen)),
    ("sshl v0.8h, v1.8h, v2.8h", "sshl", "v v v", vector.lanewise(vector.shifted_by_lane(zext))),
    ("cmhs v0.8h, v1.8h, v2.8h", "cmhs", "v v v", vector.lanewise(vector.comparison(lambda x, y: ult(y, x)))),
    ("cmp x1, x2", "cmp", "r r", integer.only_flags(carry_forgotten)),
    ("cmp w1, w2", "cmp", "r r", integer.only_flags(overflow_of_sum)),
    ("msub x0, x1, x2, x3", "msub", "r r r r", integer.product_and(lambda c, p: sub(p, c), None)),
    ("rev w0, w1", "rev", "r r", integer.unary(lambda x: concat([extract(x, 16, 16), extract(x, 0, 16)]))),
]


@needs_compiler
@needs_qemu
@pytest.mark.parametrize(("line", "mnemonic", "shape", "wrong"), FAULTS, ids=lambda x: x if isinstance(x, str) else "")
def test_fault_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, mnemonic: str, shape: str, wrong: Callable[..., None]
) -> None:
    library = assembled(tmp_path, f"{line}\n ret")
    assert not differences(library)
    monkeypatch.setitem(MEANINGS.known, (mnemonic, shape), wrong)
    (difference,) = differences(library)
    assert difference.startswith(mnemonic)


@needs_compiler
@needs_qemu
def test_upper_half_that_is_kept_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = assembled(tmp_path, "add w1, w2, w3\n ret")

    def keep(self: registers.Registers, register: General, value: int) -> None:
        upper = extract(self.general[register.number], 32, 32)
        self.general[register.number] = concat([value, upper])

    monkeypatch.setattr(registers.Registers, "set", keep)
    (difference,) = differences(library)
    assert difference.startswith("add w, w, w")

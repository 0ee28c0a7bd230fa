"""The interpreter of x86-64 stops where a proof must, and its check against the CPU can fail.

SPDX-License-Identifier: Apache-2.0
"""

import platform
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import numpy.typing as npt
import pytest
from iced_x86 import Decoder, Instruction, Register

from proofs.builds import BUILDS
from proofs.domains.cases import Candidates, Undecided
from proofs.domains.paths import Exploring, Remembering, Stream
from proofs.machine import imports
from proofs.machine import terms as T
from proofs.machine.check import emulator, operations, x86_64_states
from proofs.machine.check import x86_64 as check
from proofs.machine.check.emulator import Emulator, EmulatorError
from proofs.machine.check.x86_64_states import Cpu, Emulated, Processor, random_states
from proofs.machine.frames import forgetting
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.processor import Step, joined
from proofs.machine.terms import Words
from proofs.machine.x86_64 import flags
from proofs.machine.x86_64.machine import MEANINGS, Machine
from proofs.machine.x86_64.operands import Operands, form
from proofs.machine.x86_64.registers import RAX, RCX, RDI, RDX, RSI, RSP

CODE, BUFFER, IMPORT = 0x10000, 0x20000, 0x30000
RET = "c3"
ROOT = Path(__file__).resolve().parents[2]
LIBRARY = next(build.library for build in BUILDS if build.name == "gcc")


class Code(Image):
    """A few instructions."""

    def __init__(self, text: str) -> None:
        self.imports, self._bytes = {IMPORT: "memcpy"}, bytes.fromhex(text)
        self.segments = []

    def code(self, at: int, size: int) -> bytes:
        return self._bytes[at - CODE : at - CODE + size]

    def where(self, at: int) -> str:
        return f"code+{at - CODE:#x}"


def machine_of(text: str) -> Machine:
    memory = Memory()
    memory.region(BUFFER, 64, True, "buffer")
    memory.put(BUFFER, [T.var(f"secret{i}", 64) for i in range(8)])
    return Machine(Code(text), memory)


def run(text: str) -> Machine:
    machine = machine_of(text)
    machine.call(CODE, [BUFFER, 5])
    return machine


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("488b07 4885c0 7400" + RET, r"code\+0x6 .*je.*the branch depends on data"),
        ("488b07 8b0407" + RET, "the address depends on data"),
        ("488b4740" + RET, "outside every buffer"),
        ("660f6f4701" + RET, "not aligned"),
        ("0fa2" + RET, "no meaning is known of cpuid"),
        ("f00107" + RET, "no meaning is known of lock add"),
        ("64488b0428" + RET, "segment"),
        ("4889fb" + RET, "does not keep rbx"),
        ("6a05" + RET, "no meaning is known of invalid"),
        ("ebfe", "not enough"),
        ("488b0f f3aa" + RET, "count depends on data"),
        ("488b07 4831d2 48f7f6" + RET, "a dividend depends on data"),
        ("488b4424f8 488907" + RET, r"code\+0x5 .*what was never written on the stack reaches buffer"),
        ("897424f8 488b4424f8 488907" + RET, "what was never written on the stack reaches buffer"),
        ("488b4424f8 4885c0 7400" + RET, "the branch depends on data"),
        ("488b4424f8 8b0407" + RET, "the address depends on data"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    machine = machine_of(text)
    with pytest.raises(Violation, match=message):
        machine.call(CODE, [BUFFER, 5], limit=100)


def test_a_result_is_a_term_of_the_inputs() -> None:
    machine = run("488b07 480fafc6 48034708" + RET)  # rax = buffer[0] * rsi + buffer[1]
    expected = T.add(T.mul(T.var("secret0", 64), T.const(5, 64)), T.var("secret1", 64))
    assert machine.general[RAX] == expected
    assert machine.forms_used == {"mov r64, m64", "imul r64, r64", "add r64, m64", "ret"}
    assert machine.instructions == 4


def test_a_word_of_the_stack_may_be_written_in_part() -> None:
    machine = run("897424f8 488b4424f8 8907" + RET)  # the lower half of [rsp - 8] is written, loaded and stored
    assert T.val(machine.memory.load(BUFFER, 4)) == 5


def test_models_stand_for_functions() -> None:
    machine = machine_of("488d7720 ba10000000 b800000300 ffd0" + RET)  # memcpy(buffer, buffer + 32, 16)
    machine.call(CODE, [BUFFER])
    assert machine.memory.lanes(BUFFER, 2, 64) == [T.var("secret4", 64), T.var("secret5", 64)]
    assert T.is_unknown(machine.general[RSI]), "a function may change what its caller does not keep"


def test_registers_are_unknown_after_a_model_also_to_code_that_ran_before() -> None:
    """k1 = 3; read(); memcpy(buffer, buffer + 32, 16); return read(), where read returns k1."""
    read = "c4e1fb93c1" + RET
    machine = machine_of(
        f"b803000000 c4e1fb92c8 e816000000 488d7720 ba10000000 b800000300 ffd0 e801000000 {RET} {read}"
    )
    assert T.is_unknown(machine.call(CODE, [BUFFER]))


def test_memcpy_may_not_overlap() -> None:
    machine = machine_of(RET)
    machine.general[RDI], machine.general[RSI], machine.general[2] = (T.const(v, 64) for v in (BUFFER, BUFFER + 8, 16))
    with pytest.raises(Violation, match="overlap"):
        imports.memcpy(machine)


def test_an_observer_sees_the_state_before_an_instruction() -> None:
    machine = machine_of("488b07 4883c001" + RET)
    machine.before[CODE + 3] = lambda m: m.general.__setitem__(RAX, T.const(41, 64))
    assert T.val(machine.call(CODE, [BUFFER])) == 42


@pytest.mark.parametrize("writable", [False, True])
def test_a_load_at_an_address_of_a_candidate_is_a_choice_only_where_nothing_is_written(writable: bool) -> None:
    """movzx eax, byte [rdi + rcx], where rcx is 1 if the candidate is accepted. A written value may change: that forks,
    and is loaded anew on each path."""
    candidates = Candidates([T.var("candidate", 12)], 3329)
    memory = Remembering()
    memory.region(BUFFER, 2, writable, "table")
    memory.put(BUFFER, [T.const(7, 8), T.const(9, 8)])
    machine = joined(Exploring, forgetting(Machine))(Code("0fb6040f" + RET), memory)
    machine.stream = cast(Stream, SimpleNamespace(candidates=candidates))
    machine.path, machine._tables, machine.pc = (), {}, CODE
    machine._far = set()
    machine.general[RDI], machine.general[RCX] = T.const(BUFFER, 64), T.zext(candidates.accepted[0], 64)
    with T.settling(machine._settle), pytest.raises(Undecided) as asked:
        machine.step()
    machine.pc = CODE
    with T.settling(machine._settle):
        assert machine._look_up(asked.value, machine.save()) is not writable
    if not writable:
        assert candidates.possible(machine.general[RAX], ()) == [7, 9]


def test_a_copy_is_not_looked_up() -> None:
    """One of no bytes would load and store nothing, and its frame would be forgotten."""
    candidates, memory = Candidates([T.var("candidate", 12)], 3329), Remembering()
    memory.lowest = memory.region(BUFFER, 64, True, "stack")
    memory.put(BUFFER, [T.const(CODE, 64), *[T.const(0, 64)] * 7])
    machine = joined(Exploring, forgetting(Machine))(Code(RET), memory)
    machine.stream, machine.path = cast(Stream, SimpleNamespace(candidates=candidates)), ()
    machine._tables, machine._far, machine.pc = {}, set(), IMPORT
    size = T.zext(candidates.accepted[0], 64)
    machine.general[RSP], machine.general[RDX] = T.const(BUFFER, 64), size
    machine.general[RDI] = machine.general[RSI] = T.const(BUFFER + 32, 64)
    with T.settling(machine._settle):
        assert not machine._look_up(Undecided(size, [0, 1]), machine.save())
    assert machine.memory.load(BUFFER, 8) == T.const(CODE, 64)


# ---- the check ----

needs_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="it wants an x86-64 CPU")
needs_emulator = pytest.mark.skipif(not emulator.is_here(), reason=f"{emulator.PACKAGE} is not here")


def decoded(text: str) -> Instruction:
    return Decoder(64, bytes.fromhex(text)).decode()


def differences(processor: Processor, text: str) -> list[check.Difference]:
    return check.differences(processor, [check.Case(processor, decoded(text), random_states(200, 1))])


SOUND = [
    ("4801d8", "add r64, r64"),
    ("66d3e0", "shl r16, r8"),
    ("c4e2f3f7c3", "shrx r64, r64, r64"),
    ("0f9dc4", "setge r8h"),
    ("48f7f1", "div r64"),
    ("55", "push r64"),
    ("7500", "jne rel"),
    ("ffd0", "call r64"),
    ("f348ab", "rep stosq m, r64"),
    ("c4e37904c150", "vpermilps xmm, xmm, 0x50"),
    ("c4e27d0cc1", "vpermilps ymm, ymm, ymm"),
    ("660ffdc1", "paddw xmm, xmm"),
    ("c5f5fdc2", "vpaddw ymm, ymm, ymm"),
    ("660f38dcc1", "aesenc xmm, xmm"),
    ("660f3a44c111", "pclmulqdq xmm, xmm, 0x11"),
]
SOUND_AVX512 = [
    ("62f1f5c9eb4502", "vporq zmm{k}{z}, zmm, m512"),
    ("62f17fc96f00", "vmovdqu8 zmm{k}{z}, m512"),
    ("62f27d4963c1", "vpcompressb zmm{k}, zmm"),
]


@needs_x86_64
@pytest.mark.parametrize(("text", "name"), SOUND)
def test_the_interpreter_agrees_with_the_cpu(text: str, name: str) -> None:
    assert form(decoded(text)) == name
    assert differences(Cpu(), text) == []


@needs_emulator
@pytest.mark.parametrize(("text", "name"), [SOUND[2], SOUND[-3], *SOUND_AVX512])
def test_the_interpreter_agrees_with_the_emulator(text: str, name: str) -> None:
    assert form(decoded(text)) == name
    assert differences(Emulated(), text) == []


@needs_emulator
def test_the_emulator_is_asked_what_the_cpu_lacks() -> None:
    assert x86_64_states.needs(decoded(SOUND_AVX512[1][0])) == {"avx512bw"}
    assert "avx512bw" in Emulated().features


class Believed(Emulated):
    """The emulator as if it never erred."""

    def errs(self, ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
        return Processor.errs(self, ins, states)


@needs_emulator
@pytest.mark.parametrize(
    ("text", "word", "wrong"),
    [
        ("62f27dc963c1", x86_64_states.MASKS + 1, (1 << 64) - 1),  # vpcompressb zmm1{k1}{z}, zmm0
        ("62f2fdc963c1", x86_64_states.MASKS + 1, (1 << 32) - 1),  # vpcompressw zmm1{k1}{z}, zmm0
        ("62f1f548d3c2", x86_64_states.VECTORS + 16, 64),  # vpsrlq zmm0, zmm1, xmm2
    ],
)
def test_states_in_which_the_emulator_errs_are_left_out(text: str, word: int, wrong: int) -> None:
    states = random_states(8, 1)
    states[:, word] = np.uint64(5)
    states[:4, word] = np.uint64(wrong)
    case, believed = (check.Case(processor(), decoded(text), states) for processor in (Emulated, Believed))
    assert len(case.states) == 4
    assert check.differences(case.setting.processor, [case]) == []
    assert {d.state for d in check.differences(believed.setting.processor, [believed])} == {0}


def less_by(less: int) -> Callable[[check.Setting, Instruction], int]:
    """A number of bytes that an operand seems to have."""
    right = check.Setting._extent
    return lambda self, ins: right(self, ins) - less


@needs_emulator
def test_the_emulator_stops_where_an_operand_reaches_further_than_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    for less in (0, 1):
        monkeypatch.setattr(check.Setting, "_extent", less_by(less))
        case = check.Case(Emulated(), decoded("62f1fe486f07"), random_states(9, 1), at_end=True)
        if not less:
            assert check.differences(case.setting.processor, [case]) == []
            continue
        with pytest.raises(EmulatorError, match="exception 14"):
            case.setting.processor.run([(case.code, case.states)])


def seven_arguments() -> int:
    """The last of them, which lies on the stack: mov rax, [rsp + 8]; ret."""
    machine = Emulator()
    machine.area(CODE, 16)
    machine.write(CODE, bytes.fromhex("488b442408" + RET))
    return machine.call(CODE, *range(7))


@needs_emulator
def test_the_emulator_passes_arguments_on_the_stack() -> None:
    assert emulator.in_child(seven_arguments) == 6


TOUCHES_TOO_MUCH = """
from iced_x86 import Decoder
from proofs.machine.check import x86_64 as check
from proofs.machine.check.x86_64_states import Cpu, random_states
right = check.Setting._extent
check.Setting._extent = lambda self, ins: right(self, ins) - {less}
cpu = Cpu()
case = check.Case(cpu, Decoder(64, bytes.fromhex("c5fe6f07")).decode(), random_states(9, 1), at_end=True)
check.differences(cpu, [case])
"""


@needs_x86_64
@pytest.mark.parametrize(("less", "outcome"), [(0, 0), (1, -signal.SIGSEGV)])
def test_the_cpu_stops_where_an_operand_reaches_further_than_thought(less: int, outcome: int) -> None:
    program = TOUCHES_TOO_MUCH.format(less=less)
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == outcome


def lanes_minus(o: Operands) -> Step:
    """A wrong vpaddw."""
    a, b, write = o.lanes(1, 16), o.lanes(2, 16), o.write_lanes()
    return lambda: write([T.sub(x, y) for x, y in zip(a(), b(), strict=True)])


def without_clearing(o: Operands) -> Step:
    """A wrong vpaddw: what is above stays."""
    a, b, machine, index = o.lanes(1, 16), o.lanes(2, 16), o.machine, o.place(0).number
    return lambda: machine.set_low_lanes(index, [T.add(x, y) for x, y in zip(a(), b(), strict=True)])


RIGHT_SUB = MEANINGS.known["sub", ""]


def wrong_carry(o: Operands) -> Step:
    """A wrong sub: right but for one flag."""
    right, machine = RIGHT_SUB(o), o.machine

    def step() -> None:
        right()
        machine.flags = flags.changed(machine.flags, c=lambda: T.const(0, 1))

    return step


def never(o: Operands) -> Step:
    return lambda: None


RIGHT_OR = MEANINGS.known["vporq", ""]


def without_mask(o: Operands) -> Step:
    """A wrong vporq: all lanes are written."""
    unmasked = o.ins.copy()
    unmasked.op_mask = Register.NONE
    return RIGHT_OR(Operands(unmasked, o.machine))


WRONG = [
    ("c5f5fdc2", "vpaddw", lanes_minus, "zmm0[0]"),
    ("c5f1fdc2", "vpaddw", without_clearing, "zmm0[2]"),
    ("4829d8", "sub", wrong_carry, "flag c"),
    ("7500", "jne", never, "branch taken"),
    ("55", "push", never, "general register 4"),
    ("8807", "mov", never, "memory[8]"),
]
WRONG_AVX512 = [
    ("62f17548fdc2", "vpaddw", lanes_minus, "zmm0[0]"),
    ("62f1f5c9eb4502", "vporq", without_mask, "zmm0[0]"),
    ("c4e1fb93c1", "kmovq", never, "general register 0"),
]


@pytest.mark.parametrize(
    ("processor", "text", "mnemonic", "wrong", "what"),
    [
        *(pytest.param(Cpu, *case, marks=needs_x86_64) for case in WRONG),
        *(pytest.param(Emulated, *case, marks=needs_emulator) for case in WRONG_AVX512),
    ],
)
def test_the_check_finds_a_wrong_meaning(
    processor: Callable[[], Processor],
    text: str,
    mnemonic: str,
    wrong: Callable[[Operands], Step],
    what: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MEANINGS.known, (mnemonic, ""), wrong)
    assert what in [d.what for d in differences(processor(), text)]


# ---- operations in the emulator ----

needs_library = pytest.mark.skipif(not LIBRARY.exists(), reason=f"{LIBRARY} was not built")


def emulated(image: Image) -> set[str]:
    """The differences of all operations of a set."""
    return {c.difference for c in operations.emulate(image, LIBRARY, "ML-KEM-512", operations.EMULATED)}


@needs_x86_64
@needs_library
@needs_emulator
def test_the_emulated_library_gives_the_native_bytes() -> None:
    assert emulated(Image(LIBRARY)) == {""}


@needs_x86_64
@needs_library
@needs_emulator
def test_a_kernel_that_does_nothing_is_found() -> None:
    image = Image(LIBRARY)
    at = image.address("q3329_steady.c:ntt")
    segment = next(s for s in image.segments if s.start <= at < s.start + len(s.data))
    segment.data[at - segment.start] = bytes.fromhex(RET)[0]
    assert "the bytes differ from the native ones" in emulated(image)


@needs_x86_64
@needs_library
@needs_emulator
def test_an_import_that_nobody_wrote_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(operations.IMPORTED, "memcpy")
    assert any(found.startswith("exception 6") for found in emulated(Image(LIBRARY)))

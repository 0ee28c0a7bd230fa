"""Recording step by step: which instructions of a program are seen; their text for llvm-mca; the error that is printed.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil

import pytest
from cycles import CPUS, LLVMS, Cost, cost, spread
from executed.mca import Model, pieces_of
from executed.program import run
from executed.sections import Section
from stepping.program import Program
from stepping.recording import Recorder, build_stepper

# Two sections. The library's function is called twice in the first; three additions and a vector in a loop of ten.
SOURCE = """
#include <stdio.h>
#include <string.h>
__attribute__((noinline)) void latkem_section_begin(void) { __asm__ volatile(""); }
__attribute__((noinline)) void latkem_section_end(void) { __asm__ volatile(""); }
void counted(void);
__asm__(".globl counted\\n.type counted, @function\\ncounted:\\n"
        "mov $10, %ecx\\n0: vpaddd %ymm0, %ymm1, %ymm0\\nadd %rax, %rax\\ndec %ecx\\njnz 0b\\nret\\n");
char from[64], to[64];
void repeated(void);
__asm__(".globl repeated\\n.type repeated, @function\\nrepeated:\\n"
        "mov $64, %ecx\\nlea from(%rip), %rsi\\nlea to(%rip), %rdi\\nrep movsb\\nret\\n");
int main(int argc, char **argv)
{
    if (argc != 2) return 3;
    printf("twice %s\\nrepeated\\n", argv[1]);
    fflush(stdout);
    latkem_section_begin();
    counted();
    counted();
    latkem_section_end();
    latkem_section_begin();
    repeated();
    latkem_section_end();
    return 0;
}
"""
VERSION = next((v for v in LLVMS if shutil.which(f"llvm-mca-{v}") and shutil.which(f"llvm-objdump-{v}")), None)
here = pytest.mark.skipif(os.uname().machine != "x86_64" or VERSION is None, reason="needs x86-64 and LLVM's tools")


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    folder = tmp_path_factory.mktemp("stepping")
    source, program = folder / "program.c", folder / "program"
    source.write_text(SOURCE)
    run(["cc", "-O1", "-static", "-no-pie", str(source), "-o", str(program)])
    return Recorder(program, Program(program, f"llvm-objdump-{VERSION}"), build_stepper(folder))


@here
def test_every_instruction_between_the_markers_is_seen(recorder: Recorder) -> None:
    twice, repeated = recorder.record("argument")
    assert twice.name == "twice argument"
    assert twice.functions == {"counted": 2 * (1 + 10 * 4 + 1)}
    assert twice.classes == {"vector256": 20, "scalar": 64}
    assert repeated.functions == {"repeated": 5}  # an instruction that repeats itself counts once


@here
@pytest.mark.parametrize("cpu", CPUS)
def test_a_chain_costs_its_latency_on_each_model(recorder: Recorder, cpu: str) -> None:
    section = recorder.record("argument")[0]
    model = Model(cpu, f"llvm-mca-{VERSION}", recorder.program)
    model.learn([section])
    of_both = cost(section, [model])
    assert sum(pieces_of(section).values()) == 1
    assert 20 <= of_both.cycles[cpu] <= 30  # twenty additions, each of the sum before


@here
def test_a_program_that_fails_is_no_recording(recorder: Recorder) -> None:
    with pytest.raises(Exception, match="status 3"):
        recorder.record()


@pytest.mark.parametrize(
    ("text", "for_mca"),
    [
        ("jne 0x401000 <f+0x10>", "jne 0"),
        ("jmp 0x401000 <f>", "jmp 0"),
        ("jmpq *%rax", "jmpq *%rax"),
        ("callq 0x401000 <f>", "jmp 0"),
        ("retq", "jmp 0"),
        ("vmovdqa 0x10(%rip), %ymm0 # 0x401010 <table>", "vmovdqa 0x10(%rip), %ymm0"),
        ("rep movsb (%rsi), %es:(%rdi)", ""),
        ("nopw %cs:(%rax,%rax)", ""),
    ],
)
def test_instructions_out_of_their_place(text: str, for_mca: str) -> None:
    assert Program.assembly(text) == for_mca


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("addq %rax, %rbx", "scalar"),
        ("vmovd %eax, %xmm0", "vector128"),
        ("vpaddw (%rsp), %ymm1, %ymm2", "vector256"),
        ("vpmovwb %zmm1, %ymm2", "vector512"),
    ],
)
def test_an_instruction_is_as_wide_as_its_widest_register(text: str, name: str) -> None:
    assert Program.class_of(text) == name


def test_the_error_is_a_geometric_mean_and_where_most_are() -> None:
    of_model = spread([1.0, 2.0, 4.0])
    assert of_model.mean == pytest.approx(2.0)
    assert (of_model.tenth, of_model.nine_tenths) == (1.0, 4.0)
    many = spread([float(number) for number in range(1, 12)])
    assert (many.tenth, many.nine_tenths) == (2.0, 10.0)


def test_no_blocks_cost_nothing() -> None:
    assert cost(Section("empty", []), []) == Cost("empty", 0, dict.fromkeys(Program.classes, 0))

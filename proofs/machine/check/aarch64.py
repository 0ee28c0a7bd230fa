"""Compares every form of AArch64 instruction that a library has with QEMU: each distinct instruction on random and
extreme states, every form on 10,000 at least.

A program (aarch64_states.c) executes one instruction on a state and writes the whole state back; here the interpreter
executes it once on variables, and numpy evaluates the terms for all the states. Branches are made to go 8 bytes
forward, and addresses to point into a window of memory that is a part of the state.
SPDX-License-Identifier: Apache-2.0
"""

import json
import struct
import subprocess
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import numpy as np
import numpy.typing as npt
from elftools.elf.elffile import ELFFile

from proofs.machine.aarch64.machine import Machine
from proofs.machine.aarch64.meanings import has_meaning, meaning_of
from proofs.machine.aarch64.operands import SP, ZERO, Address, General, Instruction, Modified, decode
from proofs.machine.aarch64.registers import Flags, with_lanes
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import Node, concat, const, evaluate, val, var, zext

HERE = Path(__file__).resolve().parent
COMPILER = "aarch64-linux-gnu-gcc-12"
QEMU = ("qemu-aarch64", "-cpu", "max")
STATES = 10_000  # of each form
FEWEST = 64  # of each instruction

Words = npt.NDArray[np.uint64]

# A state as aarch64_states.c lays it out, in words of 64 bits.
NZCV, TAKEN, VECTOR, MEMORY, SIZE = 32, 33, 34, 98, 130
JOB = struct.Struct("<8I3Q")
FREE = (3, 9, 17, 22, 27)  # the registers of which one points to the state
WINDOW, WINDOW_WORDS = 0x20000000, 32


# ---- states ----


def extremes(bits: int) -> list[int]:
    """Least and greatest numbers, and what lies beside them and 0; multiples of q, and what lies beside them."""
    top = 1 << (bits - 1)
    values = [0, 1, 2, 3, -1, -2, top, top + 1, top - 1, top - 2, top >> 1, 3 * (top >> 1)]
    values += [k * 3329 // 2 + d for k in range(-3, 4) for d in (-1, 0, 1)] if bits >= 16 else [0x63, 0x1B, 0x80, 0xFE]
    return [v % (1 << bits) for v in values]


def lanes_of(rng: np.random.Generator, shape: tuple[int, int], bits: int) -> Words:
    """Words made of lanes: half of them random, a quarter extreme, a quarter small, as shift counts and indices are."""
    lanes = (*shape, 64 // bits)
    mask = np.uint64((1 << bits) - 1)
    wild = rng.integers(0, 1 << 64, lanes, dtype=np.uint64) & mask
    extreme = rng.choice(np.array(extremes(bits), dtype=np.uint64), lanes)
    small = rng.integers(-72, 73, lanes).astype(np.uint64) & mask
    lane = np.choose(rng.integers(0, 4, lanes), [wild, wild, extreme, small])
    return (lane << (np.arange(64 // bits, dtype=np.uint64) * np.uint64(bits))).sum(axis=2, dtype=np.uint64)


def random_states(count: int, seed: int) -> Words:
    """Each word has lanes of 8, 16, 32 or 64 bits; an eighth of the states has only three values for all registers."""
    rng = np.random.default_rng(seed)
    shape = count, SIZE
    states = np.choose(rng.integers(0, 4, shape), [lanes_of(rng, shape, bits) for bits in (8, 16, 32, 64)])
    alike = rng.random(count) < 1 / 8
    states[alike] = np.take_along_axis(states[alike], rng.integers(0, 3, (alike.sum(), SIZE)), axis=1)
    states[:, NZCV] = rng.integers(0, 16, count, dtype=np.uint64) << np.uint64(28)
    return states


# ---- instructions ----


@dataclass(frozen=True)
class Case:
    """An instruction as it is executed here, and the registers that are given values: addresses."""

    form: str
    word: int
    free: int  # index into FREE
    given: dict[int, int]
    instruction: Instruction


def words_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """The address and the bytes of every instruction of a library."""
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if section["sh_flags"] & 4 and section["sh_type"] == "SHT_PROGBITS":  # SHF_EXECINSTR
                data = section.data()
                yield from ((section["sh_addr"] + i, data[i : i + 4]) for i in range(0, len(data), 4))


def moved(word: int, mnemonic: str) -> int:
    """A branch with a new target: 8 bytes forward. Another instruction as it is."""
    low, bits = {"b": (0, 26), "bl": (0, 26), "cbz": (5, 19), "cbnz": (5, 19), "tbz": (5, 14), "tbnz": (5, 14)}.get(
        mnemonic, (0, 0)
    )
    if mnemonic == "b" and word >> 24 == 0x54:  # on a condition
        low, bits = 5, 19
    return word & ~(((1 << bits) - 1) << low) | (2 << low if bits else 0)


def generals(instruction: Instruction) -> set[int]:
    """The numbers of the general registers that an instruction names or implies."""
    numbers = {30}
    for operand in instruction.operands:
        parts = (operand.base, operand.offset) if isinstance(operand, Address) else (operand,)
        for part in parts:
            register = part.base if isinstance(part, Modified) else part
            if isinstance(register, General):
                numbers.add(register.number)
    return numbers


def address_given(machine: Machine, at: Address, seed: int, aligned: bool) -> dict[int, int]:
    """Values of base and index with which the access lies within the window."""
    step = 16 if aligned else 1
    start = WINDOW + 64 + seed % (64 // step) * step
    given = {}
    offset = 0
    if at.offset is not None and at.writeback != "after":
        index = at.offset.base if isinstance(at.offset, Modified) else at.offset
        if isinstance(index, General) and index.number != ZERO:
            given[index.number] = int(np.random.default_rng(seed).integers(0, 1 << 64, dtype=np.uint64))
            machine.general[index.number] = const(given[index.number], 64)
        offset = val(machine.get(at.offset, 64))
    if at.base.number in given:
        raise Violation("base and index are one register")
    base = (start - offset) % (1 << 64)
    given[at.base.number] = base & ~15 if at.base.number == SP else base
    return given


def case_of(machine: Machine, found: Instruction, word: int, slots: dict[int, int]) -> Case:
    """The instruction at its place in the program that executes it."""
    used = generals(found)
    free = next(i for i, number in enumerate(FREE) if number not in used)
    slot = slots[FREE[free]]
    word = moved(word, found.mnemonic)
    instruction = decode(slot, word.to_bytes(4, "little"))
    given: dict[int, int] = {}
    for operand in instruction.operands:
        if isinstance(operand, Address):
            given = address_given(machine, operand, crc32(found.text.encode()), found.mnemonic in ("ldar", "stlr"))
    if found.mnemonic in ("br", "blr", "ret"):
        target = instruction.operands[0] if instruction.operands else General(30, 64)
        assert isinstance(target, General)
        given = {target.number: slot + 8}
    return Case(found.form, word, free, given, instruction)


# ---- the interpreter's answer ----


class OneInstruction(Machine):
    """A machine whose registers are variables, and that notes a branch instead of following it."""

    def __init__(self, image: Image) -> None:
        super().__init__(image, Memory())
        self.x = [var(("x", i), 64) for i in range(32)]
        self.v = [[var(("v", i, half), 64) for half in range(2)] for i in range(32)]
        self.nzcv = Flags(*(var(("flag", f), 1) for f in "nzcv"))
        self.words = [var(("memory", i), 64) for i in range(WINDOW_WORDS)]

    def branch(self, condition: Node, target: int) -> None:
        self.taken, self.target = condition, target

    def result(self, case: Case) -> dict[int, Node]:
        """The words of the state that the instruction changes, as terms."""
        self.general = list(self.x)
        for number, value in case.given.items():
            self.general[number] = const(value, 64)
        self.vector = [list(halves) for halves in self.v]
        self.flags = self.nzcv
        self.memory = Memory()
        self.memory.region(WINDOW, 8 * WINDOW_WORDS, True, "the window")
        self.memory.put(WINDOW, self.words)
        self.pc = case.instruction.address
        self.taken, self.target = const(0, 1), self.pc + 8
        before = self.state()
        meaning_of(case.instruction)(self)
        if self.target != self.pc + 8:
            raise Violation(f"the target is {self.target:#x} instead of {self.pc + 8:#x}")
        return {k: node for k, (node, old) in enumerate(zip(self.state(), before, strict=True)) if node != old}

    def state(self) -> list[Node]:
        f = self.flags
        out = [*self.general, concat([const(0, 28), f.v, f.c, f.z, f.n, const(0, 32)]), zext(self.taken, 64)]
        for register in self.vector:
            out += with_lanes(register, 64)
        return out + self.memory.lanes(WINDOW, WINDOW_WORDS, 64)

    def variables(self, states: Words) -> dict[Node, Words]:
        """The values of the variables in the states."""
        env = {node: states[:, i] for i, node in enumerate(self.x)}
        for bit, node in zip((31, 30, 29, 28), (self.nzcv.n, self.nzcv.z, self.nzcv.c, self.nzcv.v), strict=True):
            env[node] = states[:, NZCV] >> np.uint64(bit) & np.uint64(1)
        vector = [node for register in self.v for node in register]
        env |= {node: states[:, VECTOR + i] for i, node in enumerate(vector)}
        return env | {node: states[:, MEMORY + i] for i, node in enumerate(self.words)}


# ---- QEMU's answer ----


class Processor:
    """The program that executes instructions, under QEMU."""

    def __init__(self, states: Words, folder: Path) -> None:
        program, self._states = folder / "aarch64_states", folder / "states"
        source = HERE / "aarch64_states.c"
        options = ["-O2", "-static", "-Wl,--no-warn-rwx-segments", "-o", str(program)]
        subprocess.run([COMPILER, *options, str(source)], check=True)
        states.tofile(self._states)
        with program.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            self.slots = {n: symbols.get_symbol_by_name(f"slot_x{n}")[0]["st_value"] for n in FREE}
        command = [*QEMU, str(program), str(self._states)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, case: Case, first: int, count: int) -> Words:
        """The states from `first` on after the instruction."""
        index, value = list(case.given), list(case.given.values())
        padding = [0] * (3 - len(index))
        job = JOB.pack(case.word, case.free, first, count, len(index), *index, *padding, *value, *padding)
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(job)
        self._process.stdin.flush()
        data = self._process.stdout.read(count * SIZE * 8)
        if len(data) != count * SIZE * 8:
            raise RuntimeError(f"the program ended with {self._process.wait()} in '{case.instruction.text}'")
        return np.frombuffer(data, dtype=np.uint64).reshape(count, SIZE)

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


# ---- the comparison ----


@dataclass
class Checked:
    """How many distinct instructions and states a form was compared on, and the first difference."""

    instructions: int = 0
    states: int = 0
    difference: str = ""


@dataclass
class Report:
    forms: dict[str, Checked] = field(default_factory=lambda: defaultdict(Checked))
    without_meaning: dict[str, str] = field(default_factory=dict)  # form or reason -> the first such instruction

    @property
    def differences(self) -> list[str]:
        return [checked.difference for checked in self.forms.values() if checked.difference]


def name_of(word: int) -> str:
    """A word of the state, for people."""
    if word < NZCV:
        return "sp" if word == SP else f"x{word}"
    if word < VECTOR:
        return {NZCV: "nzcv", TAKEN: "branch taken"}[word]
    if word < MEMORY:
        return f"v{(word - VECTOR) // 2}.d[{(word - VECTOR) % 2}]"
    return f"memory word {word - MEMORY}"


def compare(machine: OneInstruction, processor: Processor, case: Case, states: Words, first: int) -> str:
    """The first difference of the two answers; nothing if they are the same."""
    text = f"{case.form}: '{case.instruction.text}'"
    changed = machine.result(case)
    expected = states.copy()
    for number, value in case.given.items():
        expected[:, number] = value
    expected[:, TAKEN] = 0
    for word, values in zip(changed, evaluate(changed.values(), machine.variables(states)), strict=True):
        expected[:, word] = values
    actual = processor.run(case, first, len(states))
    if np.array_equal(actual, expected):
        return ""
    row, word = np.argwhere(actual != expected)[0]
    got, want = int(expected[row, word]), int(actual[row, word])
    return f"{text}: {name_of(int(word))} is {got:#x} here and {want:#x} on the processor in state {first + int(row)}"


def cases_of(library: Path, machine: Machine, slots: dict[int, int], report: Report) -> dict[str, dict[int, Case]]:
    """The distinct instructions of a library by form."""
    cases: dict[str, dict[int, Case]] = defaultdict(dict)
    for address, data in words_of(library):
        try:
            instruction = decode(address, data)
        except Violation as e:
            report.without_meaning.setdefault(str(e).partition(": ")[2], f"{address:#x}")
            continue
        if not has_meaning(instruction):
            report.without_meaning.setdefault(instruction.form, f"{address:#x}: {instruction.text}")
            continue
        word = moved(int.from_bytes(data, "little"), instruction.mnemonic)
        if word not in cases[instruction.form]:
            cases[instruction.form][word] = case_of(machine, instruction, word, slots)
    return cases


def check(library: Path, count: int = STATES, fewest: int = FEWEST, most_instructions: int | None = None) -> Report:
    """Compares all forms of a library on `count` states, each instruction on `fewest` at least."""
    states = random_states(count, seed=1)
    report = Report()
    machine = OneInstruction(Image(library))
    with TemporaryDirectory() as folder:
        processor = Processor(states, Path(folder))
        for form, cases in sorted(cases_of(library, machine, processor.slots, report).items()):
            chosen = list(cases.values())[:most_instructions]
            size = min(count, max(fewest, -(-count // len(chosen))))
            compare_form(machine, processor, chosen, states, size, report.forms[form])
        processor.close()
    return report


def compare_form(
    machine: OneInstruction, processor: Processor, cases: Iterable[Case], states: Words, size: int, checked: Checked
) -> None:
    """Each instruction takes the next `size` states, and the first ones again after the last."""
    first = 0
    for case in cases:
        if first + size > len(states):
            first = len(states) - size
        difference = compare(machine, processor, case, states[first : first + size], first)
        checked.difference = checked.difference or difference
        checked.instructions += 1
        checked.states += size
        first = (first + size) % len(states)


def main() -> int:
    parser = ArgumentParser(description="Compares the interpreter of AArch64 with QEMU on every form of a library.")
    parser.add_argument("library", type=Path, help="liblatkem.so built for AArch64, with its symbol table")
    parser.add_argument("--instructions", type=int, help="at most so many distinct instructions of a form")
    parser.add_argument("--json", type=Path, help="where to write the forms with their numbers of states")
    arguments = parser.parse_args()
    report = check(arguments.library, most_instructions=arguments.instructions)
    for difference in report.differences:
        print(difference)
    for form, where in report.without_meaning.items():
        print(f"without a meaning: {form} ({where})")
    instructions = sum(c.instructions for c in report.forms.values())
    states = sum(c.states for c in report.forms.values())
    differ = f"{len(report.differences)} forms differ"
    print(f"{len(report.forms)} forms, {instructions} instructions, {states} states: {differ}")
    if arguments.json:
        arguments.json.write_text(json.dumps({form: c.states for form, c in report.forms.items()}, indent=1))
    return bool(report.differences)


if __name__ == "__main__":
    sys.exit(main())

"""Compares every form of AArch64 instruction that libraries have with QEMU, on random and extreme states.

A program (aarch64_states.c) executes one instruction on a state and writes the whole state back; here the interpreter
executes it once on variables, and numpy evaluates the terms for all the states. Branches are made to go 8 bytes
forward, and addresses to point into a window of memory that is a part of the state.
SPDX-License-Identifier: Apache-2.0
"""

import os
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from zlib import crc32

import numpy as np
from elftools.elf.elffile import ELFFile

from proofs.machine.aarch64.machine import INSTRUCTION_BYTES, MEANINGS, Machine, meaning_of
from proofs.machine.aarch64.operands import (
    SP,
    ZERO,
    Address,
    Element,
    General,
    Instruction,
    Modified,
    Operand,
    Registers,
    Scalar,
    Vector,
    decode,
)
from proofs.machine.aarch64.registers import Flags
from proofs.machine.check.aarch64_states import (
    FREE,
    MEMORY,
    NZCV,
    TAKEN,
    VECTOR,
    WINDOW,
    WINDOW_WORDS,
    Case,
    Processor,
    Program,
    random_states,
)
from proofs.machine.check.record import Checked
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.processor import relane
from proofs.machine.terms import Node, Words, concat, const, evaluate, val, var, zext

FEWEST = 64  # states of each instruction
INSTANCES = 24  # of a form, of instructions on general registers
SEED = 1


# ---- instructions ----


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
    """A machine with variables in its registers, which notes a branch instead of following it."""

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
        self.pc = case.instruction.address + INSTRUCTION_BYTES
        taken = self.pc + INSTRUCTION_BYTES
        self.taken, self.target = const(0, 1), taken
        before = self.state()
        meaning_of(case.instruction)(self)
        if self.target != taken:
            raise Violation(f"the target is {self.target:#x} instead of {taken:#x}")
        return {k: node for k, (node, old) in enumerate(zip(self.state(), before, strict=True)) if node != old}

    def state(self) -> list[Node]:
        f = self.flags
        out = [*self.general, concat([const(0, 28), f.v, f.c, f.z, f.n, const(0, 32)]), zext(self.taken, 64)]
        for register in self.vector:
            out += relane(register, 64)
        return out + self.memory.lanes(WINDOW, WINDOW_WORDS, 64)

    def variables(self, states: Words) -> dict[Node, Words]:
        """The values of the variables in the states."""
        env = {node: states[:, i] for i, node in enumerate(self.x)}
        for bit, node in zip((31, 30, 29, 28), (self.nzcv.n, self.nzcv.z, self.nzcv.c, self.nzcv.v), strict=True):
            env[node] = states[:, NZCV] >> np.uint64(bit) & np.uint64(1)
        vector = [node for register in self.v for node in register]
        env |= {node: states[:, VECTOR + i] for i, node in enumerate(vector)}
        return env | {node: states[:, MEMORY + i] for i, node in enumerate(self.words)}


# ---- the comparison ----


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


def what_matters(instruction: Instruction, word: int) -> Hashable:
    """The part of an instruction that chooses among meanings: of one on vectors its immediates and lanes, and which of
    its registers are the same; of another all."""
    numbers: dict[tuple[bool, int], int] = {}

    def seen(operand: Operand) -> Hashable:
        if isinstance(operand, Registers):
            return tuple(seen(member) for member in operand.members)
        if isinstance(operand, General | Vector | Element | Scalar):
            key = isinstance(operand, General), operand.number
            return numbers.setdefault(key, len(numbers)), getattr(operand, "lane", 0)
        return operand.form if isinstance(operand, Address) else operand

    on_vectors = any(isinstance(o, Vector | Element | Scalar | Registers) for o in instruction.operands)
    return tuple(seen(o) for o in instruction.operands) if on_vectors else word


@dataclass(frozen=True)
class Found:
    """Instructions of one form that differ in what matters, each with its word."""

    instructions: dict[Hashable, tuple[int, Instruction]] = field(default_factory=dict)

    def chosen(self) -> list[tuple[int, Instruction]]:
        """All of instructions on vectors, else a number of them."""
        found = list(self.instructions.values())
        if not isinstance(next(iter(self.instructions)), int):
            return found
        return found[:: max(1, len(found) // INSTANCES)][:INSTANCES]


def forms_of(libraries: Iterable[Path]) -> tuple[dict[str, Found], dict[str, str]]:
    """The forms that have a meaning, and an example of each of those that have none."""
    found: dict[str, Found] = defaultdict(Found)
    unknown: dict[str, str] = {}
    for address, data in chain.from_iterable(words_of(library) for library in libraries):
        try:
            instruction = decode(address, data)
        except Violation as e:
            unknown.setdefault(str(e).partition(": ")[2], f"{address:#x}")
            continue
        if MEANINGS.get(instruction.mnemonic, instruction.shape) is None:
            unknown.setdefault(instruction.form, f"{address:#x}: {instruction.text}")
            continue
        word = moved(int.from_bytes(data, "little"), instruction.mnemonic)
        found[instruction.form].instructions.setdefault(what_matters(instruction, word), (word, instruction))
    return dict(found), unknown


class Check:
    """The forms of libraries, compared with QEMU on so many states."""

    def __init__(self, libraries: Sequence[Path], states: int) -> None:
        self._states = random_states(states, SEED)
        self._image = Image(libraries[0])
        self._forms, self.without_meaning = forms_of(libraries)
        self.forms = sorted(self._forms.keys() | self.without_meaning.keys())
        self._program = Program() if Program.lacks() is None else None
        self._processors: dict[int, Processor] = {}

    def compare(self, form: str, kinds: Sequence[str]) -> Checked:
        if form in self.without_meaning:
            return Checked(form, has_meaning=False)
        if self._program is None or "qemu" not in kinds:
            return Checked(form, lacks=frozenset({Program.lacks() or "QEMU"}))
        return self._compare(form, self._forms[form].chosen(), self._processor())

    def _processor(self) -> Processor:
        """Of this process: a pipe has two ends."""
        if os.getpid() not in self._processors:
            assert self._program
            self._processors[os.getpid()] = Processor(self._program, self._states)
        return self._processors[os.getpid()]

    def _compare(self, form: str, found: Sequence[tuple[int, Instruction]], processor: Processor) -> Checked:
        """Each instruction takes the next states, FEWEST at least, and the first ones again after the last."""
        machine, states = OneInstruction(self._image), processor.states
        size = min(len(states), max(FEWEST, -(-len(states) // len(found))))
        first, difference = 0, ""
        for word, instruction in found:
            if first + size > len(states):
                first = len(states) - size
            case = case_of(machine, instruction, word, processor.program.slots)
            difference = difference or compare(machine, processor, case, states[first : first + size], first)
            first = (first + size) % len(states)
        return Checked(form, processor.program.name, size * len(found), difference)

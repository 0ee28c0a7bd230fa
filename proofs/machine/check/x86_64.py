"""Every form of instruction on a processor: the interpreter's terms against what it does, on many states.

An instruction is taken as the library has it, but for the displacement of its address, which leads to memory of the
check. Its terms are worked out once, with all registers and memory as variables, and evaluated on all states. If
the interpreter wants constants (a branch, a stack pointer, the mask of a load), it is run on each state by itself.

SPDX-License-Identifier: Apache-2.0
"""

import platform
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import iced_x86
import numpy as np
from iced_x86 import Decoder, Instruction, OpKind

from proofs.machine import terms as T
from proofs.machine.check import emulator
from proofs.machine.check.record import Checked
from proofs.machine.check.x86_64_states import (
    FLAG_BITS,
    FLAGS,
    GENERAL,
    MASKS,
    MEMORY,
    MEMORY_WORDS,
    TAKEN,
    VECTORS,
    Cpu,
    Emulated,
    Processor,
    needs,
    random_states,
)
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import Node, Words
from proofs.machine.x86_64.flags import Flags
from proofs.machine.x86_64.machine import MEANINGS, Machine
from proofs.machine.x86_64.operands import MNEMONICS, form
from proofs.machine.x86_64.registers import PLACES, RBP, RCX, RDI, RDX, RSI, RSP

STATES_PER_INSTANCE = 512
INSTANCES = 24  # of one form, with different registers and immediates
SEED = 3329
NEVER_EXECUTED = {"cpuid", "xgetbv", "ud2", "int3"}  # where the library asks for the CPU's features, and traps

_STRINGS = {"stosb", "stosw", "stosd", "stosq", "movsb", "movsw", "movsq"}
MEMORY_END = 8 * MEMORY_WORDS
_OPERAND = 64  # where in the memory a memory operand lies
_STACK = 128  # and where the stack pointer points
_INDEX, _INDEX_AT_END = 3, (1 << 64) - 5  # the value of an index register


# ---- the forms of a library ----


@dataclass
class Instances:
    """Instructions of one form that differ in what may matter: immediates, and which operands are the same register."""

    found: dict[tuple[object, ...], Instruction] = field(default_factory=dict)

    def add(self, ins: Instruction) -> None:
        self.found.setdefault(_what_matters(ins), ins)

    def chosen(self) -> list[Instruction]:
        instances = list(self.found.values())
        step = max(1, len(instances) // INSTANCES)
        return instances[::step][:INSTANCES]


def _what_matters(ins: Instruction) -> tuple[object, ...]:
    registers = [ins.op_register(i) for i in range(ins.op_count) if ins.op_kind(i) == OpKind.REGISTER]
    same = tuple(registers.index(r) for r in registers)
    immediates = tuple(ins.immediate(i) for i in range(ins.op_count) if ins.op_kind(i) in _IMMEDIATES)
    return same, immediates


_IMMEDIATES = {v for k, v in vars(OpKind).items() if k.startswith("IMMEDIATE")}


def forms_of(images: Iterable[Image]) -> dict[str, Instances]:
    """The forms of all functions, and of the stubs that call other libraries, by what the disassembly shows."""
    forms: dict[str, Instances] = defaultdict(Instances)
    for image in images:
        functions = {(s.address, s.size) for symbols in image.named.values() for s in symbols}
        for address, size in sorted(functions | set(image.stubs)):
            if not image.is_code(address):
                continue
            for ins in Decoder(64, image.code(address, size), ip=address):
                if MNEMONICS[ins.mnemonic] not in NEVER_EXECUTED:
                    forms[form(ins)].add(ins)
    return dict(forms)


# ---- states that an instruction accepts ----


class Setting:
    """The instruction in the slot, and the registers that must hold certain values for it."""

    def __init__(self, ins: Instruction, processor: Processor, at_end: bool = False) -> None:
        """`at_end`: what the interpreter says to be touched of a memory operand ends where the CPU must not go on."""
        self.processor = processor
        self.lanes_inside: int | None = None  # of a masked operand that reaches further
        self.operand = MEMORY_END - self._extent(ins) if at_end else _OPERAND
        self.ins = ins.copy()
        self.mnemonic = MNEMONICS[ins.mnemonic]
        self.fixed: dict[int, int] = {GENERAL + RSP: processor.memory + _STACK}  # word of the state: its value
        if any(ins.op_kind(i) in (OpKind.NEAR_BRANCH64, OpKind.NEAR_BRANCH32) for i in range(ins.op_count)):
            self.ins.near_branch64 = processor.taken
        if self.mnemonic != "lea" and any(ins.op_kind(i) == OpKind.MEMORY for i in range(ins.op_count)):
            self._point_to_memory()
        self._name_the_stack_pointer()

    def _extent(self, ins: Instruction) -> int:
        """The bytes of a memory operand; of one under a mask the first half, and the mask is to spare the second."""
        info, mnemonic = iced_x86.MemorySizeInfo(ins.memory_size), MNEMONICS[ins.mnemonic]
        size = info.element_size if ins.is_broadcast else info.size
        masked_move = ins.op_mask != iced_x86.Register.NONE and mnemonic.startswith(("vmovdqu", "vpcompress"))
        if not masked_move and not mnemonic.startswith("vpmaskmov"):
            return size
        self.lanes_inside = size // 2 // info.element_size
        return size // 2

    def _point_to_memory(self) -> None:
        """Gives base and index values, and the address the displacement that then leads to the operand."""
        ins, target = self.ins, self.processor.memory + self.operand
        if ins.memory_base == iced_x86.Register.RIP:
            ins.memory_displacement = target
            return
        offset = 0
        if ins.memory_base != iced_x86.Register.NONE:
            base = GENERAL + PLACES[ins.memory_base].number
            self.fixed.setdefault(base, self.processor.memory)
            offset += self.fixed[base]
        if ins.memory_index != iced_x86.Register.NONE and PLACES[ins.memory_index].file == "general":
            index = GENERAL + PLACES[ins.memory_index].number
            self.fixed.setdefault(index, _INDEX if self.operand == _OPERAND else _INDEX_AT_END)
            offset += self.fixed[index] * ins.memory_index_scale
        ins.memory_displacement = (target - offset) & 0xFFFFFFFFFFFFFFFF
        ins.memory_displ_size = 8 if ins.memory_base != iced_x86.Register.NONE else 4

    def _name_the_stack_pointer(self) -> None:
        """An instruction that computes with rsp as with any register is given any value."""
        uses_stack = self.mnemonic in ("push", "pop", "call", "ret", "leave")
        in_address = RSP in (_general(self.ins.memory_base), _general(self.ins.memory_index)) and self.mnemonic != "lea"
        if not uses_stack and not in_address:
            del self.fixed[GENERAL + RSP]

    def constrain(self, states: Words) -> None:
        """Makes the states ones in which the instruction does not fault."""
        for word, value in self.fixed.items():
            states[:, word] = np.uint64(value)
        if self.lanes_inside is not None:
            self._spare_lanes_outside(states, self.lanes_inside)
        if self.mnemonic == "div":
            self._fit_quotient(states)
        elif self.mnemonic == "leave":
            states[:, GENERAL + RBP] = np.uint64(self.processor.memory + self.operand)
        elif self.mnemonic == "ret":
            states[:, MEMORY + _STACK // 8] = np.uint64(self.processor.taken)
        elif self.mnemonic in ("call", "jmp") and self.ins.op_kind(0) in (OpKind.REGISTER, OpKind.MEMORY):
            states[:, self._operand_word(0)] = np.uint64(self.processor.taken)
        elif self.mnemonic in _STRINGS:
            self._keep_strings_inside(states)
        elif self.mnemonic.startswith("vpgather"):
            first = VECTORS + 8 * PLACES[self.ins.memory_index].number
            states[:, first : first + 8] %= np.uint64(16 // self.ins.memory_index_scale)

    def _spare_lanes_outside(self, states: Words, inside: int) -> None:
        if self.ins.op_mask != iced_x86.Register.NONE:
            states[:, MASKS + PLACES[self.ins.op_mask].number] &= np.uint64((1 << inside) - 1)
            return
        first = VECTORS + 8 * PLACES[self.ins.op_register(1)].number  # the control of vpmaskmov: quadwords
        states[:, first + inside : first + 8] &= np.uint64((1 << 63) - 1)

    def _operand_word(self, i: int) -> int:
        if self.ins.op_kind(i) == OpKind.MEMORY:
            return MEMORY + self.operand // 8
        return GENERAL + PLACES[self.ins.op_register(i)].number

    def _fit_quotient(self, states: Words) -> None:
        """The dividend's upper half below the divisor."""
        word = self._operand_word(0)
        wide = self.ins.op_kind(0) == OpKind.REGISTER and PLACES[self.ins.op_register(0)].width == 64
        if self.ins.op_kind(0) == OpKind.MEMORY:
            wide = iced_x86.MemorySizeInfo(self.ins.memory_size).size == 8
        mask = np.uint64((1 << (64 if wide else 32)) - 1)
        states[:, word] |= np.uint64(1)
        states[:, GENERAL + RDX] = (states[:, GENERAL + RDX] & mask) % (states[:, word] & mask)

    def _keep_strings_inside(self, states: Words) -> None:
        states[:, GENERAL + RCX] %= np.uint64(9)
        states[:, GENERAL + RDI] = np.uint64(self.processor.memory) + states[:, GENERAL + RDI] % np.uint64(64)
        states[:, GENERAL + RSI] = np.uint64(self.processor.memory) + states[:, GENERAL + RSI] % np.uint64(64)


def _general(register: int) -> int | None:
    place = PLACES.get(register)
    return place.number if place is not None and place.file == "general" else None


# ---- the interpreter's answer ----


class Slot(Image):
    """The instruction in the slot as an image of its own."""

    def __init__(self, processor: Processor, code: bytes) -> None:
        self.imports, self.base, self._slot, self._bytes = {}, processor.slot, processor.slot, code

    def code(self, at: int, size: int) -> bytes:
        if at != self._slot:
            raise Violation(f"no instruction at {at:#x}")
        return self._bytes

    def where(self, at: int) -> str:
        return "slot"


class Interpreter:
    """The machine before and after one instruction; a word of a state is a node."""

    def __init__(self, processor: Processor, code: bytes) -> None:
        self.processor = processor
        self.memory = Memory()
        self.memory.region(processor.memory, 8 * MEMORY_WORDS, True, "memory")
        self.machine = Machine(Slot(processor, code), self.memory)
        self._letters = {letter: T.var(("flag", letter), 1) for letter in FLAG_BITS}
        self._variables = [T.var(("state", i), 64) for i in range(MEMORY + MEMORY_WORDS)]
        self._length = len(code)

    def start(self, words: Sequence[Node], letters: dict[str, Node]) -> None:
        machine = self.machine
        machine.pc = self.processor.slot
        machine.general[:] = words[GENERAL : GENERAL + 16]
        machine.k[:] = words[MASKS : MASKS + 8]
        machine.vector[:] = [list(words[VECTORS + 8 * i : VECTORS + 8 * i + 8]) for i in range(32)]
        machine.flags = Flags(letters.__getitem__)
        self.memory.put(self.processor.memory, words[MEMORY : MEMORY + MEMORY_WORDS])

    def finish(self) -> tuple[list[Node], dict[str, Node]]:
        """Words and flags after the instruction."""
        machine = self.machine
        if machine.pc not in (self.processor.slot + self._length, self.processor.taken):
            raise Violation(f"execution goes on at {machine.pc:#x}")
        taken = T.const(int(machine.pc == self.processor.taken), 64)
        vectors = [n for i in range(32) for n in machine.lanes(i, 512, 64)]
        memory = self.memory.lanes(self.processor.memory, MEMORY_WORDS, 64)
        flags = T.var(("state", FLAGS), 64)
        words = [*machine.general, flags, taken, *machine.k, *vectors, *memory]
        return words, {letter: machine.flags(letter) for letter in FLAG_BITS}

    def variables(self, fixed: dict[int, int]) -> tuple[list[Node], dict[str, Node]]:
        words = list(self._variables)
        for word, value in fixed.items():
            words[word] = T.const(value, 64)
        return words, self._letters


# ---- the comparison ----


@dataclass(frozen=True)
class Difference:
    instruction: str
    what: str
    state: int
    interpreted: int
    executed: int

    def __str__(self) -> str:
        return (
            f"{self.instruction}: {self.what} is {self.executed:#x} on the processor and {self.interpreted:#x} "
            f"interpreted (state {self.state})"
        )


def name_of_word(word: int) -> str:
    if word < FLAGS:
        return f"general register {word}"
    if word == FLAGS:
        return "flags"
    if word == TAKEN:
        return "branch taken"
    if word < VECTORS:
        return f"k{word - MASKS}"
    if word < MEMORY:
        return f"zmm{(word - VECTORS) // 8}[{(word - VECTORS) % 8}]"
    return f"memory[{word - MEMORY}]"


def _flag(states: Words, letter: str) -> Words:
    return states[:, FLAGS] >> np.uint64(FLAG_BITS[letter]) & np.uint64(1)


class Case:
    """An instruction in the slot, with the states on which it is compared: all but those in which the processor
    errs."""

    def __init__(self, processor: Processor, ins: Instruction, pool: Words, at_end: bool = False) -> None:
        self.setting, states = Setting(ins, processor, at_end), pool.copy()
        self.setting.constrain(states)
        self.states = states[~processor.errs(self.setting.ins, states)[0]]
        self.code = processor.encoded(self.setting.ins)

    def differences(self, after: Words) -> list[Difference]:
        setting = self.setting
        interpreter = Interpreter(setting.processor, self.code)
        try:
            expected = _all_at_once(interpreter, setting, self.states)
        except Violation:
            expected = None
        words, flags = expected or _one_by_one(interpreter, setting, self.states)
        return [*_compare_words(setting, words, after), *_compare_flags(setting, flags, after)]


def differences(processor: Processor, cases: Sequence[Case]) -> list[Difference]:
    answers = processor.run([(case.code, case.states) for case in cases])
    return [found for case, after in zip(cases, answers, strict=True) for found in case.differences(after)]


Expected = tuple[Words, dict[str, tuple[Words, Words]]]  # words; flags, and where they are defined


def _all_at_once(interpreter: Interpreter, setting: Setting, states: Words) -> Expected | None:
    """None if a word depends on an unknown: then the meaning wants constants."""
    words, letters = interpreter.variables(setting.fixed)
    interpreter.start(words, letters)
    interpreter.machine.step()
    after, flags = interpreter.finish()
    changed = [i for i, (old, new) in enumerate(zip(words, after, strict=True)) if old != new]
    if any(T.is_unknown(n) for n in T.cone(after[i] for i in changed)):
        return None
    env = {n: states[:, i] for i, n in enumerate(words) if not T.is_const(n)}
    env |= {n: _flag(states, letter) for letter, n in letters.items()}
    expected = states.copy()
    for i, values in zip(changed, T.evaluate([after[i] for i in changed], env), strict=True):
        expected[:, i] = values
    return expected, {letter: _flag_values(n, env, len(states)) for letter, n in flags.items()}


def _flag_values(n: Node, env: dict[Node, Words], count: int) -> tuple[Words, Words]:
    """A flag where it is defined: where it is the same whatever the unknowns in it are."""
    unknowns = [m for m in T.cone([n]) if T.is_unknown(m)]
    zeros, ones = (
        np.broadcast_to(T.evaluate([n], {**env, **dict.fromkeys(unknowns, np.uint64(v))})[0], (count,)) for v in (0, 1)
    )
    return zeros, zeros == ones


def _one_by_one(interpreter: Interpreter, setting: Setting, states: Words) -> Expected:
    """Each state as constants, as far as the instruction uses them; states that agree in these but once."""
    words, _ = interpreter.variables(setting.fixed)
    used = _words_used(setting.ins)
    _, first, group = np.unique(states[:, [*used, FLAGS]], axis=0, return_index=True, return_inverse=True)
    values = states[first]
    changed = np.zeros(values.shape, dtype=bool)
    flags = {letter: (np.zeros(len(first), np.uint64), np.zeros(len(first), bool)) for letter in FLAG_BITS}
    for row, state in enumerate(states[first]):
        for i in used:
            words[i] = T.const(int(state[i]), 64)
        constants = {letter: T.const(int(state[FLAGS]) >> bit & 1, 1) for letter, bit in FLAG_BITS.items()}
        interpreter.start(words, constants)
        interpreter.machine.step()
        after, flags_after = interpreter.finish()
        for i, (old, new) in enumerate(zip(words, after, strict=True)):
            if old != new:
                values[row, i], changed[row, i] = np.uint64(T.val(new)), True
        for letter, n in flags_after.items():
            if T.is_const(n):
                flags[letter][0][row], flags[letter][1][row] = T.val(n), True
    group = group.reshape(-1)
    expected = np.where(changed[group], values[group], states)
    return expected, {letter: (v[group], defined[group]) for letter, (v, defined) in flags.items()}


def _words_used(ins: Instruction) -> list[int]:
    """The words of the state that an instruction may read or write: its registers, and memory if it accesses any."""
    info = iced_x86.InstructionInfoFactory().info(ins)
    words = set(range(MEMORY, MEMORY + MEMORY_WORDS)) if info.used_memory() else set()
    for used in info.used_registers():
        place = PLACES.get(used.register)
        if place is None:
            continue
        if place.file == "vector":
            words |= set(range(VECTORS + 8 * place.number, VECTORS + 8 * place.number + 8))
        else:
            words.add((GENERAL if place.file == "general" else MASKS) + place.number)
    return sorted(words)


def _compare_words(setting: Setting, expected: Words, after: Words) -> Iterator[Difference]:
    compared = setting.processor.present.copy()
    compared[FLAGS] = False  # flag by flag
    expected[:, ~compared] = after[:, ~compared]
    rows, columns = np.nonzero(expected != after)
    for column in np.unique(columns):
        row = rows[columns == column][0]
        values = int(expected[row, column]), int(after[row, column])
        yield Difference(str(setting.ins), name_of_word(int(column)), int(row), *values)


def _compare_flags(setting: Setting, flags: dict[str, tuple[Words, Words]], after: Words) -> Iterator[Difference]:
    for letter, (values, defined) in flags.items():
        executed = _flag(after, letter)
        for row in np.nonzero((values != executed) & defined)[0][:1]:
            yield Difference(str(setting.ins), f"flag {letter}", int(row), int(values[row]), int(executed[row]))


def compare_form(processor: Processor, instances: Instances, pool: Words, states: int) -> tuple[int, list[Difference]]:
    """The number of states that the form was compared on, and the differences."""
    chosen = instances.chosen()
    each = min(len(pool), states, max(STATES_PER_INSTANCE, -(-states // len(chosen))))
    cases = []
    for i, ins in enumerate(chosen):
        start = i * each % (len(pool) - each + 1)
        some = pool[start : start + each]
        cases.append(Case(processor, ins, some))
        if accesses_operand(ins):
            cases.append(Case(processor, ins, some[:STATES_PER_INSTANCE], at_end=True))
    return each * len(chosen), differences(processor, cases)


def accesses_operand(ins: Instruction) -> bool:
    """Whether it has a memory operand with an address of its own, and of one place."""
    if MNEMONICS[ins.mnemonic] in ("lea", "nop") or MNEMONICS[ins.mnemonic].startswith("vpgather"):
        return False
    return any(ins.op_kind(i) == OpKind.MEMORY for i in range(ins.op_count))


# ---- the check ----


@cache
def processors() -> list[Processor]:
    """The CPU that this runs on, and the emulator, if they are of this machine."""
    found: list[Processor] = [Cpu()] if platform.machine() == "x86_64" else []
    return found + ([Emulated()] if emulator.is_here() else [])


class Check:
    """The forms of libraries, each compared with the first processor that knows it on so many states."""

    def __init__(self, libraries: Iterable[Path], states: int) -> None:
        self._states, self._pool = states, random_states(max(states, STATES_PER_INSTANCE), SEED)
        self._forms = forms_of(Image(path) for path in libraries)
        self.forms = sorted(self._forms)

    def compare(self, name: str, kinds: Sequence[str]) -> Checked:
        instances = self._forms[name]
        first = next(iter(instances.found.values()))
        if MEANINGS.get(MNEMONICS[first.mnemonic]) is None:
            return Checked(name, has_meaning=False)
        wanted = frozenset().union(*map(needs, instances.found.values()))  # an encoding may want more than another
        for processor in processors():
            if wanted <= processor.features and processor.kind in kinds:
                count, found = compare_form(processor, instances, self._pool, self._states)
                note = processor.errs(first, self._pool)[1]
                return Checked(name, processor.name, count, str(found[0]) if found else "", note=note)
        return Checked(name, lacks=wanted)

"""States of AArch64, random and extreme, and the program that executes an instruction on them under QEMU.

SPDX-License-Identifier: Apache-2.0
"""

import re
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

import numpy as np
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from proofs.machine.aarch64.operands import Instruction
from proofs.machine.terms import Words

HERE = Path(__file__).resolve().parent
COMPILER = "aarch64-linux-gnu-gcc-12"
QEMU = ("qemu-aarch64", "-cpu", "max")

# A state as aarch64_states.c lays it out, in words of 64 bits.
NZCV, TAKEN, VECTOR, MEMORY, SIZE = 32, 33, 34, 98, 130
JOB = struct.Struct("<8I3Q")
FREE = (3, 9, 17, 22, 27)  # registers; one of them points to the state
WINDOW, WINDOW_WORDS = 0x20000000, 32


@dataclass(frozen=True)
class Case:
    """An instruction as it is executed here, and the registers that are given values: addresses."""

    form: str
    word: int
    free: int  # index into FREE
    given: dict[int, int]
    instruction: Instruction


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
    shifted = lane << (np.arange(64 // bits, dtype=np.uint64) * np.uint64(bits))
    words: Words = shifted.sum(axis=2, dtype=np.uint64)
    return words


def random_states(count: int, seed: int) -> Words:
    """Each word has lanes of 8, 16, 32 or 64 bits; an eighth of the states has only three values for all registers."""
    rng = np.random.default_rng(seed)
    shape = count, SIZE
    states = np.choose(rng.integers(0, 4, shape), [lanes_of(rng, shape, bits) for bits in (8, 16, 32, 64)])
    alike = rng.random(count) < 1 / 8
    states[alike] = np.take_along_axis(states[alike], rng.integers(0, 3, (alike.sum(), SIZE)), axis=1)
    states[:, NZCV] = rng.integers(0, 16, count, dtype=np.uint64) << np.uint64(28)
    return states


# ---- QEMU's answer ----


class Program:
    """The program that executes instructions, and where their slots are in it."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory()
        self.path = Path(self._folder.name) / "aarch64_states"
        options = ["-O2", "-static", "-Wl,--no-warn-rwx-segments", "-o", str(self.path)]
        subprocess.run([COMPILER, *options, str(HERE / "aarch64_states.c")], check=True)
        with self.path.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            assert isinstance(symbols, SymbolTableSection)
            addresses = {symbol.name: symbol["st_value"] for symbol in symbols.iter_symbols()}
        self.slots = {n: addresses[f"slot_x{n}"] for n in FREE}
        version = subprocess.run([QEMU[0], "--version"], capture_output=True, text=True, check=True).stdout
        found = re.search(r"version (\S+)", version)
        self.name = f"QEMU {found[1] if found else ''} ({QEMU[-1]}), an emulator"

    @staticmethod
    def lacks() -> str | None:
        return next((program for program in (COMPILER, QEMU[0]) if not shutil.which(program)), None)


class Processor:
    """The program under QEMU, with states."""

    def __init__(self, program: Program, states: Words) -> None:
        self.program, self.states = program, states
        with NamedTemporaryFile() as file:
            states.tofile(file.name)
            command = [*QEMU, str(program.path), file.name]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert self._process.stdout
            self._process.stdout.read(1)  # it has read the states

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

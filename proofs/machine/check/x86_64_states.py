"""States of a processor as rows of words, and processors that run one instruction on each of many states: the CPU here,
and one in software.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import mmap
import re
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from multiprocessing import parent_process
from pathlib import Path

import iced_x86
import numpy as np
import numpy.typing as npt
from iced_x86 import Encoder, Instruction, Mnemonic, OpKind

from proofs.machine.check import emulator
from proofs.machine.check.emulator import Emulator
from proofs.machine.terms import Words
from proofs.machine.x86_64.registers import PLACES

# Words of a state, and places in the driver's image: the same numbers as in x86_64_states.S.
GENERAL, FLAGS, TAKEN, MASKS, VECTORS, MEMORY = 0, 16, 17, 18, 26, 282
MEMORY_WORDS = 32
STATE_WORDS = MEMORY + MEMORY_WORDS
SLOT_OFFSET, TAKEN_OFFSET, DONE_OFFSET, IMAGE_SIZE = 0x1000, 0x1040, 0x1080, 0x5000
MEMORY_OFFSET, FORBIDDEN_OFFSET = 0x2F00, 0x3000

# Places in the emulator's memory, which has room for some states at once.
EMULATED_BASE, STATES_IN, STATES_OUT = 0x10000000, 0x20000000, 0x30000000
AT_ONCE = 1024

FLAG_BITS = {"c": 0, "p": 2, "z": 6, "s": 7, "o": 11}
ALWAYS_SET = 0x202  # bit 1, and interrupts enabled

_MAP_32BIT = 0x40  # so that a displacement reaches everything
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p


def assembled(source: str, *options: str) -> bytes:
    """A flat image of a file beside this one."""
    with tempfile.TemporaryDirectory() as directory:
        made, flat = Path(directory, "made.o"), Path(directory, "made.bin")
        subprocess.run(["gcc", "-c", *options, Path(__file__).with_name(source), "-o", made], check=True)
        subprocess.run(["objcopy", "-O", "binary", "-j", ".text", made, flat], check=True)
        return flat.read_bytes()


def driver(avx512: bool) -> bytes:
    return assembled("x86_64_states.S", *(["-Wa,--defsym,AVX512=1"] if avx512 else []))


# ---- processors ----

# Features of every x86-64, by the decoder's names; others are named as in /proc/cpuinfo, but for a few.
_ALWAYS = {"X64", "INTEL8086", "INTEL186", "INTEL286", "INTEL386", "INTEL486", "CMOV", "MULTIBYTENOP", "SSE", "SSE2"}
_FLAGS = {"SHA": "sha_ni", "AVX512_VBMI": "avx512vbmi", "LZCNT": "abm", "SSE3": "pni"}
_FEATURES: dict[int, str] = {v: k for k, v in vars(iced_x86.CpuidFeature).items() if isinstance(v, int)}


def needs(ins: Instruction) -> set[str]:
    """The features of a CPU, as /proc/cpuinfo names them, without which it does not know the instruction."""
    names = {_FEATURES[f] for f in ins.cpuid_features()} - _ALWAYS
    return {_FLAGS.get(name, name.lower()) for name in names}


Job = tuple[bytes, Words]  # an instruction as it is encoded for the slot, and states


class Processor:
    """One that has the driver in its memory. A word of the state that it does not have is not `present`."""

    kind: str  # by which the command chooses
    name: str
    features: frozenset[str]

    def __init__(self, base: int) -> None:
        self.base = base
        self.slot, self.taken, self.memory = base + SLOT_OFFSET, base + TAKEN_OFFSET, base + MEMORY_OFFSET
        self.present = np.ones(STATE_WORDS, dtype=bool)

    def encoded(self, ins: Instruction) -> bytes:
        """The bytes of an instruction in the slot."""
        encoder = Encoder(64)
        encoder.encode(ins, self.slot)
        return encoder.take_buffer()

    def in_slot(self, code: bytes) -> bytes:
        """An instruction, and the jump after it."""
        back = self.base + DONE_OFFSET - (self.slot + len(code) + 5)
        return code + b"\xe9" + back.to_bytes(4, "little", signed=True)

    def run(self, jobs: Sequence[Job]) -> list[Words]:
        """The states of each job after its instruction."""
        raise NotImplementedError

    def errs(self, ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
        """The states in which an emulator is known to be wrong, and what it does there."""
        return np.zeros(len(states), dtype=bool), ""


class Cpu(Processor):
    """The CPU that this runs on."""

    kind = "cpu"

    def __init__(self) -> None:
        facts = dict(re.findall(r"^([^\t\n]+)\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE))
        self.name = f"{facts['model name']}, family {facts['cpu family']}, model {facts['model']}"
        self.features = frozenset(facts["flags"].split())
        avx512 = {"avx512f", "avx512bw"} <= self.features
        super().__init__(self._map())
        self.write(0, driver(avx512))
        forbidden = ctypes.c_void_p(self.base + FORBIDDEN_OFFSET)
        _libc.mprotect(forbidden, ctypes.c_size_t(mmap.PAGESIZE), 0)
        self._run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)(self.base)
        if not avx512:
            self.present[MASKS:MEMORY] = False
            for i in range(16):
                self.present[VECTORS + 8 * i : VECTORS + 8 * i + 4] = True

    @staticmethod
    def _map() -> int:
        protection = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_32BIT
        base = _libc.mmap(None, ctypes.c_size_t(IMAGE_SIZE), protection, flags, -1, ctypes.c_long(0))
        if base is None or base >= 1 << 32:
            raise OSError(ctypes.get_errno(), "no memory that may be executed")
        return int(base)

    def write(self, offset: int, data: bytes) -> None:
        """Into the driver's image."""
        ctypes.memmove(self.base + offset, data, len(data))

    def run(self, jobs: Sequence[Job]) -> list[Words]:
        return [self._run_one(code, np.ascontiguousarray(states, dtype=np.uint64)) for code, states in jobs]

    def _run_one(self, code: bytes, states: Words) -> Words:
        after = np.zeros_like(states)
        self.write(SLOT_OFFSET, self.in_slot(code))
        self._run(states.ctypes.data, after.ctypes.data, len(states))
        return after


class Emulated(Processor):
    """Bochs, for what the CPU here lacks."""

    kind = "bochs"

    def __init__(self) -> None:
        super().__init__(EMULATED_BASE)
        self.name, self.features = emulator.name(), emulator.FEATURES

    def run(self, jobs: Sequence[Job]) -> list[Words]:
        """A worker is a child already."""
        return self._run(jobs) if parent_process() else emulator.in_child(self._run, jobs)

    def _run(self, jobs: Sequence[Job]) -> list[Words]:
        return [self._run_one(_with_driver(self.base), code, states) for code, states in jobs]

    def _run_one(self, machine: Emulator, code: bytes, states: Words) -> Words:
        machine.write_code(self.slot, self.in_slot(code))
        after = np.empty_like(states)
        for i in range(0, len(states), AT_ONCE):
            some = states[i : i + AT_ONCE]
            machine.write(STATES_IN, some.tobytes())
            machine.call(self.base, STATES_IN, STATES_OUT, len(some))
            read = np.frombuffer(machine.read(STATES_OUT, some.nbytes), dtype=np.uint64)
            after[i : i + AT_ONCE] = read.reshape(some.shape)
        return after

    def errs(self, ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
        return _ERRATA.get(ins.mnemonic, super().errs)(ins, states)


@cache
def _with_driver(base: int) -> Emulator:
    """The emulator of this process, with the driver and room for states in its memory."""
    machine, image = Emulator(), driver(avx512=True)
    for start, end in ((0, FORBIDDEN_OFFSET), (FORBIDDEN_OFFSET + mmap.PAGESIZE, IMAGE_SIZE)):
        machine.area(base + start, end - start)
        machine.write(base + start, image[start:end])
    for at in (STATES_IN, STATES_OUT):
        machine.area(at, AT_ONCE * 8 * STATE_WORDS)
    return machine


# ---- what Bochs does wrong: its C++ shifts a number by all of its bits ----


def _compresses_all(ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
    lanes = PLACES[ins.op_register(0)].width // (8 if ins.mnemonic == Mnemonic.VPCOMPRESSB else 16)
    every = np.uint64((1 << lanes) - 1)
    wrong = states[:, MASKS + PLACES[ins.op_mask].number] & every == every
    return wrong, "but where all lanes are chosen, which Bochs clears"


def _shifts_by_64(ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
    if ins.op_kind(2) != OpKind.REGISTER:
        return np.zeros(len(states), dtype=bool), ""
    count = states[:, VECTORS + 8 * PLACES[ins.op_register(2)].number]
    return count == np.uint64(64), "but by 64, at which Bochs does not shift"


_ERRATA = {
    Mnemonic.VPCOMPRESSB: _compresses_all,
    Mnemonic.VPCOMPRESSW: _compresses_all,
    Mnemonic.VPSRLQ: _shifts_by_64,
}


# ---- random and extreme states ----

_BYTES = (0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF)
_WORDS = (0x0000, 0x0001, 0x7FFF, 0x8000, 0xFFFF, 0x8001, 3329, 0x10000 - 3329)


def _extreme_words(random: np.random.Generator, shape: tuple[int, ...]) -> Words:
    """Words made of extreme parts, each of 8, 16, 32 or 64 bits."""
    parts_of = {
        8: _BYTES,
        16: _WORDS,
        32: (0, 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1),
        64: (0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 7, 63, 64, 65),
    }
    width = random.integers(0, 4, size=shape)
    result = np.zeros(shape, dtype=np.uint64)
    for i, (w, values) in enumerate(parts_of.items()):
        table = np.array(values, dtype=np.uint64)
        word = np.zeros(shape, dtype=np.uint64)
        for low in range(0, 64, w):
            word |= table[random.integers(0, len(table), size=shape)] << np.uint64(low)
        result = np.where(width == i, word, result)
    return result


def random_states(count: int, seed: int) -> Words:
    """A third of the words random, a third extreme, a third small, for counts and indices; in every eighth state all
    are copies of three, so that comparisons meet equals."""
    random = np.random.default_rng(seed)
    shape = (count, STATE_WORDS)
    anything = random.integers(0, 1 << 64, size=shape, dtype=np.uint64)
    kind = random.integers(0, 3, size=shape)
    states = np.choose(kind, [anything, _extreme_words(random, shape), anything & np.uint64(0x7F)])
    states[::8] = np.take_along_axis(states[::8], random.integers(0, 3, size=states[::8].shape), axis=1)
    flags = np.full(count, ALWAYS_SET, dtype=np.uint64)
    for bit in FLAG_BITS.values():
        flags |= random.integers(0, 2, size=count, dtype=np.uint64) << np.uint64(bit)
    states[:, FLAGS] = flags
    states[:, TAKEN] = 0
    return states

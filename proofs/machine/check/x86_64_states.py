"""States of the processor as rows of words, and the processor itself: one instruction run on each of many states.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import mmap
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from iced_x86 import Encoder, Instruction

from proofs.machine.terms import Words

# Words of a state, and places in the driver's image: the same numbers as in x86_64_states.S.
GENERAL, FLAGS, TAKEN, MASKS, VECTORS, MEMORY = 0, 16, 17, 18, 26, 282
MEMORY_WORDS = 32
STATE_WORDS = MEMORY + MEMORY_WORDS
SLOT_OFFSET, TAKEN_OFFSET, DONE_OFFSET, IMAGE_SIZE = 0x1000, 0x1040, 0x1080, 0x5000
MEMORY_OFFSET, FORBIDDEN_OFFSET = 0x2F00, 0x3000

FLAG_BITS = {"c": 0, "p": 2, "z": 6, "s": 7, "o": 11}
ALWAYS_SET = 0x202  # bit 1, and interrupts enabled

_MAP_32BIT = 0x40  # so that a displacement reaches everything


def _driver() -> bytes:
    """The driver, assembled."""
    source = Path(__file__).with_name("x86_64_states.S")
    with tempfile.TemporaryDirectory() as directory:
        made, flat = Path(directory, "driver.o"), Path(directory, "driver.bin")
        subprocess.run(["gcc", "-c", source, "-o", made], check=True)
        subprocess.run(["objcopy", "-O", "binary", "-j", ".text", made, flat], check=True)
        return flat.read_bytes()


class Processor:
    """The CPU that this runs on. It must have AVX-512."""

    def __init__(self) -> None:
        if "avx512vbmi" not in Path("/proc/cpuinfo").read_text():
            raise RuntimeError("this CPU has no AVX-512 VBMI: the check needs one that has")
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        protection = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_32BIT
        self._base = libc.mmap(None, ctypes.c_size_t(IMAGE_SIZE), protection, flags, -1, ctypes.c_long(0))
        if self._base is None or self._base >= 1 << 32:
            raise OSError(ctypes.get_errno(), "no memory that may be executed")
        ctypes.memmove(self._base, _driver(), IMAGE_SIZE)
        libc.mprotect(ctypes.c_void_p(self._base + FORBIDDEN_OFFSET), ctypes.c_size_t(mmap.PAGESIZE), 0)
        self.slot, self.taken = self._base + SLOT_OFFSET, self._base + TAKEN_OFFSET
        self.memory = self._base + MEMORY_OFFSET
        self._run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)(self._base)

    def place(self, ins: Instruction) -> bytes:
        """Puts an instruction into the slot; returns its bytes there."""
        encoder = Encoder(64)
        encoder.encode(ins, self.slot)
        code = encoder.take_buffer()
        back = self._base + DONE_OFFSET - (self.slot + len(code) + 5)
        ctypes.memmove(self.slot, code + b"\xe9" + back.to_bytes(4, "little", signed=True), len(code) + 5)
        return code

    def run(self, states: Words) -> Words:
        """The states after the instruction in the slot."""
        states = np.ascontiguousarray(states, dtype=np.uint64)
        after = np.zeros_like(states)
        self._run(states.ctypes.data, after.ctypes.data, len(states))
        return after


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

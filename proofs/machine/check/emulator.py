"""A processor with AVX-512 in software: the CPU of Bochs, a Tiger Lake, from the package bochscpu-python.

A machine without devices or an operating system: memory, and a function that is called there at the highest privilege.
SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import ctypes
import mmap
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import metadata, util
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

with contextlib.suppress(ImportError):  # x86-64 alone has it
    import bochscpu
    import bochscpu.cpu
    import bochscpu.memory

PACKAGE = "bochscpu-python"
FEATURES = frozenset(
    {
        *("avx", "avx2", "bmi1", "bmi2", "popcnt", "adx", "movbe", "pni", "ssse3", "sse4_1", "sse4_2"),
        *("aes", "pclmulqdq", "sha_ni", "gfni", "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512dq", "avx512vl"),
        *("avx512vbmi", "avx512_vbmi2", "avx512_bitalg", "avx512_vpopcntdq", "avx512_ifma"),
    }
)

PAGE = mmap.PAGESIZE
TABLES = 1 << 38  # where page tables lie in physical memory
WRITABLE = 1
STACK, STACK_SIZE = 0x7E0000000000, 0x40000
HLT = b"\xf4"
COPY = b"\x48\x89\xd1\xf3\xa4\xc3"  # mov rcx, rdx; rep movsb; ret

# The state in which a function begins.
XCR0 = 0xE7  # x87, SSE, AVX, AVX-512
CR4 = 1 << 9 | 1 << 10 | 1 << 18  # OSFXSR, OSXMMEXCPT, OSXSAVE
CODE_64, DATA = 0x209B, 0xC093  # attributes of segments
FLAGS = 1 << 1
MXCSR, MXCSR_MASK = 0x1F80, 0xFFFF
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")

Result = TypeVar("Result")
_alive: list[object] = []


class EmulatorError(Exception):
    """The function raised an exception of the processor: it left its memory, say."""


def is_here() -> bool:
    return util.find_spec("bochscpu") is not None


def name() -> str:
    """The package does not say which version of Bochs it has."""
    return f"Bochs of {PACKAGE} {metadata.version(PACKAGE)} (Tiger Lake), an emulator"


def in_child(f: Callable[..., Result], *arguments: object) -> Result:
    """Returns the function's result, from a process of its own. One that has made an Emulator aborts when it frees
    it, as it does at its end; a child of `multiprocessing` ends without."""
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as child:
        return child.submit(f, *arguments).result()


class _Area(NamedTuple):
    start: int
    memory: mmap.mmap

    def has(self, at: int, size: int) -> bool:
        return self.start <= at and at + size <= self.start + len(self.memory)


def _segment(attributes: int) -> bochscpu.Segment:
    segment = bochscpu.Segment()
    segment.present, segment.base, segment.limit = True, 0, (1 << 32) - 1
    segment.selector, segment.attr = 8, attributes
    return segment


class Emulator:
    """Memory is declared before the first call. Made in a child alone."""

    def __init__(self) -> None:
        _alive.append(self)
        self._session, self._tables = bochscpu.Session(), bochscpu.memory.PageMapLevel4Table()
        self._areas: list[_Area] = []
        self._pages = 0
        self._ready, self._fault = False, ""
        self._hook = bochscpu.Hook()
        self._hook.hlt = lambda session, cpu: session.stop()
        self._hook.exception = self._stop
        self.area(STACK, STACK_SIZE)
        self._returned = STACK + STACK_SIZE - PAGE  # the stack begins below it
        self._copy, self._staging = self._returned + 16, self._returned + 64
        self.write(self._returned, HLT)
        self.write(self._copy, COPY)

    def _stop(self, session: bochscpu.Session, cpu: int, vector: int, error: int) -> None:
        at, address = session.cpu.rip, session.cpu.cr2
        self._fault = f"exception {vector} at {at:#x} (error {error:#x}, cr2 {address:#x})"
        session.stop()

    # ---- memory ----

    def area(self, start: int, size: int) -> None:
        """Memory that the function may use, in whole pages."""
        first = start // PAGE * PAGE
        memory = mmap.mmap(-1, -(-(start + size - first) // PAGE) * PAGE)
        host = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        self._areas.append(_Area(first, memory))
        for offset in range(0, len(memory), PAGE):
            self._pages += 1
            bochscpu.memory.page_insert(self._pages * PAGE, host + offset)
            self._tables.insert(first + offset, self._pages * PAGE, WRITABLE)

    def _bytes(self, at: int, size: int) -> memoryview:
        for area in self._areas:
            if area.has(at, size):
                return memoryview(area.memory)[at - area.start : at - area.start + size]
        raise EmulatorError(f"no memory of {size} bytes at {at:#x}")

    def write(self, at: int, data: bytes) -> None:
        self._bytes(at, len(data))[:] = data

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._bytes(at, size))

    def write_code(self, at: int, code: bytes) -> None:
        """Replaces instructions that were executed before: the processor itself stores the new ones, and so forgets the
        old."""
        self.write(self._staging, code)
        self.call(self._copy, at, self._staging, len(code))

    # ---- calls ----

    def call(self, function: int, *arguments: int) -> int:
        """Returns the rax of the function."""
        if not self._ready:
            self._map()
        state = self._start(function, arguments[: len(ARGUMENTS)])
        on_stack = [self._returned, *arguments[len(ARGUMENTS) :]]
        state.rsp = self._returned - 8 - 16 * (len(on_stack) // 2)  # aligned as before a function's first instruction
        self.write(state.rsp, b"".join(word.to_bytes(8, "little") for word in on_stack))
        self._fault = ""
        self._session.cpu.set_state(state)
        self._session.cpu.set_mode()
        self._session.run([self._hook])
        if self._fault:
            raise EmulatorError(self._fault)
        return int(self._session.cpu.rax)

    def _map(self) -> None:
        for host, physical in self._tables.commit(TABLES):
            bochscpu.memory.page_insert(physical, host)
        self._ready = True

    def _start(self, function: int, arguments: Sequence[int]) -> bochscpu.State:
        state = bochscpu.State()
        bochscpu.cpu.set_long_mode(state)
        state.cr3, state.cr4, state.xcr0 = TABLES, state.cr4 | CR4, XCR0
        state.mxcsr, state.mxcsr_mask = MXCSR, MXCSR_MASK
        state.cs = _segment(CODE_64)
        for register in ("ds", "es", "ss", "fs", "gs"):
            setattr(state, register, _segment(DATA))
        state.rip, state.rflags = function, FLAGS
        for register, value in zip(ARGUMENTS, arguments, strict=False):
            setattr(state, register, value)
        return state

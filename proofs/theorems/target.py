"""A library to prove things of, and one execution of one of its kernels.

Kernels are found through the backends' tables of pointers, as the library itself finds them.

SPDX-License-Identifier: Apache-2.0
"""

import copy
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from proofs.machine import terms as T
from proofs.machine.frames import Frames, StackMemory, forgetting
from proofs.machine.image import NOTHING, Image
from proofs.machine.machines import MACHINES
from proofs.machine.memory import Violation
from proofs.machine.processor import joined
from proofs.machine.terms import Node
from proofs.theorems.bounds import backend_fields, kernel_fields
from proofs.theorems.places import PlacedMemory, Places

WORD = 8
FIRST_BUFFER = 0x100000000
BUFFER_SPACE = 0x1000000
MAX_ALIGN = 16  # alignof(max_align_t) on both machines
CACHE_LINE = 64  # LK_ALIGN
HASH_DIGITS = 16


@dataclass(frozen=True)
class Kernel:
    """A function of one backend, and the table that names it."""

    backend: str
    family: str
    name: str
    address: int
    table: int


class Target:
    """A build of the library."""

    def __init__(self, build: str, path: Path) -> None:
        self.build, self.path = build, path
        self.image = Image(path)
        self.machine = forgetting(MACHINES[self.image.machine])
        self.memory: type[StackMemory] = StackMemory
        self.anywhere = True  # buffers may lie anywhere: see places.py

    def at_one_place(self) -> "Target":
        """The same library, executed with constant addresses of buffers: the row says so."""
        other = copy.copy(self)
        other.anywhere = False
        return other

    def on(self, machine: Callable[..., Frames]) -> "Target":
        """The same library, executed by the target's machine with the behaviour of this class."""
        other = copy.copy(self)
        other.machine = joined(machine, self.machine)
        return other

    def in_memory(self, memory: type[StackMemory]) -> "Target":
        """The same library, executed in the target's memory with the behaviour of this class."""
        other = copy.copy(self)
        other.memory = joined(memory, self.memory)
        return other

    @cached_property
    def hash(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    @cached_property
    def _addresses(self) -> dict[str, list[int]]:
        """By name, the backends' tables, one for each variant."""
        size, found = WORD * len(backend_fields()), {}
        for symbol, (address, total) in self.image.symbols.items():
            if symbol.startswith("lk_backend_") and total % size == 0 and not self._is_code(address):
                found[self._string(self.image.word(address))] = list(range(address, address + total, size))
        return dict(sorted(found.items(), key=lambda item: (item[0] != "portable", item[0])))

    @cached_property
    def backends(self) -> dict[str, list[dict[str, int]]]:
        """By name, the variants' tables: fields of lk_backend."""
        names = backend_fields()
        return {name: [self._table(at, names) for at in places] for name, places in self._addresses.items()}

    def fields_of(self, backend_at: int) -> dict[str, int]:
        """Those of the backend's table at an address."""
        return self._table(backend_at, backend_fields())

    def kernel_of(self, table: int, family: str, name: str) -> Kernel:
        """A kernel that a table has."""
        return Kernel("", family, name, self._table(table, kernel_fields(family))[name], table)

    def code_hash(self, address: int) -> str:
        """Of the instructions of the function that begins at an address."""
        size = max(s.size for symbols in self.image.named.values() for s in symbols if s.address == address)
        return hashlib.sha256(self.image.code(address, size)).hexdigest()[:HASH_DIGITS]

    def table_addresses(self, backend: str) -> list[int]:
        return self._addresses[backend]

    def _is_code(self, address: int) -> bool:
        return any(s.start <= address < s.start + len(s.data) and s.executable for s in self.image.segments)

    def _table(self, at: int, names: Sequence[str]) -> dict[str, int]:
        return {name: self.image.word(at + WORD * i) for i, name in enumerate(names)}

    def _string(self, at: int) -> str:
        end = next(i for i in count(at) if not self.image.word(i) & 0xFF)
        return bytes(self.image.word(i) & 0xFF for i in range(at, end)).decode()

    def kernels(self, backend: str, family: str, name: str) -> list[Kernel]:
        """The different functions that the variants of a backend have for a kernel: none, if the kernel is optional."""
        tables = {variant[family] for variant in self.backends[backend]} - {0}
        found = {self._table(at, kernel_fields(family))[name]: at for at in sorted(tables, reverse=True)}
        return [Kernel(backend, family, name, at, found[at]) for at in sorted(found.keys() - {0})]

    def lanes_beside(self, kernel: Kernel) -> list[int]:
        """The numbers of lanes of the Keccak kernels that backends have beside the kernel's table."""
        tables = (table for variants in self.backends.values() for table in variants)
        beside = {table["keccak"] for table in tables if table[kernel.family] == kernel.table}
        return sorted({self.sibling(Kernel("", "keccak", "lanes", 0, table), "lanes") or 0 for table in beside})

    def sibling(self, kernel: Kernel, name: str) -> int | None:
        """Another field of the kernel's table; None where it is NULL."""
        return self._table(kernel.table, kernel_fields(kernel.family))[name] or None


def byte_string(size: int, name: str = "byte") -> list[Node]:
    """Unknown bytes."""
    return [T.var(f"{name} {i}", 8) for i in range(size)]


_used: list[Frames] = []


def machine_on(target: Target, memory: StackMemory, may_write: Mapping[str, int] = NOTHING) -> Frames:
    """A machine with the library in its memory, all of it read-only but the variables with these names and sizes."""
    target.image.map_into(memory, may_write)
    return new_machine(target, memory)


def new_machine(target: Target, memory: StackMemory) -> Frames:
    """Another machine with a memory that has the library."""
    machine = target.machine(target.image, memory)
    _used.append(machine)
    return machine


def take_used() -> list[Frames]:
    """The machines that were made since the last call."""
    used, _used[:] = list(_used), []
    return used


@dataclass(frozen=True)
class Buffer:
    address: int
    words: int
    width: int


class Execution:
    """Memory with the buffers of one call, each alone in its region: an access beside one is a violation. Addresses are
    variables, unless the target says otherwise."""

    def __init__(self, target: Target, addresses: Iterable[int] = ()) -> None:
        """`addresses` has those of the first buffers, if they are to lie there."""
        self._target, self.anywhere = target, target.anywhere
        self.buffers = Places(target.machine.STACK_SIZE, target.image.constants)
        self.memory = joined(PlacedMemory, target.memory)() if self.anywhere else target.memory()
        if isinstance(self.memory, PlacedMemory):
            self.memory.places = self.buffers
        self.machine = machine_on(target, self.memory)
        self._chosen, self._places = iter(addresses), count(FIRST_BUFFER, BUFFER_SPACE)

    def output(self, words: int, width: int, align: int = 1) -> Buffer:
        """Memory to be written; reading it before is a violation. It is aligned to `align` and no more."""
        return self._buffer(words, width, True, align, f"an output of {words * width // 8} bytes")

    def input(self, content: Iterable[Node], align: int = 1) -> Buffer:
        """Memory to be read, with its content."""
        content = list(content)
        return self._filled(content, False, align, f"an input of {len(content) * T.W[content[0]] // 8} bytes")

    def in_place(self, content: Iterable[Node], align: int = 1) -> Buffer:
        """Memory to be read and written."""
        return self._filled(list(content), True, align, "the argument that is changed in place")

    def _filled(self, content: list[Node], writable: bool, align: int, name: str) -> Buffer:
        buffer = self._buffer(len(content), T.W[content[0]], writable, align, name)
        self.memory.put(buffer.address, content)
        return buffer

    def _buffer(self, words: int, width: int, writable: bool, align: int, name: str) -> Buffer:
        address = next(self._chosen, None) or next(self._places) + align
        size = words * width // 8
        self.memory.region(address, size, writable, name)
        self.buffers.add(address, size, align, writable, name)
        return Buffer(address, words, width)

    def address(self, buffer: Buffer | None) -> Node:
        """For arrays of pointers; NULL where there is no buffer."""
        if buffer is None:
            return T.const(0, 64)
        return self.buffers.symbols[buffer.address] if self.anywhere else T.const(buffer.address, 64)

    def call(self, address: int, *arguments: Buffer | int) -> Node:
        addresses = [a.address if isinstance(a, Buffer) else a for a in arguments]
        if isinstance(self.memory, PlacedMemory):
            return self._call_anywhere(self.memory, address, addresses)
        return self.machine.call(address, addresses)

    def _call_anywhere(self, memory: PlacedMemory, address: int, arguments: Sequence[int]) -> Node:
        """On all ways by where buffers lie, which have to write the same."""
        results: list[Node] = []
        memory.begin()
        with T.settling(self.buffers.settle):
            for way in self.buffers.ways():
                if way:
                    written = [memory.content(place) for place in self.buffers.writable]
                    memory.put_back()
                    self.machine = new_machine(self._target, memory)
                self.machine.pointers = self.buffers.symbols
                results.append(self.machine.call(address, arguments))
                if way:
                    self._check_same(memory, written)
        return results[0] if len(set(results)) == 1 else T.fresh(T.W[results[0]])

    def _check_same(self, memory: PlacedMemory, written: list[list[Node | None]]) -> None:
        """The writes on this way, and on the one before."""
        for place, content in zip(self.buffers.writable, written, strict=True):
            if memory.content(place) != content:
                raise Violation(f"what is written to {place.name} depends on where buffers lie")

    def read(self, buffer: Buffer) -> list[Node]:
        return self.memory.lanes(buffer.address, buffer.words, buffer.width)

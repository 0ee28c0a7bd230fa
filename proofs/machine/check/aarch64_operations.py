"""Compares whole operations in the interpreter of AArch64 with a library that this machine runs: same inputs, same
bytes.

Key generation, encapsulation and decapsulation, of the right and of a wrong ciphertext, by every backend and each of
its variants that differs for the set. SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from ctypes import CDLL, Array, c_char, c_char_p, c_size_t, c_void_p, create_string_buffer
from dataclasses import dataclass
from pathlib import Path

from proofs.machine.aarch64.machine import Machine
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import val

SETS = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "Kyber512-90s", "Saber", "NTRU-HPS-2048-509")
BACKENDS = ("portable", "neon", "neon_sha3", "neon_sha3_full", "neon_sha3_half", "neon_sha3_quarter")
BUFFERS = ("ek", "dk", "ct", "ss", "seed", "coins")

# lk_backend of src/arch/backend.h in words of 64 bits: its name, what it needs of the CPU, then tables of kernels.
BACKEND_WORDS = 9
NEEDS, AES, SHA2 = 1, 3, 4
FIRST_BUFFER, BUFFER_STEP = 0x100000000, 0x100000


@dataclass(frozen=True)
class Operation:
    """A function of the library: buffers that it writes, and buffers that it reads, whose lengths follow them."""

    function: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    wrong: bool = False  # whether the ciphertext is changed before

    @property
    def title(self) -> str:
        return self.function + (" of a wrong ciphertext" if self.wrong else "")


OPERATIONS = (
    Operation("latkem_keypair_derand", ("ek", "dk"), ("seed",)),
    Operation("latkem_encaps_derand", ("ct", "ss"), ("ek", "coins")),
    Operation("latkem_decaps", ("ss",), ("ct", "dk")),
    Operation("latkem_decaps", ("ss",), ("ct", "dk"), wrong=True),
)


def example(length: int, step: int) -> bytes:
    """Bytes that differ from their neighbours."""
    return bytes(i * step % 251 for i in range(length))


def spoilt(ct: bytes) -> bytes:
    return bytes([ct[0] ^ 1]) + ct[1:]


class Native:
    """The operations by the library that this machine runs, on the same buffers."""

    def __init__(self, path: Path, name: str) -> None:
        self._library = CDLL(str(path))
        self._library.latkem_kem_find.restype = c_void_p
        self._kem = c_void_p(self._library.latkem_kem_find(c_char_p(name.encode())))
        self.sizes = {buffer: self._size(buffer) for buffer in BUFFERS}
        self.buffers: dict[str, Array[c_char]] = {b: create_string_buffer(n) for b, n in self.sizes.items()}
        for step, buffer in ((7, "seed"), (5, "coins")):
            self.buffers[buffer].raw = example(self.sizes[buffer], step)

    def _size(self, buffer: str) -> int:
        size = self._library[f"latkem_{buffer}_bytes"]
        size.restype = c_size_t
        return int(size(self._kem))

    def run(self, operation: Operation) -> int:
        if operation.wrong:
            self.buffers["ct"].raw = spoilt(self.buffers["ct"].raw)
        inputs = [x for b in operation.inputs for x in (self.buffers[b], c_size_t(self.sizes[b]))]
        outputs = [self.buffers[b] for b in operation.outputs]
        return int(self._library[operation.function](self._kem, *outputs, *inputs))


class Interpreted:
    """The operations by the library's AArch64 code in the interpreter."""

    def __init__(self, image: Image, name: str, backend: int, sizes: dict[str, int]) -> None:
        memory = Memory(unwritten_is_unknown=True)  # structures are copied with their padding
        image.map_into(memory)
        self.machine, self.sizes = Machine(image, memory), sizes
        self.at = {}
        for i, buffer in enumerate([*BUFFERS, "name"]):
            size = sizes.get(buffer, len(name) + 1)
            self.at[buffer] = memory.region(
                FIRST_BUFFER + i * BUFFER_STEP, size, buffer in ("ek", "dk", "ct", "ss"), buffer
            )
        for step, buffer in ((7, "seed"), (5, "coins")):
            image.put_constants(memory, self.at[buffer], example(sizes[buffer], step))
        image.put_constants(memory, self.at["name"], name.encode() + b"\0")
        self._kem = val(self.machine.call("latkem_kem_find", [self.at["name"]]))
        self.machine.call("lk_backend_force", [backend])

    def run(self, operation: Operation) -> int:
        if operation.wrong:
            self.machine.image.put_constants(self.machine.memory, self.at["ct"], spoilt(self.read("ct")))
        inputs = [x for b in operation.inputs for x in (self.at[b], self.sizes[b])]
        outputs = [self.at[b] for b in operation.outputs]
        return val(self.machine.call(operation.function, [self._kem, *outputs, *inputs])) & 0xFFFFFFFF

    def read(self, buffer: str) -> bytes:
        lanes = self.machine.memory.lanes(self.at[buffer], self.sizes[buffer], 8)
        return bytes(val(byte) for byte in lanes)


def variants(image: Image, backend: str, name: str) -> Iterator[tuple[int, int]]:
    """The number and the address of each variant of a backend whose kernels for the set are others."""
    symbol = image.symbols[f"lk_backend_{backend}"]
    memory = Memory()
    image.map_into(memory)
    seen = set()
    for i, at in enumerate(range(symbol.address, symbol.address + symbol.size, 8 * BACKEND_WORDS)):
        words = [val(word) for word in memory.lanes(at, BACKEND_WORDS, 64)]
        unused = {NEEDS} if name.endswith("90s") else {NEEDS, AES, SHA2}
        tables = tuple(word for k, word in enumerate(words) if k not in unused)
        if tables not in seen:
            seen.add(tables)
            yield i, at


def differences(native: Native, interpreted: Interpreted) -> Iterator[str]:
    for operation in OPERATIONS:
        expected, actual = native.run(operation), interpreted.run(operation)
        if expected != actual:
            yield f"{operation.title} returns {actual} instead of {expected}"
        for buffer in operation.outputs:
            if interpreted.read(buffer) != native.buffers[buffer].raw:
                yield f"{operation.title} writes another {buffer}"


@dataclass(frozen=True)
class Comparison:
    """All operations of a set by one variant of a backend."""

    title: str
    difference: str  # empty if the bytes are the same
    instructions: int
    forms: frozenset[str]


def compare(image: Image, library: Path, name: str, backend: str) -> Iterator[Comparison]:
    """Each variant of a backend against the native library."""
    for variant, at in variants(image, backend, name):
        title = f"{name} on {backend}, variant {variant}"
        native = Native(library, name)
        try:
            interpreted = Interpreted(image, name, at, native.sizes)
            found = "; ".join(differences(native, interpreted))
        except Violation as violation:
            yield Comparison(title, str(violation), 0, frozenset())
            continue
        machine = interpreted.machine
        yield Comparison(title, found, machine.instructions, frozenset(machine.forms_used))

"""Whole operations with concrete inputs: the interpreter against the library run natively, byte by byte.

Key generation, encapsulation, and decapsulation of a good and of a bad ciphertext, on every backend and each of its
variants that has kernels of its own for the set. SPDX-License-Identifier: Apache-2.0
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from proofs.machine import terms as T
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.x86_64 import Machine

SETS = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "Kyber512-90s", "Saber", "NTRU-HPS-2048-509")
BACKENDS = ("portable", "avx2", "avx512")

BUFFERS, BUFFER_SPACE = 0x100000000, 0x1000000  # where an operation's buffers lie in the interpreter

# lk_backend of src/arch/backend.h in words of 64 bits: its name, what it needs of the CPU, then tables of kernels.
BACKEND_WORDS = 9
NEEDS, AES, SHA2 = 1, 3, 4


@dataclass(frozen=True)
class Operation:
    """A call of the API: the sizes of its outputs, then its inputs, whose lengths follow them."""

    function: str
    outputs: tuple[int, ...]
    inputs: tuple[bytes, ...]


class Native:
    """The library in this process."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._library = ctypes.CDLL(str(image.path.resolve()))
        found = ctypes.cast(self._library.latkem_kem_find, ctypes.c_void_p).value or 0
        self._moved_by = found - image.address("latkem_kem_find")
        self._library.latkem_kem_find.restype = ctypes.c_void_p

    def find(self, name: str) -> int:
        """The address of a parameter set, as the image has it."""
        kem = self._library.latkem_kem_find(name.encode())
        if not kem:
            raise ValueError(f"the library has no {name}")
        return kem - self._moved_by

    def size(self, what: str, kem: int) -> int:
        function = self._library[f"latkem_{what}_bytes"]
        function.restype = ctypes.c_size_t
        return function(ctypes.c_void_p(kem + self._moved_by))

    def run(self, kem: int, backend: int, operation: Operation) -> tuple[int, list[bytes]]:
        """The result and the outputs, by the backend whose table lies at an address of the image."""
        force = self._moved_by + self.image.address("lk_backend_force")
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(force)(backend + self._moved_by)
        outputs = [ctypes.create_string_buffer(n) for n in operation.outputs]
        inputs = [x for data in operation.inputs for x in (data, ctypes.c_size_t(len(data)))]
        result = self._library[operation.function](ctypes.c_void_p(kem + self._moved_by), *outputs, *inputs)
        return result & 0xFFFFFFFF, [o.raw for o in outputs]


def variants(image: Image, backend: str, name: str) -> Iterator[int]:
    """The addresses of the tables of a backend whose kernels for the set are others. AES and SHA-2 are Kyber-90s's."""
    table = image.symbols[f"lk_backend_{backend}"]
    unused = {NEEDS} if name.endswith("90s") else {NEEDS, AES, SHA2}
    seen = set()
    for at in range(table.address, table.address + table.size, 8 * BACKEND_WORDS):
        kernels = tuple(image.word(at + 8 * i) for i in range(BACKEND_WORDS) if i not in unused)
        if kernels not in seen:
            seen.add(kernels)
            yield at


def example(size: int) -> bytes:
    return bytes(i * i * 31 + i * 7 & 255 for i in range(size))


def operations(native: Native, kem: int, backend: int) -> Iterator[Operation]:
    """Each takes what the one before it made."""
    sizes = {what: native.size(what, kem) for what in ("ek", "dk", "ct", "ss", "seed", "coins")}
    keygen = Operation("latkem_keypair_derand", (sizes["ek"], sizes["dk"]), (example(sizes["seed"]),))
    yield keygen
    ek, dk = native.run(kem, backend, keygen)[1]
    encaps = Operation("latkem_encaps_derand", (sizes["ct"], sizes["ss"]), (ek, example(sizes["coins"])))
    yield encaps
    ct = native.run(kem, backend, encaps)[1][0]
    yield Operation("latkem_decaps", (sizes["ss"],), (ct, dk))
    yield Operation("latkem_decaps", (sizes["ss"],), (ct[:-1] + bytes([ct[-1] ^ 1]), dk))


def interpret(image: Image, kem: int, backend: int, operation: Operation) -> tuple[int, list[bytes], Machine]:
    """The same in the interpreter."""
    memory = Memory(unwritten_is_unknown=True)  # structures are copied with their padding
    image.map_into(memory)
    machine = Machine(image, memory)
    machine.call("lk_backend_force", [backend])
    places = iter(range(BUFFERS, BUFFERS + 16 * BUFFER_SPACE, BUFFER_SPACE))
    outputs = [memory.region(next(places), size, True, f"output {i}") for i, size in enumerate(operation.outputs)]
    arguments = [kem, *outputs]
    for i, data in enumerate(operation.inputs):
        at = memory.region(next(places), len(data), False, f"input {i}")
        image.put_constants(memory, at, data)
        arguments += [at, len(data)]
    result = machine.call(operation.function, arguments)
    written = [memory.lanes(at, size, 8) for at, size in zip(outputs, operation.outputs, strict=True)]
    return T.val(result) & 0xFFFFFFFF, [bytes(T.val(b) for b in out) for out in written], machine


@dataclass(frozen=True)
class Comparison:
    operation: str
    difference: str  # empty if there is none
    instructions: int
    forms: frozenset[str]  # that were executed


def compare(native: Native, name: str, backend: str) -> Iterator[Comparison]:
    kem = native.find(name)
    for number, table in enumerate(variants(native.image, backend, name)):
        for operation in operations(native, kem, table):
            title = f"{operation.function} of {name} on {backend} (variant {number})"
            expected = native.run(kem, table, operation)
            try:
                result, outputs, machine = interpret(native.image, kem, table, operation)
            except Violation as violation:
                yield Comparison(title, str(violation), 0, frozenset())
                continue
            difference = "" if (result, outputs) == expected else "the bytes differ from the CPU's"
            yield Comparison(title, difference, machine.instructions, frozenset(machine.forms_used))

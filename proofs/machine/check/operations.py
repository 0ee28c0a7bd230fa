"""Whole operations with concrete inputs: the interpreter, and the emulator, against the library run natively.

Key generation, encapsulation, and decapsulation of a good and of a bad ciphertext, on every backend and each of its
variants that has kernels of its own for the set. All backends give the same bytes: natively it is the one that the
library chooses for this CPU. In the emulator it is the one that the CPU may lack, because no processor here would
give its bytes. SPDX-License-Identifier: Apache-2.0
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, count, islice, takewhile
from pathlib import Path

from proofs.machine import terms as T
from proofs.machine.check.emulator import Emulator, EmulatorError, in_child
from proofs.machine.image import CHOICE, IMPORTS, Image, Symbol
from proofs.machine.machines import MACHINES
from proofs.machine.memory import Memory, Violation

SETS = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "Kyber512-90s", "Saber", "NTRU-HPS-2048-509")

BUFFERS, BUFFER_SPACE = 0x100000000, 0x1000000  # where an operation's buffers lie in the interpreter
EMULATED, EMULATED_SPACE = "avx512", 0x10000  # a backend, and room for all buffers of an operation

# The C library's functions in the emulator: `rep movsb` and `rep stosb`. Calls of others are not executed.
IMPORTED = {"memcpy": bytes.fromhex("4889f8 4889d1 f3a4 c3"), "memset": bytes.fromhex("57 89f0 4889d1 f3aa 58 c3")}
UD2, IMPORT_SPACE = b"\x0f\x0b", 16

# lk_backend of src/arch/backend.h in words of 64 bits: its name, what it needs of the CPU, then tables of kernels.
BACKEND_WORDS = 9
NEEDS, AES, SHA2 = 1, 3, 4
BACKEND = "lk_backend_"


@dataclass(frozen=True)
class Operation:
    """A call of the API: the sizes of its outputs, then its inputs, each followed by its length."""

    function: str
    outputs: tuple[int, ...]
    inputs: tuple[bytes, ...]


Answer = tuple[int, list[bytes]]  # the result and the outputs


class Native:
    """A library in this process, and one of its parameter sets."""

    def __init__(self, path: Path, name: str) -> None:
        self._library = _loaded(path)
        self.number = sets(path).index(name)
        self._kem = ctypes.c_void_p(self._library.latkem_kem_at(self.number))

    def size(self, what: str) -> int:
        function = self._library[f"latkem_{what}_bytes"]
        function.restype = ctypes.c_size_t
        return int(function(self._kem))

    def run(self, operation: Operation) -> Answer:
        outputs = [ctypes.create_string_buffer(n) for n in operation.outputs]
        inputs = [x for data in operation.inputs for x in (data, ctypes.c_size_t(len(data)))]
        result = self._library[operation.function](self._kem, *outputs, *inputs)
        return result & 0xFFFFFFFF, [o.raw for o in outputs]


def _loaded(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path.resolve()))
    library.latkem_kem_at.restype, library.latkem_kem_name.restype = ctypes.c_void_p, ctypes.c_char_p
    return library


def sets(path: Path) -> list[str]:
    """The names of a library's parameter sets."""
    library = _loaded(path)
    kems = takewhile(bool, (library.latkem_kem_at(ctypes.c_size_t(i)) for i in count()))
    return [library.latkem_kem_name(ctypes.c_void_p(kem)).decode() for kem in kems]


def backends(image: Image) -> list[str]:
    """The names of a library's backends, `portable` first."""
    found = [n.removeprefix(BACKEND) for n, s in image.symbols.items() if n.startswith(BACKEND) and _is_table(image, s)]
    return sorted(found, key=lambda name: (name != "portable", name))


def _is_table(image: Image, symbol: Symbol) -> bool:
    return not image.is_code(symbol.address) and symbol.size % (8 * BACKEND_WORDS) == 0


def variants(image: Image, backend: str, name: str) -> Iterator[int]:
    """The addresses of a backend's tables with different kernels for the set. AES and SHA-2 are Kyber-90s's."""
    table = image.symbols[BACKEND + backend]
    unused = {NEEDS} if name.endswith("90s") else {NEEDS, AES, SHA2}
    seen = set()
    for at in range(table.address, table.address + table.size, 8 * BACKEND_WORDS):
        kernels = tuple(image.word(at + 8 * i) for i in range(BACKEND_WORDS) if i not in unused)
        if kernels not in seen:
            seen.add(kernels)
            yield at


def example(size: int) -> bytes:
    return bytes(i * i * 31 + i * 7 & 255 for i in range(size))


def operations(native: Native) -> Iterator[tuple[Operation, Answer]]:
    """Each takes what the one before it made."""
    sizes = {what: native.size(what) for what in ("ek", "dk", "ct", "ss", "seed", "coins")}

    def answered(function: str, outputs: tuple[str, ...], *inputs: bytes) -> tuple[Operation, Answer]:
        operation = Operation(f"latkem_{function}", tuple(sizes[o] for o in outputs), inputs)
        return operation, native.run(operation)

    keygen = answered("keypair_derand", ("ek", "dk"), example(sizes["seed"]))
    ek, dk = keygen[1][1]
    encaps = answered("encaps_derand", ("ct", "ss"), ek, example(sizes["coins"]))
    ct = encaps[1][1][0]
    yield from (keygen, encaps)
    yield answered("decaps", ("ss",), ct, dk)
    yield answered("decaps", ("ss",), ct[:-1] + bytes([ct[-1] ^ 1]), dk)


class Interpreted:
    """An operation in the interpreter. `backend` is the address of a backend's table in the image."""

    def __init__(self, image: Image, name: str, backend: int) -> None:
        self._memory = Memory(unwritten_is_unknown=True)  # structures are copied with their padding
        image.map_into(self._memory, CHOICE)
        self.machine = MACHINES[image.machine](image, self._memory)
        self._places = iter(range(BUFFERS, BUFFERS + 16 * BUFFER_SPACE, BUFFER_SPACE))
        self.machine.call("lk_backend_force", [backend])
        self._kem = T.val(self.machine.call("latkem_kem_find", [self._input(name.encode() + b"\0")]))

    def _input(self, data: bytes) -> int:
        at = self._memory.region(next(self._places), len(data), False, f"an input of {len(data)} bytes")
        self.machine.image.put_constants(self._memory, at, data)
        return at

    def run(self, operation: Operation) -> Answer:
        outputs = [
            self._memory.region(next(self._places), n, True, f"an output of {n} bytes") for n in operation.outputs
        ]
        inputs = [x for data in operation.inputs for x in (self._input(data), len(data))]
        result = self.machine.call(operation.function, [self._kem, *outputs, *inputs])
        written = [self._memory.lanes(at, n, 8) for at, n in zip(outputs, operation.outputs, strict=True)]
        return T.val(result) & 0xFFFFFFFF, [bytes(T.val(b) for b in out) for out in written]


class Emulated:
    """A library in the emulator, and its set of that number. `backend` is the address of a backend's table."""

    def __init__(self, image: Image, number: int, backend: int) -> None:
        self._image, self._machine = image, Emulator()
        for segment in image.segments:
            self._machine.area(segment.start, len(segment.data))
            self._machine.write(segment.start, bytes(segment.data))
        self._machine.area(IMPORTS, IMPORT_SPACE * len(image.imports))
        for at, name in image.imports.items():
            self._machine.write(at, IMPORTED.get(name, UD2))
        self._machine.area(BUFFERS, EMULATED_SPACE)
        self._call("lk_backend_force", backend)
        self._kem = self._call("latkem_kem_at", number)

    def _call(self, function: str, *arguments: int) -> int:
        return self._machine.call(self._image.address(function), *arguments)

    def run(self, operation: Operation) -> Answer:
        buffers = [*map(bytes, operation.outputs), *operation.inputs]
        places = list(accumulate(map(len, buffers), initial=BUFFERS))
        for at, data in zip(places, buffers, strict=False):
            self._machine.write(at, data)
        outputs, inputs = places[: len(operation.outputs)], places[len(operation.outputs) :]
        given = [x for at, data in zip(inputs, operation.inputs, strict=False) for x in (at, len(data))]
        result = self._call(operation.function, self._kem, *outputs, *given)
        return result & 0xFFFFFFFF, [
            self._machine.read(at, n) for at, n in zip(outputs, operation.outputs, strict=True)
        ]


# ---- the comparison ----


@dataclass(frozen=True)
class Comparison:
    operation: str
    difference: str  # empty if there is none
    instructions: int = 0  # that the interpreter executed
    forms: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Case:
    """An operation of a set by one of a backend's tables, and its answer."""

    title: str
    table: int
    number: int  # of the set
    operation: Operation
    expected: Answer

    def difference(self, answer: Answer) -> str:
        return "" if answer == self.expected else "the bytes differ from the native ones"


def cases(image: Image, path: Path, name: str, backend: str, most: int | None) -> Iterator[Case]:
    """Of `most` variants, if that is given the first ones."""
    native = Native(path, name)
    for operation, expected in operations(native):
        for variant, table in enumerate(islice(variants(image, backend, name), most)):
            title = f"{operation.function} of {name} on {backend} (variant {variant})"
            yield Case(title, table, native.number, operation, expected)


def interpret(image: Image, native: Path, name: str, backend: str, most: int | None = None) -> Iterator[Comparison]:
    for case in cases(image, native, name, backend, most):
        try:
            interpreted = Interpreted(image, name, case.table)
            difference = case.difference(interpreted.run(case.operation))
        except Violation as violation:
            yield Comparison(case.title, str(violation))
            continue
        machine = interpreted.machine
        yield Comparison(case.title, difference, machine.instructions, frozenset(machine.forms_used))


def emulate(image: Image, native: Path, name: str, backend: str, most: int | None = None) -> Iterator[Comparison]:
    for case in cases(image, native, name, backend, most):
        try:
            difference = case.difference(in_child(_emulated, image, case))
        except EmulatorError as error:
            difference = str(error)
        yield Comparison(f"{case.title}, emulated", difference)


def _emulated(image: Image, case: Case) -> Answer:
    return Emulated(image, case.number, case.table).run(case.operation)

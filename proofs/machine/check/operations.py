"""Whole operations with concrete inputs: the interpreter against the library run natively, byte by byte.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proofs.machine import terms as T
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation
from proofs.machine.x86_64 import Machine

SETS = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "Kyber512-90s", "Saber", "NTRU-HPS-2048-509"]
BACKENDS = ["portable", "avx2", "avx512"]
BUFFERS = 0x100000000  # where the operation's buffers lie in the interpreter
BUFFER_SPACE = 0x1000000


@dataclass(frozen=True)
class Operation:
    """A call of the API: its outputs and inputs as it takes them, an input with its length or without."""

    name: str
    outputs: tuple[int, ...]  # sizes
    inputs: tuple[tuple[bytes, bool], ...]


class Native:
    """The library in this process."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._library = ctypes.CDLL(str(image.path.resolve()))
        found = ctypes.cast(self._library.latkem_kem_find, ctypes.c_void_p).value or 0
        self._load_address = found - (image.address("latkem_kem_find") - image.base)

    def in_image(self, address: int) -> int:
        """Where the interpreter has what lies at an address of this process."""
        return address - self._load_address + self.image.base

    def find(self, name: str) -> int:
        find = self._library.latkem_kem_find
        find.restype = ctypes.c_void_p
        kem = find(name.encode())
        if not kem:
            raise ValueError(f"the library has no {name}")
        return kem

    def use(self, backend: str) -> int:
        """Puts a backend in force; returns the address of its table."""
        if self._library.latkem_backend_use(backend.encode()):
            raise ValueError(f"this CPU or library has no backend {backend}")
        here = self._load_address + self.image.address("forced") - self.image.base
        return ctypes.c_uint64.from_address(here).value

    def size(self, what: str, kem: int) -> int:
        function = getattr(self._library, f"latkem_{what}_bytes")
        function.restype = ctypes.c_size_t
        return function(ctypes.c_void_p(kem))

    def run(self, kem: int, operation: Operation) -> tuple[int, list[bytes]]:
        """The result and the outputs."""
        outputs = [ctypes.create_string_buffer(n) for n in operation.outputs]
        arguments: list[object] = [ctypes.c_void_p(kem), *outputs]
        for data, with_length in operation.inputs:
            arguments.append(data)
            if with_length:
                arguments.append(ctypes.c_size_t(len(data)))
        result = getattr(self._library, operation.name)(*arguments)
        return result, [o.raw for o in outputs]


def operations(native: Native, kem: int) -> Iterator[Operation]:
    """Key generation, encapsulation and decapsulation of what came before: of a good and of a bad ciphertext."""
    ek_size, dk_size, ct_size, ss_size = (native.size(what, kem) for what in ("ek", "dk", "ct", "ss"))
    random = bytes(i * i * 31 + i * 7 & 255 for i in range(1 << 14))
    keygen = Operation("latkem_keypair_derand", (ek_size, dk_size), ((random[: native.size("seed", kem)], True),))
    yield keygen
    ek, dk = native.run(kem, keygen)[1]
    coins = random[100 : 100 + native.size("coins", kem)]
    encaps = Operation("latkem_encaps_derand", (ct_size, ss_size), ((ek, True), (coins, True)))
    yield encaps
    ct = native.run(kem, encaps)[1][0]
    yield Operation("latkem_decaps", (ss_size,), ((ct, True), (dk, True)))
    yield Operation("latkem_decaps", (ss_size,), ((ct[:-1] + bytes([ct[-1] ^ 1]), True), (dk, True)))


def interpret(image: Image, kem: int, backend: int, operation: Operation) -> tuple[int, list[bytes], Machine]:
    """The same in the interpreter, from the addresses of the set and of the backend's table."""
    memory = Memory(unwritten_is_unknown=True)
    image.map_into(memory)
    machine = Machine(image, memory)
    memory.put(image.address("forced"), [T.const(backend, 64)])
    arguments, outputs = [kem], []
    places = iter(range(BUFFERS, BUFFERS + 16 * BUFFER_SPACE, BUFFER_SPACE))
    for i, size in enumerate(operation.outputs):
        outputs.append((memory.region(next(places), size, True, f"output {i}"), size))
        arguments.append(outputs[-1][0])
    for i, (data, with_length) in enumerate(operation.inputs):
        at = memory.region(next(places), len(data), False, f"input {i}")
        memory.put(at, [T.const(b, 8) for b in data])
        arguments += [at, len(data)] if with_length else [at]
    result = machine.call(operation.name, arguments)
    values = [bytes(T.val(b) for b in memory.lanes(at, size, 8)) for at, size in outputs]
    return T.val(T.extract(result, 0, 32)), values, machine


def compare(native: Native, name: str, backend: str) -> Iterator[tuple[str, Machine | None]]:
    """Differences, and the machine of each operation that was run: its forms were met."""
    kem, table = native.find(name), native.use(backend)
    for operation in operations(native, kem):
        expected = native.run(kem, operation)
        where = f"{operation.name} of {name} on {backend}"
        try:
            result, outputs, machine = interpret(native.image, native.in_image(kem), native.in_image(table), operation)
        except Violation as violation:
            yield f"{where}: {violation}", None
            continue
        same = (result & 0xFFFFFFFF, outputs) == (expected[0] & 0xFFFFFFFF, expected[1])
        yield "" if same else f"{where}: the CPU's result differs", machine


def main(path: Path) -> None:
    native = Native(Image(path))
    for name in SETS:
        for backend in BACKENDS:
            began = time.process_time()
            for difference, machine in compare(native, name, backend):
                now = time.process_time()
                print(
                    name,
                    backend,
                    difference or "same",
                    machine and machine.instructions,
                    f"{now - began:.1f} s",
                    len(T.OP),
                    flush=True,
                )
                began = now


if __name__ == "__main__":
    import sys

    if len(sys.argv) > 2:
        SETS[:] = sys.argv[2].split(",")
    if len(sys.argv) > 3:
        BACKENDS[:] = sys.argv[3].split(",")
    main(Path(sys.argv[1]))

"""A fresh process that runs operations and their errors; it prints by how many bytes its memory grew.

Usage: leaks.py COUNT. SPDX-License-Identifier: Apache-2.0
"""

import resource
import sys
from collections.abc import Callable
from pathlib import Path

import latkem
from latkem import Kem, batch


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def operations(kem: Kem) -> list[Callable[[], object]]:
    """Each call that allocates, and each of its errors."""
    key = kem.generate()
    public, pem = key.public_key(), key.private_bytes()
    ek, dk, ct = public.public_bytes_raw(), key.expanded_bytes(), public.encapsulate().ciphertext
    bad = b"\xff" * len(ek)
    room, at = bytearray(32), [bytearray(3 * size) for size in (len(ek), len(dk))]
    return [
        lambda: kem.generate().public_key().encapsulate(),
        lambda: kem.from_seed(bytes(64)).decapsulate(ct),
        lambda: kem.private_key(dk).decapsulate_into(ct, room),
        lambda: kem.public_key(ek).encapsulate_into(room),
        lambda: (kem.encapsulate(ek), kem.decapsulate(dk, ct)),
        lambda: latkem.derand.encapsulate(public, bytes(32)),
        lambda: (latkem.load_private_key(pem), latkem.load_public_key(public.public_bytes("DER"))),
        lambda: (key.private_bytes("PEM", "both"), key.public_key().public_bytes(), key.private_bytes_raw()),
        lambda: batch.generate(kem, *at),
        lambda: (hash(public), public == key, repr(key), Kem.names(), kem.name),
        lambda: latkem.use_backend(latkem.backend()),
        lambda: latkem.use_backend("none"),
        lambda: kem.public_key(bad),
        lambda: kem.private_key(bytes(len(dk))),
        lambda: kem.encapsulate(bad),
        lambda: kem.decapsulate(dk, ct[1:]),
        lambda: kem.from_seed(bytes(63)),
        lambda: key.decapsulate(ct[1:]),
        lambda: key.decapsulate(memoryview(ct)[::-1]),
        lambda: key.decapsulate_into(ct, bytes(32)),
        lambda: public.encapsulate_into(bytearray(31)),
        lambda: key.private_bytes("PEM", "none"),  # type: ignore[arg-type]
        lambda: latkem.load_private_key(pem[:-40]),
        lambda: latkem.load_private_key(pem.replace(b"\nM", b"\n!")),
        lambda: latkem.load_public_key(b"junk"),
        lambda: batch.generate(kem, at[0], at[1][1:]),
        lambda: batch.encapsulate(kem, at[0], at[0], at[1]),
        lambda: key.decapsulate(ct, cipher=1),  # type: ignore[call-arg]
        lambda: Kem("none"),
    ]


def run_all(calls: list[Callable[[], object]], times: int) -> None:
    for _ in range(times):
        for call in calls:
            try:
                call()
            except (ValueError, TypeError, BufferError):
                continue


def main() -> None:
    calls = operations(Kem("ML-KEM-768"))
    rounds = int(sys.argv[1]) // len(calls)
    run_all(calls, rounds)  # fills the interpreter's pools
    before = resident()
    run_all(calls, rounds)
    print(resident() - before)


if __name__ == "__main__":
    main()

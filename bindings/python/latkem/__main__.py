"""python -m latkem: the version and the backends; python -m latkem bench: times beside Python's cryptography.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import latkem

SETS = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]
OPERATIONS = ["generate", "encapsulate", "decapsulate"]
BLOCK = 20  # operations that are timed together
ROUNDS_MIN = 15

Operations = list[Callable[[], object]]


def our_operations(name: str) -> Operations:
    kem = latkem.Kem(name)
    key = kem.generate()
    public = key.public_key()
    ciphertext = public.encapsulate().ciphertext
    return [kem.generate, public.encapsulate, lambda: key.decapsulate(ciphertext)]


def their_operations(name: str) -> Operations | None:
    """cryptography's, if it is installed and has the set."""
    try:
        from cryptography.hazmat.primitives.asymmetric import mlkem
    except ImportError:
        return None
    cls: Any = getattr(mlkem, f"{name.replace('-', '')}PrivateKey", None)
    if cls is None:
        return None
    key = cls.generate()
    public = key.public_key()
    ciphertext = public.encapsulate()[1]
    return [cls.generate, public.encapsulate, lambda: key.decapsulate(ciphertext)]


def block_of(operation: Callable[[], object]) -> Callable[[], object]:
    def repeat() -> None:
        for _ in range(BLOCK):
            operation()

    return repeat


def seconds(block: Callable[[], object]) -> float:
    """Of one operation. A block goes before the timed one, because the one before this has used the caches."""
    block()
    begin = time.perf_counter()
    block()
    return (time.perf_counter() - begin) / BLOCK


def samples(blocks: Operations, limit: float) -> list[list[float]]:
    """Seconds of an operation, of each block in turn, so that a busy moment of the machine meets all of them."""
    times: list[list[float]] = [[] for _ in blocks]
    end = time.perf_counter() + limit
    while time.perf_counter() < end or len(times[0]) < ROUNDS_MIN:
        for i, block in enumerate(blocks):
            times[i].append(seconds(block))
    return times


def bench(limit: float) -> None:
    print(f"latkem {latkem.__version__}, backend {latkem.backend()}; medians in µs")
    print(f"{'':24}{'latkem':>10}{'cryptography':>14}{'ratio':>8}")
    for name in SETS:
        theirs = their_operations(name) or []
        blocks = list(map(block_of, [*our_operations(name), *theirs]))
        found = [statistics.median(times) * 1e6 for times in samples(blocks, limit)]
        for i, operation in enumerate(OPERATIONS):
            beside = f"{found[i + 3]:14.2f}{found[i] / found[i + 3]:8.2f}" if theirs else f"{'-':>14}{'-':>8}"
            print(f"{name:12}{operation:12}{found[i]:10.2f}{beside}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m latkem", description="latkem: lattice key encapsulation.")
    commands = parser.add_subparsers(dest="command")
    measure = commands.add_parser("bench", help="times of ML-KEM, beside cryptography if it is installed")
    measure.add_argument("--quick", action="store_true", help="a twentieth of the time")
    arguments = parser.parse_args()
    if arguments.command == "bench":
        bench(0.15 if arguments.quick else 3.0)
    else:
        print(f"latkem {latkem.__version__}, backend {latkem.backend()} of {', '.join(latkem.backends())}")


if __name__ == "__main__":
    main()

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


def seconds(operation: Callable[[], object]) -> float:
    begin = time.perf_counter()
    for _ in range(BLOCK):
        operation()
    return (time.perf_counter() - begin) / BLOCK


def medians(operations: Operations, rounds: int) -> list[float]:
    """Medians in microseconds. The operations take turns, so that a busy moment of the machine meets all of them."""
    times: list[list[float]] = [[] for _ in operations]
    for _ in range(rounds):
        for i, operation in enumerate(operations):
            times[i].append(seconds(operation))
    return [statistics.median(each) * 1e6 for each in times]


def bench(rounds: int) -> None:
    print(f"latkem {latkem.__version__}, backend {latkem.backend()}; medians in µs")
    print(f"{'':24}{'latkem':>10}{'cryptography':>14}{'ratio':>8}")
    for name in SETS:
        theirs = their_operations(name) or []
        found = medians([*our_operations(name), *theirs], rounds)
        for i, operation in enumerate(OPERATIONS):
            beside = f"{found[i + 3]:14.2f}{found[i] / found[i + 3]:8.2f}" if theirs else f"{'-':>14}{'-':>8}"
            print(f"{name:12}{operation:12}{found[i]:10.2f}{beside}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m latkem", description="latkem: lattice key encapsulation.")
    commands = parser.add_subparsers(dest="command")
    measure = commands.add_parser("bench", help="times of ML-KEM, beside cryptography if it is installed")
    measure.add_argument("--quick", action="store_true", help="a twentieth of the rounds")
    arguments = parser.parse_args()
    if arguments.command == "bench":
        bench(25 if arguments.quick else 500)
    else:
        print(f"latkem {latkem.__version__}, backend {latkem.backend()} of {', '.join(latkem.backends())}")


if __name__ == "__main__":
    main()

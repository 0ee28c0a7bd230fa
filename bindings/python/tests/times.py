#!/usr/bin/env python3
"""Times ML-KEM with key objects that are kept, beside Python's cryptography and the C calls in a loop, and prints JSON
(harness/packages/measure.py).

LATKEM_BARE names the library of harness/bare. Usage: times.py SECONDS SET... SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import importlib.metadata
import json
import os
import platform
import statistics
import sys
from collections.abc import Callable

import latkem
from latkem.__main__ import BLOCK, block_of, our_operations, samples, their_operations

OPERATIONS = ("keygen", "encaps", "decaps")


def c_blocks(name: str) -> list[Callable[[], object]]:
    """One call from here for a whole block."""
    library = ctypes.CDLL(os.environ["LATKEM_BARE"])
    library.bare_open.restype = ctypes.c_void_p
    library.bare_repeat.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    work = library.bare_open(name.encode())

    def block(operation: int) -> Callable[[], object]:
        def repeat() -> None:
            if library.bare_repeat(work, operation, 1, BLOCK):
                raise RuntimeError("a C call failed")

        return repeat

    return [block(operation) for operation in range(len(OPERATIONS))]


def contestants(name: str) -> dict[str, list[Callable[[], object]]]:
    """Blocks of each library's operations."""
    theirs = their_operations(name)
    found = {"latkem": list(map(block_of, our_operations(name))), "C": c_blocks(name)}
    return found | ({"cryptography": list(map(block_of, theirs))} if theirs else {})


def row(name: str, library: str, operation: str, times: list[float]) -> dict[str, object]:
    quartiles = [1e9 * value for value in statistics.quantiles(times, n=4)]
    keys = ("q1_ns", "median_ns", "q3_ns")
    head: dict[str, object] = {"set": name, "operation": operation, "library": library}
    return head | dict(zip(keys, quartiles, strict=True))


def main() -> None:
    rows, rounds = [], []
    for name in sys.argv[2:]:
        found = contestants(name)
        places = [(library, operation) for library in found for operation in OPERATIONS]
        times = samples([block for blocks in found.values() for block in blocks], float(sys.argv[1]))
        rounds.append(len(times[0]))
        rows += [row(name, *place, each) for place, each in zip(places, times, strict=True)]
    others = {str(row["library"]) for row in rows} - {"latkem", "C"}
    versions = {library: importlib.metadata.version(library) for library in others}
    runtime = f"{platform.python_implementation()} {platform.python_version()}"
    facts = {"language": "Python", "runtime": runtime, "backend": latkem.backend(), "version": latkem.__version__}
    print(json.dumps({**facts, "libraries": versions, "rounds": min(rounds), "block": BLOCK, "rows": rows}))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Holds ML-KEM-768 with key objects to limits, as ratios to Python's cryptography, measured in one process.

The limits are for the backend avx512. Usage: bars.py [ROUNDS]. SPDX-License-Identifier: Apache-2.0
"""

import sys

import latkem
from latkem.__main__ import OPERATIONS, medians, our_operations, their_operations

LIMITS = {"generate": 0.20, "encapsulate": 0.28, "decapsulate": 0.28}
SET = "ML-KEM-768"


def main() -> int:
    theirs = their_operations(SET)
    if theirs is None:
        print("bars: skipped, cryptography with ML-KEM is not installed")
        return 0
    found = medians([*our_operations(SET), *theirs], int(sys.argv[1]) if sys.argv[1:] else 1000)
    failed = 0
    for i, name in enumerate(OPERATIONS):
        ratio = found[i] / found[i + 3]
        failed |= ratio > LIMITS[name]
        print(f"{SET} {name}: {found[i]:.2f} µs, {found[i + 3]:.2f} µs, {ratio:.2f} of {LIMITS[name]:.2f}")
    print(f"backend {latkem.backend()}{': over a limit' if failed else ''}")
    return failed


if __name__ == "__main__":
    sys.exit(main())

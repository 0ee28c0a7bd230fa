"""Theorems of the kernels of Z_8192[X]/(X^256 + 1): Saber. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Iterator

from proofs.theorems.theorem import Theorem


def theorems() -> Iterator[Theorem]:
    yield from ()

"""Which part of the library an object file counts to. SPDX-License-Identifier: Apache-2.0"""

from pathlib import Path

import pytest

from latkem_evaluate.build import part_of


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("arch/x86_64/avx2/q3329.c.o", "kernels of avx2"),
        ("arch/aarch64/neon/keccak_x1.S.o", "kernels of neon"),
        ("arch/portable/backend.c.o", "schemes, scheduler, interface"),
        ("arch/cpu.c.o", "schemes, scheduler, interface"),
        ("ring/q3329/portable_ntt.c.o", "kernels of portable"),
        ("symmetric/keccak/portable.c.o", "kernels of portable"),
        ("symmetric/keccak/lanes.c.o", "schemes, scheduler, interface"),
        ("scheme/mlkem/kem.c.o", "schemes, scheduler, interface"),
    ],
)
def test_part_of(source: str, part: str) -> None:
    assert part_of(Path(source)) == part

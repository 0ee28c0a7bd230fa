"""The kept cycles of the model: which backend on which core, how operations are scaled, what may grow.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest
from cost_model import STUDIED, Cost, find_native, studied_cycles, studied_sets
from kept import Table

KNOWN = {"cortex-a53": "neon", "other": "neon", "other-sha3": "neon-sha3"}
MODELS = {"cortex-a53": 1000.0, "cortex-a72": 1000.0, "apple-m1": 241.0}


def cost(name: str, functions: dict[str, float] | None = None) -> Cost:
    return Cost(name, 1000.0, {}, functions or {}, dict(MODELS))


def test_code_that_portable_executes_too_is_not_the_backend_s_own() -> None:
    costs = [
        cost("op/keygen/Saber/portable", {"shared": 400.0, "product": 600.0}),
        cost("op/keygen/Saber/neon", {"shared": 250.0, "neon_product": 750.0}),
        cost("op/keygen/LightSaber/neon", {"shared": 1000.0}),
    ]
    find_native(costs)
    assert [cost.native for cost in costs] == [0.0, 0.75, 1.0]  # of the last no portable run is known


def test_a_core_has_the_reference_and_its_own_backend() -> None:
    backends = ("portable", "neon", "neon-sha3", "neon-sha3-full")
    rows = studied_cycles([cost(f"op/keygen/Kyber768/{backend}") for backend in backends], KNOWN)
    assert {name.split("/")[0] for name in rows} == {core.title for core in STUDIED}
    assert "Apple M1/op/keygen/Kyber768/neon-sha3" in rows
    assert "Apple A12/op/keygen/Kyber768/neon" in rows
    assert len(rows) == 2 * len(STUDIED)


def test_only_what_a_study_timed_on_a_core_is_kept() -> None:
    sets = studied_sets()
    assert "Kyber768-90s" in sets["Cortex-A75"] - sets["Cortex-A72"]
    assert sets["Cortex-A53"] == {"Kyber512", "Kyber768", "Kyber1024", "LightSaber", "Saber", "FireSaber"}
    names = [f"{kind}/portable" for kind in ("op/keygen/ML-KEM-768", "op/keygen/Saber", "kernel/q3329/ntt")]
    rows = studied_cycles([cost(name) for name in names], KNOWN)
    assert [name for name in rows if name.startswith("Cortex-A53/")] == [f"Cortex-A53/{name}" for name in names[1:]]


def test_operations_are_scaled_by_whose_code_runs_and_kernels_are_not() -> None:
    costs = [cost("op/keygen/Kyber768/portable"), cost("op/keygen/Kyber768/neon"), cost("kernel/q3329/ntt/neon")]
    costs[1].native = 0.5
    rows = studied_cycles(costs, KNOWN)
    assert rows["Cortex-A72/op/keygen/Kyber768/portable"] == pytest.approx(1210)
    assert rows["Cortex-A75/op/keygen/Kyber768/neon"] == pytest.approx(1280)
    assert rows["Cortex-A53/op/keygen/Kyber768/neon"] == 1000
    assert rows["Cortex-A72/kernel/q3329/ntt/neon"] == 1000
    assert rows["Apple A12/op/keygen/Kyber768/neon"] == 241


def test_kept_numbers_may_not_grow_nor_be_of_another_backend(tmp_path: Path) -> None:
    table = Table(tmp_path / "kept.txt", 0.02)
    table.write("cc 1", {"Apple M1/op/a/neon": 1000.0})
    assert table.check("cc 1", {"Apple M1/op/a/neon": 1020.0}) == 0
    assert table.check("cc 1", {"Apple M1/op/a/neon": 1021.0}) == 1
    assert table.check("cc 1", {"Apple M1/op/a/neon-sha3": 900.0}) == 1
    assert table.check("cc 2", {"Apple M1/op/a/neon": 2000.0}) == 0  # made with something else: skipped, and said

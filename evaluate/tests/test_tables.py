"""Statistics from Google Benchmark's JSON. SPDX-License-Identifier: Apache-2.0"""

import pandas as pd
import pytest
from conftest import BACKENDS, google_document, iteration

from latkem_evaluate import tables


def row_of(rows: pd.DataFrame, **keys: str) -> pd.Series:
    for column, value in keys.items():
        rows = rows[rows[column] == value]
    assert len(rows) == 1
    return rows.iloc[0]


@pytest.fixture
def operations() -> pd.DataFrame:
    return tables.statistics(tables.samples([google_document("op", BACKENDS)], "op"), "op")


def test_median_and_quartiles(operations: pd.DataFrame) -> None:
    row = row_of(operations, tier="wire", operation="keygen", set="ML-KEM-512", backend="portable")
    assert (row["n"], row["median_ns"], row["q1_ns"], row["q3_ns"], row["min_ns"]) == (3, 1000, 999, 1001, 998)


def test_processes_are_pooled() -> None:
    document = google_document("op", BACKENDS)
    rows = tables.statistics(tables.samples([document, document], "op"), "op")
    assert set(rows["n"]) == {6}


def test_speedup_is_over_portable(operations: pd.DataFrame) -> None:
    keys = {"tier": "wire", "operation": "encaps", "set": "ML-KEM-768"}
    assert row_of(operations, backend="swift", **keys)["speedup"] == 2
    assert row_of(operations, backend="portable", **keys)["speedup"] == 1


def test_batch_counts_one_item(operations: pd.DataFrame) -> None:
    row = row_of(operations, tier="batch", set="ML-KEM-512", backend="portable")
    assert (row["median_ns"], row["cycles"]) == (1000, 1000)


def test_only_rows_with_wide_quartiles_are_noisy(operations: pd.DataFrame) -> None:
    noisy = operations[operations["noisy"]]
    assert set(zip(noisy["operation"], noisy["set"], strict=True)) == {("decaps", "ML-KEM-768")}


def test_units_and_missing_cycles() -> None:
    row = iteration("op/wire/keygen/X/portable", 2.5) | {"time_unit": "us"}
    sample = tables.samples([{"benchmarks": [row]}], "op").iloc[0]
    assert sample["ns"] == 2500
    assert sample["cycles"] is None


def test_errors_are_told_and_not_counted() -> None:
    row = iteration("op/wire/keygen/X/portable", 0.0) | {"error_occurred": True, "error_message": "wrong result"}
    document = {"benchmarks": [row]}
    assert tables.errors([document, document]) == ["op/wire/keygen/X/portable: wrong result"]
    assert tables.statistics(tables.samples([document], "op"), "op").empty


def test_names_sort_by_number() -> None:
    names = pd.Series(["compress_d10", "compress_d4"])
    assert list(names.sort_values(key=tables.natural)) == ["compress_d4", "compress_d10"]

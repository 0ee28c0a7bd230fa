"""Cells of measured rows: their units, and as many digits as their errors bear. SPDX-License-Identifier: Apache-2.0"""

import pandas as pd
import pytest

from latkem_evaluate.table import EMPTY, measured_cells, time_cell


@pytest.fixture
def row() -> pd.Series:
    """12.3 µs ± 0.3."""
    times = {"ns": 12345.0, "low_ns": 12045.0, "high_ns": 12645.0, "width": 600 / 12345, "noisy": False}
    return pd.Series(times | {"cycles": 23456.0, "speedup": 2.345, "speedup_error": 0.3})


def test_a_time_and_its_interval_are_in_one_unit(row: pd.Series) -> None:
    assert (time_cell(row, 1e3).text, time_cell(row, 1e3).small) == ("12.3", "12.0–12.6")
    assert (time_cell(row, 1.0).text, time_cell(row, 1.0).small) == ("12300", "12000–12600")
    assert time_cell(row, 1e3).kind == ""
    assert time_cell(pd.Series(dict(row) | {"noisy": True}), 1e3).kind == "noisy"


def test_columns_have_their_units_and_digits(row: pd.Series) -> None:
    columns = ["µs", "kcycles", "cycles", "speed-up"]
    assert [cell.text for cell in measured_cells(row, columns, 1e3)] == ["12.3", "23", "23000", "2.3×"]
    row["width"] = 0.0001
    assert [cell.text for cell in measured_cells(row, ["kcycles", "cycles"], 1e3)] == ["23.5", "23500"]


def test_without_a_reference_there_is_no_speedup(row: pd.Series) -> None:
    row["speedup"] = float("nan")
    assert measured_cells(row, ["speed-up"], 1e3) == [EMPTY]

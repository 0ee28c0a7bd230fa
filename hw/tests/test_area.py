"""The count of area, and when kept figures no longer hold.

SPDX-License-Identifier: Apache-2.0
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import area
import synthesis

CELLS = {"LUT1": 1, "LUT6": 10, "RAM32M": 2, "SRL16E": 3, "FDCE": 4, "FDRE": 5, "DSP48E1": 6, "RAMB36E1": 1}
CELLS |= {"RAMB18E1": 1, "CARRY4": 9}
COUNTS = {"LUT": 22, "LUTRAM": 8, "SRL": 3, "FF": 9, "DSP": 6, "RAMB36": 1.5}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A row that is kept."""
    monkeypatch.setattr(synthesis, "FIGURES", tmp_path)
    rows = [{"name": "mlkem", **COUNTS}]
    synthesis.write("area", rows)
    return rows


def test_memory_and_shift_registers_are_look_up_tables() -> None:
    assert area.count(CELLS) == COUNTS


def test_the_same_figures_hold(kept: list[dict[str, Any]]) -> None:
    assert area.compare(kept) == 0


@pytest.mark.parametrize("column", area.COLUMNS)
def test_another_figure_is_told(kept: list[dict[str, Any]], column: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert area.compare([kept[0] | {column: kept[0][column] + 1}]) == 1
    assert "mlkem" in capsys.readouterr().out


def test_a_core_without_kept_figures_is_told(kept: list[dict[str, Any]]) -> None:
    assert area.compare([kept[0] | {"name": "mlkem-512"}]) == 1


def test_cores_keep_to_their_limits() -> None:
    kept = {row["name"]: row for row in synthesis.load("area")["rows"]}
    tables = tomllib.loads((synthesis.HERE / "configurations.toml").read_text())["configuration"]
    limits = {table["name"]: table["limit"] for table in tables if "limit" in table}
    assert limits
    for name, limit in limits.items():
        assert {column: most for column, most in limit.items() if kept[name][column] > most} == {}, name

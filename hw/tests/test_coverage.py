"""How hw/dv/coverage.py adds up what models counted, and holds it to the rows that explain.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "dv"))

import coverage

FILE = "stream/latkem_ram.sv"


def row(line: int, page: str, count: int, name: str = "", file: str = FILE, instance: str = "TOP.a") -> str:
    keys = {"f": str(coverage.RTL / file), "l": str(line), "n": "3", "page": page, "o": name, "h": instance}
    return "C '" + "".join(f"\x01{key}\x02{value}" for key, value in keys.items()) + f"' {count}\n"


def test_instances_count_together() -> None:
    rows = [row(9, "v_line/ram__W1", 0, "block"), row(9, "v_line/ram__W2", 3, "block", instance="TOP.b")]
    counts = coverage.points_of(rows)
    assert list(counts.values()) == [3]
    assert not coverage.missed(counts)


def test_other_files_and_text_do_not_count() -> None:
    assert not coverage.points_of(["# SystemC::Coverage-3\n", row(1, "v_line/x", 1, file="../dv/bench.h")])


def test_shares() -> None:
    rows = [
        row(1, "v_line/x", 1),
        row(2, "v_branch/x", 0, "else"),
        row(3, "v_toggle/x", 1, "a[0]"),
        row(3, "v_toggle/x", 2, "a[1]"),
    ]
    assert coverage.shares(coverage.points_of(rows)) == {FILE: {"reached": 1, "lines": 2, "toggled": 1, "bits": 2}}


def test_a_row_is_needed_and_must_be_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = coverage.missed(coverage.points_of([row(1, "v_branch/x", 0, "else")]))
    monkeypatch.setattr(coverage, "HERE", tmp_path)
    table = tmp_path / "coverage.toml"
    table.write_text("")
    assert coverage.explained(points) == (points, [])
    entry = f'[[unreached]]\nfile = "{FILE}"\nline = "{points[0].text()}"\nbranch = "%s"\nwhy = "here"\n'
    table.write_text(entry % "else")
    assert coverage.explained(points) == ([], [])
    table.write_text(entry % "if")
    left, idle = coverage.explained(points)
    assert left == points
    assert len(idle) == 1


def test_rows_are_of_lines_that_exist() -> None:
    for entry in coverage.tomllib.loads((coverage.HERE / "coverage.toml").read_text()).get("unreached", []):
        assert entry["why"]
        lines = (coverage.RTL / entry["file"]).read_text().splitlines()
        assert entry["line"] in [line.strip() for line in lines]

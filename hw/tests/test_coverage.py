"""How hw/dv/coverage.py adds up what models counted, and holds it to the rows that explain.

SPDX-License-Identifier: Apache-2.0
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "dv"))

import coverage

FILE = "stream/ram"


def row(line: int, page: str, count: int, name: str = "", file: str = FILE, instance: str = "TOP.a") -> str:
    keys = {"f": str(coverage.source(file)), "l": str(line), "n": "3", "page": page, "o": name, "h": instance}
    return "C '" + "".join(f"\x01{key}\x02{value}" for key, value in keys.items()) + f"' {count}\n"


def test_instances_count_together() -> None:
    rows = [row(9, "v_line/ram__W1", 0, "block"), row(9, "v_line/ram__W2", 3, "block", instance="TOP.b")]
    counts = coverage.points_of(rows)
    assert list(counts.values()) == [3]
    assert not coverage.missed(counts)


def test_other_files_and_text_do_not_count() -> None:
    assert not coverage.points_of(["# SystemC::Coverage-3\n", row(1, "v_line/x", 1, file="../dv/bench")])


def test_shares() -> None:
    rows = [
        row(1, "v_line/x", 1),
        row(2, "v_branch/x", 0, "else"),
        row(3, "v_toggle/x", 1, "a[0]"),
        row(3, "v_toggle/x", 2, "a[1]"),
    ]
    assert coverage.shares(coverage.points_of(rows)) == {FILE: {"reached": 1, "lines": 2, "toggled": 1, "bits": 2}}


def test_shares_of_one_core_are_kept_beside_those_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "coverage.json"
    digests = {"a": "1", "b": "2"}
    share, other = {"reached": 1, "lines": 1}, {"reached": 2, "lines": 2}
    monkeypatch.setattr(coverage, "FIGURES", kept)
    monkeypatch.setattr(coverage.design, "digests", lambda: digests)
    coverage.keep({"a": share, "a/old": share, "b/x": share, "stream/ram": share}, None)
    digests["a"] = "3"
    coverage.keep({"a": other, "a/new": other}, "a")
    found = json.loads(kept.read_text())
    assert found["design"] == digests
    assert found["files"] == {"a": other, "a/new": other, "b/x": share, "stream/ram": share}
    digests["b"] = "4"
    with pytest.raises(SystemExit, match="shares of b"):
        coverage.keep({"a": share}, "a")
    assert json.loads(kept.read_text()) == found


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(coverage, "HERE", tmp_path)
    return tmp_path / "coverage.toml"


def test_a_row_is_needed_and_must_be_needed(table: Path) -> None:
    counts = coverage.points_of([row(1, "v_branch/x", 0, "else")])
    points = coverage.missed(counts)
    table.write_text("")
    assert coverage.explained(counts) == (points, [])
    entry = f'[[unreached]]\nfile = "{FILE}"\nlines = ["{points[0].text()}"]\nbranch = "%s"\nwhy = "here"\n'
    table.write_text(entry % "else")
    assert coverage.explained(counts) == ([], [])
    table.write_text(entry % "if")
    left, idle = coverage.explained(counts)
    assert left == points
    assert len(idle) == 1


def test_a_function_is_one_row_while_none_of_it_is_reached(table: Path) -> None:
    file, function = "poly/poly_pkg", "power_of"
    lines = coverage.body(file, function)
    assert len(lines) > 2
    inside = [row(line, "v_line/x", 0, file=file) for line in lines]
    entry = f'[[unreached]]\nfile = "{file}"\nfunctions = ["%s"]\nwhy = "here"\n'
    table.write_text(entry % function)
    assert coverage.explained(coverage.points_of(inside)) == ([], [])
    behind = coverage.points_of([*inside, row(lines.stop, "v_line/x", 0, file=file)])
    assert [point.line for point in coverage.explained(behind)[0]] == [lines.stop]
    reached = coverage.points_of([*inside, row(lines.start, "v_branch/x", 1, file=file)])
    assert len(coverage.explained(reached)[1]) == 1
    table.write_text(entry % "power")
    left, idle = coverage.explained(coverage.points_of(inside))
    assert (len(left), len(idle)) == (len(lines), 1)


def test_rows_are_of_what_exists() -> None:
    for entry in coverage.tomllib.loads((coverage.HERE / "coverage.toml").read_text()).get("unreached", []):
        assert entry["why"]
        lines = [line.strip() for line in coverage.source(entry["file"]).read_text().splitlines()]
        assert set(entry.get("lines", ())) <= set(lines)
        assert all(coverage.body(entry["file"], function) for function in entry.get("functions", ()))

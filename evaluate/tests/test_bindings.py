"""The chapter on other languages, and how it is measured: made-up times. SPDX-License-Identifier: Apache-2.0"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import make_raw

from latkem_evaluate.bindings import PROGRAMS
from latkem_evaluate.bindings import Bindings as Runs
from latkem_evaluate.facts import ROOT
from latkem_evaluate.report import Report
from latkem_evaluate.sections.bindings import Bindings
from latkem_evaluate.steps import CommandError, Runner


@pytest.fixture
def section() -> Bindings:
    return Report(make_raw()).section(Bindings)


def texts(section: Bindings) -> list[tuple[str, str, list[str]]]:
    return [
        (row.label, row.note, [c.text for c in row.cells]) for group in section.cost_table().groups for row in group
    ]


def test_times_and_multiples_are_side_by_side(section: Bindings) -> None:
    (group,) = section.table(section.documents[0]).groups
    assert [(row.label, row.note) for row in group] == [(name, "ML-KEM-768") for name in ("latkem", "C", "venom")]
    assert [[cell.text for cell in row.cells[:2]] for row in group] == [
        ["2.00", "1.00×"],
        ["1.50", "0.75×"],
        ["8.00", "4.00×"],
    ]
    assert group[2].cells[0].small == "7.99–8.01"


def test_a_package_s_cost_is_what_it_adds_to_c(section: Bindings) -> None:
    assert texts(section) == [
        ("Snake", "ML-KEM-768", ["1.50", "+500"] * 3),
        ("Gopher", "ML-KEM-768", ["3.10", "\N{MINUS SIGN}100"] * 3),
    ]
    small = [groups[0].cells[1].small for groups in section.cost_table().groups]
    assert small == ["+33\u202f%", "\N{MINUS SIGN}3\u202f%"]


def test_an_operation_without_a_c_call_has_no_cost() -> None:
    raw = make_raw()
    rows = raw["bindings"][0]["rows"]
    rows[:] = [row for row in rows if (row["library"], row["operation"]) != ("C", "encaps")]
    assert texts(Report(raw).section(Bindings))[0][2] == ["1.50", "+500", "–", "–", "1.50", "+500"]


def test_a_limit_is_met_or_missed_and_missing_it_is_no_failure(section: Bindings) -> None:
    groups = section.limit_table().groups
    assert [[cell.text for cell in row.cells] for group in groups for row in group] == [
        ["0.50", "0.25", "met"],
        ["0.50", "0.75", "missed"],
    ]
    assert groups[1][0].note == "ML-KEM-768, encapsulation, of burrow/std"
    assert Report(make_raw()).problems == []


def test_the_answer_and_the_page_name_each_language(section: Bindings) -> None:
    assert section.answer == (
        "Other libraries' times by latkem's: Snake 4.00–4.00×, Gopher 1.33–1.33×. 1 of 2 limits are met."
    )
    page = Report(make_raw()).chapter(Bindings)
    assert "Crab was not measured: there is no claw." in page
    for part in ("Snake 99", "venom 9.9", "Synthetic CPU", "<code>swift</code>", "at least 15 blocks of 20 operations"):
        assert part in page


def test_the_chart_has_each_library_and_c(section: Bindings) -> None:
    (chart,) = section.charts()
    text = chart.inline_svg()
    assert [name for name in ("Snake  C", "Snake  venom", "Gopher  burrow/std") if name not in text] == []
    ratios = section.ratios()
    assert list(ratios["middle"][:3]) == [0.75] * 3
    assert list(ratios["high"][3:4]) == [8010 / 2000]


@pytest.mark.usefixtures("undrawn")
def test_nothing_measured_is_said() -> None:
    report = Report(make_raw() | {"bindings": [{"language": "Crab", "absent": "there is no claw"}]})
    assert report.section(Bindings).answer == "Not measured; the chapter has the reasons."
    assert "there is no claw" in report.chapter(Bindings)
    assert report.section(Bindings).charts() == []
    assert 'id="bindings"' not in Report(make_raw() | {"bindings": []}).html()


class Programs(Runner):
    """Writes what a program speed.py would, or fails."""

    def __init__(self, folder: Path, fails: str = "") -> None:
        super().__init__(folder, folder / "log")
        self.fails = fails
        self.commands: dict[str, list[str]] = {}

    def run(self, name: str, command: Any, **more: Any) -> int:
        self.commands[name] = list(command)
        if name == self.fails:
            raise CommandError(command, 1, self.logs / "none.log")
        Path(command[-1]).write_text(json.dumps([{"language": name}]))
        return 0


@pytest.mark.parametrize("quick", [True, False])
def test_each_program_is_run_and_a_quick_run_builds_nothing(tmp_path: Path, quick: bool) -> None:
    programs = Programs(tmp_path)
    found = Runs(ROOT, programs, tmp_path, quick).measure(lambda part: None)
    assert [document["language"] for document in found] == [f"binding-{name.lower()}" for name in PROGRAMS]
    for name, command in zip(PROGRAMS, programs.commands.values(), strict=True):
        assert command[0] == sys.executable
        assert Path(command[1]) == ROOT / "bindings" / PROGRAMS[name]
        assert Path(command[1]).is_file()
        assert command[2:-2] == (["--built", "--quick"] if quick else [])


def test_a_program_that_fails_is_the_reason(tmp_path: Path) -> None:
    found = Runs(ROOT, Programs(tmp_path, fails="binding-go"), tmp_path, True).measure(lambda part: None)
    assert [document["language"] for document in found if "absent" in document] == ["Go"]
    assert "speed.py" in found[2]["absent"]

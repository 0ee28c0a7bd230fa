"""The design space: variants of a core, which of them are in front, what is missing.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import numpy as np
import pytest
from conftest import make_raw
from test_hardware import OPERATIONS, core, section_of

from latkem_evaluate.cli import ROOT
from latkem_evaluate.hardware import hardware_figures
from latkem_evaluate.report import Report
from latkem_evaluate.sections.hardware import Hardware

SETS = ["LightSaber", "Saber"]


def variant(name: str, lut: int, **further: int) -> dict[str, Any]:
    found = core(name, SETS, list(OPERATIONS), lut) | {"core": "saber"}
    return found | ({"further": further} if further else {})


def counted(cycles: int, **further: int) -> list[dict[str, Any]]:
    rows = [{"set": s, "operation": op, "cycles": cycles, "interval": cycles} for s in SETS for op in OPERATIONS]
    return [row | ({"further": further} if further else {}) for row in rows]


@pytest.fixture
def figures() -> dict[str, Any]:
    """The default beats Unroll = 2 in both; Unroll = 1 is smaller and slower, and Unroll = 4 was never synthesised."""
    area = [variant("saber", 2000), variant("one", 1000, Unroll=1), variant("two", 2500, Unroll=2)]
    configured = [*area, variant("four", 0, Unroll=4), core("light", ["LightSaber"], list(OPERATIONS), 9)]
    cycles = [*counted(100), *counted(300, Unroll=1), *counted(200, Unroll=2), *counted(50, Unroll=4)]
    return {"cycles": cycles, "area": area, "configurations": configured}


def rows(figures: dict[str, Any]) -> list[tuple[str, ...]]:
    """Parameters, look-up tables, and the cycles of key generation, of the first set."""
    found = section_of(figures).space.table().groups[0]
    return [(row.note, row.cells[0].text, row.cells[2].text, row.cells[2].small) for row in found]


def test_variants_in_front_are_those_that_none_beats(figures: dict[str, Any]) -> None:
    assert rows(figures) == [
        ("default", "2000", "100", "front"),
        ("Unroll = 1", "1000", "300", "front"),
        ("Unroll = 2", "2500", "200", ""),
        ("Unroll = 4", "not synthesised yet", "50", ""),
    ]


@pytest.mark.parametrize(
    ("lut", "cycles", "front"), [(2500, 100, ""), (2000, 200, ""), (2000, 100, "front"), (2500, 99, "front")]
)
def test_a_variant_equal_in_one_and_worse_in_the_other_is_beaten(
    figures: dict[str, Any], lut: int, cycles: int, front: str
) -> None:
    figures["area"][2] = variant("two", lut, Unroll=2)
    figures["cycles"] = [row for row in figures["cycles"] if row.get("further") != {"Unroll": 2}]
    figures["cycles"] += counted(cycles, Unroll=2)
    assert rows(figures)[2] == ("Unroll = 2", str(lut), str(cycles), front)


def test_a_variant_that_was_not_simulated_is_told(figures: dict[str, Any]) -> None:
    figures["cycles"] = [row for row in figures["cycles"] if row.get("further") != {"Unroll": 1}]
    assert rows(figures)[1] == ("Unroll = 1", "1000", "not simulated yet", "")


def test_cycles_of_a_variant_are_not_those_of_the_default(figures: dict[str, Any]) -> None:
    section = section_of(figures)
    assert {row["cycles"] for row in section.figures.cycles.values()} == {100}


def test_the_chart_has_each_variant_with_area_and_the_line_of_those_in_front(figures: dict[str, Any]) -> None:
    charts = {chart.name: chart for chart in section_of(figures).charts()}
    axes = charts["hardware-design-saber"].figure.axes[0]
    lines = [np.asarray(line.get_xydata()).tolist() for line in axes.get_lines()]
    assert [len(line) for line in lines].count(1) == 6
    assert [line for line in lines if len(line) > 1] == 2 * [[[1.0, 300], [2.0, 100]]]


def test_one_variant_is_not_drawn(figures: dict[str, Any]) -> None:
    figures["area"] = figures["area"][:1]
    section = section_of(figures)
    assert section.space.shown
    assert "hardware-design-saber" not in [chart.name for chart in section.charts()]


def test_the_kept_figures_name_each_variant() -> None:
    raw = hardware_figures(ROOT)
    report = Report(make_raw() | {"hardware": raw})
    titles = {row.note for group in report.section(Hardware).space.table().groups for row in group}
    assert titles >= {"default", "Unroll = 1", "Unroll = 2", "Unroll = 4"}
    assert titles >= {"Rounds = 2", "Butterflies = 8", "Streams = 1"}
    told = "32 butterflies have not been built"
    assert told in report.chapter(Hardware)

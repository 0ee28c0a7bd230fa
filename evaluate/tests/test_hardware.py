"""The section of the hardware cores. SPDX-License-Identifier: Apache-2.0"""

from typing import Any

import pytest
from conftest import make_raw

from latkem_evaluate.cli import ROOT
from latkem_evaluate.hardware import hardware_figures
from latkem_evaluate.report import Report
from latkem_evaluate.sections.hardware import Hardware
from latkem_evaluate.table import Table

OPERATIONS = ("keygen", "encaps", "decaps")


@pytest.fixture
def figures() -> dict[str, Any]:
    """A core of two sets, one of one set, of which the first was routed."""
    names = ("ML-KEM-512", "ML-KEM-768")
    area = {"LUTRAM": 0, "SRL": 0, "FF": 5, "DSP": 1, "RAMB36": 0.5, "tools": {"yosys": "0"}}
    routed = {"name": "both", "MHz": 100.0, "best": 110.0, "seeds": [90.0, 100.0, 110.0], "tools": {"nextpnr": "1"}}
    return {
        "cycles": [{"set": s, "operation": op, "cycles": 1000, "interval": 1250} for s in names for op in OPERATIONS],
        "area": [
            area | {"name": "both", "sets": list(names), "operations": list(OPERATIONS), "LUT": 20000},
            area | {"name": "one", "sets": [names[0]], "operations": list(OPERATIONS), "LUT": 10000},
            area | {"name": "encaps", "sets": [names[0]], "operations": ["encaps"], "LUT": 5000},
        ],
        "fmax-ecp5": [routed],
        "published": {
            "sources": {"a": {"cited_as": "A", "counts": "times"}, "b": {"cited_as": "B", "counts": "cycles"}},
            "operations": [
                {"source": "a", "device": "D", "set": names[0], "level": 1, "us": [10.0, 20.0, 40.0]},
                {"source": "b", "device": "E", "set": names[0], "level": 1, "cycles": [2000, 3000, 5000]},
            ],
        },
    }


def section_of(figures: dict[str, Any] | None) -> Hardware:
    return Report(make_raw() | {"hardware": figures}).section(Hardware)


def texts(table: Table) -> list[list[str]]:
    return [[row.label, *(cell.text for cell in row.cells)] for group in table.groups for row in group]


def test_times_are_cycles_at_the_clock_that_was_routed(figures: dict[str, Any]) -> None:
    rows = texts(section_of(figures).time_table())
    assert [row[:3] for row in rows] == [[name, "10.0", "80\u202f000"] for name in ("ML-KEM-512", "ML-KEM-768")]


def test_efficiency_is_of_the_smallest_core_of_all_operations(figures: dict[str, Any]) -> None:
    rows = texts(section_of(figures).efficiency_table())
    assert [row[1] for row in rows] == ["10.0", "20.0"]
    assert rows[0][2] == "0.0800"


def test_cores_of_one_operation_are_ranked_with_the_clock_that_is_known(figures: dict[str, Any]) -> None:
    dash, lut = "–", "5\u202f000"
    assert texts(section_of(figures).ranking_table()) == [
        ["ML-KEM-512", *[dash] * 4, lut, "1\u202f000", dash, dash, *[dash] * 4]
    ]
    figures["fmax-nexus"] = [figures["fmax-ecp5"][0] | {"name": "encaps", "MHz": 200.0}]
    assert texts(section_of(figures).ranking_table())[0][5:9] == [lut, "1\u202f000", "200.0", "5.00"]


def test_areas_are_drawn_beside_those_of_published_sources(figures: dict[str, Any]) -> None:
    published = figures["published"]
    published["area_in_our_flow"] = [{"source": "b", "what": "all", "LUT": 30000}]
    section = section_of(figures)
    assert [chart.name for chart in section.charts()] == ["hardware-cycles", "hardware-latency", "hardware-rate"]
    points = list(section._points())
    assert {point["core"] for point in points} == {"latkem, all sets", "one set", "one set, one operation", "B"}
    assert [point["LUT"] for point in points if point["core"] == "B"] == [30000] * 3
    assert texts(section.others_area_table()) == [["B", "all", "30000", *["–"] * 5]]


def test_the_clock_that_ties_a_published_time(figures: dict[str, Any]) -> None:
    theirs, cycles = texts(section_of(figures).published_table())
    assert theirs == ["A", "D", "10 µs", "100 MHz", "20 µs", "50 MHz", "40 µs", "25 MHz"]
    assert cycles == ["B", "E", "2\u202f000", "2.00×", "3\u202f000", "3.00×", "5\u202f000", "5.00×"]


def test_software_stands_beside_the_core(figures: dict[str, Any]) -> None:
    rows = texts(section_of(figures).software_table())
    assert [row[:2] for row in rows[:3]] == [["ML-KEM-512", "1.00"], ["ML-KEM-512", "0.500"], ["ML-KEM-512", "10.0"]]


def test_the_chapter_says_what_it_may(figures: dict[str, Any]) -> None:
    report = Report(make_raw() | {"hardware": figures})
    text = report.chapter(Hardware)
    assert "nextpnr 1, yosys 0" in text
    assert "do not bear" in text
    assert "ECP5-85K" in text


def test_without_a_clock_there_are_no_times(figures: dict[str, Any]) -> None:
    del figures["fmax-ecp5"]
    text = Report(make_raw() | {"hardware": figures}).chapter(Hardware)
    assert "Time on the device" not in text
    assert "Cycles" in text


def test_without_figures_there_is_no_section() -> None:
    assert not section_of(None).shown


def test_the_figures_that_are_kept_are_drawn() -> None:
    report = Report(make_raw() | {"hardware": hardware_figures(ROOT)})
    assert "ML-KEM-1024" in report.chapter(Hardware)

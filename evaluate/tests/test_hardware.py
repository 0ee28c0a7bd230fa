"""The section of the hardware cores. SPDX-License-Identifier: Apache-2.0"""

import json
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from conftest import make_cost_model, make_raw
from test_studies import numbers

from latkem_evaluate.cli import ROOT
from latkem_evaluate.facts import cited_as, published
from latkem_evaluate.hardware import DEVICES, hardware_figures, key_words
from latkem_evaluate.report import Report
from latkem_evaluate.sections.hardware import Hardware
from latkem_evaluate.table import Table

OPERATIONS = ("keygen", "encaps", "decaps")
ECP5, NEXUS = DEVICES


def core(name: str, sets: list[str], operations: list[str], lut: int) -> dict[str, Any]:
    cells = {"LUT": lut, "LUTRAM": 0, "SRL": 0, "FF": 5, "DSP": 1, "RAMB36": 0.5}
    return cells | {
        "name": name,
        "sets": sets,
        "operations": operations,
        "date": "2000-01-01",
        "tools": {"yosys": "0"},
    }


def routed(name: str, median: float) -> dict[str, Any]:
    row = {"name": name, "MHz": median, "best": median + 10, "seeds": [median - 10, median, median + 10]}
    return row | {"date": "2000-01-02", "tools": {"nextpnr": "1"}}


@pytest.fixture
def figures() -> dict[str, Any]:
    """Saber takes twice ML-KEM's cycles and as many look-up tables."""
    names = ("ML-KEM-512", "ML-KEM-768", "Saber")
    cycles = {"ML-KEM-512": 1000, "ML-KEM-768": 1000, "Saber": 2000}
    every = list(OPERATIONS)
    return {
        "cycles": [
            {"set": s, "operation": op, "cycles": cycles[s], "interval": cycles[s] + 250}
            for s in names
            for op in OPERATIONS
        ],
        "area": [
            core("both", ["ML-KEM-512", "ML-KEM-768"], every, 20000),
            core("512", ["ML-KEM-512"], every, 10000),
            core("768", ["ML-KEM-768"], every, 16000),
            core("encaps", ["ML-KEM-768"], ["encaps"], 5000),
            core("saber-encaps", ["Saber"], ["encaps"], 5000),
        ],
        ECP5: [routed("both", 100.0), routed("512", 125.0), routed("encaps", 100.0), routed("saber-encaps", 100.0)],
        NEXUS: [routed("encaps", 200.0)],
        "published": {
            "sources": {
                "a": {"cited_as": "A", "counts": "times"},
                "b": {"cited_as": "B", "counts": "no loading"},
                "c": {"cited_as": "C", "counts": "a clock"},
            },
            "operations": [
                {"source": "a", "device": "D", "set": "ML-KEM-512", "us": [10.0, 20.0, 40.0]},
                {"source": "b", "measured": True, "set": "ML-KEM-512", "cycles": [2000, 3000, 5000]},
                {"source": "c", "device": "E", "set": "ML-KEM-512", "cycles": [800, 4000, 4000], "MHz": 100},
            ],
            "area_in_our_flow": [{"source": "b", "what": "all", "LUT": 30000}],
            "clock_in_our_flow": [{"source": "b", "device": ECP5, "MHz": 50.5}],
        },
    }


def section_of(figures: dict[str, Any] | None) -> Hardware:
    return Report(make_raw() | {"hardware": figures, "aarch64": make_cost_model()}).section(Hardware)


def texts(table: Table) -> list[list[str]]:
    return [
        [row.label, *(cell.text.replace("\u202f", "") for cell in row.cells)] for rows in table.groups for row in rows
    ]


def test_times_are_cycles_at_the_clock_of_the_core_of_that_kind(figures: dict[str, Any]) -> None:
    section = section_of(figures)
    assert [row[:3] for row in texts(section.time_table("level"))] == [
        ["ML-KEM-512", "8.00", "100000"],
        ["ML-KEM-768", "not placed yet", "–"],
    ]
    assert [row[:3] for row in texts(section.time_table("all"))] == [
        [name, "10.0", "80000"] for name in ("ML-KEM-512", "ML-KEM-768")
    ]


def test_of_several_cores_the_one_with_fewest_sets_counts(figures: dict[str, Any]) -> None:
    figures["area"].insert(0, core("more", ["ML-KEM-512", "ML-KEM-768", "Saber"], list(OPERATIONS), 30000))
    figures[ECP5].append(routed("more", 50.0))
    rows = texts(section_of(figures).time_table("all"))
    assert [row[:2] for row in rows] == [["ML-KEM-512", "10.0"], ["ML-KEM-768", "10.0"], ["Saber", "40.0"]]


def test_a_core_of_all_levels_beside_those_of_one(figures: dict[str, Any]) -> None:
    assert texts(section_of(figures).price_table()) == [
        ["ML-KEM-512 to ML-KEM-768", "20000", "1", "0.5", "16000", "1.25×", "26000", "0.769×"]
    ]
    del figures["area"][2]
    assert not section_of(figures).price_table().groups


def test_latency_and_throughput_for_the_area(figures: dict[str, Any]) -> None:
    section = section_of(figures)
    rows = [
        (row.label, row.note, [cell.text for cell in row.cells]) for g in section.efficiency_table().groups for row in g
    ]
    assert rows[0][:2] == ("ML-KEM-512", "three operations, one level")
    assert rows[0][2][:2] == ["10.0", "0.0800"]
    assert rows[2] == ("ML-KEM-768", "one operation, one level", ["–", "–", "5.00", "0.160", "–", "–"])
    assert texts(section.efficiency_table(ECP5))[0][1:3] == ["80.0", "10.0"]


def test_every_core_with_its_clocks_and_date(figures: dict[str, Any]) -> None:
    rows = {(row[0], row[1]): row for row in texts(section_of(figures).core_table())}
    assert rows["ML-KEM-768", "5000"][-5:] == ["100.0", "110.0", "200.0", "210.0", "2000-01-02"]
    assert rows["ML-KEM-768", "16000"][-5:] == ["–", "–", "–", "–", "2000-01-01"]


def test_latkem_with_loading_and_without_beside_a_core_without(figures: dict[str, Any]) -> None:
    others = section_of(figures).others
    (row,) = texts(others.cycle_table())
    assert row[1:5] == ["2000", "1000", f"≥ {1000 - 1632 // 8}", "2.00×"]
    assert row[5:9] == ["3000", "1000", f"≥ {1000 - 800 // 8}", "3.00×"]
    own, theirs = texts(others.area_table())
    assert (own[0], own[1], own[-1]) == ("latkem", "20000", "100")
    assert (theirs[0], theirs[1], theirs[2], theirs[-1]) == ("B", "30000", "–", "50.5")
    assert texts(others.efficiency_table())[0][1:4] == ["60.0", "20.0", "3.00×"]


def test_words_of_keys() -> None:
    assert [key_words("ML-KEM-768", operation) for operation in OPERATIONS] == [300, 148, 300]
    assert [key_words("NTRU-HRSS-701", operation) for operation in OPERATIONS] == [143 + 182, 143, 182]


def test_published_times_are_ranked_apart_with_the_clock_that_ties(figures: dict[str, Any]) -> None:
    rows = texts(section_of(figures).others.time_table())
    assert rows[0] == ["1", "1", "C", "ML-KEM-512", "E", "800", "100", "8.00", "1.00×", "1000", "125 MHz"]
    assert rows[1] == ["1", "2", "A", "ML-KEM-512", "D", "–", "–", "10", "1.25×", "1000", "100 MHz"]
    assert [row[2] for row in rows] == ["C", "A", "A", "C", "A", "C"]


def test_measured_and_published_cycles_stand_apart(figures: dict[str, Any]) -> None:
    section = section_of(figures)
    assert [row[0] for row in texts(section.others.published_cycles_table())] == ["C"]
    assert {bar["bar"] for bar in section._bars()} == {"latkem", "B"}


def test_software_stands_beside_the_cores(figures: dict[str, Any]) -> None:
    rows = [(row.note, [cell.text for cell in row.cells[:2]]) for row in section_of(figures).software.table().groups[0]]
    assert rows[:2] == [("portable", ["1.00", "1\u202f000\u202f000"]), ("swift", ["0.50", "2\u202f000\u202f000"])]
    assert ("Cortex-A55, model, at 1 GHz", ["2.00", "500\u202f000"]) in rows
    assert ("core, ECP5-85K, all levels", ["10.0", "80\u202f000"]) in rows


def test_the_clock_at_which_a_core_ties_software(figures: dict[str, Any]) -> None:
    rows = {row.note: row.cells[2].text for row in section_of(figures).software.table().groups[0]}
    assert (rows["portable"], rows["swift"]) == ("ties at 1000", "ties at 1998")
    assert rows["Cortex-A55, model, at 1 GHz"] == "ties at 500"
    assert rows["core, ECP5-85K, all levels"] == "100"


def test_software_and_cores_are_drawn_together(figures: dict[str, Any]) -> None:
    found = {(dot["set"], dot["panel"]): dot for dot in section_of(figures).software._routed(ECP5)}
    assert [(key, dot["middle"]) for key, dot in found.items() if key[1] == "encaps"] == [
        (("ML-KEM-512", "encaps"), 8.0),
        (("ML-KEM-768", "encaps"), 10.0),
        (("Saber", "encaps"), 20.0),
    ]
    dot = found["ML-KEM-768", "encaps"]
    assert (dot["low"], dot["high"]) == pytest.approx((1000 / 110, 1000 / 90))
    (chart,) = section_of(figures).software.charts()
    drawn = {text.get_text() for text in chart.figure.legends[0].get_texts()}
    assert {"portable", "swift", "Cortex-A55, model, at 1 GHz", "core, ECP5-85K"} <= drawn


def test_charts_of_each_kind_and_device(figures: dict[str, Any]) -> None:
    names = [chart.name for chart in section_of(figures).charts()]
    one = [f"hardware-one-{ECP5}", f"hardware-one-{NEXUS}"]
    level = ["hardware-level-cycles", f"hardware-level-{ECP5}"]  # one of its cores has no clock
    assert names == ["hardware-cycles", *one, *level, "hardware-software", "hardware-flow"]
    del figures[ECP5], figures[NEXUS], figures["published"]["area_in_our_flow"]
    names = [chart.name for chart in section_of(figures).charts()]
    assert names == ["hardware-cycles", "hardware-one-cycles", "hardware-level-cycles"]


def test_cores_of_one_flow_are_drawn_together(figures: dict[str, Any]) -> None:
    found = section_of(figures).others.dots
    dots = {(dot["core"], dot["operation"]): (dot["label"], dot["LUT"], dot["value"]) for dot in found}
    assert len(found) == len(dots)
    assert dots["latkem", "encaps"] == ("512", 20000, 1000)
    assert dots["B", "encaps"] == ("512", 30000, 3000)


def test_no_point_lies_outside_its_panel(figures: dict[str, Any]) -> None:
    for chart in (chart for chart in section_of(figures).charts() if chart.name != "hardware-cycles"):
        for axes in chart.figure.axes:
            for line in axes.get_lines():
                first = np.asarray(line.get_xydata())[0]
                assert axes.get_window_extent().contains(*axes.transData.transform(first)), chart.name


def test_the_chapter_says_what_it_may(figures: dict[str, Any]) -> None:
    figures["gates"] = [{"name": "512", "date": "2000-01-03", "tools": {"opensta": "2"}}]
    report = Report(make_raw() | {"hardware": figures})
    text = report.chapter(Hardware)
    assert "nextpnr 1, opensta 2, yosys 0; 2000-01-01 to 2000-01-03" in text
    assert "do not bear" in text
    assert "ECP5-85K" in text


def test_without_a_clock_there_are_no_times(figures: dict[str, Any]) -> None:
    del figures[ECP5], figures[NEXUS]
    text = Report(make_raw() | {"hardware": figures}).chapter(Hardware)
    assert "op/s" not in text.split("Beside software")[0]
    assert "operations in a million cycles" in text


def test_cycles_alone_are_enough(figures: dict[str, Any]) -> None:
    text = Report(make_raw() | {"hardware": {"cycles": figures["cycles"]}}).chapter(Hardware)
    assert "Every core" not in text
    assert "All levels" not in text


def test_without_figures_there_is_no_section() -> None:
    assert not section_of(None).shown


def test_the_figures_that_are_kept_are_drawn() -> None:
    report = Report(make_raw() | {"hardware": hardware_figures(ROOT)})
    assert "ML-KEM-1024" in report.chapter(Hardware)


def test_published_rows_name_their_source_and_device() -> None:
    data = hardware_figures(ROOT)["published"]
    for row in data["operations"]:
        assert row["source"] in data["sources"]
        assert row.get("measured") or row["device"]
        assert all(len(row.get(key, OPERATIONS)) == len(OPERATIONS) for key in ("us", "cycles"))
    assert not re.search(r"recalled|\[R\]", json.dumps(data))


def test_every_figure_of_the_fpga_study_is_shown() -> None:
    study = published()["fpga"]
    others = section_of(hardware_figures(ROOT)).others
    rows = [
        row for rows in others.time_table().groups for row in rows if row.cells[1].text == cited_as(study["source"])
    ]
    found = Counter((row.label, row.note, row.cells[2].text, float(row.cells[6].text)) for row in rows)
    titles = ("Key generation", "Encapsulation", "Decapsulation")
    assert found == Counter(
        (str(row["level"]), title, row["set"], us)
        for row in study["rows"]
        for title, us in zip(titles, row["us"], strict=True)
    )
    assert {row.cells[6].kind for row in rows} == {"published"}
    factors = [
        float(cell.text.rstrip("×"))
        for row in others.improvement_table().groups[0]
        for cell in row.cells
        if cell.kind == "published"
    ]
    assert Counter(factors) == Counter(numbers(study["improvements"]))
    assert others.improver in Report(make_raw() | {"hardware": hardware_figures(ROOT)}).chapter(Hardware)


def test_times_are_ranked_at_the_level_of_their_authors() -> None:
    others = section_of(hardware_figures(ROOT)).others
    names = {
        row.label: row.cells[2].text
        for rows in others.time_table().groups
        for row in rows
        if "821" in row.cells[2].text
    }
    assert names == {"3": "NTRU-HPS-4096-821"}


def test_a_configured_core_that_was_not_measured_says_why(figures: dict[str, Any]) -> None:
    names = {row["name"]: row for row in figures["area"]}
    later = core("saber", ["Saber"], list(OPERATIONS), 0)
    never = core("fire", ["FireSaber"], ["encaps"], 0)
    figures["configurations"] = [*names.values(), later, never]
    section = section_of(figures)
    rows = {(row.label, row.note): row for group in section.efficiency_table().groups for row in group}
    assert [cell.text for cell in rows["Saber", "three operations, one level"].cells] == [
        "not synthesised yet",
        "–",
    ] * 3
    assert ("ML-KEM-512", "one operation, one level") not in rows
    assert [row[:2] for row in texts(section.time_table("level"))] == [
        ["ML-KEM-512", "8.00"],
        ["ML-KEM-768", "not placed yet"],
        ["Saber", "not synthesised yet"],
    ]
    assert section.figures.lacking("one", "FireSaber", "encaps") == "not simulated yet"

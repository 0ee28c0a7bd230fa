"""The ranking of the hardware cores: order, ties, levels filed in two ways, what is missing, the study beside it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from typing import Any

import pytest
from conftest import make_raw
from test_hardware import ECP5, core, section_of, texts

from latkem_evaluate.cli import ROOT
from latkem_evaluate.facts import published
from latkem_evaluate.hardware import ONE, Figures, hardware_figures
from latkem_evaluate.report import Report
from latkem_evaluate.results import CORE
from latkem_evaluate.sections.hardware import Hardware
from latkem_evaluate.sections.hardware_ranking import CYCLES, NIST, STUDY, CoreRanking

HPS, HRSS = "NTRU-HPS-2048-677", "NTRU-HRSS-701"


def figures(cycles: dict[str, int], clocks: dict[str, Sequence[float]] | None = None, area: bool = True) -> dict:
    """A core that encapsulates of each set, with its clocks in MHz; zero cycles: configured, not simulated."""
    configured = [core(name, [name], ["encaps"], 1000) for name in cycles]
    counted = [
        {"set": name, "operation": "encaps", "cycles": count, "interval": count + 250}
        for name, count in cycles.items()
        if count
    ]
    stamp = {"date": "2000-01-01", "tools": {}}
    routed = [
        {"name": name, "MHz": sorted(seeds)[len(seeds) // 2], "best": max(seeds), "seeds": list(seeds)} | stamp
        for name, seeds in (clocks or {}).items()
    ]
    found = {"cycles": counted, "configurations": configured, "area": configured if area else []}
    return found | ({ECP5: routed} if routed else {})


def ranking(*arguments: Any, **more: Any) -> CoreRanking:
    return section_of(figures(*arguments, **more)).ranking


def encaps(found: CoreRanking, measure: str, filing: str = NIST) -> list[tuple[str, ...]]:
    """Level and the cells of encapsulation."""
    rows = texts(found.table(measure, filing))
    return [(row[0], *row[6:11]) for row in rows]


def test_fewest_cycles_first_with_the_ratio_to_the_best() -> None:
    found = ranking({"Saber": 2000, "ML-KEM-768": 1000})
    assert encaps(found, CYCLES) == [
        ("3", "1", "ML-KEM-768", "1000", "800", "1.00×"),
        ("3", "2", "Saber", "2000", "444", "2.00×"),
    ]
    assert found.findings(CYCLES, NIST) == {3: "encapsulation: ML-KEM-768, 2.00× ahead of Saber."}
    assert found.summary(CYCLES) == "Of 1 ranking in cycles, first is ML-KEM in 1."


def test_time_is_of_the_median_with_the_spread_below() -> None:
    found = ranking({"Saber": 2000, "ML-KEM-768": 1000}, {"Saber": [250, 240, 260], "ML-KEM-768": [80, 100, 125]})
    first, second = (row.cells[5:10] for row in found.table(ECP5, NIST).groups[0])
    assert [(cell.text, cell.small) for cell in first[1:3]] == [("Saber", ""), ("8.00", "7.69–8.33")]
    assert (second[2].text, second[2].small) == ("10.0", "8.00–12.5")
    assert first[3].text == "111\u202f000"


@pytest.mark.parametrize(
    ("slow", "texts_of_ranks", "said"),
    [
        (1100, ["1–2", "1–2"], "ML-KEM-768 and Saber are a tie: 1.10× is under the spread of the placements, 1.11×"),
        (1200, ["1", "2"], "ML-KEM-768, 1.20× ahead of Saber"),
    ],
)
def test_a_ratio_under_the_wider_spread_is_a_tie(slow: int, texts_of_ranks: list[str], said: str) -> None:
    found = ranking({"Saber": slow, "ML-KEM-768": 1000}, {"Saber": [95, 100, 105], "ML-KEM-768": [100, 100, 100]})
    rows = found.table(ECP5, NIST).groups[0]
    assert [row.cells[5].text for row in rows] == texts_of_ranks
    assert [row.cells[9].small for row in rows] == ["", "tie" if len(texts_of_ranks[0]) > 1 else ""]
    assert found.findings(ECP5, NIST)[3] == f"encapsulation: {said}."


def test_no_cycles_are_a_tie_unless_equal() -> None:
    assert [row[1] for row in encaps(ranking({"Saber": 1001, "ML-KEM-768": 1000}), CYCLES)] == ["1", "2"]
    assert [row[1] for row in encaps(ranking({"Saber": 1000, "ML-KEM-768": 1000}), CYCLES)] == ["1–2", "1–2"]


def test_a_cell_says_what_is_missing() -> None:
    clocks = {"ML-KEM-768": [90, 100, 110], HRSS: [80, 80]}
    found = ranking({"ML-KEM-768": 1000, "Saber": 2000, HPS: 0, HRSS: 900}, clocks, area=False)
    rows = {row[2]: row for row in encaps(found, ECP5)}
    assert rows["Saber"][1:4] == ("–", "Saber", "not placed yet")
    assert rows[HPS][1:4] == ("–", HPS, "not simulated yet")
    assert rows[HRSS][1:4] == ("–", HRSS, "too few placements")
    details = {row[1]: row for row in texts(found.detail_table())}
    assert {details[name][4] for name in ("ML-KEM-768", "Saber", HPS)} == {"not synthesised yet"}
    assert details[HPS][2] == "not simulated yet"
    assert (details["Saber"][7], details["ML-KEM-768"][7]) == ("not placed yet", "100.0 MHz")
    assert details["Saber"][8] == "not mapped yet"
    assert "; not simulated yet: NTRU-HPS-2048-677 (encaps)." in found.findings(CYCLES, NIST)[3]


def test_a_core_without_a_placement_says_so() -> None:
    clocks: dict[str, Sequence[float]] = {"ML-KEM-768": [90, 100, 110], "Saber": [90, 100, 110]}
    raw = figures({"ML-KEM-768": 1000, "Saber": 2000, HRSS: 900, HPS: 1800}, clocks)
    raw[ECP5].append({"name": HRSS, "seeds": [], "unplaced": 1, "date": "2000-01-01", "tools": {}})
    found = section_of(raw)
    rows = {row[2]: row for row in encaps(found.ranking, ECP5)}
    assert (rows[HRSS][3], rows[HPS][3]) == ("no placement found", "not placed yet")
    details = {row[1]: row for row in texts(found.ranking.detail_table())}
    assert (details[HRSS][7], details[HPS][7]) == ("no placement found", "not placed yet")
    assert "; no placement found: NTRU-HRSS-701 (encaps)" in found.ranking.findings(ECP5, NIST)[3]
    assert found.figures.lacking("one", HRSS, "encaps", ECP5) == "no placement found"
    assert found.figures.lacking("one", HRSS, "encaps") == "not placed yet"


def test_the_summary_counts_the_rankings_that_lack_a_core() -> None:
    clocks = {"ML-KEM-768": [100, 100, 100], "Saber": [100, 100, 100]}
    found = ranking({"ML-KEM-768": 1000, "Saber": 2000, HRSS: 900}, clocks)
    assert found.summary(CYCLES) == "Of 1 ranking in cycles, first is NTRU in 1."
    assert found.summary(ECP5).endswith(", first is ML-KEM in 1. 1 of these lacks a core.")


def test_a_set_that_lacks_all_operations_is_named_alone() -> None:
    raw = figures({"ML-KEM-768": 1000, "Saber": 2000})
    raw["configurations"] += [core(f"{HPS} {name}", [HPS], [name], 0) for name in ("keygen", "encaps", "decaps")]
    assert section_of(raw).ranking.findings(CYCLES, NIST)[3].endswith("; not simulated yet: NTRU-HPS-2048-677.")


def test_gates_and_area_are_shown() -> None:
    raw = figures({"Saber": 2000})
    raw["gates"] = [{"name": "Saber", "GE": 123456, "memory_bits": 1, "path_ns": 4.5}]
    (row,) = texts(section_of(raw).ranking.detail_table())
    assert row[1:10] == ["Saber", "2000", "2250", "1000", "1", "0.5", "not placed yet", "123.5", "4.50"]


def test_levels_are_filed_in_two_ways() -> None:
    names = ("ML-KEM-512", "NTRU-HPS-2048-509", HPS, HRSS, "NTRU-HPS-4096-821")
    found = ranking(dict.fromkeys(names, 1000))
    levels = {filing: {row[2]: row[0] for row in encaps(found, CYCLES, filing)} for filing in (NIST, STUDY)}
    assert levels[NIST] == dict(zip(names, "11335", strict=True))
    assert levels[STUDY] == dict(zip((names[0], *names[2:]), "1113", strict=True))


def test_the_clock_that_ties_is_of_the_study_s_scheme() -> None:
    raw = figures({"ML-KEM-768": 1000, "Saber": 2200, "NTRU-HPS-2048-509": 100})
    raw["cycles"].append({"set": "Kyber768", "operation": "encaps", "cycles": 1700, "interval": 1800})
    rows = {row[1]: row[-2:] for row in texts(section_of(raw).ranking.detail_table())}
    assert rows == {"ML-KEM-768": ["17", "100 MHz"], "Saber": ["22", "100 MHz"], "NTRU-HPS-2048-509": ["–", "–"]}


def test_where_the_study_s_order_differs_is_said() -> None:
    us = {row["set"]: row["us"][1] for row in published()["fpga"]["rows"]}
    assert (us["LightSaber"], us[HRSS], us[HPS]) == (12.7, 13.9, 28.4)
    found = ranking({"LightSaber": 1200, HRSS: 1000, HPS: 2000})
    assert found.beside_study(CYCLES) == (
        "Of 3 pairs that both rank, 2 have the same order or are a tie here. Level 1, encapsulation: NTRU-HRSS-701 is "
        "ahead of LightSaber by 1.20×; in the study it is behind by 1.09×."
    )
    level = dict.fromkeys(("LightSaber", HRSS), 1000)
    assert ranking(level).beside_study(CYCLES).startswith("Of 1 pairs that both rank, 1 ")
    assert ranking({"Saber": 1000}).beside_study(CYCLES) == ""


@pytest.mark.usefixtures("undrawn")
def test_the_first_screen_says_who_is_first() -> None:
    raw = make_raw() | {"hardware": figures({"LightSaber": 2000, "ML-KEM-512": 1000})}
    answers = Report(raw).answers
    assert dict(answers.tiles)["hardware"].text == "ML-KEM"
    assert "first in 1 of 1 rankings of cores, in cycles" in dict(answers.tiles)["hardware"].small
    assert answers.hardware == {1: "In hardware, in cycles: encapsulation: ML-KEM-512, 2.00× ahead of LightSaber."}
    assert "2.00× ahead of LightSaber" in Report(raw).html().split('id="ranking"')[0]


def test_nothing_is_said_of_an_ntru_core_that_was_not_simulated() -> None:
    said = {
        count: "Horner array" in Report(make_raw() | {"hardware": figures({HRSS: count, "Saber": 9})}).chapter(Hardware)
        for count in (0, 9)
    }
    assert said == {0: False, 9: True}


def test_time_is_said_first_when_it_ranks_as_many() -> None:
    cycles = {"ML-KEM-512": 1000, "LightSaber": 2000, "ML-KEM-768": 1000, "Saber": 2000}
    clocks = dict.fromkeys(cycles, (90, 100, 110))
    assert ranking(cycles, clocks).decisive == ECP5
    del clocks["Saber"]
    assert ranking(cycles, clocks).decisive == CYCLES


def test_the_kept_figures_rank_every_configured_core_once() -> None:
    raw = hardware_figures(ROOT)
    section = Report(make_raw() | {"hardware": raw}).section(Hardware)
    ones = [row for row in raw["configurations"] if len(row["operations"]) == len(row["sets"]) == 1]
    assert len(section.ranking.contenders) == len(ones)
    names = [cell.text for group in section.ranking.table(CYCLES, NIST).groups for row in group for cell in row.cells]
    assert sorted(name for name in names if name in {row["sets"][0] for row in ones}) == sorted(
        row["sets"][0] for row in ones
    )


def test_a_core_of_further_parameters_has_cycles_of_its_own() -> None:
    raw, further = figures({"Saber": 2000}), {"further": {"Unroll": 1}}
    raw["area"] = raw["configurations"] = [raw["configurations"][0] | further]
    assert section_of(raw).ranking.contenders[0].cycles is None
    raw["cycles"].append(raw["cycles"][0] | further | {"cycles": 3000})
    section = section_of(raw)
    assert [one.cycles["cycles"] for one in section.ranking.contenders if one.cycles] == [3000]
    assert [point.cycles for point in section.figures.points(ONE)] == [3000]
    assert texts(section.ranking.detail_table())[0][1] == "Saber, Unroll = 1"
    raw["configurations"] = [raw["configurations"][0] | {"operations": list(CORE)}]
    assert not CoreRanking(Figures(raw)).contenders

"""The Saber study is one chapter with parts, and shows each of its figures. SPDX-License-Identifier: Apache-2.0"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import FUNCTIONS, make_raw, session_key, study
from test_session import in_java
from test_studies import numbers, shown

from latkem_evaluate.facts import published
from latkem_evaluate.report import Report
from latkem_evaluate.sections.matrix_vector_mul import MatrixVectorMul
from latkem_evaluate.sections.saber import NONE, STEP_OF, WHOLE, Saber
from latkem_evaluate.sections.saber_scenario import STUDY_STEPS, SaberScenario
from latkem_evaluate.sections.saber_study import PARTS, SaberStudy

STUDY = published()["saber_study"]


def make_saber() -> dict[str, Any]:
    """The synthetic results, and some of Saber: on "swift" half of what "portable" takes."""
    raw = make_raw()
    raw["library"]["sets"].append(raw["library"]["sets"][0] | {"name": "Saber"})
    for backend, ns in (("portable", 1000.0), ("swift", 500.0)):
        for operation in ("keygen", "encaps", "decaps"):
            row = study("Saber", operation, backend) | {"total_ns": 1000 * ns}
            row["functions"] = [{"name": name, "ns": ns * share, "share": share} for name, share in FUNCTIONS.items()]
            raw["study"]["study"].append(row)
        raw["session_key"]["results"] += [
            session_key("Saber", step, backend) | {"mean_ms": ns / 1e3, "q1_ms": ns / 1e3, "q3_ms": ns / 1e3 + 0.01}
            for step in ("keygen", "encrypt", "decrypt")
        ]
    return raw


@pytest.fixture(scope="module")
def report() -> Report:
    return Report(make_saber())


@pytest.fixture(scope="module")
def chapter(report: Report) -> str:
    return report.chapter(SaberStudy)


def test_every_figure_of_the_study_is_shown_and_no_other(chapter: str) -> None:
    shares = [{step: round(100 * row[step]) for step in STUDY_STEPS} for row in STUDY["dominant"]["shares"]]
    functions = [row[1:] for step in STUDY_STEPS for row in STUDY["functions"][step]]
    change = {key: value for key, value in STUDY["matrix_vector_mul"].items() if key != "change"}
    means = [run["means"] for run in STUDY["runs"]]
    assert shown(chapter) == Counter(numbers([shares, functions, change, means]))
    assert sum(shown(chapter).values()) == 12 + 2 * (12 + 11 + 7) + 61 + 12


def test_its_chapters_are_parts_of_one(report: Report, tmp_path: Path) -> None:
    page = report.write(tmp_path).read_text()
    assert "saber-study" in re.findall(r'<div class="body" id="([\w-]+)"', page)
    parts = re.findall(r'<h3 id="([\w-]+)">', page)
    without = {"session-java", "session-machines"}  # not measured
    assert parts == [kind.key for kind in PARTS if kind.key not in without]
    contents = page.partition("</nav>")[0]
    assert not any(f'"#{kind.key}"' in contents for kind in PARTS)
    files = {path.name for path in (tmp_path / "charts").iterdir()}
    assert {"study-swift.svg", "session-key.png", "matrix-vector-mul.svg"} <= files


def test_the_machines_are_named(chapter: str) -> None:
    for run in STUDY["runs"]:
        assert f"{run['machine']} (round {run['round']}, {run['architecture']})" in chapter
    assert STUDY["scenario"] in chapter


def test_steps_here_are_means_in_microseconds() -> None:
    raw = make_saber() | {"session_key_java": in_java()}
    for row in raw["session_key_java"]["results"]:
        row["set"] = "Saber" if row["set"] == "ML-KEM-768" else row["set"]
    table = Report(raw).section(SaberScenario).table()
    assert table.heads == [("round 2, published, µs", 2), ("round 3, published, µs", 2), ("latkem here, µs", 3)]
    assert table.columns[4:] == ["C, portable", "C, swift", "Java, swift"]
    texts = [[cell.text for cell in row.cells] for row in table.groups[0]]
    assert texts[0] == ["1458", "894.2", "1970.18", "333.96", "1000", "500", "44"]
    assert [row[-1] for row in texts] == ["44", "55", "66"]


def test_emulated_java_is_no_column() -> None:
    raw = make_saber() | {"session_key_java": in_java(emulated=True)}
    assert len(Report(raw).section(SaberScenario).table().columns) == 6


def test_shares_are_those_of_the_operation(report: Report) -> None:
    table = report.section(SaberScenario).share_table()
    texts = [[re.sub(r"\s", " ", cell.text) for cell in row.cells] for row in table.groups[0]]
    assert texts[0] == ["81 %", "67 %", "86 %", "64 %", "25 %", "25 %"]
    assert texts[2] == ["95 %", "88 %", "96 %", "89 %", "5.0 %", "5.0 %"]
    assert [row.label for row in table.groups[0]] == ["MatrixVectorMul", "MatrixVectorMul", "InnerProd"]


def test_a_step_s_time_occurs_once(report: Report) -> None:
    section = report.section(Saber)
    rows = [(row.label, [cell.text for cell in row.cells]) for row in section.study_table("keygen").groups[0]]
    assert rows[0] == ("randombytes_init", ["16.31", "9.44", NONE, "–", "–"])
    assert rows[2] == ("shake128", ["4.45", "12.72", "GenMatrix", "0.300", "0.150"])
    assert rows[4] == ("GenMatrix", ["32.14", "167.61", "GenMatrix, as above", "–", "–"])
    assert rows[-1] == ("indcpa_kem_keypair", ["334.199", "1969.69", WHOLE, "1000", "500"])


def test_every_function_of_the_study_has_a_step() -> None:
    assert {row[0] for step in STUDY_STEPS for row in STUDY["functions"][step]} == set(STEP_OF)
    assert set(STEP_OF.values()) <= {*FUNCTIONS, WHOLE, NONE}


def test_the_rounds_stand_in_their_order(report: Report) -> None:
    table = report.section(MatrixVectorMul).study_rounds()
    second = [cell.text for cell in table.groups[0][1].cells]
    assert second == ["138.2", "133.8", "138.2", "134.2", "137.8", "133"]  # rounds 2, 12 and 22
    assert [title for title, _ in table.heads] == [f"rounds {at + 1} to {at + 10}, µs" for at in (0, 10, 20)]


def test_the_change_here_is_beside_the_study_s(report: Report) -> None:
    theirs, ours = report.section(MatrixVectorMul).study_table().groups[0]
    assert [re.sub(r"\s", " ", cell.text) for cell in theirs.cells] == ["138.0", "133.4", "3.26 %"]
    assert [re.sub(r"\s", " ", cell.text) for cell in ours.cells] == ["1.00", "0.900", "10.0 %"]


def test_what_is_not_measured_is_a_dash() -> None:
    raw = make_raw() | {"study": {}, "session_key": {}, "matrix_vector_mul": {}}
    report = Report(raw)
    texts = [cell.text for row in report.section(SaberScenario).table().groups[0] for cell in row.cells[4:]]
    texts += [cell.text for row in report.section(SaberScenario).share_table().groups[0] for cell in row.cells[4:]]
    assert set(texts) == {"–"}
    assert report.chapter(SaberStudy)

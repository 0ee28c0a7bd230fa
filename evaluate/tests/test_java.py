"""The Java section, and which JVM is taken. SPDX-License-Identifier: Apache-2.0"""

from pathlib import Path

import pytest
from conftest import java_results, java_row, jdk, make_raw

from latkem_evaluate.java import newest, version_of
from latkem_evaluate.report import Report
from latkem_evaluate.sections.java import Java


@pytest.fixture
def report() -> Report:
    return Report(make_raw())


def test_times_and_multiples_stand_side_by_side(report: Report) -> None:
    (group,) = report.section(Java).table("bytes").groups
    assert [row.label for row in group] == ["latkem", "Bouncy Castle"]
    assert [[cell.text for cell in row.cells] for row in group] == [["1.10", "1.00×"], ["11.0", "10.0×"]]


def test_java_s_share_is_what_it_adds_to_c(report: Report) -> None:
    (group,) = report.section(Java).share_table().groups
    assert [(cell.text, cell.small) for cell in group[0].cells] == [("1.00", ""), ("+0.10 µs", "+10.0\u202f%")]


def test_an_operation_without_a_c_call_has_no_share() -> None:
    raw = java_results()
    raw["rows"].append(java_row("latkem", 500.0, "decaps"))
    section = Report(make_raw() | {"java": raw}).section(Java)
    assert list(section.shares()["operation"]) == ["encaps"]


def test_the_chart_compares_libraries_and_not_c(report: Report) -> None:
    (chart,) = report.section(Java).charts()
    text = chart.inline_svg()
    assert "Saber  Bouncy Castle" in text
    assert "Saber  C" not in text


def test_the_answer_and_the_page_name_what_was_measured(report: Report) -> None:
    section = report.section(Java)
    assert section.answer == (
        "Bouncy Castle takes 10.0 to 10.0× latkem's time; Java adds 10\u202f% to the C calls in the median."
    )
    page = report.chapter(Java)
    assert "Synthetic VM 99" in page
    assert "<code>swift</code>" in page


def test_what_is_missing_is_said() -> None:
    report = Report(make_raw() | {"java": {"absent": "there is no jar; make java builds it, with Maven"}})
    assert report.section(Java).answer == "Not measured: there is no jar; make java builds it, with Maven."
    assert "make java" in report.chapter(Java)
    assert not Report(make_raw() | {"java": {}}).section(Java).shown


def test_the_newest_jvm_is_taken(tmp_path: Path) -> None:
    old = jdk(tmp_path / "a", 'JAVA_VERSION="11.0.9"\n')
    floor = jdk(tmp_path / "b", 'IMPLEMENTOR="N.N."\nJAVA_VERSION="17.0.15"\n')
    new = jdk(tmp_path / "c", 'JAVA_VERSION="25"\n')
    silent = tmp_path / "d/bin/java"
    assert version_of(floor) == (17, 0, 15)
    assert newest([old, floor, new, silent]) == new
    assert newest([old, silent]) is None

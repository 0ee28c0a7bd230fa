"""The MatrixVectorMul section. SPDX-License-Identifier: Apache-2.0"""

import pytest
from conftest import make_raw, matrix_vector_mul

from latkem_evaluate.report import Report
from latkem_evaluate.sections.matrix_vector_mul import MatrixVectorMul


@pytest.fixture
def section() -> MatrixVectorMul:
    return Report(make_raw()).section(MatrixVectorMul)


def test_changes_are_medians_of_rounds(section: MatrixVectorMul) -> None:
    (row,) = section.table().groups[0]
    minus = "\N{MINUS SIGN}"
    assert [cell.text.replace("\u202f", " ") for cell in row.cells] == [
        *("1.00", "+0.0 %", f"{minus}10.0 %", f"{minus}10.0 %"),
        *("10.0", "+0.0 %", f"{minus}5.0 %", f"{minus}5.0 %"),
    ]


def test_a_change_has_the_median_between_its_quartiles() -> None:
    times = {"flag/divisions": [100.0] * 5, "split/shifts": [80.0, 90.0, 95.0, 110.0, 130.0]}
    rows = [{"name": f"mvm/{way}/optimised/Saber", "ns": ns} for way, ns in times.items()]
    section = Report(make_raw() | {"matrix_vector_mul": {"rounds": 5, "rows": rows}}).section(MatrixVectorMul)
    change = section.change("Saber", "optimised", "split", "shifts")
    assert change is not None
    assert (change.low, change.middle, change.high) == pytest.approx((-10, -5, 10))


def test_the_share_of_the_whole_scales_the_change(section: MatrixVectorMul) -> None:
    (row,) = section.share_table().groups[0]
    assert [cell.text.replace("\u202f", " ") for cell in row.cells] == ["5.00", "20 %", "\N{MINUS SIGN}2.0 %"]


def test_the_study_s_result_stands_beside(section: MatrixVectorMul) -> None:
    assert section.study_percent == pytest.approx(-3.26)
    assert section.answer.endswith("\N{MINUS SIGN}3.26 % there.")
    (chart,) = section.charts()
    assert "stroke-dasharray" in chart.inline_svg()


def test_a_wrong_product_is_a_problem() -> None:
    raw = matrix_vector_mul()
    raw["rows"][0] = {"name": raw["rows"][0]["name"], "error": "not the product of matrix and vector"}
    report = Report(make_raw() | {"matrix_vector_mul": raw})
    assert report.problems == ["mvm/flag/divisions/optimised/Saber: not the product of matrix and vector"]
    assert report.html()


def test_without_results_there_is_no_chapter() -> None:
    assert not Report(make_raw() | {"matrix_vector_mul": {}}).section(MatrixVectorMul).shown

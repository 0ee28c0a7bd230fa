"""The chapter of the key exchanges. SPDX-License-Identifier: Apache-2.0"""

from typing import Any

import pytest
from conftest import make_raw, timed

from latkem_evaluate.report import Report
from latkem_evaluate.results import Results
from latkem_evaluate.sections.exchange import Exchange


def with_exchanges(raw: dict[str, Any], set_name: str = "ML-KEM-512") -> dict[str, Any]:
    """Steps of 100 µs, exchanges of 306 µs with KEM operations of 300 µs; on "swift" half of each."""
    steps = {"start": 1e5, "reply": 1e5, "finish": 1e5, "exchange": 3.06e5, "kem": 3e5}
    for backend in raw["library"]["backends"]:
        by = 1 if backend == "portable" else 2
        raw["benchmarks"]["operations"][0]["rows"] += [
            timed(f"op/{kind}/{step}/{set_name}/{backend}", [ns / by] * 3)
            for kind in ("uake", "ake")
            for step, ns in steps.items()
            if (kind, step) != ("ake", "start")
        ]
    return raw


def exchange(raw: dict[str, Any]) -> Exchange:
    return Exchange(Results(raw))


@pytest.mark.usefixtures("undrawn")
def test_chapter_is_left_out_without_exchanges(raw: dict[str, Any]) -> None:
    assert not exchange(raw).shown
    assert 'id="exchange"' not in Report(raw).html()


def test_every_column_of_both_exchanges(raw: dict[str, Any]) -> None:
    (rows,) = exchange(with_exchanges(raw)).table().groups
    assert [(row.label, row.note) for row in rows] == [("ML-KEM-512", "portable"), ("ML-KEM-512", "swift")]
    portable, swift = ([cell.text for cell in row.cells] for row in rows)
    assert portable == ["1568 + 768", "200", "100", "306", "1.02×", "1568 + 1536", "200", "100", "306", "1.02×"]
    assert swift[:4] == ["1568 + 768", "100", "50.0", "153"]


def test_answer_has_the_worst_ratio(raw: dict[str, Any]) -> None:
    with_exchanges(raw)
    for row in raw["benchmarks"]["operations"][0]["rows"]:
        if row["name"] == "op/ake/exchange/ML-KEM-512/swift":
            row["ns"] = [1.65e5] * 3
    assert "1.100" in exchange(raw).answer


def test_what_was_not_measured_is_a_dash(raw: dict[str, Any]) -> None:
    with_exchanges(raw)
    document = raw["benchmarks"]["operations"][0]
    document["rows"] = [
        row for row in document["rows"] if "/kem/" not in row["name"] and "ake/finish" not in row["name"]
    ]
    (rows,) = exchange(raw).table().groups
    assert [cell.text for cell in rows[0].cells][:5] == ["1568 + 768", "–", "100", "306", "–"]


def test_page_has_the_chapter_with_its_chart() -> None:
    report = Report(with_exchanges(make_raw()))
    assert 'id="exchange"' in report.html()
    assert set(report.charts_of(report.section(Exchange))) == {"exchange"}
    assert "1568 + 1536" in report.chapter(Exchange)

"""The Saber study, the session key and what a quick run can afford. SPDX-License-Identifier: Apache-2.0"""

import math
from typing import Any

import pytest
from conftest import FUNCTIONS, make_raw, study

from latkem_evaluate import palette
from latkem_evaluate.benchmarks import FULL, QUICK, affordable
from latkem_evaluate.charts import function_shares
from latkem_evaluate.report import Report
from latkem_evaluate.results import Results
from latkem_evaluate.sections.saber import Saber
from latkem_evaluate.sections.session_key import SessionKey


def saber(*rows: dict[str, Any]) -> Saber:
    return Saber(Results(make_raw() | {"study": {"study": list(rows)}}))


def test_shares_add_up_to_one() -> None:
    shares = function_shares(study("Saber", "encaps", "portable"))
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares) == list(palette.FUNCTIONS.values())


def test_shares_that_do_not_add_up_are_a_problem(raw: dict[str, Any]) -> None:
    assert Report(raw).problems == []
    raw["study"]["study"][0]["functions"][0]["share"] -= 0.01
    assert Report(raw).problems == ["portable keygen ML-KEM-512: the shares add up to 0.9900"]


def test_every_function_has_its_row() -> None:
    functions, total = saber(study("ML-KEM-768", "keygen", "portable")).table("portable").groups
    assert [row.label for row in functions] == [palette.FUNCTIONS[name].title for name in FUNCTIONS]
    assert sum(float(row.cells[0].text) for row in functions) == pytest.approx(100)
    assert total[0].cells[0].text == "1.00"


def test_a_function_without_time_is_a_dash() -> None:
    row = study("ML-KEM-768", "decaps", "portable")
    row["functions"][7] |= {"ns": 0.0, "share": 0.0}
    functions, _ = saber(row).table("portable").groups
    assert functions[7].cells[0].text == "–"


def test_a_backend_without_results_is_left_out() -> None:
    raw = make_raw()
    raw["study"]["study"] = [row for row in raw["study"]["study"] if row["backend"] == "swift"]
    report = Report(raw)
    assert report.section(Saber).backends == ["swift"]
    assert set(report.charts_of(report.section(Saber))) == {"study-swift"}


@pytest.mark.parametrize(("key", "section"), [("study", "saber"), ("session_key", "session-key")])
def test_without_results_the_rest_stands(raw: dict[str, Any], key: str, section: str) -> None:
    raw[key] = {}
    raw["problems"] = ["Encrypting session keys: not built"]
    html = Report(raw).html()
    assert f'id="{section}"' not in html
    assert "not built" in html
    assert 'id="wire"' in html


def test_session_key_shows_minimum_mean_and_maximum(raw: dict[str, Any]) -> None:
    table = Report(raw).section(SessionKey).table()
    assert [title for title, _ in table.heads] == list(palette.STEPS.values())
    assert [[cell.text for cell in row.cells] for row in table.groups[0]] == [["0.5", "1.0", "4.0"] * 3] * 2
    assert "30 rounds, each of 1000 repetitions" in Report(raw).chapter(SessionKey)


def test_a_quick_run_keeps_its_promise() -> None:
    share = QUICK.operations
    assert affordable(share, 1000) * share.processes == share.longest
    assert affordable(share, 20) * share.processes == 20
    assert affordable(share, -5) * share.processes == share.shortest
    assert affordable(FULL.operations, math.inf) == math.inf
    assert share.longest + QUICK.kernels.longest + QUICK.after < QUICK.promise / 2  # the build has the other half

"""The limits in harness/packages/measure.py, with made-up times. SPDX-License-Identifier: Apache-2.0"""

import argparse
import json
from typing import Any

import measure
import pytest

TIMES = {"latkem": 2000.0, "C": 1900.0, "aws-lc-rs": 10000.0, "ml-kem": 4000.0}


def document(backend: str = "avx512", **times: float) -> dict[str, Any]:
    rows = [
        {"set": "ML-KEM-768", "operation": operation, "library": library, "median_ns": ns}
        for library, ns in {**TIMES, **times}.items()
        for operation in measure.OPERATIONS
    ]
    return {"language": "Rust", "runtime": "rustc", "backend": backend, "rounds": 15, "block": 16, "rows": rows}


def missed(found: list[dict]) -> list[tuple[str, str]]:
    return [(bar["library"], bar["operation"]) for bar in found if not bar["met"]]


def test_a_ratio_of_medians_is_held_to_its_limit() -> None:
    found = measure.bars(document())
    assert [(bar["library"], bar["operation"]) for bar in found] == [
        (library, operation) for library in ("aws-lc-rs", "C") for operation in measure.OPERATIONS
    ]
    assert [bar["ratio"] for bar in found] == [0.2] * 3 + [2000 / 1900] * 3
    assert missed(found) == []
    assert missed(measure.bars(document(latkem=2300.0))) == [("C", "encaps"), ("C", "decaps")]
    assert missed(measure.bars(document(latkem=3000.0)))[0] == ("aws-lc-rs", "encaps")


def test_a_limit_is_of_one_backend_one_set_and_what_was_measured() -> None:
    assert measure.bars(document("avx2")) == []
    assert len(measure.bars(document("wasm"))) == 6
    other = document()
    for row in other["rows"]:
        row["set"] = "ML-KEM-512"
    assert measure.bars(other) == []
    other = document()
    other["rows"] = [row for row in other["rows"] if row["library"] != "aws-lc-rs"]
    assert {bar["library"] for bar in measure.bars(other)} == {"C"}


@pytest.mark.parametrize(("latkem", "status"), [(2000.0, 0), (2300.0, 1)])
def test_a_missed_limit_is_a_failure_unless_the_times_are_asked_for(
    latkem: float, status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    def made_up(arguments: list[str], built: bool) -> list[str]:
        assert (arguments, built) == (measure.QUICK, True)
        return [json.dumps(document(latkem=latkem))]

    monkeypatch.setattr("sys.argv", ["speed.py", "--quick", "--built"])
    assert measure.main(["Rust"], made_up) == status
    out = tmp_path / "times.json"
    monkeypatch.setattr("sys.argv", ["speed.py", "--quick", "--built", "--json", str(out)])
    assert measure.main(["Rust"], made_up) == 0
    (written,) = json.loads(out.read_text())
    assert written["cpu"]
    assert len(written["bars"]) == 6


def test_a_language_that_is_not_here_says_why() -> None:
    def lacking(arguments: list[str], built: bool) -> list[str]:
        raise measure.Absent("there is no cargo")

    options = argparse.Namespace(quick=False, built=False)
    assert measure.documents_of(["Rust"], lacking, options) == [{"language": "Rust", "absent": "there is no cargo"}]

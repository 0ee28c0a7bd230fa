"""Tests of collect.py on made-up runs. SPDX-License-Identifier: Apache-2.0"""

import copy
import json

import collect
import pytest


def timed(library: str, median_ns: float) -> dict:
    row = {"library": library, "version": "1", "backend": "C", "set": collect.COSTS_OF, "tier": "wire"}
    return row | {"operation": "keygen", "median_ns": median_ns}


def cost(library: str, first_us: list[float] | None) -> dict:
    row = {"library": library, "backend": "C", "set": collect.COSTS_OF}
    return row | {"first_us": first_us, "stack_bytes": [1, 3, 2]}


def run(second: int, ratio: float, rival: str = "rival (avx2)") -> dict:
    same = {key: f"the {key}" for key in collect.SAME}
    case = {"set": "Saber", "operation": "encaps", "ratio": ratio, "rival": rival}
    return {
        "context": same | {"date": f"2000-01-01T00:00:{second:02}Z"},
        "rows": [timed(library, 1000 * ratio) for library in ("latkem", "other", "rival")],
        "costs": [cost(library, [100 * ratio, 1, 1]) for library in ("latkem", "other", "rival")],
        "bars": [{"name": "a bar", "cases": [case]}],
    }


@pytest.fixture
def runs() -> list[dict]:
    return [run(0, 0.5), run(1, 0.514, "other (C)"), run(2, 0.478)]


def refused(runs: list[dict], why: str) -> None:
    with pytest.raises(collect.Refused, match=why):
        collect.collect(runs)


def test_a_figure_is_the_range_over_the_runs(runs: list[dict]) -> None:
    found = collect.collect(runs)
    (row,) = found["figures"]["a bar"]
    assert (row["low"], row["high"], row["rival"]) == (0.48, 0.51, "other (C) or rival (avx2)")
    assert (found["runs"], found["date"]) == (3, "2000-01-01")
    assert found["rivals"] == ["other 1", "rival 1"]
    assert json.loads(collect.text(found)) == found


def test_two_runs_are_too_few(runs: list[dict]) -> None:
    refused(runs[:2], "needs 3 runs")


def test_a_run_counts_once(runs: list[dict]) -> None:
    refused([*runs[:2], copy.deepcopy(runs[0])], "given twice")


@pytest.mark.parametrize("key", collect.SAME)
def test_runs_are_of_one_cpu_one_latkem_and_one_compiler(runs: list[dict], key: str) -> None:
    runs[1]["context"][key] = "another"
    refused(runs, key)


def test_runs_have_the_same_rivals(runs: list[dict]) -> None:
    runs[2]["rows"].pop()
    refused(runs, "rivals")


def test_a_case_is_in_every_run(runs: list[dict]) -> None:
    runs[1]["bars"] = []
    refused(runs, "in 2 of 3 runs")


def test_costs_are_ranges_of_one_set_and_tier(runs: list[dict]) -> None:
    runs[0]["rows"].append(timed("latkem", 9000) | {"tier": "batch"})
    runs[0]["costs"].append(cost("latkem", None) | {"backend": "another"})
    runs[0]["costs"].append(cost("latkem", [1, 1, 1]) | {"set": "another"})
    latkem, *others = collect.collect(runs)["costs"]
    assert [row["library"] for row in others] == ["other", "rival"]
    assert latkem == {
        "library": "latkem",
        "backend": "C",
        "us": {"keygen": [0.5, 0.5]},
        "first_keygen_us": [48, 51],
        "stack_bytes": 3,
    }


def test_costs_are_in_every_run(runs: list[dict]) -> None:
    runs[1]["costs"].pop()
    refused(runs, "rival .C.: ML-KEM-768 is not in every run")

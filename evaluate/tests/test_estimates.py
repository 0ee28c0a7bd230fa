"""Estimates, intervals and what may be claimed from them. SPDX-License-Identifier: Apache-2.0"""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from conftest import BACKENDS, document, rounds_document, timed

from latkem_evaluate import estimates, format


def row_of(rows: pd.DataFrame, **keys: str) -> pd.Series:
    for column, value in keys.items():
        rows = rows[rows[column] == value]
    assert len(rows) == 1
    return rows.iloc[0]


def of_rows(rows: list[dict]) -> pd.DataFrame:
    return estimates.statistics(estimates.samples([rounds_document(rows)], "op"), "op")


@pytest.fixture
def operations() -> pd.DataFrame:
    return estimates.statistics(estimates.samples([document("op", BACKENDS)], "op"), "op")


def test_the_estimate_is_the_lower_quartile() -> None:
    row = of_rows([timed("op/wire/keygen/X/portable", [110.0, 100.0, 104.0, None, 101.0, 102.0])]).iloc[0]
    assert (row["n"], row["ns"], row["min_ns"], row["median_ns"], row["q3_ns"]) == (5, 101, 100, 102, 104)


def test_an_interval_of_few_values_is_all_of_them() -> None:
    low, high = estimates.interval([[100.0, 101.0, 102.0]])
    assert (low, high) == pytest.approx((99.0, 103.02))


def test_interval_s_places_hold_whatever_the_distribution() -> None:
    for n in (5, 20, 60, 180):
        low, high = estimates.interval_places(n)
        uniform = np.sort(np.random.default_rng(n).random((20000, n)))
        missed = np.mean((uniform[:, low] > estimates.QUANTILE) | (uniform[:, high] < estimates.QUANTILE))
        assert missed < 1 - estimates.CONFIDENCE + 0.003 or low == 0
    assert estimates.interval_places(20) == (0, 10)  # from the least to the median


def test_an_interval_spans_all_processes() -> None:
    documents = [rounds_document([timed("op/wire/keygen/X/portable", [ns] * 9)]) for ns in (100.0, 104.0)]
    row = estimates.statistics(estimates.samples(documents, "op"), "op").iloc[0]
    assert row["n"] == 18
    assert (row["low_ns"], row["high_ns"]) == pytest.approx((99.0, 105.04))


def test_a_process_with_few_blocks_counts_as_much() -> None:
    low, high = estimates.interval([[100.0] * 30, [200.0] * 2])
    assert (low, high) == pytest.approx((99.0, 202.0))
    documents = [rounds_document([timed("op/wire/keygen/X/portable", [ns] * n)]) for ns, n in ((100.0, 30), (200.0, 2))]
    row = estimates.statistics(estimates.samples(documents, "op"), "op").iloc[0]
    assert row["high_ns"] == pytest.approx(202.0)


def test_width_noise_and_cycles_of_a_row() -> None:
    rows = [
        timed("op/wire/keygen/wide/portable", [100.0, 100.0, 110.0], cycles=[300.0, 100.0, 200.0]),
        timed("op/wire/keygen/narrow/portable", [100.0, 100.0, 107.0]),
    ]
    by_set = of_rows(rows).set_index("set")
    assert by_set["width"].to_dict() == pytest.approx({"wide": 1.1 * 1.01 - 0.99, "narrow": 1.07 * 1.01 - 0.99})
    assert by_set["noisy"].to_dict() == {"wide": True, "narrow": False}
    assert by_set["cycles"]["wide"] == 150  # the lower quartile


def test_a_speedup_s_error_is_half_of_both_widths() -> None:
    rows = [
        timed("op/wire/keygen/X/portable", [100.0, 100.0, 110.0]),
        timed("op/wire/keygen/X/swift", [50.0] * 3),
    ]
    swift = row_of(of_rows(rows), backend="swift")
    assert swift["speedup"] == 2
    assert swift["speedup_error"] == pytest.approx(2 * (0.121 + 0.02) / 2)


@pytest.mark.parametrize(("low", "high", "apart"), [(104.0, 110.0, False), (105.1, 110.0, True), (80.0, 94.9, True)])
def test_rows_are_told_apart_where_intervals_do_not_meet(low: float, high: float, apart: bool) -> None:
    one, other = (
        pd.Series({"ns": 100.0, "low_ns": 95.0, "high_ns": 105.0}),
        {"ns": 108.0, "low_ns": low, "high_ns": high},
    )
    assert estimates.apart(one, pd.Series(other)) is apart
    assert estimates.apart(pd.Series(other), one) is apart


def test_speedup_is_over_portable(operations: pd.DataFrame) -> None:
    keys = {"tier": "wire", "operation": "encaps", "set": "ML-KEM-512"}
    assert row_of(operations, backend="swift", **keys)["speedup"] == pytest.approx(2, rel=1e-2)
    assert row_of(operations, backend="portable", **keys)["speedup"] == 1


def test_only_rows_with_wide_intervals_are_noisy(operations: pd.DataFrame) -> None:
    noisy = operations[operations["noisy"]]
    assert set(zip(noisy["operation"], noisy["set"], strict=True)) == {("decaps", "ML-KEM-768")}


def test_cycles_may_be_missing() -> None:
    sample = estimates.samples([rounds_document([timed("op/wire/keygen/X/portable", [2.5])])], "op").iloc[0]
    assert sample["ns"] == 2.5
    assert sample["cycles"] is None


def test_errors_are_told_and_not_counted() -> None:
    rows = [{"name": "op/wire/keygen/X/portable", "calls": 1, "items": 1, "error": "the shared secrets differ"}]
    documents = [rounds_document(rows)] * 2
    assert estimates.errors(documents) == ["op/wire/keygen/X/portable: the shared secrets differ"]
    assert estimates.statistics(estimates.samples(documents, "op"), "op").empty


def test_names_sort_by_number() -> None:
    names = pd.Series(["compress_d10", "compress_d4"])
    assert list(names.sort_values(key=estimates.natural)) == ["compress_d4", "compress_d10"]


# Noise like that of a virtual machine with neighbours.

TRUE_NS = {"a": 100.0, "b": 101.0, "c": 103.0, "d": 106.0, "e": 115.0, "f": 140.0}
PROCESSES, ROUNDS = 2, 20


def process(rng: np.random.Generator, true_ns: float, busy: float) -> list[float]:
    """One-sided: a part of the blocks, in phases, takes up to half as long again. A process is up to 0.5 % faster or
    slower for its place in memory."""
    place = 1 + rng.uniform(-0.005, 0.005)
    phase = np.repeat(rng.random(ROUNDS // 4) < busy, 4)
    disturbed = rng.random(ROUNDS) < np.where(phase, 0.9, busy / 2)
    late = np.where(disturbed, rng.exponential(0.2, ROUNDS), 0) + np.abs(rng.normal(0, 0.003, ROUNDS))
    return list(true_ns * place * (1 + late))


def noisy_run(rng: np.random.Generator, busy: float) -> pd.DataFrame:
    documents = [
        rounds_document([timed(f"op/wire/keygen/{name}/x", process(rng, ns, busy)) for name, ns in TRUE_NS.items()])
        for _ in range(PROCESSES)
    ]
    return estimates.statistics(estimates.samples(documents, "op"), "op").set_index("set")


def by_interval(run: pd.DataFrame) -> set[tuple[str, str]]:
    pairs = combinations(run.sort_values("ns").index, 2)
    return {(fast, slow) for fast, slow in pairs if estimates.apart(run.loc[fast], run.loc[slow])}


def by_order(run: pd.DataFrame, column: str) -> set[tuple[str, str]]:
    """Every pair, as a ranking without intervals claims it."""
    return set(combinations(run.sort_values(column).index, 2))


@pytest.fixture(scope="module", params=[0.1, 0.4, 0.6])
def runs(request: pytest.FixtureRequest) -> list[pd.DataFrame]:
    rng = np.random.default_rng(int(100 * request.param))
    return [noisy_run(rng, request.param) for _ in range(30)]


def contradictions(claims: list[set[tuple[str, str]]]) -> int:
    return sum((slow, fast) in other for one, other in combinations(claims, 2) for fast, slow in one)


def test_claims_of_two_noisy_runs_agree(runs: list[pd.DataFrame]) -> None:
    claims = [by_interval(run) for run in runs]
    assert contradictions(claims) == 0
    assert all(TRUE_NS[fast] < TRUE_NS[slow] for claim in claims for fast, slow in claim)


@pytest.mark.parametrize("runs", [0.4, 0.6], indirect=True)
def test_an_order_alone_would_contradict_itself(runs: list[pd.DataFrame]) -> None:
    assert contradictions([by_order(run, "median_ns") for run in runs]) > 100


def test_noise_does_not_silence_all_claims(runs: list[pd.DataFrame]) -> None:
    found = np.mean([("a", "f") in by_interval(run) for run in runs])
    assert found > 0.6


def test_estimates_hold_where_medians_move(runs: list[pd.DataFrame]) -> None:
    spread = {column: np.ptp([run.loc["a", column] for run in runs]) for column in ("ns", "median_ns")}
    assert spread["ns"] < spread["median_ns"]


# Digits


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        *((12.37, 0.2, "12.4"), (12.37, 0.9, "12"), (12.37, 0.001, "12.4"), (12.37, 0, "12.4")),
        *((483.0, 4, "483"), (483.0, 30, "480"), (483.0, 400, "500"), (0.04832, 0.0001, "0.0483")),
        *((4830.0, 10, "4830"), (9.97, 0.06, "10.0"), (float("nan"), 1, "–"), (0.0, 1, "0")),
    ],
)
def test_no_more_digits_than_the_error_bears(value: float, error: float, text: str) -> None:
    assert format.measured(value, error) == text

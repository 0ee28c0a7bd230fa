"""From raw results to statistics: one row per thing measured.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable

import pandas as pd

NOISY_SPREAD = 0.10
"""Rows whose quartiles lie further apart than this part of the median are flagged."""
REFERENCE_BACKEND = "portable"

STATISTICS = ["n", "median_ns", "q1_ns", "q3_ns", "min_ns", "cycles", "spread", "noisy", "speedup"]

UNIT_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}

# The parts of a benchmark's name behind its first part.
NAME_PARTS = {"op": ["tier", "operation", "set", "backend"], "kernel": ["family", "kernel", "backend"]}


def samples(documents: Iterable[dict], kind: str) -> pd.DataFrame:
    """The repetitions in Google Benchmark documents: the name's parts, ns and cycles of one operation or call."""
    rows = [
        dict(zip(NAME_PARTS[kind], parts, strict=True)) | _measured(row)
        for document in documents
        for row in document["benchmarks"]
        if row.get("run_type") == "iteration" and not row.get("error_occurred")
        if (parts := row["run_name"].split("/")).pop(0) == kind
    ]
    return pd.DataFrame(rows, columns=[*NAME_PARTS[kind], "ns", "cycles"])


def _measured(row: dict) -> dict[str, float | None]:
    call_ns = row["real_time"] * UNIT_NS[row["time_unit"]]
    ns = row.get("ns_per_item", call_ns)
    cycles = row.get("cycles")
    return {"ns": ns, "cycles": None if cycles is None else cycles * ns / call_ns}


def errors(documents: Iterable[dict]) -> list[str]:
    """What the benchmarks that failed said."""
    return sorted(
        {
            f"{row['name']}: {row.get('error_message', 'failed')}"
            for document in documents
            for row in document["benchmarks"]
            if row.get("error_occurred")
        }
    )


def statistics(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Median, quartiles, minimum and N of each row; whether it is noisy; the speed-up over the reference backend."""
    keys = NAME_PARTS[kind]
    if frame.empty:
        return pd.DataFrame(columns=[*keys, *STATISTICS])
    groups = frame.groupby(keys)
    result = groups["ns"].agg(
        n="size",
        median_ns="median",
        q1_ns=lambda ns: ns.quantile(0.25),
        q3_ns=lambda ns: ns.quantile(0.75),
        min_ns="min",
    )
    result["cycles"] = groups["cycles"].apply(lambda cycles: pd.to_numeric(cycles).median())
    result["spread"] = (result["q3_ns"] - result["q1_ns"]) / result["median_ns"]
    result["noisy"] = result["spread"] > NOISY_SPREAD
    rows = result.reset_index().sort_values(keys, key=natural, ignore_index=True)
    return _with_speedup(rows, [key for key in keys if key != "backend"])


def natural(names: pd.Series) -> pd.Series:
    """Sort keys that put _d4 before _d10."""
    return names.str.replace(r"\d+", lambda digits: digits[0].zfill(6), regex=True)


def _with_speedup(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    reference = rows[rows["backend"] == REFERENCE_BACKEND].set_index(keys)["median_ns"].rename("reference_ns")
    joined = rows.join(reference, on=keys)
    rows["speedup"] = joined["reference_ns"] / joined["median_ns"]
    return rows


def csv_table(operations: pd.DataFrame, kernels: pd.DataFrame) -> pd.DataFrame:
    """Both kinds of rows in one tidy table."""
    both = pd.concat([operations.assign(kind="operation"), kernels.assign(kind="kernel")], ignore_index=True)
    first = ["kind", "tier", "operation", "set", "family", "kernel", "backend"]
    return both[[*first, *(column for column in both.columns if column not in first)]]

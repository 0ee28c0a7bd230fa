"""From raw results to estimates: one row per thing measured, with an interval for what it takes.

Noise on a computer is one-sided: other work, interrupts and a cold cache make a block slower, nothing makes it faster.
So the estimate is the lower quartile of a row's blocks, which does not move though half of them are disturbed.
docs/benchmarking.md says more. SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb

import pandas as pd

QUANTILE = 0.25
"""The estimate: the value below which this part of a row's blocks lies."""
CONFIDENCE = 0.99
"""Of the interval that order statistics give."""
PLACEMENT = 0.01
"""The effect of a process's placement in memory: the interval is wider by this part on either side."""
NOISY_WIDTH = 0.10
"""Rows with an interval wider than this part of the estimate are flagged."""
REFERENCE_BACKEND = "portable"

STATISTICS = ["n", "ns", "low_ns", "high_ns", "min_ns", "median_ns", "q3_ns", "cycles", "width", "noisy"]
COLUMNS = [*STATISTICS, "speedup", "speedup_error"]

# The parts of a row's name behind its first part.
NAME_PARTS = {"op": ["tier", "operation", "set", "backend"], "kernel": ["family", "kernel", "backend"]}


def samples(documents: Iterable[dict], kind: str) -> pd.DataFrame:
    """The undisturbed blocks: the name's parts, the process, ns and cycles of one operation or call."""
    rows = [
        {**dict(zip(NAME_PARTS[kind], parts, strict=True)), "process": process, "ns": ns, "cycles": cycles}
        for process, document in enumerate(documents)
        for row in document["rows"]
        if (parts := row["name"].split("/")).pop(0) == kind
        for ns, cycles in zip(row.get("ns", []), row.get("cycles", [None] * len(row.get("ns", []))), strict=True)
        if ns is not None
    ]
    return pd.DataFrame(rows, columns=[*NAME_PARTS[kind], "process", "ns", "cycles"])


def errors(documents: Iterable[dict]) -> list[str]:
    """The messages of the rows that failed."""
    found = {f"{row['name']}: {row['error']}" for document in documents for row in document["rows"] if "error" in row}
    return sorted(found)


@lru_cache
def interval_places(n: int) -> tuple[int, int]:
    """Which of n sorted values bound the lower quartile: the closest two that hold with CONFIDENCE, whatever the
    distribution. With few values the first and a high one, because no closer two hold."""
    tail = (1 - CONFIDENCE) / 2
    below = [comb(n, k) * QUANTILE**k * (1 - QUANTILE) ** (n - k) for k in range(n + 1)]
    at_most = [sum(below[: k + 1]) for k in range(n + 1)]
    low = max((k for k in range(n) if at_most[k] <= tail), default=0)
    high = next((k for k in range(n) if 1 - at_most[k] <= tail), n - 1)
    return low, high


def interval(by_process: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Of a row: what the order statistics of all its values say, or as far as the estimates of its processes reach, and
    wider by PLACEMENT."""
    pooled = sorted(value for values in by_process for value in values)
    low, high = (pooled[place] for place in interval_places(len(pooled)))
    estimates = [float(pd.Series(values).quantile(QUANTILE)) for values in by_process]
    return min(low, *estimates) * (1 - PLACEMENT), max(high, *estimates) * (1 + PLACEMENT)


def apart(one: pd.Series, other: pd.Series) -> bool:
    """Whether two rows differ: their intervals do not meet. Only then is one called faster."""
    return bool(one["high_ns"] < other["low_ns"] or other["high_ns"] < one["low_ns"])


def statistics(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Estimate, interval and order statistics of each row; whether it is noisy; the speed-up over the reference."""
    keys = NAME_PARTS[kind]
    if frame.empty:
        return pd.DataFrame(columns=[*keys, *COLUMNS])
    result = pd.DataFrame([{**dict(zip(keys, key, strict=True)), **_row(rows)} for key, rows in frame.groupby(keys)])
    rows = result.sort_values(keys, key=natural, ignore_index=True)
    return _with_speedup(rows, [key for key in keys if key != "backend"])


def _row(rows: pd.DataFrame) -> dict[str, float | bool]:
    low, high = interval([ns.tolist() for _, ns in rows.groupby("process")["ns"]])
    least, ns, median, upper = rows["ns"].quantile([0, QUANTILE, 0.5, 0.75]).tolist()
    width = (high - low) / ns
    return {
        "n": len(rows),
        "ns": ns,
        "low_ns": low,
        "high_ns": high,
        "min_ns": least,
        "median_ns": median,
        "q3_ns": upper,
        "cycles": pd.to_numeric(rows["cycles"]).quantile(QUANTILE),
        "width": width,
        "noisy": width > NOISY_WIDTH,
    }


def natural(names: pd.Series) -> pd.Series:
    """Sort keys that put _d4 before _d10."""
    return names.str.replace(r"\d+", lambda digits: digits[0].zfill(6), regex=True)


def _with_speedup(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """speedup_error is half the width of the speed-up's interval: the two rows' own, added."""
    reference = rows[rows["backend"] == REFERENCE_BACKEND].set_index(keys)[["ns", "width"]].add_prefix("reference_")
    joined = rows.join(reference, on=keys)
    rows["speedup"] = joined["reference_ns"] / joined["ns"]
    rows["speedup_error"] = rows["speedup"] * (joined["reference_width"] + joined["width"]) / 2
    return rows


def csv_table(operations: pd.DataFrame, kernels: pd.DataFrame) -> pd.DataFrame:
    """Both kinds of rows in one tidy table."""
    both = pd.concat([operations.assign(kind="operation"), kernels.assign(kind="kernel")], ignore_index=True)
    first = ["kind", "tier", "operation", "set", "family", "kernel", "backend"]
    return both[[*first, *(column for column in both.columns if column not in first)]]

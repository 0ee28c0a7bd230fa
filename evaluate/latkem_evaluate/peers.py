"""The comparison with other libraries, where the program that makes it has left its results.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import pandas as pd

from latkem_evaluate import numbers
from latkem_evaluate.groups import OPERATIONS, SCHEMES, Scheme, scheme_of
from latkem_evaluate.tables import NOISY_SPREAD
from latkem_evaluate.views import EMPTY, Cell, Row, Table, time_cell

OWN = "latkem"
COLUMNS = ["library", "version", "backend", "set", "operation", "tier", "checks", "rng", "median_ns", "q1_ns", "q3_ns"]


class Peers:
    """The rows of the tiers and schemes with another library in them, the ratios of single rounds, and the bars."""

    def __init__(self, raw: dict | None, sets: Sequence[str]) -> None:
        raw = raw or {}
        frame = pd.DataFrame(raw.get("rows", []), columns=COLUMNS)
        frame["scheme"] = frame["set"].map(lambda name: scheme_of(name).key)
        rivals = frame[frame["library"] != OWN]
        keys = set(zip(rivals["tier"], rivals["scheme"], strict=True))
        contested = [key in keys for key in zip(frame["tier"], frame["scheme"], strict=True)]
        self.rows = frame[pd.Series(contested, index=frame.index, dtype=bool)].copy()
        self.rows["label"] = self.rows["library"] + " (" + self.rows["backend"] + ")"
        self.rows["noisy"] = (self.rows["q3_ns"] - self.rows["q1_ns"]) / self.rows["median_ns"] > NOISY_SPREAD
        self.sets = [name for name in sets if name in set(self.rows["set"])]
        self.ratios = _ratios(raw.get("ratios", []), self.sets)
        self.raw_bars = raw.get("bars", [])

    @property
    def schemes(self) -> list[Scheme]:
        return [scheme for scheme in SCHEMES if scheme.key in set(self.rows["scheme"])]

    def tiers(self, scheme: Scheme) -> list[str]:
        return list(dict.fromkeys(self.rows["tier"][self.rows["scheme"] == scheme.key]))

    def libraries(self) -> Table:
        """What each library does within the time."""
        table = Table([], ["version", "tier", "checks", "randomness"])
        for scheme in self.schemes:
            rows = self.rows[self.rows["scheme"] == scheme.key].drop_duplicates(["label", "tier"])
            group = [
                Row(r.label, [Cell(str(r.version)), Cell(r.tier), Cell(r.checks), Cell(r.rng)], scheme.title)
                for r in rows.itertuples()
            ]
            table.groups.append(group)
        return table

    def table(self, scheme: Scheme, tier: str) -> Table:
        rows = self.rows[(self.rows["tier"] == tier) & (self.rows["scheme"] == scheme.key)]
        names = [name for name in OPERATIONS if name in set(rows["operation"])]
        table = Table([(OPERATIONS[name], 2) for name in names], ["µs", "× latkem"] * len(names))
        for set_name in (name for name in self.sets if name in set(rows["set"])):
            here = rows[rows["set"] == set_name]
            table.groups.append([_row(here, label, set_name, names) for label in dict.fromkeys(here["label"])])
        return table

    def bars(self) -> Table:
        """What latkem is held to: a part of another's time at most, in the worst case."""
        table = Table([], ["limit", "worst", "where", "verdict"], names=("where", "verdict"))
        rows = [_bar_row(bar) for bar in self.raw_bars]
        table.groups += [rows] if rows else []
        return table

    def compared(self) -> list[tuple[Scheme, str]]:
        """The schemes and tiers that have ratios."""
        keys = [(scheme, tier) for scheme in self.schemes for tier in self.tiers(scheme)]
        return [key for key in keys if not self.ratios_of(*key).empty]

    def ratios_of(self, scheme: Scheme, tier: str) -> pd.DataFrame:
        mine = self.ratios["set"].map(lambda name: scheme_of(name).key == scheme.key).astype(bool)
        return self.ratios[mine & (self.ratios["tier"] == tier)]


def _ratios(raw: list[dict], sets: Sequence[str]) -> pd.DataFrame:
    """The rival's time by latkem's, the other way round than in the results, set by set."""
    keys = ["set", "rival", "backend", "tier", "operation"]
    frame = pd.DataFrame(raw, columns=[*keys, "ratio_rounds", "ratio_q1", "ratio_q3"])
    frame = frame[frame["set"].isin(sets)]
    result = frame[keys].assign(middle=1 / frame["ratio_rounds"], low=1 / frame["ratio_q3"], high=1 / frame["ratio_q1"])
    return result.sort_values("set", key=lambda names: names.map(sets.index), kind="stable", ignore_index=True)


def _bar_row(bar: dict) -> Row:
    """The worst case is a number with its place in words, or an object with both."""
    worst = bar["worst"] if isinstance(bar["worst"], dict) else {"ratio": bar["worst"], "where": bar["where"]}
    where = worst.get("where") or f"{worst['set']} {worst['operation']}, {worst['rival']}"
    verdict = Cell("met", kind="name pass") if bar["met"] else Cell("not met", kind="name fail")
    return Row(
        bar["name"], [Cell(f"{bar['limit']:.2f}"), Cell(f"{worst['ratio']:.3f}"), Cell(where, kind="name"), verdict]
    )


def _row(here: pd.DataFrame, label: str, set_name: str, names: Sequence[str]) -> Row:
    """Times, and their multiples of the time of latkem's fastest backend."""
    own = here[here["library"] == OWN].groupby("operation")["median_ns"].min()
    by_operation = here[here["label"] == label].set_index("operation")
    cells: list[Cell] = []
    for name in names:
        if name not in by_operation.index:
            cells += [EMPTY, EMPTY]
            continue
        row = by_operation.loc[name]
        cells.append(time_cell(row, 1e3))
        cells.append(Cell(numbers.times(row["median_ns"] / own[name])) if name in own.index else EMPTY)
    return Row(label, cells, set_name)

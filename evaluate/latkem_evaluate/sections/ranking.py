"""The ranking: which parameter set is fastest at its level, operation by operation, and what it puts on the wire.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from latkem_evaluate import format, scatter
from latkem_evaluate.charts import Chart
from latkem_evaluate.palette import OPERATIONS, SCHEMES, scheme_of
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, time_cell

TIER = "wire"
COLUMNS = ["rank", "algorithm", "µs", "× best"]


Claim = tuple[str, int, str, str, str]
"""Backend, level, operation, the faster set, the slower one."""


@dataclass(frozen=True)
class Place:
    """A set's place in one ranking: a range, from one below the sets that are certainly faster to one above those that
    are certainly slower."""

    best: int
    worst: int
    row: pd.Series

    @property
    def name(self) -> str:
        return str(self.row["set"])

    @property
    def text(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


def ranked(rows: pd.DataFrame) -> list[Place]:
    """The rows of one operation, fastest first."""
    ordered = [row for _, row in rows.sort_values("ns", kind="stable").iterrows()]
    return [
        Place(
            1 + sum(other["high_ns"] < row["low_ns"] for other in ordered),
            len(ordered) - sum(other["low_ns"] > row["high_ns"] for other in ordered),
            row,
        )
        for row in ordered
    ]


def contradictions(one: set[Claim], other: set[Claim]) -> list[Claim]:
    """The claims that the other run contradicts."""
    return sorted(claim for claim in one if (*claim[:3], claim[4], claim[3]) in other)


class Ranking(Section):
    """The wire tier's times, level by level."""

    key = "ranking"
    title = "Ranking"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.rows = results.rows(tier=TIER)
        self.sets = {entry["name"]: entry for entry in results.sets}
        self.operations = [name for name in OPERATIONS if name in set(self.rows["operation"])]

    @property
    def shown(self) -> bool:
        return bool(self.backends)

    @property
    def answer(self) -> str:
        return self.summary(self.backends[-1])

    def charts(self) -> list[Chart]:
        return [scatter.exchange_chart(self.exchanges(name), name) for name in self.exchange_backends]

    @cached_property
    def exchange_backends(self) -> list[str]:
        """Those on which whole key exchanges can be drawn."""
        return [name for name in self.backends if not self.exchanges(name).empty]

    @cached_property
    def levels(self) -> dict[int, list[str]]:
        """The sets of each level at which there are several."""
        by_level: dict[int, list[str]] = {}
        for name, entry in self.sets.items():
            by_level.setdefault(entry["level"], []).append(name)
        return {level: names for level, names in sorted(by_level.items()) if len(names) > 1}

    @cached_property
    def backends(self) -> list[str]:
        """Those on which something can be ranked."""
        return [name for name in dict.fromkeys(self.rows["backend"]) if any(map(len, self._of(name).values()))]

    def places(self, backend: str, level: int, operation: str) -> list[Place]:
        """Empty where fewer than two sets were measured."""
        rows = self.rows
        here = (rows["backend"] == backend) & (rows["operation"] == operation) & rows["set"].isin(self.levels[level])
        return ranked(rows[here]) if here.sum() > 1 else []

    def _of(self, backend: str) -> dict[tuple[int, str], list[Place]]:
        return {(level, name): self.places(backend, level, name) for level in self.levels for name in self.operations}

    def claims(self) -> set[Claim]:
        """All pairs of sets that differ."""
        rankings = [(b, *key, places) for b in self.backends for key, places in self._of(b).items()]
        return {
            (backend, level, operation, fast.name, slow.name)
            for backend, level, operation, places in rankings
            for fast in places
            for slow in places
            if fast.row["high_ns"] < slow.row["low_ns"]
        }

    def table(self, backend: str) -> Table:
        names = [(OPERATIONS[name], len(COLUMNS)) for name in self.operations]
        table = Table(names, COLUMNS * len(names), names=("algorithm",))
        for level in self.levels:
            by_operation = [self.places(backend, level, name) for name in self.operations]
            count = max(map(len, by_operation), default=0)
            rows = [
                Row(str(level), [cell for places in by_operation for cell in _cells(places, at)]) for at in range(count)
            ]
            if rows:
                table.groups.append(rows)
        return table

    # In words

    def summary(self, backend: str) -> str:
        """Which scheme is first how often, and what could not be decided."""
        rankings = [places for places in self._of(backend).values() if places]
        winners = Counter(_schemes(_first(places)) for places in rankings)
        parts = [
            f"{format.listed(titles, 'or')}{' (not told apart)' if len(titles) > 1 else ''} in {count}"
            for titles, count in sorted(winners.items(), key=lambda item: (len(item[0]), -item[1]))
        ]
        return f"Of {len(rankings)} rankings with {backend}, first is {'; '.join(parts)}."

    def findings(self, backend: str) -> list[tuple[int, str]]:
        """For each level what was found, and what is missing."""
        found = []
        for level, names in self.levels.items():
            parts = [
                f"{OPERATIONS[operation].lower()}: {_verdict(places)}"
                for operation in self.operations
                if (places := self.places(backend, level, operation))
            ]
            measured = set(self.rows["set"][self.rows["backend"] == backend])
            missing = [name for name in names if name not in measured]
            without = f". Not measured: {format.listed(missing)}" if missing else ""
            if parts:
                found.append((level, "; ".join(parts) + without + "."))
        return found

    # Time against size

    def exchanges(self, backend: str) -> pd.DataFrame:
        """Bytes sent and µs spent in one key exchange, with a fresh key and with one that is at hand."""
        rows = self.rows[self.rows["backend"] == backend]
        times = rows.pivot(index="set", columns="operation", values="ns") / 1e3
        wanted = ["keygen", "encaps", "decaps"]
        if not set(wanted) <= set(times.columns):
            return pd.DataFrame()
        times = times.dropna(subset=wanted)
        entries = [(name, entry) for name, entry in self.sets.items() if name in times.index]
        return pd.DataFrame(
            [
                {
                    "set": name,
                    "level": entry["level"],
                    "fresh_bytes": entry["ek_bytes"] + entry["ct_bytes"],
                    "fresh_us": times.loc[name, wanted].sum(),
                    "kept_bytes": entry["ct_bytes"],
                    "kept_us": times.loc[name, ["encaps", "decaps"]].sum(),
                }
                for name, entry in entries
            ]
        )


def _cells(places: Sequence[Place], at: int) -> list[Cell]:
    if at >= len(places):
        return [EMPTY] * len(COLUMNS)
    place, best = places[at], places[0].row
    return [
        Cell(place.text),
        Cell(place.name, kind="name"),
        time_cell(place.row, 1e3),
        Cell(_times(place.row, best)),
    ]


def _times(row: pd.Series, best: pd.Series) -> str:
    ratio = row["ns"] / best["ns"]
    return format.times(ratio, ratio * (row["width"] + best["width"]) / 2)


def _first(places: Sequence[Place]) -> list[Place]:
    """Those that have no certainly faster one."""
    return [place for place in places if place.best == 1]


def _schemes(places: Sequence[Place]) -> tuple[str, ...]:
    found = {scheme_of(place.name) for place in places}
    return tuple(scheme.title for scheme in SCHEMES if scheme in found)


def _verdict(places: Sequence[Place]) -> str:
    first = _first(places)
    others = [place for place in places if place.best > 1]
    winners = format.listed([place.name for place in first])
    if len(first) > 1:
        return f"{winners} are not told apart"
    return f"{winners}, {_times(others[0].row, first[0].row)} ahead of {others[0].name}"

"""The ranking: which parameter set is fastest at its level, operation by operation, and what it puts on the wire.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from latkem_evaluate import numbers
from latkem_evaluate.groups import OPERATIONS, SCHEMES, scheme_of
from latkem_evaluate.views import EMPTY, Cell, Row, Table, time_cell

TIER = "wire"
COLUMNS = ["rank", "algorithm", "µs", "× best"]


@dataclass(frozen=True)
class Place:
    """A set's place in one ranking. Sets share a rank where the quartiles overlap those of the first that has it."""

    rank: int
    row: pd.Series

    @property
    def name(self) -> str:
        return str(self.row["set"])


def ranked(rows: pd.DataFrame) -> list[Place]:
    """The rows of one operation, fastest first."""
    places: list[Place] = []
    leader: Place | None = None
    for position, (_, row) in enumerate(rows.sort_values("median_ns", kind="stable").iterrows(), start=1):
        shared = leader is not None and row["q1_ns"] <= leader.row["q3_ns"]
        place = Place(leader.rank if leader is not None and shared else position, row)
        leader = leader if shared else place
        places.append(place)
    return places


class Ranking:
    """The wire tier's times, level by level."""

    def __init__(self, operations: pd.DataFrame, sets: Sequence[dict]) -> None:
        self.rows = operations[operations["tier"] == TIER]
        self.sets = {entry["name"]: entry for entry in sets}
        self.operations = [name for name in OPERATIONS if name in set(self.rows["operation"])]

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
        """Which scheme wins how often, and what could not be decided."""
        rankings = [places for places in self._of(backend).values() if places]
        winners = Counter(_schemes(_first(places)) for places in rankings)
        parts = [
            f"{_list(titles, 'or')}{' (within the noise of each other)' if len(titles) > 1 else ''} in {count}"
            for titles, count in sorted(winners.items(), key=lambda item: (len(item[0]), -item[1]))
        ]
        return f"Of {len(rankings)} rankings, first is {'; '.join(parts)}."

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
            without = f". Not measured: {_list(missing)}" if missing else ""
            if parts:
                found.append((level, "; ".join(parts) + without + "."))
        return found

    # Time against size

    def exchanges(self, backend: str) -> pd.DataFrame:
        """Bytes sent and µs spent in one key exchange, with a fresh key and with one that is at hand."""
        rows = self.rows[self.rows["backend"] == backend]
        times = rows.pivot(index="set", columns="operation", values="median_ns") / 1e3
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
    place, best = places[at], places[0].row["median_ns"]
    shared = sum(other.rank == place.rank for other in places) > 1
    return [
        Cell(f"{place.rank}{'=' if shared else ''}"),
        Cell(place.name, kind="name"),
        time_cell(place.row, 1e3),
        Cell(numbers.times(place.row["median_ns"] / best)),
    ]


def _first(places: Sequence[Place]) -> list[Place]:
    return [place for place in places if place.rank == 1]


def _schemes(places: Sequence[Place]) -> tuple[str, ...]:
    found = {scheme_of(place.name) for place in places}
    return tuple(scheme.title for scheme in SCHEMES if scheme in found)


def _verdict(places: Sequence[Place]) -> str:
    first = _first(places)
    others = places[len(first) :]
    winners = _list([place.name for place in first])
    if len(first) > 1:
        winners += " (within the noise of each other)"
    if not others:
        return winners
    lead = others[0].row["median_ns"] / first[0].row["median_ns"]
    return f"{winners}, {numbers.times(lead)} ahead of {others[0].name}"


def _list(parts: Sequence[str], word: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"

"""The findings of a run: its raw results, and values that several sections derive from them.

SPDX-License-Identifier: Apache-2.0
"""

from functools import cached_property

import pandas as pd

from latkem_evaluate import estimates
from latkem_evaluate.palette import EXCHANGES, OPERATIONS, TIERS

CORE = ("keygen", "encaps", "decaps")
HYBRIDS = ("RFC 10024", "draft")  # what the command says about their place


class Results:
    """The content of results.json, with the estimates of all operations and kernels."""

    def __init__(self, raw: dict) -> None:
        self.raw = raw
        # Hybrids are measured beside other libraries alone.
        self.sets: list[dict] = [entry for entry in raw["library"]["sets"] if entry.get("standing") not in HYBRIDS]
        self.set_names: list[str] = [entry["name"] for entry in self.sets]
        self.backends: list[str] = raw["library"]["backends"]
        documents = raw["benchmarks"]
        frame = estimates.statistics(estimates.samples(documents["operations"], "op"), "op")
        self.operations = self._in_order(frame)
        self.kernels = estimates.statistics(estimates.samples(documents["kernels"], "kernel"), "kernel")

    def _in_order(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Tiers, sets, backends and operations in the order of the page."""
        orders = (
            ("tier", {**TIERS, **EXCHANGES}),
            ("set", self.set_names),
            ("backend", self.backends),
            ("operation", OPERATIONS),
        )
        places = {column: {name: place for place, name in enumerate(names)} for column, names in orders}
        return rows.sort_values(list(places), key=lambda names: names.map(places[names.name]), ignore_index=True)

    @property
    def documents(self) -> list[dict]:
        """Of all processes that timed rows."""
        return [*self.raw["benchmarks"]["operations"], *self.raw["benchmarks"]["kernels"]]

    @property
    def several_backends(self) -> bool:
        return len(self.backends) > 1

    @property
    def fastest(self) -> str:
        """The backend that the library picks here: the last of its list."""
        return self.backends[-1]

    def rows(self, **keys: str) -> pd.DataFrame:
        """The operations with these values in their columns."""
        rows = self.operations
        for column, value in keys.items():
            rows = rows[rows[column] == value]
        return rows

    def row(self, **keys: str) -> pd.Series | None:
        rows = self.rows(**keys)
        return None if rows.empty else rows.iloc[0]

    def columns(self, time: str, cycles: str, rows: pd.DataFrame) -> list[str]:
        """Of a table of these rows: cycles where they were counted, speed-ups where there is something to compare."""
        counted = [cycles] if rows["cycles"].notna().any() else []
        return [time, *counted, *(["speed-up"] if self.several_backends else [])]

    @cached_property
    def measured(self) -> pd.DataFrame:
        """All rows, operations and kernels."""
        return pd.concat([self.operations, self.kernels], ignore_index=True)

"""The comparison with other libraries, where the program that makes it has left its results.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import pandas as pd

from latkem_evaluate import numbers
from latkem_evaluate.groups import OPERATIONS
from latkem_evaluate.tables import NOISY_SPREAD
from latkem_evaluate.views import EMPTY, Cell, Row, Table, time_cell

OWN = "latkem"
COLUMNS = ["library", "version", "backend", "set", "operation", "tier", "checks", "rng", "median_ns", "q1_ns", "q3_ns"]


class Peers:
    """The rows of the tiers in which there is another library."""

    def __init__(self, raw: dict | None, sets: Sequence[str]) -> None:
        frame = pd.DataFrame((raw or {}).get("rows", []), columns=COLUMNS)
        rivals = set(frame["tier"][frame["library"] != OWN])
        self.rows = frame[frame["tier"].isin(rivals)].copy()
        self.rows["label"] = self.rows["library"] + " (" + self.rows["backend"] + ")"
        self.rows["noisy"] = (self.rows["q3_ns"] - self.rows["q1_ns"]) / self.rows["median_ns"] > NOISY_SPREAD
        self.sets = [name for name in sets if name in set(self.rows["set"])]

    def tiers(self) -> list[str]:
        return list(dict.fromkeys(self.rows["tier"]))

    def libraries(self) -> Table:
        """What each library does within the time."""
        table = Table([], ["version", "tier", "checks", "randomness"])
        rows = self.rows.drop_duplicates(["label", "tier"])
        table.groups.append(
            [Row(r.label, [Cell(str(r.version)), Cell(r.tier), Cell(r.checks), Cell(r.rng)]) for r in rows.itertuples()]
        )
        return table

    def table(self, tier: str) -> Table:
        rows = self.rows[self.rows["tier"] == tier]
        names = [name for name in OPERATIONS if name in set(rows["operation"])]
        table = Table([(OPERATIONS[name], 2) for name in names], ["µs", "× latkem"] * len(names))
        for set_name in self.sets:
            here = rows[rows["set"] == set_name]
            table.groups.append([_row(here, label, set_name, names) for label in dict.fromkeys(here["label"])])
        return table


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

"""latkem in Java beside other libraries of the JVM, and beside its own C calls.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, java_chart
from latkem_evaluate.palette import JAVA_TIERS, OPERATIONS
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table

OWN, BARE = "latkem", "C"
KEYS = ["tier", "set", "operation"]
TIMES = ["q1_ns", "median_ns", "q3_ns"]


class Java(Section):
    """Times, the ratios of medians, and what Java adds to the C calls."""

    key = "java"
    title = "Java"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        found = self.raw.get("java") or {}
        self.rows = pd.DataFrame(found.get("rows", []), columns=[*KEYS, "library", *TIMES])
        self.ratios = pd.DataFrame(found.get("ratios", []), columns=[*KEYS, "rival", "q1", "median", "q3", "ratio"])
        self.context = found.get("context", {})
        self.turns = found.get("turns", 0)
        self.absent = found.get("absent", "")

    @property
    def shown(self) -> bool:
        return bool(self.absent) or not self.rows.empty

    @property
    def answer(self) -> str:
        """The span of the lead over each rival, and the median of Java's share."""
        if self.rows.empty:
            return f"Not measured: {self.absent}."
        spans = [f"{rival} takes {self.span(rival)} latkem's time" for rival in self.rivals]
        shares = self.shares()["share"]
        over = [f"Java adds {format.percent(shares.median())} to the C calls in the median"] if len(shares) else []
        return "; ".join([*spans, *over]) + "."

    @property
    def rivals(self) -> list[str]:
        return [name for name in dict.fromkeys(self.ratios["rival"]) if name != BARE]

    def span(self, rival: str) -> str:
        leads = 1 / self.ratios["ratio"][self.ratios["rival"] == rival]
        return f"{format.significant(leads.min())} to {format.times(leads.max(), leads.max() * 0.05)}"

    def charts(self) -> list[Chart]:
        others = self.ratios[self.ratios["rival"] != BARE]
        return [java_chart(others)] if len(others) else []

    def tiers(self) -> list[str]:
        return [tier for tier in JAVA_TIERS if tier in set(self.rows["tier"])]

    def table(self, tier: str) -> Table:
        """Times, and their multiples of latkem's."""
        rows = self.rows[self.rows["tier"] == tier]
        names = [name for name in OPERATIONS if name in set(rows["operation"])]
        table = Table([(OPERATIONS[name], 2) for name in names], ["µs", "× latkem"] * len(names))
        for set_name, here in rows.groupby("set", sort=False):
            labels = [name for name in dict.fromkeys(here["library"]) if name != BARE]
            table.groups.append([_row(here, label, str(set_name), names) for label in labels])
        return table

    def shares(self) -> pd.DataFrame:
        """The extra cost of each call in Java over C: over, in ns, and as a part of the C call."""
        places = self.rows.set_index("library")
        own, bare = (places.loc[places.index == name].set_index(KEYS)["median_ns"] for name in (OWN, BARE))
        bare = bare[bare.index.isin(own.index)]
        over = own.loc[bare.index] - bare
        return pd.DataFrame({"bare_ns": bare, "over_ns": over, "share": over / bare}).reset_index()

    def share_table(self) -> Table:
        shares = self.shares()
        names = [name for name in OPERATIONS if name in set(shares["operation"])]
        table = Table([(OPERATIONS[name], 2) for name in names], ["C, µs", "Java adds"] * len(names))
        for (tier, set_name), here in shares.groupby(["tier", "set"], sort=False):
            by_operation = here.set_index("operation")
            cells = [cell for name in names for cell in _share_cells(by_operation, name)]
            row = Row(str(set_name), cells, JAVA_TIERS[str(tier)][0])
            if not table.groups or table.groups[-1][0].note != row.note:
                table.groups.append([])
            table.groups[-1].append(row)
        return table


def _share_cells(by_operation: pd.DataFrame, name: str) -> list[Cell]:
    if name not in by_operation.index:
        return [EMPTY, EMPTY]
    row = by_operation.loc[name]
    added = Cell(f"{row['over_ns'] / 1e3:+.2f} µs", f"{100 * row['share']:+.1f}{format.THIN}%")
    return [Cell(format.significant(row["bare_ns"] / 1e3)), added]


def _row(here: pd.DataFrame, label: str, set_name: str, names: Sequence[str]) -> Row:
    own = here[here["library"] == OWN].set_index("operation")["median_ns"]
    by_operation = here[here["library"] == label].set_index("operation")
    cells: list[Cell] = []
    for name in names:
        if name not in by_operation.index:
            cells += [EMPTY, EMPTY]
            continue
        row = by_operation.loc[name]
        low, middle, high = (row[key] / 1e3 for key in TIMES)
        cells.append(Cell(format.measured(middle, (high - low) / 2), format.span(low, high)))
        ratio = row["median_ns"] / own[name] if name in own.index else None
        cells.append(EMPTY if ratio is None else Cell(format.times(ratio, ratio * (high - low) / middle)))
    return Row(label, cells, set_name)

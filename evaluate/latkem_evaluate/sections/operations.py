"""Every operation of every set on every backend, tier by tier. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Sequence

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, latency_chart
from latkem_evaluate.palette import OPERATIONS, TIERS
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, measured_cells


class Operations(Section):
    key = "operations"
    title = "Every operation"

    @property
    def shown(self) -> bool:
        return bool(self.tiers())

    @property
    def answer(self) -> str:
        """The median speed-up of each vector backend, over the operations of the wire tier."""
        rows = self.results.rows(tier="wire")
        others = [name for name in self.results.backends if name != self.results.backends[0]]
        medians = {name: rows["speedup"][rows["backend"] == name].median() for name in others}
        parts = [f"{name} {format.times(value, value * 0.05)}" for name, value in medians.items() if value > 0]
        return f"Median speed-up over portable C: {', '.join(parts)}." if parts else "One backend, so no speed-ups."

    def charts(self) -> list[Chart]:
        return [latency_chart(self.results.operations, tier, self.results.set_names) for tier in self.tiers()]

    def tiers(self) -> list[str]:
        return [tier for tier in TIERS if not self.results.rows(tier=tier).empty]

    def table(self, tier: str) -> Table:
        rows = self.results.rows(tier=tier)
        names = [name for name in OPERATIONS if name in set(rows["operation"])]
        columns = self.results.columns("µs", "kcycles", rows)
        table = Table([(OPERATIONS[name], len(columns)) for name in names], columns * len(names))
        for set_name in self.results.set_names:
            group = [_row(rows, set_name, backend, names, columns) for backend in self.results.backends]
            table.groups.append([row for row in group if row is not None])
        return table


def _row(rows: pd.DataFrame, set_name: str, backend: str, names: Sequence[str], columns: Sequence[str]) -> Row | None:
    here = rows[(rows["set"] == set_name) & (rows["backend"] == backend)].set_index("operation")
    if here.empty:
        return None
    cells: list[Cell] = []
    for name in names:
        cells += measured_cells(here.loc[name], columns, 1e3) if name in here.index else [EMPTY] * len(columns)
    return Row(set_name, cells, backend)

"""The key exchanges UAKE and AKE: bytes of the messages, time of both sides. SPDX-License-Identifier: Apache-2.0"""

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, exchange_chart
from latkem_evaluate.palette import EXCHANGES
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, time_cell

COLUMNS = ["bytes", "A, µs", "B, µs", "both, µs", "× KEM"]


class Exchange(Section):
    """Side A is start and finish, side B reply; start is the same step in both exchanges."""

    key = "exchange"
    title = "Key exchange"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        rows = results.operations
        self.rows = rows[rows["tier"].isin(EXCHANGES)].set_index(["tier", "operation", "set", "backend"]).sort_index()
        present = set(self.rows.index.get_level_values("set"))
        self.sizes = {entry["name"]: entry for entry in results.sets if entry["name"] in present}

    @property
    def shown(self) -> bool:
        return bool(self.sizes)

    @property
    def answer(self) -> str:
        """The most that an exchange takes beyond its KEM operations."""
        ratios = [ratio for pair in self._pairs() if (ratio := self.ratio(*pair)) is not None]
        worst = max((ratio for ratio, _ in ratios), default=None)
        return "" if worst is None else f"UAKE and AKE take at most {worst:.3f} of their KEM operations' time."

    def charts(self) -> list[Chart]:
        return [exchange_chart(self.results.operations, list(self.sizes))]

    def table(self) -> Table:
        table = Table([(title, len(COLUMNS)) for title in EXCHANGES.values()], COLUMNS * len(EXCHANGES))
        for name in self.sizes:
            rows = [
                Row(name, [cell for kind in EXCHANGES for cell in self._cells(kind, name, backend)], backend)
                for backend in self.results.backends
                if self.row("uake", "start", name, backend) is not None
            ]
            table.groups.append(rows)
        return table

    def message_bytes(self, kind: str, name: str) -> tuple[int, int]:
        """Message 1 is ek and ct, message 2 a ct for each key of A."""
        ek, ct = self.sizes[name]["ek_bytes"], self.sizes[name]["ct_bytes"]
        return ek + ct, ct * (1 if kind == "uake" else 2)

    def row(self, kind: str, operation: str, name: str, backend: str) -> pd.Series | None:
        place = (kind, operation, name, backend)
        return self.rows.loc[place] if place in self.rows.index else None

    def ratio(self, kind: str, name: str, backend: str) -> tuple[float, float] | None:
        """The time of an exchange by that of its KEM operations, and half the width of its interval."""
        whole, parts = (self.row(kind, operation, name, backend) for operation in ("exchange", "kem"))
        if whole is None or parts is None:
            return None
        ratio = whole["ns"] / parts["ns"]
        return ratio, ratio * (whole["width"] + parts["width"]) / 2

    def _pairs(self) -> list[tuple[str, str, str]]:
        return [(kind, name, backend) for kind in EXCHANGES for name in self.sizes for backend in self.results.backends]

    def _side_a(self, kind: str, name: str, backend: str) -> Cell:
        first, second = self.row("uake", "start", name, backend), self.row(kind, "finish", name, backend)
        if first is None or second is None:
            return EMPTY
        both = {key: first[key] + second[key] for key in ("ns", "low_ns", "high_ns")}
        return time_cell(pd.Series(both | {"noisy": first["noisy"] or second["noisy"]}), 1e3)

    def _cells(self, kind: str, name: str, backend: str) -> list[Cell]:
        timed = [self.row(kind, operation, name, backend) for operation in ("reply", "exchange")]
        reply, whole = (EMPTY if row is None else time_cell(row, 1e3) for row in timed)
        ratio = self.ratio(kind, name, backend)
        sent = " + ".join(str(size) for size in self.message_bytes(kind, name))
        shown = EMPTY if ratio is None else Cell(format.times(*ratio))
        return [Cell(sent), self._side_a(kind, name, backend), reply, whole, shown]

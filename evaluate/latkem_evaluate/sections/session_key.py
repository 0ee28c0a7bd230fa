"""A session key on its way: a key pair, encryption and decryption, from the program session_key.

SPDX-License-Identifier: Apache-2.0
"""

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, session_chart
from latkem_evaluate.palette import STEPS
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table

COLUMNS = ["set", "backend", "step", "min_ms", "mean_ms", "max_ms", "q1_ms", "q3_ms"]


class SessionKey(Section):
    """Minimum, mean and maximum of the rounds."""

    key = "session-key"
    title = "The steps in C"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        raw = self.raw["session_key"]
        rows = pd.DataFrame(raw.get("results", []), columns=COLUMNS)
        places = {name: place for place, name in enumerate(results.set_names)}
        order = rows.assign(set=rows["set"].map(places), backend=rows["backend"].map(results.backends.index))
        self.rows = rows.loc[order.sort_values(["set", "backend"], kind="stable").index]
        self.rounds, self.repetitions = raw.get("rounds", 0), raw.get("repetitions", 0)
        self.steps = [step for step in STEPS if step in set(self.rows["step"])]

    @property
    def shown(self) -> bool:
        return bool(self.steps)

    @property
    def answer(self) -> str:
        """The quickest and the slowest round trip on the fastest backend."""
        rows = self.rows[self.rows["backend"] == self.results.fastest]
        totals = rows.groupby("set")["mean_ms"].sum().sort_values()
        if totals.empty:
            return ""
        first, last = (f"{1e3 * totals.iloc[at]:.0f} µs ({totals.index[at]})" for at in (0, -1))
        return f"Key pair, encryption and decryption together: {first} to {last} with {self.results.fastest}."

    def charts(self) -> list[Chart]:
        return [session_chart(self.rows, self.results.set_names)]

    def table(self) -> Table:
        names = ["min", "mean", "max"]
        table = Table([(STEPS[step], len(names)) for step in self.steps], names * len(self.steps))
        for set_name, here in self.rows.groupby("set", sort=False):
            rows = [
                Row(str(set_name), self._cells(one.set_index("step")), str(backend))
                for backend, one in here.groupby("backend", sort=False)
            ]
            table.groups.append(rows)
        return table

    def _cells(self, by_step: pd.DataFrame) -> list[Cell]:
        cells: list[Cell] = []
        for step in self.steps:
            if step not in by_step.index:
                cells += [EMPTY] * 3
                continue
            row = by_step.loc[step]
            error = (row["q3_ms"] - row["q1_ms"]) / 2
            cells += [Cell(format.measured(row[f"{key}_ms"], error)) for key in ("min", "mean", "max")]
        return cells

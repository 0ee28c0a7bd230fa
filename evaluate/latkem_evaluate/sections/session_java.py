"""A session key in Java beside C: what the executable jar of bindings/java/session-key measured.

SPDX-License-Identifier: Apache-2.0
"""

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.bars import bar_chart
from latkem_evaluate.charts import Chart
from latkem_evaluate.palette import STEPS
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import DocumentSection
from latkem_evaluate.table import EMPTY, Cell, Row, Table

COLUMNS = ["C program", "Java", "bare C", "share"]
IN_C, BARE_C, SHARE = "C program", "Java: bare C call", "Java's share"


def session_rows(document: dict) -> pd.DataFrame:
    """The rows of a JSON of session_key or of the jar, in µs, by set, step and backend."""
    rows = pd.DataFrame(document.get("results", []))
    if rows.empty:
        return pd.DataFrame(columns=["set", "step", "backend", "us", "error", "q1", "q3", "c_us"])
    times = {"us": "median_ms", "q1": "q1_ms", "q3": "q3_ms"}
    result = rows[["set", "step", "backend"]].assign(**{name: 1e3 * rows[key] for name, key in times.items()})
    result["error"] = (result["q3"] - result["q1"]) / 2
    result["c_us"] = 1e3 * rows["c_median_ms"] if "c_median_ms" in rows else float("nan")
    return result


class SessionJava(DocumentSection):
    """The same steps in Java, in C, and in the bare C call that both make."""

    key = "session-java"
    title = "The steps in Java"
    document_key = "session_key_java"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.rows = session_rows(self.document)
        self.steps = [step for step in STEPS if step in set(self.rows["step"])]
        in_c = session_rows(self.raw["session_key"])
        self.in_c = in_c[in_c["backend"] == self.backend].set_index(["set", "step"])
        self.sets = [name for name in results.set_names if name in set(self.rows["set"])]

    @property
    def backend(self) -> str:
        return self.document.get("backend", "")

    @property
    def emulated(self) -> bool:
        return bool(self.document.get("emulated"))

    @property
    def answer(self) -> str:
        """Java's addition to the C calls, and its comparison with the C program."""
        shares = (self.rows["us"] - self.rows["c_us"]).dropna()
        if shares.empty:
            return "Not measured." if self.absent else ""
        return (
            f"{self._ratio()}Java adds {format.significant(shares.median())} µs to the bare C call of a step in the "
            f"median, {format.significant(shares.max())} µs at most: JNI, objects, and hashing and AES in Java."
        )

    def _ratio(self) -> str:
        here = self.rows.set_index(["set", "step"])["us"]
        ratios = (here / self.in_c["us"]).dropna()
        if ratios.empty or self.emulated:
            return ""
        return f"A step in Java takes {ratios.median():.2f} of the time of the C program's in the median. "

    def charts(self) -> list[Chart]:
        if self.rows.empty:
            return []
        title = f"A session key in C and in Java, {self.backend}"
        axis = "µs, median of the rounds; the number is the whole bar"
        return [bar_chart("session-java", title, axis, pd.DataFrame(self._bars()), STEPS, self.sets)]

    def _bars(self) -> list[dict]:
        """C first; a program that QEMU executes is never beside a real one."""
        bars = []
        for row in self.rows.itertuples():
            place = {"set": row.set, "panel": row.step}
            if not self.emulated and (row.set, row.step) in self.in_c.index:
                whole = self.in_c.loc[(row.set, row.step)]
                bars.append(place | {"bar": "C", "part": IN_C, "value": whole["us"], "error": whole["error"]})
            share = row.us if pd.isna(row.c_us) else max(row.us - row.c_us, 0.0)
            for part, value in ((BARE_C, row.us - share), (SHARE, share)):
                bars.append(place | {"bar": "Java", "part": part, "value": value, "error": row.error})
        return bars

    def table(self) -> Table:
        table = Table([(STEPS[step], len(COLUMNS)) for step in self.steps], COLUMNS * len(self.steps))
        by_step = self.rows.set_index(["set", "step"])
        for name in self.sets:
            table.groups.append([Row(name, [cell for step in self.steps for cell in self._cells(by_step, name, step)])])
        return table

    def _cells(self, by_step: pd.DataFrame, name: str, step: str) -> list[Cell]:
        if (name, step) not in by_step.index:
            return [EMPTY] * len(COLUMNS)
        row, place = by_step.loc[(name, step)], (name, step)
        known = place in self.in_c.index and not self.emulated
        in_c = _time(self.in_c.loc[place]) if known else EMPTY
        if pd.isna(row["c_us"]):
            return [in_c, _time(row), EMPTY, EMPTY]
        share = row["us"] - row["c_us"]
        part = Cell(format.measured(share, row["error"]), format.percent(share / row["us"]))
        return [in_c, _time(row), Cell(format.measured(row["c_us"], row["error"])), part]


def _time(row: pd.Series) -> Cell:
    return Cell(format.measured(row["us"], row["error"]))

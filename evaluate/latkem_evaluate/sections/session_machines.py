"""A session key on two machines: the table of the study that set a phone beside a computer.

SPDX-License-Identifier: Apache-2.0
"""

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.bars import bar_chart
from latkem_evaluate.charts import Chart
from latkem_evaluate.estimates import REFERENCE_BACKEND
from latkem_evaluate.palette import OPERATIONS, STEPS
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.sections.session_java import session_rows
from latkem_evaluate.table import Cell, Row, Table

ARCHITECTURES = {"aarch64": "ARM", "arm": "ARM", "arm64": "ARM", "x86_64": "x64", "amd64": "x64"}
KEM_OF_STEP = {"keygen": "keygen", "encrypt": "encaps", "decrypt": "decaps"}


class SessionMachines(Section):
    """This machine's times beside those of a file; without one, what an ARM machine executes, which is no time."""

    key = "session-machines"
    title = "The steps on ARM and x64"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.other: dict = self.raw.get("session_key_other") or {}
        self.counts = pd.DataFrame(self._counts())
        here, there = self._here(), session_rows(self.other)
        self.both = pd.merge(
            _last_backend(here), _last_backend(there), on=["set", "step"], suffixes=("_here", "_there")
        )
        if self.other_emulated != self.here_emulated:
            self.both = self.both[:0]
        self.sets = [name for name in results.set_names if name in set(self.both["set"])]

    @property
    def shown(self) -> bool:
        return not self.both.empty or (bool(self.raw["session_key"]) and not self.counts.empty)

    @property
    def language(self) -> str:
        """Of the file; this machine's times are of the same."""
        return "java" if self.other.get("language") == "java" else "c"

    @property
    def other_emulated(self) -> bool:
        return any(row.get("emulated") for row in [self.other, *self.other.get("results", [])])

    @property
    def here_emulated(self) -> bool:
        return self.language == "java" and bool((self.raw.get("session_key_java") or {}).get("emulated"))

    @property
    def names(self) -> tuple[str, str]:
        """Of this machine and the other."""
        there = ARCHITECTURES.get(self.other.get("machine", {}).get("architecture", ""), "the other machine")
        here = ARCHITECTURES.get(self.raw["machine"].get("Architecture", ""), "this machine")
        return (here, there) if here != there else ("this machine", "the other machine")

    @property
    def machines(self) -> dict[str, str]:
        here, there = self.names
        return {here: self.raw["machine"].get("CPU", ""), there: self.other.get("machine", {}).get("cpu", "not told")}

    @property
    def answer(self) -> str:
        if self.both.empty:
            return "No file of another machine: the instructions that AArch64 executes."
        ratios = self.both["us_there"] / self.both["us_here"]
        here, there = self.names
        return f"{there} takes {ratios.min():.2f} to {ratios.max():.2f} times as long as {here}."

    def _here(self) -> pd.DataFrame:
        document = self.raw.get("session_key_java") if self.language == "java" else self.raw["session_key"]
        return session_rows(document or {})

    def charts(self) -> list[Chart]:
        if not self.both.empty:
            title = "A session key on two machines" + (": Java" if self.language == "java" else ": C")
            axis = "µs, median of the rounds"
            bars = pd.DataFrame(self._bars())
            return [bar_chart("session-machines", title, axis, bars, STEPS, self.sets)]
        title = "KEM operations on AArch64"
        axis = "thousand instructions"
        panels = {step: OPERATIONS[kem] for step, kem in KEM_OF_STEP.items()}
        return [bar_chart("session-counts", title, axis, self.counts, panels, self.results.set_names)]

    @property
    def _sides(self) -> list[tuple[str, str]]:
        """ARM first, else this machine: name and suffix of the columns."""
        here, there = self.names
        sides = [(here, "_here"), (there, "_there")]
        return sides[::-1] if there == "ARM" else sides

    def _bars(self) -> list[dict]:
        return [
            {
                "set": row["set"],
                "panel": row["step"],
                "bar": name,
                "part": name,
                "value": row[f"us{suffix}"],
                "error": row[f"error{suffix}"],
            }
            for _, row in self.both.iterrows()
            for name, suffix in self._sides
        ]

    def _counts(self) -> list[dict]:
        """Of each step's KEM operation, on the backends written for AArch64."""
        step_of_kem = {kem: step for step, kem in KEM_OF_STEP.items()}
        rows = []
        for cost in (self.raw.get("aarch64") or {}).get("costs", []):
            kind, operation, *place = cost["name"].split("/")
            known = operation in step_of_kem and place[0] in self.results.set_names
            if kind == "op" and known and place[-1] != REFERENCE_BACKEND:
                bar = {"set": place[0], "panel": step_of_kem[operation], "bar": place[1], "part": place[1]}
                rows.append(bar | {"value": cost["instructions"] / 1e3, "error": 0.0})
        return rows

    def table(self) -> Table:
        (first, one), (second, other) = self._sides
        table = Table([], [first, second, f"{first} − {second}", "faster"], names=("faster",))
        for name in self.sets:
            rows = self.both[self.both["set"] == name].set_index("step")
            table.groups.append(
                [
                    Row(name, self._cells(rows.loc[step], one, other), STEPS[step])
                    for step in STEPS
                    if step in rows.index
                ]
            )
        return table

    def _cells(self, row: pd.Series, one: str, other: str) -> list[Cell]:
        left, right = row[f"us{one}"], row[f"us{other}"]
        error = row["error_here"] + row["error_there"]
        times = [Cell(format.measured(row[f"us{side}"], row[f"error{side}"])) for side in (one, other)]
        return [*times, Cell(f"{left - right:+.3g}".replace("-", "−")), Cell(self._faster(row, error), kind="name")]

    def _faster(self, row: pd.Series, error: float) -> str:
        """They differ only if the quartiles do not meet."""
        if row["q1_here"] <= row["q3_there"] and row["q1_there"] <= row["q3_here"]:
            return "not told apart"
        here, there = self.names
        ratio = row["us_there"] / row["us_here"]
        name, by = (here, ratio) if ratio > 1 else (there, 1 / ratio)
        return f"{name}, {format.times(by, by * error / max(row['us_here'], row['us_there']))}"


def _last_backend(rows: pd.DataFrame) -> pd.DataFrame:
    """Of each set and step the last backend, which is the fastest."""
    return rows.drop_duplicates(["set", "step"], keep="last").drop(columns=["backend", "c_us"])

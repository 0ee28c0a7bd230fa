"""Saber's product of matrix and vector, written in two ways: what a published change brings here.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from latkem_evaluate import facts, format
from latkem_evaluate.charts import Chart, change_chart
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.sections.saber_scenario import SET
from latkem_evaluate.table import EMPTY, Cell, Row, Table, published

REFERENCE = ("flag", "divisions")
CHANGES = {
    ("flag", "shifts"): "shifts for divisions",
    ("split", "divisions"): "two functions for a flag",
    ("split", "shifts"): "both, as in the study",
}
STUDY = ("split", "shifts")
TEN = 10
OPTIMISATIONS = {"optimised": "As the library is compiled", "unoptimised": "Without optimisation (-O0)"}


@dataclass(frozen=True)
class Change:
    """A change of time in per cent of the reference's: median and quartiles of the rounds."""

    low: float
    middle: float
    high: float


class MatrixVectorMul(Section):
    key = "matrix-vector-mul"
    title = "MatrixVectorMul before and after the study's change"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        found = self.raw.get("matrix_vector_mul") or {}
        self.rounds = found.get("rounds", 0)
        self.times = {row["name"]: row["ns"] for row in found.get("rows", []) if "ns" in row}
        self.failed = [f"{row['name']}: {row['error']}" for row in found.get("rows", []) if "error" in row]
        self.sets = list(dict.fromkeys(name.split("/")[-1] for name in self.times))
        self.study = facts.published()["saber_study"]

    @property
    def shown(self) -> bool:
        return bool(self.times)

    @property
    def study_percent(self) -> float:
        return -self.study["matrix_vector_mul"]["mean_improvement_percent"]

    @property
    def study_name(self) -> str:
        return facts.cited_as(self.study["source"])

    @property
    def answer(self) -> str:
        """The span of the middle set's changes."""
        changes = [change for name in self.sets if (change := self.change(name, "optimised", *STUDY))]
        if not changes:
            return ""
        low, high = (f(change.middle for change in changes) for f in (min, max))
        theirs = f"{format.MINUS}{format.stated(-self.study_percent)} % there"
        return f"The study's change: {_signed(low)} to {_signed(high)} % here, {theirs}."

    def problems(self) -> list[str]:
        return self.failed

    def ns(self, set_name: str, optimisation: str, form: str, arithmetic: str) -> pd.Series:
        """Round by round; none where it was not measured."""
        values = self.times.get(f"mvm/{form}/{arithmetic}/{optimisation}/{set_name}", [])
        return pd.Series(values, dtype=float)

    def change(self, set_name: str, optimisation: str, form: str, arithmetic: str) -> Change | None:
        ratios = self.ns(set_name, optimisation, form, arithmetic) / self.ns(set_name, optimisation, *REFERENCE)
        if ratios.dropna().empty:
            return None
        return Change(*(100 * (float(value) - 1) for value in np.nanquantile(ratios, (0.25, 0.5, 0.75))))

    def charts(self) -> list[Chart]:
        rows = [
            {"panel": panel, "label": f"{name}  {title}", "low": found.low, "middle": found.middle, "high": found.high}
            for optimisation, panel in OPTIMISATIONS.items()
            for name in self.sets
            for way, title in CHANGES.items()
            if (found := self.change(name, optimisation, *way))
        ]
        return [change_chart(pd.DataFrame(rows), self.study_percent)] if rows else []

    def study_rounds(self) -> Table:
        """The study's rounds, ten down and three times two across."""
        before, after = (self.study["matrix_vector_mul"][key] for key in ("before", "after"))
        heads = [(f"rounds {first + 1} to {first + TEN}, µs", 2) for first in range(0, len(before), TEN)]
        table = Table(heads, ["before", "after"] * len(heads))
        rows = []
        for place in range(TEN):
            times = [column[at] for at in range(place, len(before), TEN) for column in (before, after)]
            rows.append(Row(f"{place + 1}.", [published(format.stated(time)) for time in times]))
        table.groups.append(rows)
        return table

    def study_table(self) -> Table:
        """The study's means and its stated improvement, and the medians of the same two ways here."""
        study = self.study["matrix_vector_mul"]
        table = Table([], ["before, µs", "after, µs", "less time"])
        means = [Cell(f"{sum(study[key]) / len(study[key]):.1f}") for key in ("before", "after")]
        stated = published(f"{format.stated(study['mean_improvement_percent'])}{format.THIN}%")
        table.groups.append([Row("The study's phone, means", [*means, stated]), Row("Here, medians", self._here())])
        return table

    def _here(self) -> list[Cell]:
        """Of the set that the study measured, as the library is compiled."""
        change = self.change(SET, "optimised", *STUDY)
        if change is None:
            return [EMPTY] * 3
        return [
            *(_time(self.ns(SET, "optimised", *way)) for way in (REFERENCE, STUDY)),
            Cell(f"{_less(change.middle)}{format.THIN}%", f"{_less(change.high)} to {_less(change.low)}"),
        ]

    def table(self) -> Table:
        columns = ["reference, µs", *CHANGES.values()]
        table = Table([(title, len(columns)) for title in OPTIMISATIONS.values()], columns * len(OPTIMISATIONS))
        rows = []
        for name in self.sets:
            cells: list[Cell] = []
            for optimisation in OPTIMISATIONS:
                cells.append(_time(self.ns(name, optimisation, *REFERENCE)))
                cells += [_change(self.change(name, optimisation, *way)) for way in CHANGES]
            rows.append(Row(name, cells))
        table.groups.append(rows)
        return table

    def share_table(self) -> Table:
        """Of the product in whole operations of the portable backend, and the study's change in these."""
        names = [name for name in OPERATIONS if any(f"op/{name}/{s}" in self.times for s in self.sets)]
        columns = ["µs", "the product", "the change"]
        table = Table([(OPERATIONS[name], len(columns)) for name in names], columns * len(names))
        table.groups.append([Row(s, [cell for name in names for cell in self._share(s, name)]) for s in self.sets])
        return table

    def _share(self, set_name: str, operation: str) -> list[Cell]:
        whole = pd.Series(self.times.get(f"op/{operation}/{set_name}", []), dtype=float)
        product = self.ns(set_name, "optimised", *REFERENCE).median() / whole.median()
        change = self.change(set_name, "optimised", *STUDY)
        if whole.dropna().empty or change is None:
            return [EMPTY] * 3
        return [_time(whole), Cell(format.percent(product)), Cell(f"{_signed(product * change.middle)}{format.THIN}%")]


def _signed(percent: float) -> str:
    return f"{percent:+.1f}".replace("-", format.MINUS)


def _less(percent: float) -> str:
    """How many per cent less a change is."""
    return _signed(-percent).removeprefix("+")


def _change(change: Change | None) -> Cell:
    if change is None:
        return EMPTY
    return Cell(f"{_signed(change.middle)}{format.THIN}%", f"{_signed(change.low)} to {_signed(change.high)}")


def _time(ns: pd.Series) -> Cell:
    if ns.dropna().empty:
        return EMPTY
    low, middle, high = (float(value) / 1e3 for value in np.nanquantile(ns, (0.25, 0.5, 0.75)))
    return Cell(format.measured(middle, (high - low) / 2), format.span(low, high))

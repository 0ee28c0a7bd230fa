"""The two studies of an application's view: what Saber's functions cost, and how long a session key takes.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import pandas as pd

from latkem_evaluate import numbers
from latkem_evaluate.groups import FUNCTIONS, OPERATIONS, STEPS, Tint
from latkem_evaluate.views import EMPTY, Cell, Row, Table

Parts = dict[Tint, float]


class SaberStudy:
    """The share of each function in each operation, from the program saber_study."""

    def __init__(self, raw: dict, sets: Sequence[str], backends: Sequence[str]) -> None:
        self.rows = {(r["backend"], r["operation"], r["set"]): r for r in raw.get("study", [])}
        self.backends = [name for name in backends if any(key[0] == name for key in self.rows)]
        self.operations = [name for name in OPERATIONS if any(key[1] == name for key in self.rows)]
        self.sets = [name for name in sets if any(key[2] == name for key in self.rows)]

    def problems(self) -> list[str]:
        """Rows whose shares do not add up to 1."""
        sums = {key: sum(function["share"] for function in row["functions"]) for key, row in self.rows.items()}
        return [f"{' '.join(key)}: the shares add up to {sums[key]:.4f}" for key in sums if abs(sums[key] - 1) > 1e-6]

    def measured(self, backend: str, operation: str) -> dict[str, dict]:
        """The rows of an operation by set."""
        return {name: self.rows[key] for name in self.sets if (key := (backend, operation, name)) in self.rows}

    def table(self, backend: str) -> Table:
        """Functions down, operations and sets across; in per cent."""
        columns = [(op, name, row) for op in self.operations for name, row in self.measured(backend, op).items()]
        spans = [(OPERATIONS[op], len(self.measured(backend, op))) for op in self.operations]
        table = Table([span for span in spans if span[1]], [name for _, name, _ in columns])
        rows = []
        for key, function in FUNCTIONS.items():
            found = [_function(row, key) for _, _, row in columns]
            rows.append(Row(function.title, [EMPTY if f is None or not f["ns"] else _share(f) for f in found]))
        table.groups.append(rows)
        total = [Cell(numbers.significant(row["total_ns"] / 1e3)) for _, _, row in columns]
        table.groups.append([Row("Whole operation, µs", total)])
        return table


def _function(row: dict, name: str) -> dict | None:
    return next((function for function in row["functions"] if function["name"] == name), None)


def _share(function: dict) -> Cell:
    return Cell(f"{100 * function['share']:.1f}", f"{numbers.significant(function['ns'] / 1e3)} µs")


def function_shares(row: dict) -> Parts:
    """The share of each function in one operation. A small negative one is what the timers' correction left: none."""
    return {tint: max(f["share"], 0.0) for key, tint in FUNCTIONS.items() if (f := _function(row, key))}


class SessionKey:
    """A key pair, a session key encrypted and decrypted, from the program session_key."""

    COLUMNS = ("set", "backend", "step", "min_ms", "mean_ms", "max_ms")

    def __init__(self, raw: dict, sets: Sequence[str], backends: Sequence[str]) -> None:
        rows = pd.DataFrame(raw.get("results", []), columns=list(self.COLUMNS))
        places = {name: place for place, name in enumerate(sets)}
        order = rows.assign(set=rows["set"].map(places), backend=rows["backend"].map(backends.index))
        self.rows = rows.loc[order.sort_values(["set", "backend"], kind="stable").index]
        self.rounds, self.repetitions = raw.get("rounds", 0), raw.get("repetitions", 0)
        self.steps = [step for step in STEPS if step in set(self.rows["step"])]

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
        return [
            Cell(numbers.significant(by_step.loc[step, f"{key}_ms"])) if step in by_step.index else EMPTY
            for step in self.steps
            for key in ("min", "mean", "max")
        ]

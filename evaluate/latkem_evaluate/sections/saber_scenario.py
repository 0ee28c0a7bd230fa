"""The Saber study's own times of a session key on phones and computers, beside latkem's on this machine.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter

import pandas as pd

from latkem_evaluate import facts, format
from latkem_evaluate.estimates import REFERENCE_BACKEND
from latkem_evaluate.palette import STEPS
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, published

SET = "Saber"  # what the study measured
# The study's names of the steps, and those of the operations that do them here.
STUDY_STEPS = {"keygen": "keygen", "encryption": "encaps", "decryption": "decaps"}


class SaberScenario(Section):
    """Whole steps, and the part that the costliest function takes."""

    key = "saber-scenario"
    title = "A session key under Saber: the study's machines and this one"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.study = facts.published()["saber_study"]
        self.backends = list(dict.fromkeys((REFERENCE_BACKEND, results.fastest)))
        self.java: dict = self.raw.get("session_key_java") or {}

    @property
    def runs(self) -> list[dict]:
        return self.study["runs"]

    def table(self) -> Table:
        """Means in µs: the study's, the C program's here, and Java's here."""
        java = [f"Java, {self.java['backend']}"] if self._in_java else []
        own = [*(f"C, {backend}" for backend in self.backends), *java]
        heads = [*_rounds(self.runs, "published, µs"), ("latkem here, µs", len(own))]
        table = Table(heads, [*(run["machine"].split(",")[0] for run in self.runs), *own])
        rows = []
        for place, (step, title) in enumerate(STEPS.items()):
            theirs = [published(format.stated(run["means"][place])) for run in self.runs]
            in_c = [_mean(self.raw["session_key"], step, backend) for backend in self.backends]
            rows.append(Row(title, [*theirs, *in_c, *([_mean(self.java, step)] if java else [])]))
        table.groups.append(rows)
        return table

    @property
    def _in_java(self) -> bool:
        """Emulated times are of no machine."""
        return bool(self.java.get("results")) and not self.java.get("emulated")

    def share_table(self) -> Table:
        """The part of the time that the study's costliest function takes in each step."""
        shares, functions = self.study["dominant"]["shares"], self.study["dominant"]["functions"]
        heads = [*_rounds(shares, "published"), ("latkem here", len(self.backends))]
        table = Table(heads, [*(row["architecture"] for row in shares), *self.backends])
        rows = []
        for (step, operation), title in zip(STUDY_STEPS.items(), STEPS.values(), strict=True):
            theirs = [published(format.percent(row[step])) for row in shares]
            own = [self._share(backend, operation, functions[step]) for backend in self.backends]
            rows.append(Row(functions[step], [*theirs, *own], title))
        table.groups.append(rows)
        return table

    def _share(self, backend: str, operation: str, function: str) -> Cell:
        shares = [
            part["share"]
            for row in self.raw["study"].get("study", [])
            if (row["set"], row["backend"], row["operation"]) == (SET, backend, operation)
            for part in row["functions"]
            if part["name"] == function
        ]
        return Cell(format.percent(shares[0])) if shares else EMPTY


def _rounds(rows: list[dict], what: str) -> list[tuple[str, int]]:
    """Heads over columns in the order of the rounds of Saber's code."""
    return [(f"round {number}, {what}", count) for number, count in Counter(row["round"] for row in rows).items()]


def _mean(document: dict, step: str, backend: str = "") -> Cell:
    """Of a step with the set that the study measured; of the only backend where none is named."""
    rows = pd.DataFrame(document.get("results", []), columns=["set", "step", "backend", "mean_ms", "q1_ms", "q3_ms"])
    rows = rows[(rows["set"] == SET) & (rows["step"] == step) & ((rows["backend"] == backend) | (backend == ""))]
    if rows.empty:
        return EMPTY
    row = rows.iloc[0]
    return Cell(format.measured(1e3 * row["mean_ms"], 1e3 * (row["q3_ms"] - row["q1_ms"]) / 2))

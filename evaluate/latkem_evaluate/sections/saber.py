"""The cost of each function of the Saber document, from the program saber_study.

SPDX-License-Identifier: Apache-2.0
"""

from latkem_evaluate import facts, format
from latkem_evaluate.charts import Chart, function_shares, study_chart
from latkem_evaluate.estimates import REFERENCE_BACKEND
from latkem_evaluate.palette import FUNCTIONS, OPERATIONS
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.sections.saber_scenario import SET, STUDY_STEPS
from latkem_evaluate.table import EMPTY, Cell, Row, Table, published

WHOLE = "whole operation"
NONE = "none: the system's generator is seeded already"
# The steps of latkem that do the work of the study's functions.
STEP_OF = {
    "randombytes_init": NONE,
    "randombytes": "randomness",
    "shake128": "GenMatrix",
    **{name: name for name in ("GenMatrix", "GenSecret", "MatrixVectorMul", "InnerProd")},
    **dict.fromkeys(("for1", "for2"), "packing"),
    **dict.fromkeys(("POLVECq2BS", "POLVECp2BS", "BS2POLVEC", "BS2POLVECq", "BS2POLVECp"), "packing"),
    **dict.fromkeys(("BS2POLmsg", "POLmsg2BS", "POLT2BS", "BS2POLT"), "packing"),
    "memcpy": "other",
    **dict.fromkeys(("indcpa_kem_keypair", "indcpa_kem_enc", "indcpa_kem_dec"), WHOLE),
}


class Saber(Section):
    """The share of each function in each operation."""

    key = "saber"
    title = "Function by function"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.rows = {(r["backend"], r["operation"], r["set"]): r for r in self.raw["study"].get("study", [])}
        self.backends = [name for name in results.backends if any(key[0] == name for key in self.rows)]
        self.operations = [name for name in OPERATIONS if any(key[1] == name for key in self.rows)]
        self.sets = [name for name in results.set_names if any(key[2] == name for key in self.rows)]

    @property
    def shown(self) -> bool:
        return bool(self.backends)

    @property
    def answer(self) -> str:
        """The costliest functions of the set in the middle, in encapsulation on the fastest backend."""
        rows = self.measured(self.backends[-1], "encaps")
        if not rows:
            return ""
        name = list(rows)[len(rows) // 2]
        shares = sorted(function_shares(rows[name]).items(), key=lambda item: -item[1])[:3]
        parts = [f"{tint.title} {format.percent(share)}" for tint, share in shares]
        return f"{name}, encapsulation with {self.backends[-1]}: {', '.join(parts)}."

    def charts(self) -> list[Chart]:
        return [study_chart(self._by_operation(name), name) for name in self.backends]

    def _by_operation(self, backend: str) -> dict[str, dict[str, dict]]:
        by_operation = {name: self.measured(backend, name) for name in self.operations}
        return {name: rows for name, rows in by_operation.items() if rows}

    def problems(self) -> list[str]:
        """Rows with shares that do not add up to 1."""
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
        total = [Cell(format.significant(row["total_ns"] / 1e3)) for _, _, row in columns]
        table.groups.append([Row("Whole operation, µs", total)])
        return table

    # Beside the study

    def study_table(self, step: str) -> Table:
        """The study's functions in its order, and latkem's steps that do their work; a step's time occurs once."""
        study = facts.published()["saber_study"]["functions"]
        backends = list(dict.fromkeys((REFERENCE_BACKEND, self.results.fastest)))
        heads = [("published, µs", len(study["columns"])), ("latkem on this machine, µs", 1 + len(backends))]
        table = Table(heads, [*study["columns"], "its step", *backends], names=("its step",))
        rows, seen = [], set()
        for name, *times in study[step]:
            own = STEP_OF[name]
            again = own in seen and own != NONE
            seen.add(own)
            found = [EMPTY if again else self._step_time(backend, STUDY_STEPS[step], own) for backend in backends]
            step_name = Cell(f"{own}, as above" if again else own, kind="name")
            rows.append(Row(name, [*(published(format.stated(time)) for time in times), step_name, *found]))
        table.groups.append(rows)
        return table

    def _step_time(self, backend: str, operation: str, step: str) -> Cell:
        row = self.rows.get((backend, operation, SET))
        if row is None:
            return EMPTY
        ns = row["total_ns"] if step == WHOLE else (_function(row, step) or {"ns": 0})["ns"]
        return Cell(format.significant(ns / 1e3)) if ns else EMPTY


def _function(row: dict, name: str) -> dict | None:
    return next((function for function in row["functions"] if function["name"] == name), None)


def _share(function: dict) -> Cell:
    return Cell(f"{100 * function['share']:.1f}", f"{format.significant(function['ns'] / 1e3)} µs")

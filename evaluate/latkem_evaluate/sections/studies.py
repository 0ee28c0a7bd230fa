"""Kyber and Saber on Armv8, study by study: each published figure beside what latkem's model says of the same core.

SPDX-License-Identifier: Apache-2.0
"""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from latkem_evaluate import facts, format
from latkem_evaluate.bars import bar_chart
from latkem_evaluate.charts import Chart
from latkem_evaluate.estimates import REFERENCE_BACKEND
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, published

UNITS = {"microseconds": "µs", "cycles": "cycles", "thousands of cycles": "kcycles"}

# How far each core's model can be trusted: docs/benchmarking.md.
ERRORS = {
    "Cortex-A53": "LLVM's model of this core, in order, not checked against a machine",
    "Cortex-A72": "LLVM's model of this core, scaled to published cycles: within 9 % for vector code",
    "Cortex-A75": "LLVM has one model for this core and the Cortex-A72: scaled as there, not checked for this core",
    "Apple M1": "0.241 cycles an instruction: within 7 % for vector code, not checked for C",
    "Apple A12": "0.241 cycles an instruction, as on the M1: not checked for this core",
}


@dataclass(frozen=True)
class Counterpart:
    """The kernels that do a module's work, how often each, and the remark about them."""

    kernels: dict[str, float]
    note: str = ""

    @property
    def name(self) -> str:
        return " + ".join(f"{'' if times == 1 else f'{times:g} '}{kernel}" for kernel, times in self.kernels.items())


REDUCE, TO_MONT = Counterpart({"reduce": 1}, "which makes values canonical"), Counterpart({"tomont": 1})
INVERSE = Counterpart({"invntt_tomont": 1}, "the inverse NTT")
SUMMED = "half of a sum of two products: latkem has no single product, because it reduces sums"
COUNTERPARTS = {
    "BarR": REDUCE,
    "MontR": TO_MONT,
    "NTT": Counterpart({"ntt": 1}),
    "INTT": INVERSE,
    "poly_tomont": TO_MONT,
    "poly_reduce": REDUCE,
    "poly_ntt": Counterpart({"ntt": 1, "reduce": 1}),
    "poly_invntt_tomont": INVERSE,
    "poly_basemul_montgomery": Counterpart({"inner_product_k2": 0.5, "mulcache": 1}, SUMMED),
}


class Model:
    """Model cycles on the studies' cores, with the reference backend and with the one that each core gets."""

    def __init__(self, kept: dict) -> None:
        self.cycles: dict[str, int] = kept.get("cycles", {})
        names = [name.split("/") for name in self.cycles]
        self.backends = {parts[0]: parts[-1] for parts in names if parts[-1] != REFERENCE_BACKEND}

    def pair(self, cpu: str, stem: str) -> tuple[float, float] | None:
        """Of an operation or kernel: with the reference backend, and with the core's."""
        names = [f"{cpu}/{stem}/{backend}" for backend in (REFERENCE_BACKEND, self.backends.get(cpu))]
        found = [self.cycles[name] for name in names if name in self.cycles]
        return (found[0], found[1]) if len(found) == len(names) else None

    def module(self, cpu: str, counterpart: Counterpart) -> tuple[float, float] | None:
        parts = [(self.pair(cpu, f"kernel/q3329/{kernel}"), times) for kernel, times in counterpart.kernels.items()]
        known = [(pair[0] * times, pair[1] * times) for pair, times in parts if pair]
        if len(known) < len(parts):
            return None
        return sum(reference for reference, _ in known), sum(own for _, own in known)


@dataclass(frozen=True)
class OnCore:
    """The times of one study on one core."""

    study: dict
    cpu: str
    model: Model

    @property
    def key(self) -> str:
        return f"{self.study['source']}-{self.cpu.lower().replace(' ', '-')}"

    @property
    def unit(self) -> str:
        return UNITS[self.study["unit"]]

    @property
    def backend(self) -> str:
        return self.model.backends.get(self.cpu, "")

    @property
    def facts(self) -> dict[str, str]:
        """Of the study's machine, and of the model."""
        machine = self.study["cpus"][self.cpu]
        texts = {"board": ("Board", "{}"), "MHz": ("Clock", "{} MHz"), "compiler": ("Compiler", "{}")}
        stated = {title: text.format(machine[key]) for key, (title, text) in texts.items() if key in machine}
        return stated | {"latkem's backend there": self.backend or "not modelled", "Model": ERRORS[self.cpu]}

    @property
    def rows(self) -> list[dict]:
        return [row for row in self.study["rows"] if row["cpu"] == self.cpu]

    def own(self, set_name: str, operation: str) -> tuple[float, float] | None:
        """In the study's unit: time at the clock of its machine."""
        pair = self.model.pair(self.cpu, f"op/{operation}/{set_name}")
        by = {"µs": self.study["cpus"][self.cpu].get("MHz"), "cycles": 1, "kcycles": 1e3}[self.unit]
        return (pair[0] / by, pair[1] / by) if pair else None

    def ratios(self) -> Iterator[float]:
        """latkem's time by the study's, both optimised."""
        for row in self.rows:
            for place, operation in enumerate(CORE):
                if pair := self.own(row["set"], operation):
                    yield pair[1] / row["optimised"][place]

    def table(self) -> Table:
        own = ["portable", self.backend or "–", "speed-up", "by theirs"]
        heads = [(f"published, {self.unit}", 3), (f"latkem, modelled, {self.unit}", len(own))]
        table = Table(heads, ["reference", "optimised", "speed-up", *own])
        for row in self.rows:
            group = []
            for place, operation in enumerate(CORE):
                figures = [row[key][place] for key in ("reference", "optimised", "speedup")]
                cells = [*_published(figures), *_own(self.own(row["set"], operation), figures[1])]
                group.append(Row(row["set"], cells, OPERATIONS[operation]))
            table.groups.append(group)
        return table

    def chart(self) -> Chart:
        unit, by = ("thousand cycles", 1e3) if self.unit == "cycles" else (self.unit, 1)
        names = ("study, reference", "study, optimised", "latkem portable, model", f"latkem {self.backend}, model")
        bars = [
            {"set": row["set"], "panel": operation, "bar": name, "part": name, "value": value / by, "error": 0.0}
            for row in self.rows
            for place, operation in enumerate(CORE)
            for name, value in zip(names, self._values(row, place), strict=False)
        ]
        title = f"{facts.cited_as(self.study['source']).split(',')[0]}: {self.cpu}"
        axis = f"{unit}; the study's as published, latkem's modelled"
        sets = list(dict.fromkeys(row["set"] for row in self.rows))
        return bar_chart(f"studies-{self.key}", title, axis, pd.DataFrame(bars), OPERATIONS, sets)

    def _values(self, row: dict, place: int) -> list[float]:
        return [row["reference"][place], row["optimised"][place], *(self.own(row["set"], CORE[place]) or ())]


class Studies(Section):
    """The three studies that time whole operations, and the speed-ups of those that they compare with."""

    key = "studies"
    title = "Kyber and Saber in the studies"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.kept: dict = self.raw.get("studies") or {}
        self.model = Model(self.kept)
        self.published = facts.published()
        self.studies = self.published["operations"]

    @property
    def shown(self) -> bool:
        return bool(self.kept)

    @property
    def origin(self) -> str:
        commit = f", commit {self.kept['commit']} of {self.kept['date']}" if self.kept.get("commit") else ""
        return f"{self.kept['table']}{commit}"

    @property
    def answer(self) -> str:
        ratios = sorted(ratio for study in self.studies for core in self.cores(study) for ratio in core.ratios())
        if not ratios:
            return "Published figures; none of latkem's is modelled."
        return (
            f"In a model, latkem takes {ratios[0]:.2f} to {ratios[-1]:.2f} of the time of the studies' optimised code, "
            f"{statistics.median(ratios):.2f} in the median of {len(ratios)} operations."
        )

    def source(self, study: dict) -> dict:
        return self.published["sources"][study["source"]]

    def cores(self, study: dict) -> list[OnCore]:
        return [OnCore(study, cpu, self.model) for cpu in study["cpus"]]

    def modules(self, study: dict) -> dict | None:
        return next((found for found in self.published["modules"] if found["source"] == study["source"]), None)

    def core_of(self, modules: dict, study: dict) -> str:
        """That of the modules, or else the first of the study."""
        return modules.get("cpu") or next(iter(study["cpus"]))

    def charts(self) -> Iterator[Chart]:
        return (core.chart() for study in self.studies for core in self.cores(study))

    def module_table(self, modules: dict, cpu: str) -> Table:
        """Cycles of each module, and latkem's kernels that do the same; kernels' cycles are the model's as they are.

        Times on cores that may differ have no ratio."""
        own = ["portable", self.model.backends.get(cpu, "–"), "speed-up", *(["by theirs"] if "cpu" in modules else [])]
        heads = [("published, cycles", 3), (f"latkem, modelled on {cpu}, cycles", len(own))]
        table = Table(heads, ["reference", "optimised", "speed-up", *own])
        rows = []
        for row in modules["rows"]:
            figures = [row[key] for key in ("reference", "optimised", "speedup")]
            cells = _own(self.model.module(cpu, COUNTERPARTS[row["module"]]), row["optimised"])[: len(own)]
            rows.append(Row(row["module"], [*_published(figures), *cells]))
        table.groups.append(rows)
        return table

    def counterparts(self, modules: dict) -> list[tuple[str, str, Counterpart]]:
        """Each module's name, what its authors say that it does, and latkem's kernels for it."""
        return [(row["module"], row.get("what", ""), COUNTERPARTS[row["module"]]) for row in modules["rows"]]

    def speedup_table(self) -> Table:
        """Published speed-ups over the reference C code, and the modelled ones over the portable backend."""
        heads = [("", 2), ("published", len(CORE)), ("latkem, modelled", len(CORE))]
        table = Table(heads, ["core", "backend", *CORE, *CORE], names=("core", "backend"))
        by_source: dict[str, list[Row]] = {}
        for row in self.published["speedups_over_reference_c"]:
            pairs = [self.model.pair(row["cpu"], f"op/{operation}/{row['set']}") for operation in CORE]
            own = [Cell(format.times(pair[0] / pair[1])) if pair else EMPTY for pair in pairs]
            theirs = [published(f"{row[operation]:.2f}×") for operation in CORE]
            names = [Cell(row["cpu"], kind="name"), Cell(self.model.backends.get(row["cpu"], "–"), kind="name")]
            cited = facts.cited_as(row["source"])
            by_source.setdefault(cited, []).append(Row(cited, [*names, *theirs, *own], row["set"]))
        table.groups += by_source.values()
        return table


def _published(figures: Sequence[float]) -> list[Cell]:
    """Reference, optimised and the speed-up, unchanged."""
    *values, speedup = figures
    return [*(published(format.stated(value)) for value in values), published(f"{speedup:.2f}×")]


def _own(pair: tuple[float, float] | None, theirs: float) -> list[Cell]:
    """latkem's two, their speed-up, and the optimised one by theirs."""
    if pair is None:
        return [EMPTY] * 4
    reference, own = pair
    texts = (
        format.significant(reference),
        format.significant(own),
        format.times(reference / own),
        f"{own / theirs:.2f}",
    )
    return [Cell(text) for text in texts]

"""The design space of each scheme: cores of all operations that differ in a parameter beside Ops and Sets alone.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.area_chart import area_chart
from latkem_evaluate.charts import Chart
from latkem_evaluate.hardware import NO_AREA, NO_CYCLES, Figures, further_of
from latkem_evaluate.palette import OPERATIONS, scheme_of
from latkem_evaluate.results import CORE
from latkem_evaluate.table import EMPTY, Cell, Row, Table, missing

DEFAULT = "default"


@dataclass(frozen=True)
class Variant:
    """A core of all operations with its parameters."""

    core: str
    sets: tuple[str, ...]
    title: str
    area: dict | None
    cycles: dict[tuple[str, str], int]  # by set and operation


class DesignSpace:
    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        whole = [row for row in figures.configurations if len(row["operations"]) == len(CORE)]
        varied = {(row["core"], *row["sets"]) for row in whole if row.get("further")}
        self.variants = [self._variant(row) for row in whole if (row.get("core"), *row["sets"]) in varied]

    def _variant(self, row: dict) -> Variant:
        keys = [(name, operation) for name in row["sets"] for operation in CORE]
        cycles = {key: found["cycles"] for key in keys if (found := self.figures.kept(row, *key))}
        title = ", ".join(further_of(row)) or DEFAULT
        return Variant(row["core"], tuple(row["sets"]), title, self.figures.areas.get(row["name"]), cycles)

    @cached_property
    def points(self) -> pd.DataFrame:
        """Those with cycles and area; in front are those that no other of the set has beaten in both."""
        found = pd.DataFrame(
            [
                {
                    "scheme": scheme_of(name).title,
                    "operation": operation,
                    "core": variant.title,
                    "label": name,
                    "LUT": variant.area["LUT"],
                    "value": variant.cycles[name, operation],
                }
                for variant in self.variants
                for name in variant.sets
                for operation in CORE
                if variant.area and (name, operation) in variant.cycles
            ],
            columns=["scheme", "operation", "core", "label", "LUT", "value"],
        )
        found["front"] = [not _beaten(point, found) for point in found.to_dict("records")]
        return found

    @property
    def shown(self) -> bool:
        return bool(self.variants)

    @property
    def drawn(self) -> list[str]:
        """The schemes with two variants that can be compared."""
        kinds = self.points.groupby("scheme")["core"].nunique()
        return [scheme for scheme, count in kinds.items() if count > 1]

    def charts(self) -> Iterator[Chart]:
        for scheme in self.drawn:
            title = f"{scheme}: latency against area, by parameter"
            yield area_chart(self.chart_name(scheme), title, "cycles", self.points[self.points["scheme"] == scheme])

    @staticmethod
    def chart_name(scheme: str) -> str:
        return f"hardware-design-{scheme.lower()}"

    def table(self) -> Table:
        """Each variant of each set; a star for those in front."""
        table = Table([("", 2), *((OPERATIONS[name], 1) for name in CORE)], ["LUT", "DSP", *["cycles"] * len(CORE)])
        for name in dict.fromkeys(name for variant in self.variants for name in variant.sets):
            rows = [self._row(name, variant) for variant in self.variants if name in variant.sets]
            table.groups.append(rows)
        return table

    def _row(self, name: str, variant: Variant) -> Row:
        area = variant.area
        cells = [Cell(f"{area[column]:g}") for column in ("LUT", "DSP")] if area else [missing(NO_AREA), EMPTY]
        return Row(name, cells + [self._cycles(name, operation, variant) for operation in CORE], variant.title)

    def _cycles(self, name: str, operation: str, variant: Variant) -> Cell:
        if (name, operation) not in variant.cycles:
            return missing(NO_CYCLES)
        rows = self.points
        here = (rows["label"] == name) & (rows["operation"] == operation) & (rows["core"] == variant.title)
        front = bool(rows[here]["front"].any())
        return Cell(format.grouped(variant.cycles[name, operation]), "front" if front else "")


def _beaten(point: dict, points: pd.DataFrame) -> bool:
    """Whether another variant needs no more of either, and less of one."""
    rivals = points[(points["operation"] == point["operation"]) & (points["label"] == point["label"])]
    no_worse = rivals[(rivals["LUT"] <= point["LUT"]) & (rivals["value"] <= point["value"])]
    return bool(((no_worse["LUT"] < point["LUT"]) | (no_worse["value"] < point["value"])).any())

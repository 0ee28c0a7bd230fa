"""The library beside its cores: this machine's times, the AArch64 models', the cores' on the devices that were routed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, machine_chart
from latkem_evaluate.hardware import DEVICES, KINDS, Figures, Point
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.sections.aarch64 import CostModel, Device
from latkem_evaluate.table import EMPTY, Cell, Row, Table


class Software:
    def __init__(self, figures: Figures, results: Results) -> None:
        self.figures = figures
        self.results = results
        self.model = CostModel(results.raw.get("aarch64"), results.set_names)

    @property
    def machine(self) -> str:
        return self.results.raw["machine"].get("CPU", "this machine")

    def table(self) -> Table:
        """Beside each time of software the clock at which the core's cycles take as long; beside a core's its own."""
        columns = ["µs", "op/s", "MHz"]
        table = Table([(OPERATIONS[operation], len(columns)) for operation in CORE], columns * len(CORE))
        for name in self.figures.sets:
            rows = [*self._measured(name), *self._modelled(name), *self._cores(name)]
            table.groups += [rows] if rows else []
        return table

    def _measured(self, name: str) -> Iterator[Row]:
        for backend in self.results.backends:
            cells = [cell for operation in CORE for cell in self._cells(name, operation, backend)]
            if cells[0] is not EMPTY:
                yield Row(name, cells, backend)

    def _tie(self, name: str, operation: str, us: float) -> Cell:
        row = self.figures.cycles.get((name, operation))
        return Cell(f"ties at {row['cycles'] / us:.0f}") if row else EMPTY

    def _cells(self, name: str, operation: str, backend: str) -> list[Cell]:
        """The time of a call; operations a second in a batch, where there is one."""
        keys = {"operation": operation, "set": name, "backend": backend}
        call = self.results.row(tier="wire", **keys)
        if call is None:
            return [EMPTY, EMPTY, EMPTY]
        batch = self.results.row(tier="batch", **keys)
        best = call if batch is None or call["ns"] < batch["ns"] else batch
        rate = 1e9 / best["ns"]
        time = format.measured(call["ns"] / 1e3, call["ns"] * call["width"] / 2e3)
        us = call["ns"] / 1e3
        return [Cell(time), Cell(format.rate(rate, rate * best["width"] / 2)), self._tie(name, operation, us)]

    def _modelled(self, name: str) -> Iterator[Row]:
        """Each device's best backend at 1 GHz."""
        for device in self.model.devices:
            cycles = [self._fewest(f"op/{operation}/{name}", device) for operation in CORE]
            if all(cycles):
                cells = [
                    cell
                    for operation, count in zip(CORE, cycles, strict=True)
                    if count
                    for cell in (*_cells(count / 1e3, 1e9 / count), self._tie(name, operation, count / 1e3))
                ]
                yield Row(name, cells, _modelled(device))

    def _fewest(self, stem: str, device: Device) -> float | None:
        counts = [self.model.cycles(f"{stem}/{backend}", device) for backend in self.model.backends]
        return min((count for count in counts if count), default=None)

    def _cores(self, name: str) -> Iterator[Row]:
        for device, title in DEVICES.items():
            for kind, what in KINDS.items():
                points = [self.figures.point(kind, name, operation, device) for operation in CORE]
                if any(points):
                    cells = [cell for point in points for cell in _core(point)]
                    yield Row(name, cells, f"core, {title}, {what}")

    # On one chart

    def charts(self) -> Iterator[Chart]:
        """On the first device that was routed; sets without a time there are not drawn."""
        for device in [key for key in DEVICES if key in self.figures.clocks][:1]:
            routed = list(self._routed(device))
            sets = list(dict.fromkeys(dot["set"] for dot in routed))
            software = [dot for name in sets for operation in CORE for dot in self._dots(name, operation)]
            if routed:
                yield machine_chart(pd.DataFrame([*software, *routed]), sets)

    def _dots(self, name: str, operation: str) -> Iterator[dict]:
        for backend in self.results.backends:
            row = self.results.row(tier="wire", operation=operation, set=name, backend=backend)
            if row is not None:
                yield _dot(name, operation, backend, *(row[key] / 1e3 for key in ("ns", "low_ns", "high_ns")))
        for device in self.model.devices:
            if count := self._fewest(f"op/{operation}/{name}", device):
                yield _dot(name, operation, _modelled(device), *[count / 1e3] * 3)

    def _routed(self, device: str) -> Iterator[dict]:
        """Of the core with fewest operations and sets."""
        for name in self.figures.sets:
            for operation in CORE:
                points = [self.figures.point(kind, name, operation, device) for kind in KINDS]
                point = next(filter(None, points), None)
                if point and point.clock:
                    ends = [point.cycles / bound(point.clock["seeds"]) for bound in (max, min)]
                    yield _dot(name, operation, f"core, {DEVICES[device]}", point.us, *ends)


def _modelled(device: Device) -> str:
    return f"{device.title}, model, at 1 GHz"


def _dot(name: str, operation: str, where: str, middle: float, low: float, high: float) -> dict:
    return {"set": name, "panel": operation, "backend": where, "middle": middle, "low": low, "high": high}


def _core(point: Point | None) -> list[Cell]:
    if not point or not point.clock:
        return [EMPTY] * 3
    return [*_cells(point.us, point.per_second), Cell(f"{point.clock['MHz']:.0f}")]


def _cells(us: float, per_second: float) -> list[Cell]:
    return [Cell(format.significant(us)), Cell(format.rate(per_second))]

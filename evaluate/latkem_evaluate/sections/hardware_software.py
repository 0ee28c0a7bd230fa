"""The library beside its cores: this machine's times, the AArch64 models', the cores' on the devices that were routed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from latkem_evaluate import format
from latkem_evaluate.hardware import DEVICES, KINDS, Figures
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
        table = Table([(OPERATIONS[operation], 2) for operation in CORE], ["µs", "op/s"] * len(CORE))
        for name in self.figures.sets:
            rows = [*self._measured(name), *self._modelled(name), *self._cores(name)]
            table.groups += [rows] if rows else []
        return table

    def _measured(self, name: str) -> Iterator[Row]:
        for backend in self.results.backends:
            cells = [cell for operation in CORE for cell in self._cells(name, operation, backend)]
            if cells[0] is not EMPTY:
                yield Row(name, cells, backend)

    def _cells(self, name: str, operation: str, backend: str) -> list[Cell]:
        """The time of a call; operations a second in a batch, where there is one."""
        keys = {"operation": operation, "set": name, "backend": backend}
        call = self.results.row(tier="wire", **keys)
        if call is None:
            return [EMPTY, EMPTY]
        batch = self.results.row(tier="batch", **keys)
        best = call if batch is None or call["ns"] < batch["ns"] else batch
        rate = 1e9 / best["ns"]
        time = format.measured(call["ns"] / 1e3, call["ns"] * call["width"] / 2e3)
        return [Cell(time), Cell(format.rate(rate, rate * best["width"] / 2))]

    def _modelled(self, name: str) -> Iterator[Row]:
        """Each device's best backend at 1 GHz."""
        for device in self.model.devices:
            cycles = [self._fewest(f"op/{operation}/{name}", device) for operation in CORE]
            if all(cycles):
                cells = [cell for count in cycles if count for cell in _cells(count / 1e3, 1e9 / count)]
                yield Row(name, cells, f"{device.title}, model, at 1 GHz")

    def _fewest(self, stem: str, device: Device) -> float | None:
        counts = [self.model.cycles(f"{stem}/{backend}", device) for backend in self.model.backends]
        return min((count for count in counts if count), default=None)

    def _cores(self, name: str) -> Iterator[Row]:
        for device, title in DEVICES.items():
            for kind, what in KINDS.items():
                points = [self.figures.point(kind, name, operation, device) for operation in CORE]
                if any(points):
                    pairs = [_cells(point.us, point.per_second) if point else [EMPTY, EMPTY] for point in points]
                    yield Row(name, [cell for pair in pairs for cell in pair], f"core, {title}, {what}")


def _cells(us: float, per_second: float) -> list[Cell]:
    return [Cell(format.significant(us)), Cell(format.rate(per_second))]

"""The hardware cores: cycles, area and clock that the repository keeps; the cores ranked, drawn and set beside others'
and beside software.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Iterator

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.area_chart import area_chart
from latkem_evaluate.bars import bar_chart
from latkem_evaluate.charts import Chart
from latkem_evaluate.hardware import ALL, DEVICES, KINDS, LEVEL, ONE, Figures, Point, further_of, kind_of
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.scatter import core_chart
from latkem_evaluate.sections.base import Section
from latkem_evaluate.sections.hardware_design import DesignSpace
from latkem_evaluate.sections.hardware_peers import OtherCores
from latkem_evaluate.sections.hardware_ranking import CoreRanking
from latkem_evaluate.sections.hardware_software import Software
from latkem_evaluate.table import EMPTY, Cell, Row, Table, missing

AREA = ("LUT", "LUTRAM", "SRL", "FF", "DSP", "RAMB36")
SPANS = [(OPERATIONS[operation], 2) for operation in CORE]
# The vertical axis of a chart, with a clock and without one.
TIMED = {"us": "latency, µs", "rate": "thousand operations a second"}
COUNTED = {"us": "latency, cycles", "rate": "operations in a million cycles"}


class Hardware(Section):
    """Figures of the cores; none of them is measured by this run."""

    key = "hardware"
    title = "Hardware"
    devices = DEVICES
    kinds = KINDS

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.figures = Figures(self.raw.get("hardware"))
        self.others = OtherCores(self.figures)
        self.ranking = CoreRanking(self.figures)
        self.space = DesignSpace(self.figures)
        self.software = Software(self.figures, results)

    @property
    def shown(self) -> bool:
        return bool(self.figures.cycles)

    @property
    def answer(self) -> str:
        rows = [self.figures.cycles.get(("ML-KEM-768", operation)) for operation in CORE]
        if not all(rows):
            return "Cycles of the cores, as simulated."
        counts = format.listed([format.grouped(row["cycles"]) for row in rows if row])
        said = f"ML-KEM-768 takes {counts} cycles for key generation, encapsulation and decapsulation{self._clocked()}."
        return f"{self.ranking.summary(self.ranking.decisive)} {said}".strip()

    def _clocked(self) -> str:
        """The times on the first device on which the core of all levels was routed."""
        for device in self.figures.devices(ALL):
            points = [self.figures.point(ALL, "ML-KEM-768", operation, device) for operation in CORE]
            times = [format.significant(point.us) for point in points if point]
            return f", {format.listed(times)} µs on {DEVICES[device]}" if times else ""
        return ""

    @property
    def tools(self) -> str:
        """That made the figures, with their versions, and when."""
        rows = [*self.figures.area, *self.figures.gates.values()]
        rows += [row for rows in self.figures.clocks.values() for row in rows.values()]
        found = {f"{name} {version}" for row in rows for name, version in row["tools"].items()}
        dates = sorted({row["date"] for row in rows})
        when = f"; {dates[0]}" if dates else ""
        return ", ".join(sorted(found)) + when + (f" to {dates[-1]}" if len(dates) > 1 else "")

    # Charts

    def charts(self) -> Iterator[Chart]:
        bars = pd.DataFrame(self._bars())
        yield bar_chart("hardware-cycles", "Cores that were simulated", "cycles", bars, OPERATIONS, self.figures.sets)
        for kind in (ONE, LEVEL):
            for device in self.drawn(kind):
                yield self._area_chart(kind, device)
        yield from self.space.charts()
        yield from self.software.charts()
        if self.others.dots:
            title = "Cores of one flow: latency against area"
            yield area_chart("hardware-flow", title, "cycles", pd.DataFrame(self.others.dots))

    def _bars(self) -> Iterator[dict]:
        """latkem, and the other cores that ran in the same simulation."""
        for (name, operation), row in self.figures.cycles.items():
            yield _bar(name, operation, "latkem", row["cycles"])
        for entry in self.others.measured:
            for operation, cycles in zip(CORE, entry["cycles"], strict=True):
                yield _bar(entry["set"], operation, self.others.cited(entry), cycles)

    def drawn(self, kind: str) -> list[str]:
        """The devices of its charts; first one without a name, for cycles, unless a device has all points."""
        devices, known = self.figures.devices(kind), len(self.figures.points(kind))
        whole = any(len(self.figures.points(kind, device)) == known for device in devices)
        return devices if whole or not known else ["", *devices]

    def _area_chart(self, kind: str, device: str) -> Chart:
        where, labels = (DEVICES[device], TIMED) if device else ("without a clock", COUNTED)
        title = f"{KINDS[kind].capitalize()} per core, {where}: latency and throughput for the area"
        points = pd.DataFrame(
            {
                "set": point.set,
                "level": point.level,
                "operation": point.operation,
                "area": point.core["LUT"] / 1e3,
                "us": point.us if device else point.cycles,
                "rate": point.per_second / 1e3 if device else point.per_million,
            }
            for point in self.figures.points(kind, device)
        )
        return core_chart(f"hardware-{kind}-{device or 'cycles'}", title, points, labels, OPERATIONS)

    # Tables

    def cycle_table(self) -> Table:
        """Latency and interval, exact."""
        table = Table(SPANS, ["cycles", "interval"] * len(CORE))
        for name in self.figures.sets:
            rows = [self.figures.cycles.get((name, operation)) for operation in CORE]
            cells = [Cell(format.grouped(row[key])) if row else EMPTY for row in rows for key in ("cycles", "interval")]
            table.groups.append([Row(name, cells)])
        return table

    def core_table(self) -> Table:
        """Every core: what it takes, and the clocks, median and best."""
        clocks = self.figures.clocks
        spans = [("Synthesis for xc7", len(AREA)), *((DEVICES[device], 2) for device in clocks), ("", 1)]
        table = Table(spans, [*AREA, *["MHz", "best"] * len(clocks), "measured"])
        groups: dict[tuple, list[Row]] = {}
        for core in (core for kind in (*KINDS, "") for core in self.figures.of_kind(kind)):
            groups.setdefault((kind_of(core), *core["sets"]), []).append(self._core_row(core))
        table.groups += groups.values()
        return table

    def _core_row(self, core: dict) -> Row:
        routed = [rows.get(core["name"]) for rows in self.figures.clocks.values()]
        clocks = [_clock(row, key) for row in routed for key in ("MHz", "best")]
        dates = {row["date"] for row in (core, *routed) if row}
        cells = [*(Cell(f"{core[column]:g}") for column in AREA), *clocks, Cell(max(dates))]
        operations = "all" if len(core["operations"]) == len(CORE) else ", ".join(core["operations"])
        return Row(_listed_sets(core["sets"]), cells, ", ".join([operations, *further_of(core)]))

    def time_table(self, kind: str) -> Table:
        """Microseconds and operations a second on the devices that were routed."""
        table = Table(SPANS, ["µs", "op/s"] * len(CORE))
        for name in self.figures.sets:
            rows = [self._times(kind, name, device) for device in self.figures.devices(kind)]
            table.groups += [found] if (found := [row for row in rows if row]) else []
        return table

    def _times(self, kind: str, name: str, device: str) -> Row | None:
        points = self._points(kind, name, device)
        pairs = [(_us(point), _rate(point)) if point else (missing(why), EMPTY) for point, why in points]
        return _row(name, pairs, points, DEVICES[device])

    def _points(self, kind: str, name: str, device: str) -> list[tuple[Point | None, str]]:
        """Each operation of a set on cores of a kind, or why it is missing."""
        return [
            (self.figures.point(kind, name, operation, device), self.figures.lacking(kind, name, operation, device))
            for operation in CORE
        ]

    def price_table(self) -> Table:
        """A core of all levels beside those of one level each."""
        columns = ["LUT", "DSP", "RAMB36", "LUT of the largest", "×", "LUT of them all", "×"]
        table = Table([("All levels", 3), ("One level each", 4)], columns)
        for core in self.figures.of_kind(ALL):
            single = [row for row in self.figures.of_kind(LEVEL) if set(row["sets"]) <= set(core["sets"])]
            if {name for row in single for name in row["sets"]} == set(core["sets"]):
                own = [Cell(f"{core[column]:g}") for column in ("LUT", "DSP", "RAMB36")]
                sums = [max(row["LUT"] for row in single), sum(row["LUT"] for row in single)]
                cells = [part for lut in sums for part in (Cell(f"{lut:g}"), Cell(format.times(core["LUT"] / lut)))]
                table.groups.append([Row(_listed_sets(core["sets"]), own + cells)])
        return table

    def efficiency_table(self, device: str = "") -> Table:
        """Latency times area, and throughput for each look-up table; without a device in cycles, exact."""
        table = Table(SPANS, (["ms·LUT", "op/s/LUT"] if device else ["Mcycle·LUT", "per LUT"]) * len(CORE))
        for name in self.figures.sets:
            rows = []
            for kind, title in KINDS.items():
                points = self._points(kind, name, device)
                row = _row(name, [_efficiency(point, why, device) for point, why in points], points, title)
                rows += [row] if row else []
            table.groups += [rows] if rows else []
        return table


def _bar(set_name: str, operation: str, core: str, cycles: int) -> dict:
    return {"set": set_name, "panel": operation, "bar": core, "part": core, "value": cycles, "error": 0.0}


def _clock(row: dict | None, key: str) -> Cell:
    if not row:
        return EMPTY
    count = len(row["seeds"])
    small = f"of {count}" if key == "best" else ""
    return Cell(f"{row[key]:.1f}", small, title=f"{count} placements: {', '.join(map(str, sorted(row['seeds'])))}")


def _us(point: Point) -> Cell:
    return Cell(format.significant(point.us))


def _rate(point: Point) -> Cell:
    return Cell(format.rate(point.per_second))


def _row(name: str, pairs: Iterable, points: list[tuple[Point | None, str]], note: str) -> Row | None:
    """Nothing where no core is configured."""
    return Row(name, [cell for pair in pairs for cell in pair], note) if any(map(any, points)) else None


def _efficiency(point: Point | None, why: str, device: str) -> list[Cell]:
    if not point:
        return [missing(why), EMPTY]
    area = point.core["LUT"]
    product, rate = (point.us / 1e3, point.per_second) if device else (point.cycles / 1e6, point.per_million)
    return [Cell(format.significant(product * area)), Cell(format.significant(rate / area))]


def _listed_sets(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"

"""The hardware cores: cycles, area and clock that the repository keeps, beside published cores and beside this machine.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.area_chart import area_chart
from latkem_evaluate.bars import bar_chart
from latkem_evaluate.charts import Chart
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table

AREA = ("LUT", "LUTRAM", "SRL", "FF", "DSP", "RAMB36")
DEVICES = {"fmax-ecp5": "ECP5-85K (40 nm)", "fmax-nexus": "Nexus LIFCL-40 (28 nm)"}
SPANS = [(OPERATIONS[operation], 2) for operation in CORE]


class Figures:
    """What hw/syn/figures and hw/syn/published.json have; nothing where there is none."""

    def __init__(self, raw: dict[str, Any] | None) -> None:
        raw = raw or {}
        self.cycles = {(row["set"], row["operation"]): row for row in raw.get("cycles", [])}
        self.area: list[dict] = raw.get("area", [])
        self.clocks: dict[str, list[dict]] = {key: raw[key] for key in DEVICES if raw.get(key)}
        self.published: dict = raw.get("published") or {"sources": {}, "operations": []}
        self.sets = list(dict.fromkeys(name for name, _ in self.cycles))

    def clock_of(self, set_name: str, device: str) -> dict | None:
        """Of the core with all operations that has this set, whose routing is known: the one with fewest sets."""
        by_name = {row["name"]: row for row in self.clocks.get(device, [])}
        holding = [
            by_name[row["name"]]
            for row in sorted(self.area, key=lambda row: len(row["sets"]))
            if set_name in row["sets"] and len(row["operations"]) == len(CORE) and row["name"] in by_name
        ]
        return holding[0] if holding else None

    def area_of(self, set_name: str) -> dict | None:
        """Of the smallest of these cores."""
        holding = [row for row in self.area if set_name in row["sets"] and len(row["operations"]) == len(CORE)]
        return min(holding, key=lambda row: len(row["sets"]), default=None)


class Hardware(Section):
    """Figures of the cores; none of them is measured by this run."""

    key = "hardware"
    title = "Hardware"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.figures = Figures(self.raw.get("hardware"))

    @property
    def shown(self) -> bool:
        return bool(self.figures.cycles)

    @property
    def answer(self) -> str:
        row = [self.figures.cycles.get(("ML-KEM-768", operation)) for operation in CORE]
        if not all(row):
            return "Cycles of the cores, as simulated."
        counts = format.listed([format.grouped(cell["cycles"]) for cell in row if cell])
        return f"ML-KEM-768 takes {counts} cycles for key generation, encapsulation and decapsulation."

    def charts(self) -> list[Chart]:
        bars = pd.DataFrame(self._bars())
        drawn = [bar_chart("hardware-cycles", "Hardware cores", "cycles", bars, OPERATIONS, self.figures.sets)]
        points = pd.DataFrame(self._points())
        if not points.empty:
            latency = points.assign(value=points["cycles"])
            rate = points[points["interval"] > 0]
            rate = rate.assign(value=1e6 / rate["interval"])
            drawn += [
                area_chart("hardware-latency", "Latency against area", "cycles", latency),
                area_chart("hardware-rate", "Throughput against area", "operations in a million cycles", rate),
            ]
        return drawn

    def _points(self) -> Iterator[dict]:
        """Cores and sets of ML-KEM: latkem's by what they hold, and those that others published and we synthesised."""
        for area in self.figures.area:
            one_set, one_operation = len(area["sets"]) == 1, len(area["operations"]) == 1
            core = "latkem, all sets" if not one_set else "one set, one operation" if one_operation else "one set"
            for name in area["sets"]:
                for operation in area["operations"]:
                    row = self.figures.cycles[name, operation]
                    if name.startswith("ML-KEM") and not any("Kyber" in other for other in area["sets"]):
                        yield _point(name, operation, core, area["LUT"], row["cycles"], row["interval"])
        synthesised = {row["source"]: row["LUT"] for row in self.figures.published.get("area_in_our_flow", [])}
        for entry in self.figures.published["operations"]:
            if entry["source"] in synthesised and entry["set"].startswith("ML-KEM"):
                cited = self.figures.published["sources"][entry["source"]]["cited_as"]
                for operation, cycles in zip(CORE, entry["cycles"], strict=True):
                    yield _point(entry["set"], operation, cited, synthesised[entry["source"]], cycles, 0)

    def _bars(self) -> Iterator[dict]:
        """latkem, and the published cores whose cycles are known."""
        for (name, operation), row in self.figures.cycles.items():
            yield _bar(name, operation, "latkem", row["cycles"])
        for entry in self.figures.published["operations"]:
            cited = self.figures.published["sources"][entry["source"]]["cited_as"]
            for operation, cycles in zip(CORE, entry.get("cycles", []), strict=False):
                yield _bar(entry["set"], operation, cited, cycles)

    @property
    def tools(self) -> str:
        """That made the figures, with their versions."""
        rows = [*self.figures.area, *(row for rows in self.figures.clocks.values() for row in rows)]
        found = {f"{name} {version}" for row in rows for name, version in row["tools"].items()}
        return ", ".join(sorted(found))

    def cycle_table(self) -> Table:
        """Latency and interval, exact."""
        table = Table(SPANS, ["cycles", "interval"] * len(CORE))
        for name in self.figures.sets:
            rows = [self.figures.cycles.get((name, operation)) for operation in CORE]
            cells = [Cell(format.grouped(row[key])) if row else EMPTY for row in rows for key in ("cycles", "interval")]
            table.groups.append([Row(name, cells)])
        return table

    def area_table(self) -> Table:
        table = Table([], ["operations", *AREA], names=("operations",))
        for row in self.figures.area:
            operations = "all" if len(row["operations"]) == len(CORE) else ", ".join(row["operations"])
            cells = [Cell(operations, kind="name"), *(Cell(f"{row[column]:g}") for column in AREA)]
            table.groups.append([Row(_listed_sets(row["sets"]), cells)])
        return table

    def clock_table(self) -> Table:
        """The clock on each device, median and best of the placements."""
        table = Table([], ["device", "MHz", "best", "placements"], names=("device",))
        for device, rows in self.figures.clocks.items():
            cells = [
                [
                    Cell(DEVICES[device], kind="name"),
                    _clock(row["MHz"]),
                    _clock(row["best"]),
                    Cell(str(len(row["seeds"]))),
                ]
                for row in rows
            ]
            table.groups.append([Row(row["name"], part) for row, part in zip(rows, cells, strict=True)])
        return table

    def time_table(self) -> Table:
        """Microseconds and operations a second on the device that was routed, and what they take of it."""
        table = Table(SPANS, ["µs", "op/s"] * len(CORE))
        for device in self.figures.clocks:
            group = []
            for name in self.figures.sets:
                clock = self.figures.clock_of(name, device)
                if clock:
                    group.append(Row(name, list(self._times(name, clock["MHz"])), DEVICES[device]))
            if group:
                table.groups.append(group)
        return table

    def _times(self, name: str, clock: float) -> Iterator[Cell]:
        for operation in CORE:
            row = self.figures.cycles[name, operation]
            yield Cell(format.significant(row["cycles"] / clock))
            yield Cell(format.grouped(round(clock * 1e6 / row["interval"])))

    def efficiency_table(self) -> Table:
        """Latency times area, and operations in a million cycles for each look-up table: without a clock, exact."""
        table = Table(SPANS, ["Mcycle·LUT", "per LUT"] * len(CORE))
        for name in self.figures.sets:
            area = self.figures.area_of(name)
            if not area:
                continue
            cells = []
            for operation in CORE:
                row = self.figures.cycles[name, operation]
                cells += [
                    Cell(format.significant(row["cycles"] * area["LUT"] / 1e6)),
                    Cell(format.significant(1e6 / row["interval"] / area["LUT"])),
                ]
            table.groups.append([Row(name, cells, _listed_sets(area["sets"]))])
        return table

    def ranking_table(self) -> Table:
        """Cores of one operation and one set. Clock and time are of the newest device on which one was routed."""
        table = Table([(OPERATIONS[operation], 4) for operation in CORE], ["LUT", "cycles", "MHz", "µs"] * len(CORE))
        by_key = {
            (row["sets"][0], row["operations"][0]): row
            for row in self.figures.area
            if len(row["sets"]) == len(row["operations"]) == 1
        }
        for name in dict.fromkeys(name for name, _ in by_key):
            cells = [cell for operation in CORE for cell in self._ranked(name, operation, by_key)]
            table.groups.append([Row(name, cells)])
        return table

    def _ranked(self, name: str, operation: str, by_key: dict[tuple[str, str], dict]) -> Iterator[Cell]:
        area = by_key.get((name, operation))
        if area is None:
            yield from [EMPTY] * 4
            return
        cycles = self.figures.cycles[name, operation]["cycles"]
        clocks = [row for rows in self.figures.clocks.values() for row in rows if row["name"] == area["name"]]
        yield Cell(format.grouped(area["LUT"]))
        yield Cell(format.grouped(cycles))
        yield _clock(clocks[-1]["MHz"]) if clocks else EMPTY
        yield Cell(format.significant(cycles / clocks[-1]["MHz"])) if clocks else EMPTY

    def others_area_table(self) -> Table:
        """Published sources that went through the same synthesis."""
        table = Table([], ["what", *AREA], names=("what",))
        for row in self.figures.published.get("area_in_our_flow", []):
            cited = self.figures.published["sources"][row["source"]]["cited_as"]
            figures = [Cell(f"{row[column]:g}") if column in row else EMPTY for column in AREA]
            table.groups.append([Row(cited, [Cell(row["what"], kind="name"), *figures])])
        return table

    def published_table(self) -> Table:
        """Cycles or times as their authors gave them, and the clock at which latkem's cycles take as long."""
        table = Table([("", 1), *SPANS], ["device", *["theirs", "ties at"] * len(CORE)], names=("device",))
        by_source: dict[str, list[Row]] = {}
        for entry in self.figures.published["operations"]:
            cells = [Cell(entry["device"], kind="name"), *self._beside(entry)]
            cited = self.figures.published["sources"][entry["source"]]["cited_as"]
            by_source.setdefault(entry["source"], []).append(Row(cited, cells, entry["set"]))
        table.groups += by_source.values()
        return table

    def _beside(self, entry: dict) -> Iterator[Cell]:
        """Where cycles alone are known, the ratio of cycles stands for the clock."""
        for place, operation in enumerate(CORE):
            row = self.figures.cycles.get((entry["set"], operation))
            if "us" in entry:
                yield Cell(f"{entry['us'][place]:g} µs")
                yield Cell(f"{row['cycles'] / entry['us'][place]:.0f} MHz") if row else EMPTY
            else:
                yield Cell(format.grouped(entry["cycles"][place]), small="cycles")
                yield Cell(format.times(entry["cycles"][place] / row["cycles"]), small="fewer cycles") if row else EMPTY

    def notes(self) -> list[tuple[str, str]]:
        """What the published figures count."""
        return [(source["cited_as"], source["counts"]) for source in self.figures.published["sources"].values()]

    def software_table(self) -> Table:
        """The library on this machine beside the core on the device with the newest process."""
        device = next(reversed(self.figures.clocks), "")
        table = Table([(OPERATIONS[operation], 1) for operation in CORE], ["µs"] * len(CORE))
        for name in self.figures.sets:
            group = [row for backend in self.results.backends if (row := self._software(name, backend))]
            clock = self.figures.clock_of(name, device) if device else None
            if clock:
                cells = [
                    Cell(format.significant(self.figures.cycles[name, operation]["cycles"] / clock["MHz"]))
                    for operation in CORE
                ]
                group.append(Row(name, cells, DEVICES[device]))
            if group:
                table.groups.append(group)
        return table

    def _software(self, name: str, backend: str) -> Row | None:
        rows = [self.results.row(tier="wire", operation=operation, set=name, backend=backend) for operation in CORE]
        if any(row is None for row in rows):
            return None
        return Row(name, [Cell(format.significant(row["ns"] / 1e3)) for row in rows if row is not None], backend)


def _bar(set_name: str, operation: str, core: str, cycles: int) -> dict:
    return {"set": set_name, "panel": operation, "bar": core, "part": core, "value": cycles, "error": 0.0}


def _point(set_name: str, operation: str, core: str, area: int, cycles: int, interval: int) -> dict:
    """Of a chart against area; an interval of 0 is not known."""
    level = set_name.rsplit("-", 1)[-1]
    return {"operation": operation, "core": core, "label": level, "LUT": area, "cycles": cycles, "interval": interval}


def _clock(value: float) -> Cell:
    return Cell(f"{value:.1f}")


def _listed_sets(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"

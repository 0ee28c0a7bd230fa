"""Other hardware cores beside latkem's: those measured in the same flow, and those known only from publications. The
two are never in one column.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from functools import cached_property, partial

from latkem_evaluate import facts, format
from latkem_evaluate.hardware import ALL, DEVICES, Figures, Point, key_words
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE
from latkem_evaluate.table import EMPTY, Cell, Row, Table, published

RESOURCES = ("LUT", "LUTRAM", "SRL", "FF", "DSP", "RAMB36")
TIMES = ("rank", "core", "set", "device", "cycles", "MHz", "µs", "× best", "latkem's cycles", "tie at")


class OtherCores:
    """The content of hw/syn/published.json."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.data = figures.published
        entries = self.data["operations"]
        self.measured = [entry for entry in entries if entry.get("measured")]
        self.areas = {row["source"]: row["LUT"] for row in self.data.get("area_in_our_flow", [])}
        self.published = [entry for entry in entries if not entry.get("measured")]

    def cited(self, entry: dict) -> str:
        return self.data["sources"][entry["source"]]["cited_as"]

    def notes(self) -> list[tuple[str, str]]:
        """The units of the figures."""
        return [(source["cited_as"], source["counts"]) for source in self.data["sources"].values()]

    # In the same flow

    def cycle_table(self) -> Table:
        """Cores that were simulated: they leave the loading of keys out, so latkem's are there with and without."""
        columns = ["theirs", "latkem", "without keys", "fewer"]
        table = Table([(OPERATIONS[operation], len(columns)) for operation in CORE], columns * len(CORE))
        for entry in self.measured:
            cells = [cell for place, op in enumerate(CORE) for cell in self._beside(entry["cycles"][place], entry, op)]
            table.groups.append([Row(entry["set"], cells, self.cited(entry))])
        return table

    def _beside(self, theirs: int, entry: dict, operation: str) -> list[Cell]:
        row = self.figures.cycles.get((entry["set"], operation))
        if not row:
            return [Cell(format.grouped(theirs)), EMPTY, EMPTY, EMPTY]
        own = row["cycles"]
        least = own - key_words(entry["set"], operation)
        counts = (format.grouped(theirs), format.grouped(own), f"≥ {format.grouped(least)}", format.times(theirs / own))
        return [Cell(text) for text in counts]

    def area_table(self) -> Table:
        """The results of synthesis for xc7, and of place and route on a device, for each."""
        devices = [device for device in DEVICES if device in self.figures.devices(ALL) or self._clocks(device)]
        spans = [("Synthesis for xc7", len(RESOURCES)), *((DEVICES[device], 1) for device in devices)]
        table = Table(spans, [*RESOURCES, *["MHz"] * len(devices)])
        own = self.figures.of_kind(ALL)
        table.groups += [[Row("latkem", self._own(core, devices), _sets(core)) for core in own]] if own else []
        for row in self.data.get("area_in_our_flow", []):
            clocks = [self._clocks(device).get(row["source"]) for device in devices]
            cells = [_number(row.get(column)) for column in RESOURCES] + [_number(clock) for clock in clocks]
            table.groups.append([Row(self.cited(row), cells, row["what"])])
        return table

    def _own(self, core: dict, devices: list[str]) -> list[Cell]:
        clocks = [self.figures.clocks.get(device, {}).get(core["name"]) for device in devices]
        return [_number(core[column]) for column in RESOURCES] + [_number(row and row["MHz"]) for row in clocks]

    def _clocks(self, device: str) -> dict[str, float]:
        rows = self.data.get("clock_in_our_flow", [])
        return {row["source"]: row["MHz"] for row in rows if row["device"] == device}

    def efficiency_table(self) -> Table:
        """Latency times area, both with all levels in one core: millions of cycles times look-up tables."""
        columns = ["theirs", "latkem", "less"]
        table = Table([(OPERATIONS[operation], len(columns)) for operation in CORE], columns * len(CORE))
        for entry in self.measured:
            known = (self.figures.point(ALL, entry["set"], operation) for operation in CORE)
            points = [point for point in known if point]
            if entry["source"] in self.areas and len(points) == len(CORE):
                theirs = [cycles * self.areas[entry["source"]] / 1e6 for cycles in entry["cycles"]]
                cells = [cell for pair in zip(theirs, points, strict=True) for cell in _products(*pair)]
                table.groups.append([Row(entry["set"], cells, self.cited(entry))])
        return table

    @cached_property
    def dots(self) -> list[dict]:
        """Those that were simulated and synthesised, and latkem's of their sets; both have all levels in one core."""
        theirs = [entry for entry in self.measured if entry["source"] in self.areas]
        names = {entry["set"] for entry in theirs}
        own = [
            _dot(point.set, point.operation, "latkem", point.core["LUT"], point.cycles)
            for point in self.figures.points(ALL)
            if point.set in names
        ]
        return own and own + [
            _dot(entry["set"], operation, self.cited(entry), self.areas[entry["source"]], cycles)
            for entry in theirs
            for operation, cycles in zip(CORE, entry["cycles"], strict=True)
        ]

    # Published

    def time_table(self) -> Table:
        """Times as published, fastest first, and the clock at which latkem's cycles take as long as each."""
        table = Table([], list(TIMES), names=("core", "set", "device"))
        timed = [entry for entry in self.published if "us" in entry or "MHz" in entry]
        for level in sorted({_level(entry) for entry in timed}):
            for place, operation in enumerate(CORE):
                here = [entry for entry in timed if _level(entry) == level]
                here.sort(key=partial(_us, place=place))
                rows = [Row(str(level), self._ranked(entry, place, here), OPERATIONS[operation]) for entry in here]
                table.groups.append(rows)
        return table

    def _ranked(self, entry: dict, place: int, group: list[dict]) -> list[Cell]:
        us = _us(entry, place)
        names = [Cell(text, kind="name") for text in (self.cited(entry), entry["set"], entry["device"])]
        row = self.figures.cycles.get((entry["set"], CORE[place]))
        return [
            Cell(str(1 + sum(_us(other, place) < us for other in group))),
            *names,
            published(format.grouped(entry["cycles"][place])) if "cycles" in entry else EMPTY,
            published(format.stated(entry["MHz"])) if "MHz" in entry else EMPTY,
            published(format.stated(us)) if "us" in entry else Cell(format.significant(us)),
            Cell(format.times(us / _us(group[0], place))),
            Cell(format.grouped(row["cycles"])) if row else EMPTY,
            Cell(f"{row['cycles'] / us:.0f} MHz") if row else EMPTY,
        ]

    def published_cycles_table(self) -> Table:
        """Cycles as published, and how many times fewer latkem's are."""
        spans = [("", 2), *((OPERATIONS[operation], 2) for operation in CORE)]
        table = Table(spans, ["set", "device", *["theirs", "latkem's fewer"] * len(CORE)], names=("set", "device"))
        by_source: dict[str, list[Row]] = {}
        for entry in (entry for entry in self.published if "cycles" in entry):
            names = [Cell(entry[key], kind="name") for key in ("set", "device")]
            by_source.setdefault(entry["source"], []).append(Row(self.cited(entry), [*names, *self._fewer(entry)]))
        table.groups += by_source.values()
        return table

    def _fewer(self, entry: dict) -> Iterator[Cell]:
        for operation, cycles in zip(CORE, entry["cycles"], strict=True):
            row = self.figures.cycles.get((entry["set"], operation))
            yield published(format.grouped(cycles))
            yield Cell(format.times(cycles / row["cycles"])) if row else EMPTY

    @property
    def improver(self) -> str:
        return facts.cited_as(facts.published()["fpga"]["source"])

    def improvement_table(self) -> Table:
        """Factors over previous work that the study of spec/published.json states of its own cores."""
        kinds = {"latency": "latency", "latency_times_area": "latency times area"}
        table = Table([(title, len(CORE)) for title in kinds.values()], [*CORE] * len(kinds))
        rows = []
        for entry in self.data.get("improvements", []):
            factors = [factor for kind in kinds for factor in entry.get(kind, [None] * len(CORE))]
            cells = [EMPTY if factor is None else published(f"{factor:.1f}×") for factor in factors]
            rows.append(Row(entry["work"], cells, entry["set"]))
        table.groups += [rows] if rows else []
        return table


def _dot(set_name: str, operation: str, core: str, area: int, cycles: int) -> dict:
    """Of a chart, with the number of the set as its label."""
    label = set_name.rsplit("-", 1)[-1]
    return {"operation": operation, "core": core, "label": label, "LUT": area, "value": cycles}


def _level(entry: dict) -> int:
    """Under which its authors file the set, or else ours."""
    return entry.get("level", facts.sets()[entry["set"]]["level"])


def _us(entry: dict, place: int) -> float:
    """As published, or from the cycles and the clock that were."""
    return entry["us"][place] if "us" in entry else entry["cycles"][place] / entry["MHz"]


def _products(theirs: float, point: Point) -> list[Cell]:
    own = point.cycles * point.core["LUT"] / 1e6
    return [Cell(format.significant(theirs)), Cell(format.significant(own)), Cell(format.times(theirs / own))]


def _number(value: float | None) -> Cell:
    return EMPTY if value is None else Cell(f"{value:g}")


def _sets(core: dict) -> str:
    return f"{core['sets'][0]} to {core['sets'][-1]}"

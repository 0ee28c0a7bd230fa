"""The figures of the hardware cores that the repository keeps. SPDX-License-Identifier: Apache-2.0"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latkem_evaluate.facts import cited_as, published, sets
from latkem_evaluate.results import CORE

FIGURES = Path("hw/syn/figures")
PUBLISHED = Path("hw/syn/published.json")
CONFIGURATIONS = Path("hw/syn/configurations.toml")
DEVICES = {"fmax-ecp5": "ECP5-85K", "fmax-nexus": "Nexus LIFCL-40"}

# The kinds of cores: one operation of one level, all operations of one level, all of them.
ONE, LEVEL, ALL = "one", "level", "all"
KINDS = {ONE: "one operation, one level", LEVEL: "three operations, one level", ALL: "all levels"}
WORD = 8  # bytes
NO_CYCLES, NO_AREA, NO_CLOCK, NO_GATES = (
    f"not {done} yet" for done in ("simulated", "synthesised", "placed", "mapped")
)
UNPLACED = "no placement found"


def hardware_figures(root: Path) -> dict[str, Any]:
    """The rows of each file, what is configured, and what others published: the study of spec/published.json first."""
    found = {path.stem: json.loads(path.read_text())["rows"] for path in sorted((root / FIGURES).glob("*.json"))}
    others, study = json.loads((root / PUBLISHED).read_text()), published()["fpga"]
    of_study = [{key: study[key] for key in ("source", "device")} | row for row in study["rows"]]
    sources = {study["source"]: {"cited_as": cited_as(study["source"]), "counts": study["conditions"]}}
    merged = {"sources": sources | others["sources"], "operations": of_study + others["operations"]}
    configured = tomllib.loads((root / CONFIGURATIONS).read_text())["configuration"]
    return found | {
        "configurations": configured,
        "published": others | merged | {"improvements": study["improvements"]},
    }


def kind_of(core: dict) -> str:
    """Nothing for a core that is none of these. One of all operations and further parameters is in the design space."""
    if len(core["operations"]) == len(CORE):
        levels = {sets()[name]["level"] for name in core["sets"]}
        return "" if core.get("further") else LEVEL if len(levels) == 1 else ALL
    return ONE if len(core["operations"]) == len(core["sets"]) == 1 else ""


def further_of(core: dict) -> list[str]:
    """Its parameters beside Ops and Sets, in words."""
    return [f"{key} = {value}" for key, value in core.get("further", {}).items()]


def key_words(set_name: str, operation: str) -> int:
    """The words of keys that an operation's streams carry: NTRU's key generation sends both keys, all others dk."""
    facts = sets()[set_name]
    both = operation == "keygen" and facts["family"] == "NTRU"
    keys = {"keygen": ["ek", "dk"] if both else ["dk"], "encaps": ["ek"], "decaps": ["dk"]}[operation]
    return sum(-(-facts["sizes"][key] // WORD) for key in keys)


@dataclass(frozen=True)
class Point:
    """An operation of a set on a core; on a device if it was routed there."""

    core: dict
    set: str
    operation: str
    cycles: int
    interval: int
    clock: dict | None = None

    @property
    def level(self) -> int:
        return sets()[self.set]["level"]

    @property
    def us(self) -> float:
        """At the median clock."""
        return self.cycles / self.clock["MHz"] if self.clock else float("nan")

    @property
    def per_second(self) -> float:
        return self.clock["MHz"] * 1e6 / self.interval if self.clock else float("nan")

    @property
    def per_million(self) -> float:
        """Operations in a million cycles."""
        return 1e6 / self.interval


class Figures:
    """The content of hw/syn/figures and hw/syn/published.json; nothing if there is none."""

    def __init__(self, raw: dict[str, Any] | None) -> None:
        raw = raw or {}
        cycles = raw.get("cycles", [])
        self.cycles = {(row["set"], row["operation"]): row for row in cycles if not row.get("further")}
        self.further_cycles = [row for row in cycles if row.get("further")]
        self.area: list[dict] = raw.get("area", [])
        self.areas: dict[str, dict] = {core["name"]: core for core in self.area}
        # Those to be measured; results of old have those that were.
        self.configurations: list[dict] = raw.get("configurations", self.area)
        self.gates = {row["name"]: row for row in raw.get("gates", [])}
        placed = {key: [row for row in raw.get(key, []) if row["seeds"]] for key in DEVICES}
        self.clocks = {key: {row["name"]: row for row in rows} for key, rows in placed.items() if rows}
        # Those without a placement that nextpnr found.
        self.unplaced = {key: {row["name"] for row in raw.get(key, []) if not row["seeds"]} for key in DEVICES}
        self.published: dict = raw.get("published") or {"sources": {}, "operations": []}
        self.sets = list(dict.fromkeys(name for name, _ in self.cycles))

    def kept(self, core: dict, set_name: str, operation: str) -> dict | None:
        """The cycles of an operation on this core."""
        if not core.get("further"):
            return self.cycles.get((set_name, operation))
        rows = (row for row in self.further_cycles if (row["set"], row["operation"]) == (set_name, operation))
        return next((row for row in rows if row["further"] == core["further"]), None)

    def of_kind(self, kind: str) -> list[dict]:
        return [core for core in self.area if kind_of(core) == kind]

    def devices(self, kind: str) -> list[str]:
        """On which cores of this kind were routed."""
        names = {core["name"] for core in self.of_kind(kind)}
        return [device for device, rows in self.clocks.items() if names & set(rows)]

    def points(self, kind: str, device: str = "") -> list[Point]:
        """Each operation of each set once."""
        found = [self.point(kind, name, operation, device) for name in self.sets for operation in CORE]
        return [point for point in found if point]

    def point(self, kind: str, set_name: str, operation: str, device: str = "") -> Point | None:
        """On the core with fewest sets; with a device, on one that was routed there."""
        clocks = self.clocks.get(device, {})
        cores = [
            core for core in _holding(self.area, kind, set_name, operation) if not device or core["name"] in clocks
        ]
        if not cores:
            return None
        core = min(cores, key=lambda core: len(core["sets"]))
        row = self.kept(core, set_name, operation)
        clock = clocks.get(core["name"])
        return Point(core, set_name, operation, row["cycles"], row["interval"], clock) if row else None

    def lacking(self, kind: str, set_name: str, operation: str, device: str = "") -> str:
        """Why there is no point; nothing if no core is configured for it."""
        if next(_holding(self.configurations, kind, set_name, operation), None) is None:
            return ""
        if (set_name, operation) not in self.cycles:
            return NO_CYCLES
        cores = list(_holding(self.area, kind, set_name, operation))
        if not cores:
            return NO_AREA
        none = {core["name"] for core in cores} <= self.unplaced.get(device, set())
        return UNPLACED if none else NO_CLOCK


def _holding(rows: list[dict], kind: str, set_name: str, operation: str) -> Iterator[dict]:
    """The cores of this kind that have the set and the operation."""
    found = (row for row in rows if kind_of(row) == kind)
    return (row for row in found if set_name in row["sets"] and operation in row["operations"])

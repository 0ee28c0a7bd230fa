"""The ranking of cores of one operation and one level: in cycles, and in time on each device that was routed; level by
level as NIST files the sets, and as the study of spec/published.json does; and the study's own ranking beside it.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from latkem_evaluate import facts, format
from latkem_evaluate.hardware import (
    DEVICES,
    NO_AREA,
    NO_CLOCK,
    NO_CYCLES,
    NO_GATES,
    ONE,
    UNPLACED,
    Figures,
    further_of,
    kind_of,
)
from latkem_evaluate.palette import OPERATIONS, SCHEMES, scheme_of
from latkem_evaluate.results import CORE
from latkem_evaluate.table import EMPTY, Cell, Row, Table, missing, published

NIST, STUDY = "nist", "study"
FILINGS = {NIST: "NIST's categories", STUDY: "the study's filing"}
CYCLES = "cycles"
"""The measure that needs no device; the others are the keys of DEVICES."""
PLACEMENTS = 3
"""A clock of fewer is not ranked."""
FEW = "too few placements"


@dataclass(frozen=True)
class Contender:
    """A core of one operation and one level, and what is known of it."""

    set: str
    further: tuple[str, ...]  # parameters
    operation: str
    cycles: dict | None
    area: dict | None
    gates: dict | None
    clocks: dict[str, dict]  # by device
    unplaced: frozenset[str]  # devices that nextpnr found no placement on

    def taken(self, measure: str) -> float | None:
        """Cycles, or µs at the median clock."""
        if not self.cycles:
            return None
        if measure == CYCLES:
            return self.cycles["cycles"]
        clock = self.clocks.get(measure)
        return self.cycles["cycles"] / clock["MHz"] if clock and len(clock["seeds"]) >= PLACEMENTS else None

    def spread(self, measure: str) -> float:
        """The fastest placement's clock over the slowest's."""
        clock = self.clocks.get(measure)
        return max(clock["seeds"]) / min(clock["seeds"]) if clock else 1.0

    def lacking(self, measure: str) -> str:
        """Why it has no place."""
        if not self.cycles:
            return NO_CYCLES
        return FEW if measure in self.clocks else UNPLACED if measure in self.unplaced else NO_CLOCK


@dataclass(frozen=True)
class Place:
    """In a ranking: from one below those that are faster by more than the spread to one above those that are slower."""

    best: int
    worst: int
    contender: Contender

    @property
    def text(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


def tied(one: Contender, other: Contender, measure: str) -> bool:
    """Whether the ratio of both is under the wider spread of their placements."""
    times = sorted((one.taken(measure) or 0, other.taken(measure) or 0))
    return times[1] <= times[0] * max(one.spread(measure), other.spread(measure))


def ranked(contenders: Sequence[Contender], measure: str) -> list[Place]:
    """Those that have been measured, fastest first."""
    found = sorted((each for each in contenders if each.taken(measure)), key=lambda each: each.taken(measure) or 0)

    def apart(one: Contender, other: Contender) -> bool:
        return not tied(one, other, measure)

    return [
        Place(
            1 + sum(apart(each, other) for other in found[:at]),
            len(found) - sum(apart(each, other) for other in found[at + 1 :]),
            each,
        )
        for at, each in enumerate(found)
    ]


class CoreRanking:
    """All cores of one operation and one level that are configured, measured or not."""

    filings = FILINGS

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        study = facts.published()["fpga"]
        self.study = {row["set"]: row for row in study["rows"]}
        self.cited = facts.cited_as(study["source"])
        self.contenders = [self._contender(row) for row in figures.configurations if kind_of(row) == ONE]

    def _contender(self, row: dict) -> Contender:
        name, (set_name,), (operation,) = row["name"], row["sets"], row["operations"]
        clocks = {device: rows[name] for device, rows in self.figures.clocks.items() if name in rows}
        cycles = self.figures.kept(row, set_name, operation)
        return Contender(
            set_name,
            tuple(further_of(row)),
            operation,
            cycles,
            self.figures.areas.get(name),
            self.figures.gates.get(name),
            clocks,
            frozenset(device for device, names in self.figures.unplaced.items() if name in names),
        )

    @property
    def simulated(self) -> set[str]:
        """The schemes with known cycles."""
        return {scheme_of(each.set).title for each in self.contenders if each.cycles}

    @property
    def measures(self) -> dict[str, str]:
        """Cycles, then each device on which a core was routed."""
        routed = {device for each in self.contenders for device in each.clocks}
        return {CYCLES: CYCLES} | {device: f"µs on {title}" for device, title in DEVICES.items() if device in routed}

    def level(self, name: str, filing: str) -> int:
        """Zero for a set that the study does not file."""
        if filing == NIST:
            return facts.sets()[name]["level"]
        return self.study.get(_study_name(name), {"level": 0})["level"]

    def groups(self, filing: str) -> dict[int, dict[str, list[Contender]]]:
        """The contenders of each level and operation."""
        found: dict[int, dict[str, list[Contender]]] = {}
        for each in self.contenders:
            if level := self.level(each.set, filing):
                found.setdefault(level, {name: [] for name in CORE})[each.operation].append(each)
        return dict(sorted(found.items()))

    # Tables

    def table(self, measure: str, filing: str) -> Table:
        """In the study's form: fastest first at each level, the ratio to the best; then those that have no place."""
        timed = measure != CYCLES
        columns = ["rank", "core", "µs" if timed else "cycles", "op/s" if timed else "op/Mcycle", "× best"]
        table = Table([(OPERATIONS[name], len(columns)) for name in CORE], columns * len(CORE), names=("core",))
        for level, operations in self.groups(filing).items():
            sides = [_rows(operations[name], measure) for name in CORE]
            blank = [EMPTY] * len(columns)
            rows = [
                Row(str(level), [cell for side in sides for cell in (side[at] if at < len(side) else blank)])
                for at in range(max(map(len, sides)))
            ]
            table.groups.append(rows)
        return table

    def detail_table(self) -> Table:
        """All that is known of each core, and the clock at which it takes as long as the study's."""
        devices = [device for device in self.measures if device != CYCLES] or [next(iter(DEVICES))]
        columns = ["core", "cycles", "interval", "LUT", "DSP", "RAMB36", *(DEVICES[device] for device in devices)]
        columns += ["kGE", "path, ns", "study's µs", "ties at"]
        table = Table([], columns, names=("core",))
        for level, operations in self.groups(NIST).items():
            for name, group in operations.items():
                rows = [Row(str(level), self._details(each, devices), OPERATIONS[name]) for each in group]
                table.groups += [rows] if rows else []
        return table

    def _details(self, each: Contender, devices: list[str]) -> list[Cell]:
        cells = [Cell(", ".join([each.set, *each.further]), kind="name")]
        cells += _known(each.cycles, {"cycles": format.grouped, "interval": format.grouped}, NO_CYCLES)
        cells += _known(each.area, dict.fromkeys(("LUT", "DSP", "RAMB36"), "{:g}".format), NO_AREA)
        cells += [_clock(each, device) for device in devices]
        cells += _known(each.gates, {"GE": lambda gates: f"{gates / 1e3:.1f}", "path_ns": "{:.2f}".format}, NO_GATES)
        return cells + self._tie(each)

    def _tie(self, each: Contender) -> list[Cell]:
        """The study's time, and the clock that ties it: of round 3 of Kyber, which is what the study built."""
        name = _study_name(each.set)
        if name not in self.study:
            return [EMPTY, EMPTY]
        us = self.study[name]["us"][CORE.index(each.operation)]
        row = each.cycles if name == each.set else self.figures.cycles.get((name, each.operation))
        tie = Cell(f"{row['cycles'] / us:.0f} MHz") if row else missing(NO_CYCLES)
        return [published(format.stated(us)), tie]

    # In words

    def _all(self, measure: str, filing: str) -> Iterator[list[Place]]:
        """The rankings that have two places or more."""
        for group in self._compared(measure, filing):
            yield ranked(group, measure)

    def _compared(self, measure: str, filing: str) -> Iterator[list[Contender]]:
        """The contenders of each of these, with those that have no place."""
        for operations in self.groups(filing).values():
            yield from (group for group in operations.values() if len(ranked(group, measure)) > 1)

    @property
    def rankings(self) -> int:
        """How many there are on the first screen."""
        return len(list(self._all(self.decisive, NIST)))

    def winners(self, measure: str, filing: str = NIST) -> dict[tuple[str, ...], int]:
        """How often a scheme is first, the most frequent first; then those that tie."""
        found = Counter(_schemes(places) for places in self._all(measure, filing))
        return dict(sorted(found.items(), key=lambda item: (len(item[0]), -item[1])))

    def summary(self, measure: str, filing: str = NIST) -> str:
        """Which scheme is first how often, and in how many rankings a core is missing."""
        winners = self.winners(measure, filing)
        parts = [
            f"{format.listed(titles, 'or')}{' (a tie)' if len(titles) > 1 else ''} in {count}"
            for titles, count in winners.items()
        ]
        said = "cycles" if measure == CYCLES else f"time on {DEVICES[measure]}"
        count = sum(winners.values())
        if not parts:
            return ""
        partial = sum(not all(each.taken(measure) for each in group) for group in self._compared(measure, filing))
        without = f" {partial} of these {'lacks' if partial == 1 else 'lack'} a core." if partial else ""
        return f"Of {count} ranking{'s' * (count != 1)} in {said}, first is {'; '.join(parts)}.{without}"

    @cached_property
    def decisive(self) -> str:
        """The measure of the first screen: time on the first device that ranks as many as cycles do, or cycles."""
        count = {measure: len(list(self._all(measure, NIST))) for measure in self.measures}
        return next((measure for measure in count if measure != CYCLES and count[measure] == count[CYCLES]), CYCLES)

    def findings(self, measure: str, filing: str) -> dict[int, str]:
        """For each level who is first, by how much, and what is missing."""
        found = {}
        for level, operations in self.groups(filing).items():
            parts = [
                f"{OPERATIONS[name].lower()}: {_verdict(ranked(group, measure), measure)}"
                for name, group in operations.items()
                if len(ranked(group, measure)) > 1
            ]
            groups = [each for group in operations.values() for each in group]
            without = list(_without([each for each in groups if not each.taken(measure)], measure))
            if parts:
                found[level] = "; ".join([*parts, *without]) + "."
        return found

    def beside_study(self, measure: str) -> str:
        """The differences between the study's order and this one, and their size."""
        differing, compared = [], 0
        for level, operations in self.groups(STUDY).items():
            for place, name in enumerate(CORE):
                group = [each for each in operations[name] if each.taken(measure)]
                for pair in combinations(group, 2):
                    compared += 1
                    if said := self._reversed(pair, place, measure):
                        differing.append(f"Level {level}, {OPERATIONS[name].lower()}: {said}")
        if not compared:
            return ""
        same = f"Of {compared} pairs that both rank, {compared - len(differing)} have the same order or are a tie here."
        return " ".join([same, *differing])

    def _reversed(self, pair: tuple[Contender, Contender], place: int, measure: str) -> str:
        """The text about a pair that the study orders differently; nothing about a tie."""
        fast, slow = sorted(pair, key=lambda each: each.taken(measure) or 0)
        theirs = [self.study[_study_name(each.set)]["us"][place] for each in (fast, slow)]
        if tied(fast, slow, measure) or theirs[0] <= theirs[1]:
            return ""
        own = (slow.taken(measure) or 0) / (fast.taken(measure) or 1)
        study = format.times(theirs[0] / theirs[1])
        return f"{fast.set} is ahead of {slow.set} by {format.times(own)}; in the study it is behind by {study}."


def _study_name(name: str) -> str:
    """The study built Kyber of round 3; ML-KEM is shown beside it."""
    return name.replace("ML-KEM-", "Kyber")


def _rows(group: Sequence[Contender], measure: str) -> list[list[Cell]]:
    places = ranked(group, measure)
    without = [each for each in group if not each.taken(measure)]
    return [_placed(place, places[0], measure) for place in places] + [
        [EMPTY, Cell(each.set, kind="name"), missing(each.lacking(measure)), EMPTY, EMPTY] for each in without
    ]


def _placed(place: Place, first: Place, measure: str) -> list[Cell]:
    each = place.contender
    taken, best = each.taken(measure) or 0, first.contender.taken(measure) or 1
    clock = each.clocks.get(measure)
    if clock and each.cycles:
        ends = [each.cycles["cycles"] / bound(clock["seeds"]) for bound in (max, min)]
        time = Cell(format.significant(taken), "–".join(map(format.significant, ends)))
        rate = Cell(format.rate(clock["MHz"] * 1e6 / each.cycles["interval"]))
    else:
        time = Cell(format.grouped(round(taken)))
        rate = Cell(format.significant(1e6 / each.cycles["interval"] if each.cycles else 0))
    tie = place is not first and tied(each, first.contender, measure)
    ratio = Cell(format.times(taken / best), "tie" if tie else "")
    return [Cell(place.text), Cell(each.set, kind="name"), time, rate, ratio]


def _known(row: dict | None, texts: dict, why: str) -> list[Cell]:
    """The figures of a row; if there is none why not, once."""
    if not row:
        return [missing(why), *[EMPTY] * (len(texts) - 1)]
    return [Cell(text(row[key])) for key, text in texts.items()]


def _clock(each: Contender, device: str) -> Cell:
    row = each.clocks.get(device)
    if not row:
        return missing(UNPLACED if device in each.unplaced else NO_CLOCK)
    seeds = sorted(row["seeds"])
    return Cell(f"{row['MHz']:.1f} MHz", f"{seeds[0]:.1f}–{seeds[-1]:.1f}, {len(seeds)} placements")


def _without(contenders: Sequence[Contender], measure: str) -> Iterator[str]:
    """For each reason the sets that have no place for it, with their operations if they are not all."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for each in contenders:
        reasons.setdefault(each.lacking(measure), {}).setdefault(each.set, []).append(each.operation)
    for why, found in reasons.items():
        names = [name if len(ops) == len(CORE) else f"{name} ({', '.join(ops)})" for name, ops in found.items()]
        yield f"{why}: {format.listed(names)}"


def _first(places: Sequence[Place]) -> list[Contender]:
    return [place.contender for place in places if place.best == 1]


def _schemes(places: Sequence[Place]) -> tuple[str, ...]:
    found = {scheme_of(each.set) for each in _first(places)}
    return tuple(scheme.title for scheme in SCHEMES if scheme in found)


def _verdict(places: Sequence[Place], measure: str) -> str:
    first = _first(places)
    names = format.listed([each.set for each in first])
    if len(first) == 1:
        ratio = (places[1].contender.taken(measure) or 0) / (first[0].taken(measure) or 1)
        return f"{names}, {format.times(ratio)} ahead of {places[1].contender.set}"
    if measure == CYCLES:
        return f"{names} are a tie"
    ratio = (first[-1].taken(measure) or 0) / (first[0].taken(measure) or 1)
    widest = max(each.spread(measure) for each in first)
    return f"{names} are a tie: {format.times(ratio)} is under the spread of the placements, {format.times(widest)}"

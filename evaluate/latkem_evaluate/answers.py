"""The first screen: how fast is what, beside whom, on which machine, how sure.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.conformance import FAIL, NOT_RUN, PASS
from latkem_evaluate.palette import Scheme, scheme_of
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.sections.conformance import Conformance
from latkem_evaluate.sections.hardware import Hardware
from latkem_evaluate.sections.hardware_ranking import NIST
from latkem_evaluate.sections.peers import Lead, Peers
from latkem_evaluate.sections.stack import Stack
from latkem_evaluate.sections.trust import Trust
from latkem_evaluate.table import EMPTY, Cell, time_cell

SHOWN_FIRST = 3
"""The level that is shown until the reader picks another."""


@dataclass(frozen=True)
class Line:
    """A parameter set on the fastest backend: times in µs, and what they are beside."""

    name: str
    scheme: Scheme
    times: list[Cell]
    widths: list[float]  # of the bar's parts, in per cent of the slowest set's bar
    speedup: Cell
    rival: Cell
    sent: str


class Answers:
    def __init__(
        self,
        results: Results,
        conformance: Conformance,
        peers: Peers,
        trust: Trust,
        stack: Stack,
        hardware: Hardware,
    ) -> None:
        self.results = results
        self.conformance = conformance
        self.peers = peers
        self.trust = trust
        self.stack = stack
        self.cores = hardware.ranking
        self.operations = CORE
        self.backend = results.fastest

    @cached_property
    def levels(self) -> dict[int, list[Line]]:
        """The lines of each level, fastest first."""
        by_level: dict[int, list[tuple[float, Line]]] = {}
        for entry in self.results.sets:
            rows = self._rows(entry["name"], self.backend)
            if rows is not None:
                total = float(rows["ns"].sum())
                by_level.setdefault(entry["level"], []).append((total, self._line(entry, rows)))
        ordered = {level: sorted(lines, key=lambda line: line[0]) for level, lines in sorted(by_level.items())}
        return {level: [line for _, line in lines] for level, lines in ordered.items()}

    @property
    def has_rivals(self) -> bool:
        return bool(self.peers.leads())

    @property
    def shown_first(self) -> int:
        return SHOWN_FIRST if SHOWN_FIRST in self.levels else next(iter(self.levels), 0)

    def _rows(self, name: str, backend: str) -> pd.DataFrame | None:
        """The three operations of the wire tier in their order; None where one is missing."""
        rows = self.results.rows(tier="wire", set=name, backend=backend).set_index("operation")
        return rows.loc[list(CORE)] if set(CORE) <= set(rows.index) else None

    @cached_property
    def _slowest(self) -> dict[int, float]:
        """The longest bar of each level."""
        found: dict[int, float] = {}
        for entry in self.results.sets:
            rows = self._rows(entry["name"], self.backend)
            if rows is not None:
                found[entry["level"]] = max(found.get(entry["level"], 0.0), float(rows["ns"].sum()))
        return found

    def _line(self, entry: dict, rows: pd.DataFrame) -> Line:
        name, longest = entry["name"], self._slowest[entry["level"]]
        return Line(
            name,
            scheme_of(name),
            [time_cell(row, 1e3) for _, row in rows.iterrows()],
            [round(100 * float(ns) / longest, 2) for ns in rows["ns"]],
            self._speedup(name, rows),
            self._rival(name),
            format.grouped(entry["ek_bytes"] + entry["ct_bytes"]),
        )

    def _speedup(self, name: str, rows: pd.DataFrame) -> Cell:
        """Of the three operations together over portable C."""
        portable = self._rows(name, self.results.backends[0])
        if portable is None or not self.results.several_backends:
            return EMPTY
        ratio = float(portable["ns"].sum() / rows["ns"].sum())
        return Cell(format.times(ratio, ratio * (rows["width"].max() + portable["width"].max()) / 2))

    def _rival(self, name: str) -> Cell:
        """The closest race of the three operations."""
        leads = [lead for (set_name, _), lead in self.peers.leads().items() if set_name == name]
        if not leads:
            return EMPTY
        closest: Lead = min(leads, key=lambda lead: lead.middle)
        apart = closest.low > 1 or closest.high < 1
        return Cell(closest.text if apart else "not told apart", closest.rival)

    # In words

    @property
    def lead(self) -> str:
        counts = self.conformance.counts
        failed = f"{counts[FAIL]} of {sum(counts.values())} conformance checks FAILED. " if counts[FAIL] else ""
        name = self.results.set_names[1]
        rows = self._rows(name, self.backend)
        if rows is None:
            return f"{failed}No operations were measured."
        times = " / ".join(time_cell(row, 1e3).text for _, row in rows.iterrows())
        noisy = " These numbers are noisy." if rows["noisy"].any() else ""
        return (
            f"{failed}{name} takes {times} µs for key generation / encapsulation / decapsulation on one core, with the "
            f"{self.backend} backend and all checks on.{noisy}"
        )

    @property
    def hardware(self) -> dict[int, str]:
        """For each level who is first among the cores."""
        measure = self.cores.decisive
        found = self.cores.findings(measure, NIST)
        return {level: f"In hardware, in {self.cores.measures[measure]}: {said}" for level, said in found.items()}

    @property
    def tiles(self) -> list[tuple[str, Cell]]:
        """With the chapter that each leads to."""
        return [
            ("conformance", self._conformance_tile()),
            ("trust", self._trust_tile()),
            ("stack", self._stack_tile()),
            ("peers", self._peers_tile()),
            *([("hardware", self._hardware_tile())] if self.cores.rankings else []),
        ]

    def _conformance_tile(self) -> Cell:
        counts = self.conformance.counts
        ran = counts[PASS] + counts[FAIL]
        skipped = f", {counts[NOT_RUN]} not run" if counts[NOT_RUN] else ""
        fine = counts[FAIL] == 0 and ran > 0
        return Cell(f"{counts[PASS]} of {ran}", f"conformance checks passed{skipped}", "good" if fine else "bad")

    def _trust_tile(self) -> Cell:
        if not self.trust.shown:
            return Cell("–", "nothing was measured", "bad")
        noisy = len(self.trust.noisy)
        said = f"the median row's error; {noisy} of {self.trust.count} rows noisy"
        return Cell(f"±{format.percent(self.trust.error)}", said, "warn" if noisy > self.trust.count / 10 else "good")

    def _stack_tile(self) -> Cell:
        frame = self.stack.frame
        if frame.empty:
            return Cell("–", "stack not measured", "warn")
        small = self.stack.limits[0]
        fits = int((frame["bytes"] <= 1024 * small).sum())
        return Cell(f"{fits} of {len(frame)}", f"operations fit a stack of {small} KiB; no heap", "")

    def _peers_tile(self) -> Cell:
        leads = list(self.peers.leads().values())
        if not leads:
            return Cell("–", "beside other libraries: not measured yet", "")
        won = sum(lead.low > 1 for lead in leads)
        return Cell(f"{won} of {len(leads)}", "operations faster than the fastest rival's", "")

    def _hardware_tile(self) -> Cell:
        measure = self.cores.decisive
        (titles, count), *_ = self.cores.winners(measure).items()
        said = f"first in {count} of {self.cores.rankings} rankings of cores, in {self.cores.measures[measure]}"
        return Cell(format.listed(titles, "or"), said, "")

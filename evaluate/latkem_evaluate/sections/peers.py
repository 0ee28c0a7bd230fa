"""The comparison with other libraries, where the program that makes it has left its results.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, ratio_chart
from latkem_evaluate.estimates import NOISY_WIDTH
from latkem_evaluate.facts import families
from latkem_evaluate.palette import OPERATIONS, SCHEMES, Scheme, scheme_of
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, time_cell

OWN = "latkem"
TEXTS = ["library", "version", "backend", "set", "operation", "tier", "checks", "rng"]
TIMES = {"median_ns": "ns", "q1_ns": "low_ns", "q3_ns": "high_ns"}
COMMAND = "make peers"


@dataclass(frozen=True)
class Lead:
    """A rival's time by latkem's, with the quartiles of the rounds: above 1 latkem is faster."""

    rival: str
    middle: float
    low: float
    high: float

    @property
    def text(self) -> str:
        return format.times(self.middle, (self.high - self.low) / 2)


class Peers(Section):
    """The rows of the tiers and schemes with another library in them, the ratios of single rounds, and the bars."""

    key = "peers"
    title = "Beside other libraries"
    command = COMMAND

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        found = self.raw["peers"] or {}
        frame = pd.DataFrame(found.get("rows", []), columns=[*TEXTS, *TIMES]).rename(columns=TIMES)
        frame["scheme"] = frame["set"].map(lambda name: scheme_of(name).key)
        rivals = frame[frame["library"] != OWN]
        keys = set(zip(rivals["tier"], rivals["scheme"], strict=True))
        contested = [key in keys for key in zip(frame["tier"], frame["scheme"], strict=True)]
        self.rows = frame[pd.Series(contested, index=frame.index, dtype=bool)].copy()
        self.rows["label"] = self.rows["library"] + " (" + self.rows["backend"] + ")"
        self.rows["width"] = (self.rows["high_ns"] - self.rows["low_ns"]) / self.rows["ns"]
        self.rows["noisy"] = self.rows["width"] > NOISY_WIDTH
        known = dict.fromkeys([*results.set_names, *families()])
        self.sets = [name for name in known if name in set(self.rows["set"])]
        self.ratios = _ratios(found.get("ratios", []), self.sets)
        self.raw_bars = found.get("bars", [])
        self.context = found.get("context", {})

    @property
    def date(self) -> str:
        return str(self.context.get("date", ""))[:10]

    @property
    def made(self) -> str:
        """When, with which latkem."""
        version = self.context.get("latkem_version")
        parts = [self.date and f"on {self.date}", version and f"with latkem {version}"]
        return " ".join(part for part in parts if part)

    @property
    def answer(self) -> str:
        if self.rows.empty:
            return f"Not measured yet: {COMMAND} does it, and the next report shows it."
        leads = self.leads()
        won = sum(lead.low > 1 for lead in leads.values())
        lost = sum(lead.high < 1 for lead in leads.values())
        even = len(leads) - won - lost
        if not leads:
            return f"Measured {self.made}."
        parts = [f"faster in {won}", *([f"not told apart in {even}"] if even else []), f"slower in {lost}"]
        return f"Of {len(leads)} operations beside the fastest rival, latkem is {', '.join(parts)} ({self.made})."

    def leads(self) -> dict[tuple[str, str], "Lead"]:
        """By set and operation: latkem's best backend beside the fastest rival. Hybrids of TLS are made for the tier of
        the handshake, all others are compared in the wire tier."""
        tier, in_handshake = self.ratios["tier"], self.ratios["tier"] == "handshake"
        shaken = self.ratios["set"].isin(self.ratios["set"][in_handshake])
        found = {}
        for key, here in self.ratios[in_handshake | ((tier == "wire") & ~shaken)].groupby(
            ["set", "operation"], sort=False
        ):
            best = here.loc[here.groupby("rival")["middle"].idxmax()]
            row = best.loc[best["middle"].idxmin()]
            found[key] = Lead(str(row["rival"]), float(row["middle"]), float(row["low"]), float(row["high"]))
        return found

    def charts(self) -> list[Chart]:
        return [ratio_chart(self.ratios_of(*key), *key) for key in self.compared()]

    @property
    def schemes(self) -> list[Scheme]:
        return [scheme for scheme in SCHEMES if scheme.key in set(self.rows["scheme"])]

    def tiers(self, scheme: Scheme) -> list[str]:
        return list(dict.fromkeys(self.rows["tier"][self.rows["scheme"] == scheme.key]))

    def libraries(self) -> Table:
        """The work of each library within the time."""
        table = Table([], ["version", "tier", "checks", "randomness"])
        for scheme in self.schemes:
            rows = self.rows[self.rows["scheme"] == scheme.key].drop_duplicates(["label", "tier"])
            group = [
                Row(r.label, [Cell(str(r.version)), Cell(r.tier), Cell(r.checks), Cell(r.rng)], scheme.title)
                for r in rows.itertuples()
            ]
            table.groups.append(group)
        return table

    def table(self, scheme: Scheme, tier: str) -> Table:
        rows = self.rows[(self.rows["tier"] == tier) & (self.rows["scheme"] == scheme.key)]
        names = [name for name in OPERATIONS if name in set(rows["operation"])]
        table = Table([(OPERATIONS[name], 2) for name in names], ["µs", "× latkem"] * len(names))
        for set_name in (name for name in self.sets if name in set(rows["set"])):
            here = rows[rows["set"] == set_name]
            table.groups.append([_row(here, label, set_name, names) for label in dict.fromkeys(here["label"])])
        return table

    def bars(self) -> Table:
        """The limits of latkem: a part of another's time at most, in the worst case."""
        table = Table([], ["limit", "worst", "where", "verdict"], names=("where", "verdict"))
        rows = [_bar_row(bar) for bar in self.raw_bars]
        table.groups += [rows] if rows else []
        return table

    def compared(self) -> list[tuple[Scheme, str]]:
        """The schemes and tiers that have ratios."""
        keys = [(scheme, tier) for scheme in self.schemes for tier in self.tiers(scheme)]
        return [key for key in keys if not self.ratios_of(*key).empty]

    def ratios_of(self, scheme: Scheme, tier: str) -> pd.DataFrame:
        mine = self.ratios["set"].map(lambda name: scheme_of(name).key == scheme.key).astype(bool)
        return self.ratios[mine & (self.ratios["tier"] == tier)]


def _ratios(raw: list[dict], sets: Sequence[str]) -> pd.DataFrame:
    """The rival's time by latkem's, the other way round than in the results, set by set."""
    keys = ["set", "rival", "backend", "tier", "operation"]
    frame = pd.DataFrame(raw, columns=[*keys, "ratio_rounds", "ratio_q1", "ratio_q3"])
    frame = frame[frame["set"].isin(sets)]
    result = frame[keys].assign(middle=1 / frame["ratio_rounds"], low=1 / frame["ratio_q3"], high=1 / frame["ratio_q1"])
    return result.sort_values("set", key=lambda names: names.map(sets.index), kind="stable", ignore_index=True)


def _bar_row(bar: dict) -> Row:
    """The worst case is a number with its place in words, or an object with both."""
    worst = bar["worst"] if isinstance(bar["worst"], dict) else {"ratio": bar["worst"], "where": bar["where"]}
    where = worst.get("where") or f"{worst['set']} {worst['operation']}, {worst['rival']}"
    verdict = Cell("met", kind="name pass") if bar["met"] else Cell("not met", kind="name fail")
    return Row(
        bar["name"], [Cell(f"{bar['limit']:.2f}"), Cell(f"{worst['ratio']:.3f}"), Cell(where, kind="name"), verdict]
    )


def _row(here: pd.DataFrame, label: str, set_name: str, names: Sequence[str]) -> Row:
    """Times, and their multiples of the time of latkem's fastest backend."""
    own = here[here["library"] == OWN].groupby("operation")["ns"].min()
    by_operation = here[here["label"] == label].set_index("operation")
    cells: list[Cell] = []
    for name in names:
        if name not in by_operation.index:
            cells += [EMPTY, EMPTY]
            continue
        row = by_operation.loc[name]
        cells.append(time_cell(row, 1e3))
        ratio = row["ns"] / own[name] if name in own.index else None
        cells.append(EMPTY if ratio is None else Cell(format.times(ratio, ratio * row["width"])))
    return Row(label, cells, set_name)

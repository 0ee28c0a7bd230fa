"""The packages in other languages: beside the language's own library, and beside the C calls below them.

SPDX-License-Identifier: Apache-2.0
"""

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, binding_chart
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table

OWN, BARE = "latkem", "C"
KEYS = ["language", "set", "operation"]
TIMES = ["q1_ns", "median_ns", "q3_ns"]


class Bindings(Section):
    """Tier binding: key objects are kept, and all libraries of a language took turns in one process."""

    key = "bindings"
    title = "In other languages"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        found: list[dict] = self.raw.get("bindings") or []
        self.documents = [document for document in found if "absent" not in document]
        self.absent = {document["language"]: document["absent"] for document in found if "absent" in document}
        rows = [{"language": d["language"], **row} for d in self.documents for row in d["rows"]]
        self.rows = pd.DataFrame(rows, columns=[*KEYS, "library", *TIMES])
        self.limits = [{"language": d["language"], **bar} for d in self.documents for bar in d["bars"]]

    @property
    def shown(self) -> bool:
        return bool(self.documents or self.absent)

    @property
    def answer(self) -> str:
        if self.rows.empty:
            return "Not measured; the chapter has the reasons."
        spans = ", ".join(filter(None, map(self._span, self.languages)))
        met = sum(bar["met"] for bar in self.limits)
        limits = f" {met} of {len(self.limits)} limits are met." if self.limits else ""
        return f"Other libraries' times by latkem's: {spans}.{limits}"

    @property
    def languages(self) -> list[str]:
        return [document["language"] for document in self.documents]

    def ratios(self) -> pd.DataFrame:
        """The time of each other library, and of C, by latkem's in the same process."""
        own = self.rows[self.rows["library"] == OWN].set_index(KEYS)["median_ns"].rename("own_ns")
        joined = self.rows[self.rows["library"] != OWN].join(own, on=KEYS, how="inner")
        spread = {
            key: joined[time] / joined["own_ns"] for key, time in zip(("low", "middle", "high"), TIMES, strict=True)
        }
        return joined[[*KEYS, "library"]].assign(**spread)

    def _span(self, language: str) -> str:
        """The least and the largest lead over the language's libraries."""
        ratios = self.ratios()
        leads = ratios["middle"][(ratios["language"] == language) & (ratios["library"] != BARE)]
        if leads.empty:
            return ""
        return f"{language} {format.significant(leads.min())}–{format.significant(leads.max())}×"

    def charts(self) -> list[Chart]:
        ratios = self.ratios()
        return [] if ratios.empty else [binding_chart(ratios)]

    def table(self, document: dict) -> Table:
        """Times in a language, and their multiples of latkem's."""
        rows = self.rows[self.rows["language"] == document["language"]]
        table = Table([(OPERATIONS[name], 2) for name in CORE], ["µs", "× latkem"] * len(CORE))
        for set_name, here in rows.groupby("set", sort=False):
            own = here[here["library"] == OWN].set_index("operation")["median_ns"]
            libraries = here.groupby("library", sort=False)
            table.groups.append([Row(str(name), _times(times, own), str(set_name)) for name, times in libraries])
        return table

    def costs(self) -> pd.DataFrame:
        """The nanoseconds that a package adds to the same C call."""
        times = self.rows.set_index("library")
        own, bare = (times[times.index == name].set_index(KEYS)["median_ns"] for name in (OWN, BARE))
        return pd.DataFrame({"bare_ns": bare, "over_ns": own - bare}).dropna()

    def cost_table(self) -> Table:
        costs = self.costs()
        table = Table([(OPERATIONS[name], 2) for name in CORE], ["C, µs", "added, ns"] * len(CORE))
        for language in self.languages:
            sets = [name for where, name in dict.fromkeys((key[0], key[1]) for key in costs.index) if where == language]
            rows = [
                Row(language, [c for op in CORE for c in _cost(costs, (language, name, op))], name) for name in sets
            ]
            table.groups += [rows] if rows else []
        return table

    def limit_table(self) -> Table:
        """The limits that the packages are held to."""
        table = Table([], ["at most", "measured", "verdict"], names=("verdict",))
        for language in dict.fromkeys(bar["language"] for bar in self.limits):
            here = [bar for bar in self.limits if bar["language"] == language]
            table.groups.append([Row(language, _verdict(bar), _place(bar)) for bar in here])
        return table


def _times(rows: pd.DataFrame, own: pd.Series) -> list[Cell]:
    by_operation = rows.set_index("operation")
    cells: list[Cell] = []
    for name in CORE:
        if name not in by_operation.index or name not in own.index:
            cells += [EMPTY, EMPTY]
            continue
        low, middle, high = (by_operation.loc[name, key] / 1e3 for key in TIMES)
        ratio = 1e3 * middle / own[name]
        cells.append(Cell(format.measured(middle, (high - low) / 2), format.span(low, high)))
        cells.append(Cell(format.times(ratio, ratio * (high - low) / middle)))
    return cells


def _cost(costs: pd.DataFrame, key: tuple[str, str, str]) -> list[Cell]:
    if key not in costs.index:
        return [EMPTY, EMPTY]
    bare, over = costs.loc[key]
    added = [text.replace("-", format.MINUS) for text in (f"{over:+.0f}", f"{100 * over / bare:+.0f}{format.THIN}%")]
    return [Cell(format.significant(bare / 1e3)), Cell(*added)]


def _place(bar: dict) -> str:
    return f"{bar['set']}, {OPERATIONS[bar['operation']].lower()}, of {bar['library']}"


def _verdict(bar: dict) -> list[Cell]:
    verdict = Cell("met", kind="name pass") if bar["met"] else Cell("missed", kind="name fail")
    return [Cell(f"{bar['limit']:.2f}"), Cell(f"{bar['ratio']:.2f}"), verdict]

"""Handshakes of TLS 1.3 with latkem's OpenSSL provider, by group, and ML-KEM's share of them.

SPDX-License-Identifier: Apache-2.0
"""

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.bars import bar_chart
from latkem_evaluate.charts import Chart
from latkem_evaluate.handshakes import BY_LATKEM, REFERENCE, ml_kem_of
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.sections.base import DocumentSection
from latkem_evaluate.table import EMPTY, Cell, Row, Table

SHOWN = "X25519MLKEM768"
OWN, OPENSSL = "latkem", "OpenSSL"
QUARTILES = ("low", "middle", "high")


class Tls(DocumentSection):
    """The rows: group, implementation, handshakes a second, and their ratio to the reference's."""

    key = "tls"
    title = "TLS handshakes"
    document_key = "tls"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.rows = _rows(self.document.get("groups", {}))

    @property
    def openssl(self) -> str:
        """Its name and version, without the date."""
        return " ".join(self.document.get("openssl", "").split()[:2])

    @property
    def several(self) -> bool:
        """Whether OpenSSL has ML-KEM itself, so that there are two implementations of a group."""
        return bool(self.rows["group"].duplicated().any())

    @property
    def answer(self) -> str:
        """The ratio of the group that browsers use."""
        if self.absent:
            return f"Not measured: {self.absent}."
        ratios = {row["by"]: _ratio(row) for _, row in self.rows[self.rows["group"] == SHOWN].iterrows()}
        if OWN not in ratios:
            return ""
        other = f"; with OpenSSL's own ML-KEM, {ratios[OPENSSL]}" if OPENSSL in ratios else ""
        many = f"{SHOWN} makes {ratios[OWN]} times as many handshakes a second as {REFERENCE}"
        return f"With latkem, {many}{other}. {self.openssl}, medians and quartiles."

    def charts(self) -> list[Chart]:
        if self.rows.empty:
            return []
        by = self.rows["by"]
        bars = pd.DataFrame(
            {
                "set": self.rows["group"],
                "panel": "ratio",
                "bar": by if self.several else "",
                "part": by,
                "value": self.rows["ratio_middle"],
                "error": (self.rows["ratio_high"] - self.rows["ratio_low"]) / 2,
            }
        ).sort_values("part", key=lambda names: names != OWN, kind="stable")
        title, axis = "TLS 1.3: handshakes by group", "medians of the rounds; longer is faster"
        panels = {"ratio": f"Handshakes a second, by {REFERENCE}'s"}
        return [bar_chart("tls", title, axis, bars, panels, list(dict.fromkeys(self.rows["group"])))]

    def table(self) -> Table:
        """Handshakes a second, their time, and the ratio, with quartiles."""
        table = Table([], ["handshakes a second", f"× {REFERENCE}", "µs for one"])
        for _, here in self.rows.groupby("group", sort=False):
            table.groups.append([_row(row) for _, row in here.iterrows()])
        return table

    def shares(self) -> pd.DataFrame:
        """ML-KEM's operations on the fastest backend, in µs, and the handshakes with them: latkem's groups alone."""
        found = []
        for _, row in self.rows[self.rows["by"] == OWN].iterrows():
            name = ml_kem_of(row["group"])
            timed = self.results.rows(tier="wire", set=name, backend=self.results.fastest).set_index("operation")["ns"]
            if set(CORE) <= set(timed.index):
                times = {operation: timed[operation] / 1e3 for operation in CORE}
                found.append({"group": row["group"], "set": name, **times, "whole": 1e6 / row["rate_middle"]})
        shares = pd.DataFrame(found, columns=["group", "set", *CORE, "whole"])
        shares["kem"] = shares[list(CORE)].sum(axis=1)
        return shares.assign(share=shares["kem"] / shares["whole"])

    def share_table(self) -> Table:
        columns = [*(OPERATIONS[operation].lower() for operation in CORE), "together", "handshake", "share"]
        table = Table([("ML-KEM, µs", len(CORE) + 1), ("TLS", 2)], columns)
        rows = []
        for _, row in self.shares().iterrows():
            cells = [Cell(format.significant(row[key])) for key in (*CORE, "kem", "whole")]
            rows.append(Row(row["group"], [*cells, Cell(format.percent(row["share"]))], row["set"]))
        table.groups.append(rows)
        return table


def _rows(groups: dict[str, dict]) -> pd.DataFrame:
    """By the program's names. A name without properties is OpenSSL's choice, which is latkem where it has no other."""
    several = any(name.endswith(BY_LATKEM) for name in groups)
    rows = []
    for name, values in groups.items():
        group = name.removesuffix(BY_LATKEM)
        own = name != group or (bool(ml_kem_of(group)) and not several)
        quartiles = {
            f"{key}_{place}": value
            for key, title in (("rate", "per_second"), ("ratio", "ratio"))
            for place, value in zip(QUARTILES, values[title], strict=True)
        }
        rows.append({"group": group, "by": OWN if own else OPENSSL, **quartiles})
    columns = [f"{key}_{place}" for key in ("rate", "ratio") for place in QUARTILES]
    return pd.DataFrame(rows, columns=["group", "by", *columns])


def _ratio(row: pd.Series) -> str:
    low, middle, high = (row[f"ratio_{place}"] for place in QUARTILES)
    return f"{format.measured(middle, (high - low) / 2)} ({format.span(low, high)})"


def _row(row: pd.Series) -> Row:
    slow, rate, fast = (row[f"rate_{place}"] for place in QUARTILES)
    low, ratio, high = (row[f"ratio_{place}"] for place in QUARTILES)
    times = (1e6 / fast, 1e6 / slow)
    cells = [
        Cell(format.rate(rate, (fast - slow) / 2), f"{format.rate(slow)}–{format.rate(fast)}"),
        EMPTY if row["group"] == REFERENCE else Cell(format.times(ratio, (high - low) / 2), format.span(low, high)),
        Cell(format.measured(1e6 / rate, (times[1] - times[0]) / 2), format.span(*times)),
    ]
    return Row(row["group"], cells, row["by"])

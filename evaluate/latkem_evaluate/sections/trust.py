"""How far the numbers can be trusted: noise, disturbed blocks, stolen time. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Iterable

import pandas as pd

from latkem_evaluate import estimates, format
from latkem_evaluate.sections.base import Section

LISTED = 8
PLACE = ("tier", "operation", "set", "family", "kernel", "backend")


class Trust(Section):
    key = "trust"
    title = "How sure"
    noisy_width = estimates.NOISY_WIDTH

    @property
    def shown(self) -> bool:
        return not self.results.measured.empty

    @property
    def noisy(self) -> pd.DataFrame:
        rows = self.results.measured
        return rows[rows["noisy"].astype(bool)].sort_values("width", ascending=False)

    @property
    def error(self) -> float:
        """Half the width of the median row's interval."""
        return float(self.results.measured["width"].median()) / 2

    @property
    def answer(self) -> str:
        return f"The median row is known to ±{format.percent(self.error)}; {len(self.noisy)} of {self.count} are noisy."

    @property
    def count(self) -> int:
        return len(self.results.measured)

    def noisiest(self) -> list[str]:
        rows = self.noisy.head(LISTED).to_dict("records")
        places = [" ".join(row[key] for key in PLACE if isinstance(row.get(key), str)) for row in rows]
        return [f"{place} ({format.percent(row['width'])})" for place, row in zip(places, rows, strict=True)]

    # Events that kept the programs from the core

    @property
    def blocks(self) -> int:
        return sum(document["rounds"] * len(document["rows"]) for document in self.results.documents)

    def _sum(self, key: str) -> float:
        return sum(document.get(key, 0) for document in self.results.documents)

    @property
    def retaken(self) -> float:
        """The part of the blocks that was timed again."""
        return self._sum("retaken_blocks") / self.blocks if self.blocks else 0.0

    @property
    def lost(self) -> int:
        return int(self._sum("lost_blocks"))

    @property
    def stolen(self) -> float | None:
        """The part of the time that the hypervisor gave to others; None if the system does not report it."""
        known = [document for document in self.results.documents if "stolen_seconds" in document]
        seconds = self._sum("seconds")
        return self._sum("stolen_seconds") / seconds if known and seconds else None

    @property
    def cycles_note(self) -> str:
        contexts: Iterable[str] = (document["context"].get("cycles", "") for document in self.results.documents)
        return next(iter(contexts), "")

    @property
    def has_cycles(self) -> bool:
        return bool(self.results.operations["cycles"].notna().any())

"""How it was measured, and how to run it again. SPDX-License-Identifier: Apache-2.0"""

from latkem_evaluate import estimates, format
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import Cell, Row, Table


class Method(Section):
    key = "method"
    title = "Method"
    confidence, placement = estimates.CONFIDENCE, estimates.PLACEMENT

    @property
    def answer(self) -> str:
        return f"{self.raw['command']}: {format.minutes(sum(self.raw['seconds'].values()))} in all."

    def rounds(self, kind: str) -> str:
        """Of the processes that timed operations or kernels."""
        return " + ".join(str(document["rounds"]) for document in self.raw["benchmarks"][kind])

    def steps(self) -> Table:
        table = Table([], ["s"])
        table.groups.append([Row(title, [Cell(f"{seconds:.0f}")]) for title, seconds in self.raw["seconds"].items()])
        return table

"""One call of each kernel. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Iterable, Sequence

from latkem_evaluate.palette import GROUPS, group_of
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, measured_cells


class Kernels(Section):
    key = "kernels"
    title = "Kernels"

    @property
    def shown(self) -> bool:
        return not self.results.kernels.empty

    @property
    def answer(self) -> str:
        kernels = self.results.kernels
        return f"{kernels.groupby(['family', 'kernel']).ngroups} kernels and shapes, in nanoseconds a call."

    def table(self) -> Table:
        backends = self.results.backends
        columns = self.results.columns("ns", "cycles", self.results.kernels)
        table = Table([(backend, len(columns)) for backend in backends], columns * len(backends))
        for group in GROUPS:
            rows = [row for row in self._rows(columns) if row.note == group.title]
            if rows:
                table.groups.append(rows)
        return table

    def _rows(self, columns: Sequence[str]) -> Iterable[Row]:
        for (family, kernel), rows in self.results.kernels.groupby(["family", "kernel"], sort=False):
            here = rows.set_index("backend")
            cells: list[Cell] = []
            for name in self.results.backends:
                cells += measured_cells(here.loc[name], columns, 1.0) if name in here.index else [EMPTY] * len(columns)
            yield Row(str(kernel), cells, group_of(str(family), str(kernel)).title)

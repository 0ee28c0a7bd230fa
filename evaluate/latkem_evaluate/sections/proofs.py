"""The proofs of the machine code: the table of `make proofs`, kernel by backend.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from functools import cached_property
from typing import Any

from latkem_evaluate import format
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table

PROVED, UNCHECKED, OPEN, ABSENT = "proved", "forms unchecked", "not proved", "not applicable"
COMPOSED = "proved of kernels"
TAGS = "random tags"  # no proof: a cell has it where nothing else is stated
WORDS = {PROVED: "proved", COMPOSED: "of kernels", UNCHECKED: "forms", TAGS: "tags", OPEN: "open", ABSENT: "none"}
CLASSES = dict.fromkeys((COMPOSED, UNCHECKED, TAGS), "unchecked") | {PROVED: "proved", OPEN: "open", ABSENT: "none"}
WORST_FIRST = (OPEN, UNCHECKED, COMPOSED, PROVED, TAGS, ABSENT)
WHOLE = ("names", "tags")  # domains of whole operations that are compared with their standard

Place = tuple[str, str]  # build and backend


class Proofs(Section):
    key = "proofs"
    title = "What is proved"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.table_of_proofs: dict[str, Any] = self.raw.get("proofs") or {}
        self.rows: list[dict[str, Any]] = self.table_of_proofs.get("rows", [])

    @property
    def shown(self) -> bool:
        return bool(self.rows)

    @cached_property
    def numbers(self) -> Counter:
        return Counter(row["status"] for row in self.rows)

    @property
    def answer(self) -> str:
        others = [(OPEN, "open"), (UNCHECKED, "with unchecked forms"), (COMPOSED, "of kernels without rows here")]
        others.append((TAGS, "shown on random tags alone"))
        told = [f"{self.numbers[status]} {word}" for status, word in others if self.numbers[status]]
        proved = f"{self.numbers[PROVED]} theorems proved of the machine code of {format.listed(list(self.libraries))}"
        return ", ".join([proved, *told]) + "."

    @property
    def libraries(self) -> dict[str, str]:
        """By build, the hash of the library that the theorems are about."""
        return self.table_of_proofs.get("libraries", {})

    @property
    def not_built(self) -> list[str]:
        return self.table_of_proofs.get("not_built", [])

    @property
    def forms(self) -> dict[str, dict[str, int]]:
        """By machine and processor, how many of the forms of instruction that were met were compared with it."""
        return self.table_of_proofs.get("forms", {})

    @cached_property
    def places(self) -> list[Place]:
        return list(dict.fromkeys((row["build"], row["backend"]) for row in self.rows))

    def matrix(self) -> Table:
        """A row for each kernel or operation, a column for each backend of each build."""
        builds = Counter(build for build, _ in self.places)
        table = Table(list(builds.items()), [backend for _, backend in self.places])
        families: dict[str, list[Row]] = {}
        for kernel in dict.fromkeys(row["kernel"] for row in self.rows):
            family, _, name = kernel.rpartition(".")
            cells = [self._cell(kernel, place) for place in self.places]
            families.setdefault(family, []).append(Row(family, cells, name))
        table.groups += families.values()
        return table

    def _cell(self, kernel: str, place: Place) -> Cell:
        """The worst of what is stated of it; all of it where the pointer rests."""
        rows = [row for row in self.rows if row["kernel"] == kernel and (row["build"], row["backend"]) == place]
        if not rows:
            return EMPTY
        status = next(status for status in WORST_FIRST if any(row["status"] == status for row in rows))
        title = "; ".join(dict.fromkeys(f"{row['claim'] or row['detail']}: {row['status']}" for row in rows))
        return Cell(WORDS[status], kind=CLASSES[status], title=title)

    def operations_table(self) -> Table:
        """The claims about whole operations: each once for each outcome, with the operations and the backends."""
        found: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for row in self.rows:
            if row.get("domain") in WHOLE:
                found.setdefault((row["claim"], row["status"]), []).append(row)
        table = Table([], ["of", "where", "status"], names=("of", "where", "status"))
        rows = [
            Row(claim, [_name(_listed(some, "{kernel}")), _name(_listed(some, "{backend} ({build})")), _name(status)])
            for (claim, status), some in found.items()
        ]
        table.groups += [rows] if rows else []
        return table

    def open_table(self) -> Table:
        """The rows that are not proved, and why; backends with the same reason are together."""
        where: dict[tuple[str, str, str], list[str]] = {}
        for row in self.rows:
            if row["status"] in (OPEN, UNCHECKED, COMPOSED):
                key = row["kernel"], row["status"], row["detail"]
                where.setdefault(key, []).append(f"{row['backend']} ({row['build']})")
        table = Table([], ["status", "where", "why"], names=("status", "where", "why"))
        rows = [
            Row(kernel, [_name(status), _name(", ".join(dict.fromkeys(places))), _name(why)])
            for (kernel, status, why), places in where.items()
        ]
        table.groups += [rows] if rows else []
        return table


def _listed(rows: list[dict[str, Any]], form: str) -> str:
    return ", ".join(dict.fromkeys(form.format(**row) for row in rows))


def _name(text: str) -> Cell:
    return Cell(text, kind="name")

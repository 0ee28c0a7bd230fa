"""The table of what is proved: kernel, backend, claim, and what became of it.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from proofs.json_data import Json
from proofs.machine.check import record
from proofs.theorems.theorem import Need

PROVED, NOT_PROVED, NOT_APPLICABLE = "proved", "not proved", "not applicable"
TAGS = "random tags"  # holds for tags in the place of values
UNCHECKED = "forms unchecked"  # would be proved, but met forms of instruction that were compared with no processor
NOTHING = record.Kept("nothing", 0, "")
COMPOSED = "proved of kernels"  # would be proved, but the table has not the rows of all kernels that it rests on
SELDOM = (COMPOSED, TAGS, UNCHECKED)  # not counted where there are none
STATUSES = (PROVED, COMPOSED, TAGS, UNCHECKED, NOT_PROVED, NOT_APPLICABLE)


@dataclass(frozen=True)
class Row:
    build: str
    machine: str
    backend: str
    kernel: str
    variant: int
    claim: str
    domain: str
    status: str
    detail: str  # what is proved beyond the claim, or a witness
    function: str = ""
    instructions: int = 0
    stack: int = 0  # bytes below the stack pointer at the entry, those of the C library's functions left out
    seconds: float = 0.0
    forms: tuple[str, ...] = ()  # of instructions that the proof met
    executed: frozenset[int] = frozenset()  # the addresses of instructions
    of: Need | None = None  # its claim, for rows that rest on it
    rests_on: tuple[Need, ...] = ()  # the claims that it is proved of

    def told(self) -> dict[str, Json]:
        """The content of a file about it."""
        return {key: value for key, value in asdict(self).items() if key not in ("forms", "executed", "of")}


@dataclass
class Table:
    """The rows of a run, and the hash of each library."""

    libraries: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    not_built: list[str] = field(default_factory=list)

    def compose(self) -> None:
        """Looks for the rows that others rest on: an operation is proved where all of its kernels are."""
        status = {(row.build, row.of): row.status for row in self.rows if row.of}
        self.rows = [self._composed(row, status) for row in self.rows]

    def _composed(self, row: Row, status: Mapping[tuple[str, Need], str]) -> Row:
        found = {need: status.get((row.build, need)) for need in row.rests_on}
        stated = {(build, need.claimed) for build, need in status}
        for need, its_status in found.items():
            if row.status == PROVED and its_status is None and (row.build, need.claimed) in stated:
                detail = f"rests on another contract of {need.kernel} than that of its theorem: {need.claim}"
                return replace(row, status=NOT_PROVED, detail=detail)
            if row.status == PROVED and its_status not in (None, PROVED):
                detail = f"rests on {need.kernel}: {need.claim}, which is {its_status}"
                return replace(row, status=NOT_PROVED, detail=detail)
        missing = sorted({need.kernel for need, its_status in found.items() if its_status is None})
        if row.status != PROVED or not missing:
            return row
        return replace(row, status=COMPOSED, detail=f"not in this table: {', '.join(missing)}; {row.detail}")

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.json").write_text(json.dumps(self.as_json(), indent=1) + "\n")
        (folder / "table.txt").write_text(self.as_text())
        (folder / "forms.json").write_text(json.dumps(self.forms(), indent=1) + "\n")

    def as_json(self) -> dict[str, Json]:
        rows = [row.told() for row in self.rows]
        forms = {machine: self.compared(machine) for machine in self.forms()}
        return {"libraries": self.libraries, "not_built": self.not_built, "forms": forms, "rows": rows}

    def forms(self) -> dict[str, list[str]]:
        """By machine, the forms of instructions that proofs met."""
        met: dict[str, set[str]] = {}
        for row in (row for row in self.rows if row.forms):
            met.setdefault(row.machine, set()).update(row.forms)
        return {machine: sorted(forms) for machine, forms in met.items()}

    def compared(self, machine: str) -> dict[str, int]:
        """By processor, how many of the forms that were met were compared with it, on how many states at least."""
        states: dict[str, list[int]] = {}
        for form in self.forms()[machine]:
            kept = record.compared(machine).get(form, NOTHING)
            states.setdefault(kept.processor, []).append(kept.states)
        return {f"{name}, {min(some)} states or more": len(some) for name, some in sorted(states.items())}

    def as_text(self) -> str:
        lines = [f"{name}: liblatkem.so, SHA-256 {digest}" for name, digest in self.libraries.items()]
        lines += [f"{name}: not built, its compiler is not there: not proved" for name in self.not_built]
        lines += [line for machine in self.forms() for line in self._forms_as_text(machine)]
        columns = ("build", "backend", "kernel", "claim", "status", "stack", "s", "detail")
        return "\n".join([*lines, "", *_columns([columns, *map(_cells, self.rows)]), "", summary(self.rows), ""])

    def _forms_as_text(self, machine: str) -> Iterator[str]:
        compared = self.compared(machine)
        yield f"{machine}: {sum(compared.values())} forms of instruction met, each compared with"
        yield from (f"    {name}: {number}" for name, number in compared.items())
        for processor in record.stale(machine):
            yield f"    the record of {processor} is of other meanings: make proofs-check"


def summary(rows: Iterable[Row]) -> str:
    rows = list(rows)
    number = Counter(row.status for row in rows)
    seconds = sum(row.seconds for row in rows)
    told = ", ".join(f"{number[status]} {status}" for status in STATUSES if number[status] or status not in SELDOM)
    return f"{told}; {seconds:.0f} CPU seconds"


def _cells(row: Row) -> tuple[str, ...]:
    kernel = row.kernel + (f" ({row.variant + 1})" if row.variant else "")
    return (
        row.build,
        row.backend,
        kernel,
        row.claim,
        row.status,
        str(row.stack) if row.instructions else "",
        f"{row.seconds:.1f}",
        row.detail,
    )


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return [
        "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[-1]]).rstrip() for row in rows
    ]

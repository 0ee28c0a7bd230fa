"""The AArch64 results that a report shows: this machine's, or else the counts that the repository keeps, and the model
cycles that it keeps of what published studies timed.

SPDX-License-Identifier: Apache-2.0
"""

import json
from pathlib import Path

from latkem_evaluate.steps import first_line

TABLE = Path("bench/aarch64/instructions.txt")
STUDIES = Path("bench/aarch64/studies.txt")


def aarch64_results(root: Path, measured: Path) -> dict:
    """In the form of the file that `make bench-aarch64` writes; one that it wrote in an older form does not count."""
    found = json.loads(measured.read_text()) if measured.exists() else {"costs": [{}]}
    return found if all("native" in cost for cost in found["costs"]) else kept_counts(root)


def kept_counts(root: Path) -> dict:
    context, numbers = _kept(root, TABLE)
    return {"context": context, "costs": [_cost(name, count) for name, count in numbers.items()]}


def kept_studies(root: Path) -> dict:
    """Model cycles by CORE/op/OPERATION/SET/BACKEND and CORE/kernel/FAMILY/KERNEL/BACKEND."""
    context, cycles = _kept(root, STUDIES)
    return context | {"cycles": cycles}


def _kept(root: Path, table: Path) -> tuple[dict[str, str], dict[str, int]]:
    """A table's origin and its numbers, with the commit that it is of; a source tree without git has none."""
    head, *lines = (root / table).read_text().splitlines()
    written = first_line(["git", "-C", str(root), "log", "-1", "--format=%h %cs", "--", str(table)]).split()
    context = {"compiler": head.removeprefix("compiler "), "table": str(table)}
    context |= dict(zip(("commit", "date"), written, strict=False))
    pairs = (line.rsplit(" ", 1) for line in lines)
    return context, {name: int(number) for name, number in pairs}


def _cost(name: str, count: int) -> dict:
    return {"name": name, "instructions": float(count), "classes": {}, "functions": {}, "cycles": {}, "native": 0.0}

"""The AArch64 results that a report shows: this machine's, or else the counts that the repository keeps.

SPDX-License-Identifier: Apache-2.0
"""

import json
from pathlib import Path

from latkem_evaluate.steps import first_line

TABLE = Path("bench/aarch64/instructions.txt")


def aarch64_results(root: Path, measured: Path) -> dict:
    """In the form of the file that `make bench-aarch64` writes."""
    return json.loads(measured.read_text()) if measured.exists() else kept_counts(root)


def kept_counts(root: Path) -> dict:
    """The table of counts with the commit that it is of; a source tree without git has none."""
    head, *lines = (root / TABLE).read_text().splitlines()
    written = first_line(["git", "-C", str(root), "log", "-1", "--format=%h %cs", "--", str(TABLE)]).split()
    context = {"compiler": head.removeprefix("compiler "), "table": str(TABLE)}
    context |= dict(zip(("commit", "date"), written, strict=False))
    return {"context": context, "costs": [_cost(*line.rsplit(" ", 1)) for line in lines]}


def _cost(name: str, count: str) -> dict:
    return {"name": name, "instructions": float(count), "classes": {}, "functions": {}, "cycles": {}}

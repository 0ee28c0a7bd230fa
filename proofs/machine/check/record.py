"""Records of comparisons with processors, kept beside the sources and held against them.

A record is of one processor: the forms that agreed with it, each with its number of states. It counts as long as the
meanings are those that were compared: it has a hash of their sources. SPDX-License-Identifier: Apache-2.0
"""

import ast
import hashlib
import json
import re
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from proofs.json_data import Json
from proofs.machine.machines import MACHINES

MACHINE = Path(__file__).resolve().parents[1]
RECORDS = Path(__file__).with_name("records")
COMMON = ("terms.py", "memory.py", "processor.py")  # modules on which the meanings of each machine rest
LEAST_STATES = 1_000  # on which a form that counts was compared


@dataclass(frozen=True)
class Checked:
    """A form of instruction, and the processor that it was compared with on so many states; or what that lacked. A
    proof stops where it meets one without a meaning."""

    form: str
    processor: str = ""
    states: int = 0
    difference: str = ""
    note: str = ""  # what was left out
    lacks: frozenset[str] = frozenset()
    has_meaning: bool = True

    @property
    def agrees(self) -> bool:
        return bool(self.processor) and not self.difference


@cache
def meanings(machine: str) -> str:
    """A hash of the modules that give a machine's instructions their meaning, whatever their prose and layout."""
    folder = MACHINE / MACHINES[machine].__module__.split(".")[-2]
    files = [*(MACHINE / name for name in COMMON), *sorted(folder.glob("*.py"))]
    trees = "\n".join(code_of(file.read_text()) for file in files)
    return hashlib.sha256(trees.encode()).hexdigest()[:16]


def code_of(source: str) -> str:
    """A module without comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)


def _read(machine: str) -> list[dict[str, Json]]:
    records = [json.loads(path.read_text()) for path in sorted(RECORDS.glob("*.json"))]
    return [record for record in records if record["machine"] == machine]


class Kept(NamedTuple):
    processor: str
    states: int
    note: str

    def __str__(self) -> str:
        return f"{self.processor}, {self.states} states{self.note and ', ' + self.note}"


@cache
def compared(machine: str) -> dict[str, Kept]:
    """By form, the processor that its present meaning was compared with: a CPU rather than an emulator."""
    found: dict[str, Kept] = {}
    for record in sorted(_read(machine), key=lambda r: "emulator" in r["processor"]):
        if record["meanings"] == meanings(machine):
            for form, states in record["forms"].items():
                if states >= LEAST_STATES:
                    found.setdefault(form, Kept(record["processor"], states, record["notes"].get(form, "")))
    return found


def stale(machine: str) -> list[str]:
    """The processors with records of other meanings than the present ones."""
    return [record["processor"] for record in _read(machine) if record["meanings"] != meanings(machine)]


def keep(machine: str, results: Iterable[Checked]) -> list[Path]:
    """Writes or extends the records of the processors."""
    by_processor: dict[str, list[Checked]] = defaultdict(list)
    for checked in results:
        if checked.processor:
            by_processor[checked.processor].append(checked)
    return [_keep(machine, processor, some) for processor, some in sorted(by_processor.items())]


def _keep(machine: str, processor: str, results: Iterable[Checked]) -> Path:
    """A form that differs is no longer in it; one that was compared on more states before stays so."""
    path = RECORDS / f"{re.sub('[^a-z0-9]+', '-', processor.lower()).strip('-')}.json"
    before = json.loads(path.read_text()) if path.exists() else {}
    current = before.get("meanings") == meanings(machine)
    forms, notes = (before["forms"], before["notes"]) if current else ({}, {})
    for c in results:
        if c.difference:
            forms.pop(c.form, None)
        else:
            forms[c.form] = max(c.states, forms.get(c.form, 0))
        if c.note:
            notes[c.form] = c.note
    record = {
        "machine": machine,
        "processor": processor,
        "meanings": meanings(machine),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "notes": notes,
        "forms": dict(sorted(forms.items())),
    }
    path.write_text(json.dumps(record, indent=1) + "\n")
    return path

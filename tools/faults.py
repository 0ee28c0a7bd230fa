"""Planted faults: the schema of their rows, and the reader that all who plant them use.

A fault quotes the code and has no line numbers. Its row is a table [[fault]] or [[mutant]], or a table [[proof.fault]]
beneath the proof that must fail:

    file = "src/..."           where it is planted
    find = "text"              occurs there exactly once
    replace = "faulty text"
    name = "what the fault is" unique in its list
    kill = "..."               must notice it: a test, or the words of the rows of proofs

Beneath a proof a row has neither name nor kill, because the proof has a name and must fail. A list with keys of its own
reads its rows as a subclass of Named. Each area names its lists in its area.toml.
SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

LISTED = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
TABLES = ("fault", "mutant")


class FaultError(ValueError):
    """A row that cannot be meant, or no longer fits the code."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    file: str
    find: str
    replace: str

    def text(self, tree: Path) -> str:
        """The faulty file."""
        path = tree / self.file
        if not path.is_file():
            raise FaultError(f"there is no file {self.file}")
        sound = path.read_text()
        if (count := sound.count(self.find)) != 1:
            raise FaultError(f"'find' occurs {count} times in {self.file}: {self.find}")
        return sound.replace(self.find, self.replace)

    def plant(self, tree: Path) -> None:
        (tree / self.file).write_text(self.text(tree))


@dataclass(frozen=True, kw_only=True)
class Named(Fault):
    name: str
    kill: str | list[str]


Kind = TypeVar("Kind", bound=Fault)


def made(kind: type[Kind], row: dict[str, Any]) -> Kind:
    """The fault of a row."""
    known = {field.name: field.default is MISSING for field in fields(kind)}
    if unknown := row.keys() - known.keys():
        raise FaultError(f"a fault has no key '{sorted(unknown)[0]}'")
    if lacking := {name for name, required in known.items() if required} - row.keys():
        raise FaultError(f"a fault must have a key '{sorted(lacking)[0]}'")
    return kind(**row)


def rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a list, each with the name of the proof above it, or with an empty one."""
    for array, tables in tomllib.loads(path.read_text()).items():
        for table in tables:
            if array in TABLES:
                yield "", table
            elif not table.get("fault"):
                raise FaultError(f"no fault is planted for {table.get('name', array)}")
            else:
                yield from ((table["name"], row) for row in table["fault"])


def read(lists: Iterable[Path], kind: type[Kind]) -> list[Kind]:
    """The faults of lists without proofs, each with a name of its own."""
    found: dict[str, Kind] = {}
    for row in (row for path in lists for _, row in rows(path)):
        name = row.get("name", "?")
        if name in found:
            raise FaultError(f"several rows have the name '{name}'")
        try:
            found[name] = made(kind, row)
        except FaultError as error:
            raise FaultError(f"{name}: {error}") from error
    return list(found.values())


def misfit(tree: Path, proof: str, row: dict[str, Any]) -> str:
    """The reason for which a row cannot be planted in the tree; empty if it can."""
    kind = Fault if proof else Named
    schema = {field.name for field in fields(Named)}
    try:
        made(kind, row if proof else {key: value for key, value in row.items() if key in schema}).text(tree)
    except FaultError as error:
        return str(error)
    return "" if proof or row["kill"] else "nothing kills it"


def misfits(tree: Path, lists: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Each row of the lists: its name, and the reason for which it cannot be planted, if there is one."""
    for path in lists:
        try:
            for proof, row in rows(path):
                yield proof or row.get("name", "?"), misfit(tree, proof, row)
        except FaultError as error:
            yield path.name, str(error)


def copy_sources(root: Path, copy: Path) -> None:
    """Copies what git knows or would add; a file that is the same keeps its time, so that little is built again."""
    names = subprocess.run(LISTED, cwd=root, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        origin, place = root / name, copy / name
        if origin.is_file() and not (place.exists() and place.read_bytes() == origin.read_bytes()):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(origin.read_bytes())
            place.chmod(origin.stat().st_mode)

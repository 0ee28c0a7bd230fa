"""Rows that a run leaves for the next one: of the same library, by the same sources of proofs.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import os
import pickle
import sys
from importlib.metadata import distributions
from pathlib import Path

from proofs.builds import ROOT
from proofs.table import Row

READ = ("proofs", "src", "include")  # folders that proofs read
PROVERS = ("bitwuzla", "capstone", "iced-x86", "numpy", "pyelftools")


class Kept:
    """A folder with a file for each row. Its name is a hash of all that decides the row: the sources of the proofs and
    of the library, the library itself, the programs that prove, and the number of the row among those of the build."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._programs = folder, _programs()
        folder.mkdir(parents=True, exist_ok=True)

    def _file(self, library: str, number: int) -> Path:
        return self._folder / hashlib.sha256(f"{self._programs} {library} {number}".encode()).hexdigest()

    def row(self, library: str, number: int) -> Row | None:
        """`library` is its hash."""
        file = self._file(library, number)
        if not file.exists():
            return None
        row = pickle.loads(file.read_bytes())
        return row if isinstance(row, Row) else None

    def keep(self, row: Row, library: str, number: int) -> None:
        file = self._file(library, number)
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(pickle.dumps(row))
        new.replace(file)


def _programs() -> str:
    """The hash of what is the same for all rows."""
    digest = hashlib.sha256(sys.version.encode())
    versions = {d.metadata["Name"].lower(): d.version for d in distributions()}
    digest.update(repr([(name, versions.get(name)) for name in PROVERS]).encode())
    for path in sorted(path for folder in READ for path in (ROOT / folder).rglob("*") if _is_source(path)):
        digest.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts

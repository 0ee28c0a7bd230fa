#!/usr/bin/env python3
"""Runs mypy over all Python of the tree, area by area, as mypy.ini says.

Scripts import the scripts beside them by their bare names, so each folder of scripts is a base of its own. Two scripts
of one name cannot be checked together: the folder of the second is checked in another run.
SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTED = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py"]

Bases = dict[Path, list[Path]]  # a folder that names begin at, and its sources


def sources() -> list[Path]:
    """The Python files that git knows or would add."""
    names = subprocess.run(LISTED, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted({Path(name) for name in filter(None, names) if (ROOT / name).exists()})


def base_of(source: Path) -> Path:
    """The first folder above a source that is no package."""
    return next(folder for folder in source.parents if not (ROOT / folder / "__init__.py").exists())


def runs(area: list[Path]) -> list[Bases]:
    """An area's sources in as few runs as their names allow."""
    bases: Bases = {}
    for source in area:
        bases.setdefault(base_of(source), []).append(source)
    found: list[Bases] = []
    for base, own in bases.items():
        names = {source.relative_to(base) for source in own}
        run = next((run for run in found if names.isdisjoint(names_of(run))), None)
        if run is None:
            found.append(run := {})
        run[base] = own
    return found


def names_of(run: Bases) -> set[Path]:
    return {source.relative_to(base) for base, own in run.items() for source in own}


def check(run: Bases, bases: list[Path]) -> int:
    """The run's own bases come first, so that a name means the script that is checked."""
    path = [*run, *(base for base in bases if base not in run)]
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, "-m", "mypy", *(str(source) for own in run.values() for source in own)]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def main() -> int:
    all_runs = [run for _, area in groupby(sources(), lambda source: source.parts[0]) for run in runs(list(area))]
    return max(check(run, [base for run in all_runs for base in run]) for run in all_runs)


if __name__ == "__main__":
    sys.exit(main())

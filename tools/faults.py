"""Faults that are planted in copies of the sources: what tools/mutants.py and the faults of the proofs share.

A fault quotes the code and has no line numbers: a text that occurs once in its file, and the faulty
text in its place. SPDX-License-Identifier: Apache-2.0
"""

import subprocess
from pathlib import Path

LISTED = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]


def faulty(path: Path, find: str, replace: str) -> str:
    """The file with the fault. ValueError: the row no longer fits the code."""
    text = path.read_text()
    if (count := text.count(find)) != 1:
        raise ValueError(f"'find' occurs {count} times in {path.name}: {find}")
    return text.replace(find, replace)


def copy_sources(root: Path, copy: Path) -> None:
    """Copies what git knows or would add; a file that is the same keeps its time, so that little is built again."""
    names = subprocess.run(LISTED, cwd=root, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        origin, place = root / name, copy / name
        if origin.is_file() and not (place.exists() and place.read_bytes() == origin.read_bytes()):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(origin.read_bytes())
            place.chmod(origin.stat().st_mode)

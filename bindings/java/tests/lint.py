#!/usr/bin/env python3
"""Checks the layout of Java sources: a first comment with the licence, at most 120 columns, no tabs, no blanks at the
end of a line. The compiler's own findings fail the build (-Xlint:all -Werror). SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
COLUMNS = 120


def problems(path: Path) -> Iterator[str]:
    text = path.read_text()
    lines = text.splitlines()
    if not lines[0].startswith(("/*", "//")) or "SPDX-License-Identifier: Apache-2.0" not in "".join(lines[:5]):
        yield f"{path}:1: no comment that says what it is, with the licence"
    if not text.endswith("\n"):
        yield f"{path}: does not end in a line"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield f"{path}:{number}: {len(line)} columns"
        if "\t" in line or line != line.rstrip():
            yield f"{path}:{number}: a tab, or blanks at the end"


def sources() -> list[str]:
    """The Java files that git knows or would add, from the top of the tree."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.java"]
    return subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def main() -> int:
    names = sources()
    found = [problem for name in names for problem in problems((ROOT / name).relative_to(Path.cwd()))]
    print("\n".join(found) or f"{len(names)} Java files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

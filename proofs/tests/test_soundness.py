"""SOUNDNESS.md names every file of the proofs, trusted or not, with its lines. SPDX-License-Identifier: Apache-2.0"""

import re
from collections import Counter
from pathlib import Path

import pytest

PROOFS = Path(__file__).resolve().parents[1]
PAGE = (PROOFS / "SOUNDNESS.md").read_text()
SOURCES = sorted(path for path in PROOFS.rglob("*") if path.suffix in (".py", ".c", ".S"))


def named(text: str) -> list[Path]:
    """The files that a text names in code: each by its path, or a folder's by a pattern."""
    return [path for name in re.findall(r"`([\w/*.]+)`", text) for path in sorted(PROOFS.glob(name))]


def section(page: str, title: str) -> str:
    return page.split(f"## {title}\n")[1].split("\n## ")[0]


def rows(page: str) -> list[tuple[list[Path], int]]:
    """Trusted files, and the lines that the table has for them."""
    found = re.findall(r"^\| (`.*?`) \| (\d+) \|", section(page, "Trusted files"), re.M)
    return [(named(files), int(lines)) for files, lines in found]


def untrusted(page: str) -> list[Path]:
    return named("\n".join(re.findall(r"^- (`.*)", section(page, "Trusted files"), re.M)))


def mistakes(page: str) -> list[str]:
    files = [path for paths, _ in rows(page) for path in paths] + untrusted(page)
    times = Counter(files)
    found = [f"{path.relative_to(PROOFS)} is named {times[path]} times" for path in SOURCES if times[path] != 1]
    for paths, lines in rows(page):
        total = sum(len(path.read_text().splitlines()) for path in paths)
        if total != lines:
            found.append(f"{', '.join(str(path.relative_to(PROOFS)) for path in paths)}: {total} lines, not {lines}")
    return found


def test_every_file_is_named_once_with_its_lines() -> None:
    assert mistakes(PAGE) == []


@pytest.mark.parametrize(
    ("before", "after", "mistake"),
    [
        ("| `machine/memory.py` | 173 |", "| `machine/memory.py` | 172 |", "173 lines, not 172"),
        ("`domains/forms.py`, ", "", "domains/forms.py is named 0 times"),
        ("- `progress.py`", "- `table.py`", "table.py is named 2 times"),
        ("`machine/x86_64/*.py`", "`machine/x86_64/m*.py`", "machine/x86_64/vector.py is named 0 times"),
    ],
)
def test_a_wrong_row_is_found(before: str, after: str, mistake: str) -> None:
    assert before in PAGE
    assert any(mistake in found for found in mistakes(PAGE.replace(before, after)))

"""Pieces that the tests of packages in other languages share: the known answers, the example of the pages, a random
generator that fails. SPDX-License-Identifier: Apache-2.0
"""

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAILING = """
#include <errno.h>
#include <sys/types.h>
ssize_t getrandom(void *out, size_t len, unsigned flags)
{
    (void)out, (void)len, (void)flags;
    errno = EIO;
    return -1;
}
"""


def unpacked_vectors(folder: Path) -> Path:
    """The archives of tests/vectors and spec/sets.json, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for archive in sorted((ROOT / "tests" / "vectors").glob("*.tar.xz")):
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
    shutil.copyfile(ROOT / "spec" / "sets.json", folder / "sets.json")
    return folder


def example(language: str, pages: list[str]) -> str:
    """The first program of each page, which is one."""
    found = {page: re.search(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.S) for page in pages}
    texts = {page: match[1] if match else "" for page, match in found.items()}
    for page, text in texts.items():
        if not text or text != texts[pages[-1]]:
            sys.exit(f"{page}: its first program is not that of {pages[-1]}")
    return texts[pages[-1]]


def failing_randomness(folder: Path) -> Path:
    """A library to preload, with a getrandom that always fails."""
    source, library = folder / "failing.c", folder / "failing.so"
    source.write_text(FAILING)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def moved(language: str, programs: list[Path]) -> None:
    """Each call in a table of docs/moving.md is in a program that the language's tests run. Sections of packages that
    the page's last table calls not tried are read for the calls here alone."""
    page = (ROOT / "docs" / "moving.md").read_text()
    untried = set(re.findall(r"`([\w-]+)` [\d.]+", "".join(re.findall(r"^.*(?:nothing ran|not here).*$", page, re.M))))
    chapter = re.search(rf"^## {language}\n(.*?)(?=^## )", page, re.S | re.M)
    text = "".join(path.read_text() for path in programs)
    calls = []
    for section in re.split(r"^### ", chapter[1] if chapter else "", flags=re.M)[1:]:
        rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
        first = 2 if untried & set(re.findall(r"`([\w-]+)`", section.splitlines()[0])) else 1
        calls += [cell.strip("`") for row in rows for cell in row[first:] if cell.startswith("`")]
    lacking = [call for call in calls if call not in text]
    if lacking or not calls:
        sys.exit(f"docs/moving.md: of {len(calls)} calls in {language} no test runs {lacking}")

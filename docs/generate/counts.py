#!/usr/bin/env python3
"""Fills in the tables of AArch64 instruction counts and of model cycles in docs/performance.md.

In the counts' table set, backend, rival, its counts and the limit are the page's own. latkem's counts are those of
bench/aarch64/instructions.txt, and the share follows from the two. In the cycles' table cores, remarks and limits are
the page's own. Backends and latkem's cycles are those of bench/aarch64/cycles.txt, the rival's those of
spec/published.json.

--check changes nothing and fails where a count is off by more than 1 %, which is as far as the test of the counts
themselves lets them move, where a share or a mark is wrong, and where anything of the cycles' table is.
SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from pathlib import Path

import pages
from pages import ROOT

PAGE = ROOT / "docs/performance.md"
COUNTS = ROOT / "bench/aarch64/instructions.txt"
CYCLES = ROOT / "bench/aarch64/cycles.txt"
PUBLISHED = ROOT / "spec/published.json"
TABLE = re.compile(r"(?<=<!-- counts -->\n).*?(?=<!-- end -->)", re.S)
CYCLES_TABLE = re.compile(r"(?<=<!-- cycles -->\n).*?(?=<!-- end -->)", re.S)
MODELLED = "ML-KEM-768"  # the set of the cycles' table
DASH = "\N{EN DASH}"
OPERATIONS = ("keygen", "encaps", "decaps")


def counts() -> dict[str, float]:
    """Thousands of instructions by row, op/<operation>/<set>/<backend>."""
    rows = re.findall(r"^(op/\S+) (\d+)$", COUNTS.read_text(), re.M)
    return {name: int(count) / 1000 for name, count in rows}


def numbers(cell: str) -> list[float]:
    return [float(number) for number in re.findall(r"[\d.]+", cell)]


def three_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 100 else f"{number:.1f}"


def shares(own: list[float], rivals: list[float], limits: list[float]) -> str:
    """Of each operation; bold where it is above its limit."""
    marked = []
    for ours, theirs, limit in zip(own, rivals, limits, strict=True):
        share = f"{ours / theirs:.2f}"
        marked.append(f"**{share}**" if ours > limit * theirs else share)
    return " / ".join(marked)


def fill(line: str, kept: dict[str, float], exact: bool) -> str:
    """A row of the table. If it need not be exact, counts that are right within 1 % stay."""
    cells = [cell.strip() for cell in line.strip("|\n").split("|")]
    name, backend, rivals, stated = cells[0], cells[1].strip("`"), numbers(cells[3]), numbers(cells[4])
    own = [kept[f"op/{operation}/{name}/{backend}"] for operation in OPERATIONS]
    near = len(stated) == 3 and all(abs(a - b) <= b / 100 for a, b in zip(stated, own, strict=True))
    if exact or not near:
        stated = own
    limits = numbers(cells[6])
    cells[4] = " / ".join(map(three_digits, stated))
    cells[5] = shares(numbers(cells[4]), rivals, limits * 3 if len(limits) == 1 else limits)
    return f"| {' | '.join(cells)} |\n"


def cycles() -> dict[str, tuple[str, list[float]]]:
    """By core the backend and its thousands of cycles."""
    rows = re.findall(rf"^(\S+?)/(\w+)/{MODELLED}/(\S+) (\d+)$", CYCLES.read_text(), re.M)
    backends = {core: backend for core, _, backend, _ in rows}
    numbers = {(core, operation): int(number) / 1000 for core, operation, _, number in rows}
    return {core: (backends[core], [numbers[core, operation] for operation in OPERATIONS]) for core in backends}


def rivals() -> dict[str, list[float]]:
    rows = json.loads(PUBLISHED.read_text())["model_cycles"]
    return {row["cpu"]: [row[operation] for operation in OPERATIONS] for row in rows if row["set"] == MODELLED}


def core_row(line: str, theirs: dict[str, list[float]], kept: dict[str, tuple[str, list[float]]]) -> str:
    """A row of the cycles' table. The text before a bracket in its first cell is the core's name."""
    cells = [cell.strip() for cell in line.strip("|\n").split("|")]
    core = cells[0].split(" (")[0].lower().replace(" ", "-")
    backend, own = kept[core]
    rival = theirs.get(core)
    cells[1] = re.sub(r"`.*?`", f"`{backend}`", cells[1])
    cells[2] = " / ".join(map(three_digits, own))
    cells[3] = " / ".join(f"{number:.1f}" for number in rival) if rival else DASH
    cells[4] = shares(own, rival, numbers(cells[5]) * len(OPERATIONS)) if rival else DASH
    return f"| {' | '.join(cells)} |\n"


def filled(page: str, exact: bool) -> str:
    head, rule, *rows = TABLE.findall(page)[0].splitlines(keepends=True)
    kept = counts()
    page = TABLE.sub(lambda _: head + rule + "".join(fill(row, kept, exact) for row in rows), page)
    head, rule, *rows = CYCLES_TABLE.findall(page)[0].splitlines(keepends=True)
    of_cores = [core_row(row, rivals(), cycles()) for row in rows]
    if len(of_cores) < len(cycles()):
        raise SystemExit("counts: docs/performance.md lacks a core of the kept cycles")
    return CYCLES_TABLE.sub(lambda _: head + rule + "".join(of_cores), page)


def wanted(check: bool) -> dict[Path, str]:
    return {PAGE: filled(PAGE.read_text(), exact=not check)}


if __name__ == "__main__":
    sys.exit(pages.main("counts", __doc__, "the kept counts or cycles", wanted))

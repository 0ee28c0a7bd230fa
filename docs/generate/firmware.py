#!/usr/bin/env python3
"""Writes the tables of docs/firmware.md: latkem's figures are those of bench/cortex-m/figures.json, pqm4's those of
spec/published.json. --check changes nothing and fails where the page differs. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pages
from pages import ROOT

PAGE = ROOT / "docs/firmware.md"
FIGURES = ROOT / "bench/cortex-m/figures.json"
PUBLISHED = ROOT / "spec/published.json"
ONE = "ML-KEM-768"
THREE = "key generation / encapsulation / decapsulation"

Build = dict[str, Any]


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def table(*rows: tuple[str, ...]) -> str:
    head, *others = rows
    return row(*head) + "|" + "---|" * len(head) + "\n" + "".join(row(*cells) for cells in others)


def joined(numbers: Sequence[float]) -> str:
    return " / ".join(f"{number:.0f}" for number in numbers)


def of(build: Build, name: str, what: str) -> list[int]:
    """The costs of a set's three operations."""
    costs: list[int] = build["sets"][name][what]
    return costs


def thousands(numbers: list[int]) -> str:
    return joined([number / 1000 for number in numbers])


def build_of(builds: list[Build], small: bool, level: str) -> Build:
    return next(build for build in builds if (build["small"], build["level"]) == (small, level))


def title(build: Build) -> str:
    return f"latkem{', `LATKEM_SMALL`' if build['small'] else ''}, `{build['level']}`"


def one_set(builds: list[Build], boards: list[dict[str, Any]]) -> str:
    own = [
        (
            title(build),
            joined(of(build, ONE, "stack")),
            f"{thousands(of(build, ONE, 'instructions'))} instructions",
            str(build["code"]),
        )
        for build in builds
    ]
    others = [
        (
            f"pqm4, `{board['implementation']}`",
            joined(board["stack"]),
            f"{thousands(board['cycles'])} **cycles**",
            f"{board['code']}, and Keccak",
        )
        for board in boards
        if board["set"] == ONE
    ]
    return table((ONE, f"stack, {THREE}", "thousand", "code"), *own, *others)


def flags(builds: list[Build]) -> str:
    rows = [
        (
            title(build),
            thousands(of(build, ONE, "instructions")),
            str(build["code"]),
            str(build["code_of_one_file"]),
        )
        for build in builds
    ]
    return table((ONE, "thousand instructions", "code", "code from one file"), *rows)


def memory(builds: list[Build], boards: list[dict[str, Any]]) -> str:
    default, small = (build_of(builds, small, "-Os") for small in (False, True))
    rows = []
    for name in default["sets"]:
        least = min((board for board in boards if board["set"] == name), key=lambda board: max(board["stack"]))
        rows.append(
            (
                name,
                joined(of(default, name, "stack")),
                joined(of(small, name, "stack")),
                " / ".join(str(build["sets"][name]["workspace"]) for build in (default, small)),
                f"{joined(least['stack'])}, `{least['implementation']}`",
            )
        )
    return table(("set", "stack", "stack, small", "workspace, small", "pqm4, stack"), *rows)


def work(builds: list[Build], boards: list[dict[str, Any]]) -> str:
    default, small = (build_of(builds, small, "-Os") for small in (False, True))
    rows = []
    for name in default["sets"]:
        fastest = min((board for board in boards if board["set"] == name), key=lambda board: sum(board["cycles"]))
        own = [thousands(of(build, name, "instructions")) for build in (default, small)]
        rows.append((name, *own, f"{thousands(fastest['cycles'])}, `{fastest['implementation']}`"))
    return table(("set", "thousand instructions", "small", "pqm4, thousand **cycles**"), *rows)


def frames(builds: list[Build]) -> str:
    """The stack beside a workspace, the most of any set and operation."""
    most = [
        max(max(of(build_of(builds, small, "-Os"), name, "stack_with_workspace")) for name in builds[0]["sets"])
        for small in (False, True)
    ]
    return f"A call takes at most {most[0]} bytes of stack beside its workspace, {most[1]} in the small build.\n"


def filled(page: str) -> str:
    figures = json.loads(FIGURES.read_text())
    builds, boards = figures["builds"], json.loads(PUBLISHED.read_text())["cortex_m4"]["rows"]
    texts = {
        "one set": one_set([build for build in builds if build["level"] == "-Os"], boards),
        "flags": flags(builds),
        "memory": memory(builds, boards),
        "work": work(builds, boards),
        "frames": frames(builds),
    }
    for name, text in texts.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
        if not place.search(page):
            sys.exit(f"firmware: docs/firmware.md has no place for '{name}'")
        page = place.sub(rf"\g<1>{text}\g<2>", page)
    return page


def wanted(_: bool) -> dict[Path, str]:
    return {PAGE: filled(PAGE.read_text())}


if __name__ == "__main__":
    sys.exit(pages.main("firmware", __doc__, "bench/cortex-m/figures.json", wanted))

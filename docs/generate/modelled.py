#!/usr/bin/env python3
"""Writes the tables of x86-64's model cycles in docs/performance.md from bench/x86_64/cycles.txt.

--check changes nothing and fails where the page says otherwise. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from pathlib import Path

import pages
from pages import ROOT

PAGE = ROOT / "docs/performance.md"
CYCLES = ROOT / "bench/x86_64/cycles.txt"
SETS = ROOT / "spec/sets.json"
TABLES = re.compile(r"(?<=<!-- modelled -->\n).*?(?=<!-- end -->)", re.S)
CPUS = {"znver4": "Zen 4", "sapphirerapids": "Sapphire Rapids", "icelake-server": "Ice Lake"}
BACKENDS = ("avx2", "avx512")
OPERATIONS = ("keygen", "encaps", "decaps")
COLUMNS = [(cpu, backend) for cpu in CPUS for backend in BACKENDS]
DASH = "\N{EN DASH}"


def kept() -> dict[str, int]:
    return {name: int(cycles) for name, cycles in re.findall(r"^(\w\S*/\S+) (\d+)$", CYCLES.read_text(), re.M)}


def row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def head(first: str) -> str:
    heads = [f"{CPUS[cpu]}, `{backend}`, modelled" for cpu, backend in COLUMNS]
    return row([first, *heads]) + "|---" * (1 + len(heads)) + "|\n"


def thousands(cycles: dict[str, int], cpu: str, backend: str, kem: str) -> str:
    numbers = [cycles[f"{cpu}/op/{operation}/{kem}/{backend}"] / 1000 for operation in OPERATIONS]
    return " / ".join(f"{number:.0f}" if number >= 100 else f"{number:.1f}" for number in numbers)


def operations(cycles: dict[str, int]) -> str:
    sets = [row["name"] for row in json.loads(SETS.read_text())["sets"]]
    rows = [row([kem, *(thousands(cycles, *column, kem) for column in COLUMNS)]) for kem in sets]
    return head("set, thousand cycles") + "".join(rows)


def kernels(cycles: dict[str, int]) -> str:
    names = dict.fromkeys(re.sub(r"^[^/]*/kernel/(.*)/\w+$", r"\1", name) for name in cycles if "/kernel/" in name)
    rows = [
        row([f"`{name}`", *(str(cycles.get(f"{cpu}/kernel/{name}/{backend}", DASH)) for cpu, backend in COLUMNS)])
        for name in names
    ]
    return head("kernel, cycles") + "".join(rows)


def wanted(_: bool) -> dict[Path, str]:
    cycles = kept()
    return {PAGE: TABLES.sub(lambda _: f"{operations(cycles)}\n{kernels(cycles)}", PAGE.read_text(), count=1)}


if __name__ == "__main__":
    sys.exit(pages.main("modelled", __doc__, "bench/x86_64/cycles.txt", wanted))

#!/usr/bin/env python3
"""Writes the tables of x86-64's model cycles in docs/performance.md from bench/x86_64/cycles.txt.

--check changes nothing and fails where the page says otherwise. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail where a table is wrong, and change nothing")
    args = parser.parse_args()
    page, cycles = PAGE.read_text(), kept()
    wanted = TABLES.sub(lambda _: f"{operations(cycles)}\n{kernels(cycles)}", page, count=1)
    if not args.check:
        PAGE.write_text(wanted)
    elif wanted != page:
        print("modelled: docs/performance.md is not bench/x86_64/cycles.txt; run docs/generate/modelled.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

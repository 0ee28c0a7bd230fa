#!/usr/bin/env python3
"""Writes the x86-64 figures of docs/performance.md: the bars of bench/peers/bars.json beside what each CPU reached; and
the table of README.md, times and costs of one set.

A CPU is a file of bench/peers/figures. A file without CPU, date, range over three runs or figures of known bars is
refused; what is older than this rule says in `known` what is known of it, and the page repeats that. --check changes
nothing and fails where a page differs. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from pathlib import Path
from textwrap import wrap

import pages
from pages import ROOT

PEERS = ROOT / "bench/peers"
sys.path.insert(0, str(PEERS))

from collect import COSTS_OF, FEWEST_RUNS, Refused  # noqa: E402

DASH = "\N{EN DASH}"
PERFORMANCE, README = ROOT / "docs/performance.md", ROOT / "README.md"
TABLES = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end -->)", re.S)
OPERATIONS = ("keygen", "encaps", "decaps")
DATE = re.compile(r"20\d\d-\d\d-\d\d( to 20\d\d-\d\d-\d\d)?")


def checked(cpu: dict, bars: dict[str, dict]) -> dict:
    """The file of a CPU, if it may be published."""
    name = cpu.get("machine", "a file of figures")
    for key in ("machine", "cpu", "date", "latkem", "compiler", "figures"):
        if not cpu.get(key):
            raise Refused(f"{name}: no {key}")
    if not cpu.get("known") and (not DATE.fullmatch(cpu["date"]) or cpu.get("runs", 0) < FEWEST_RUNS):
        raise Refused(f"{name}: a figure needs a date and the range over {FEWEST_RUNS} runs")
    for bar, rows in cpu["figures"].items():
        if bar not in bars:
            raise Refused(f"{name}: there is no bar {bar}")
        for row in rows:
            if row["operation"] not in bars[bar]["operations"] or not 0 < row["low"] <= row["high"]:
                raise Refused(f"{name}: {bar}: {row}")
    return cpu


def against(bar: dict) -> str:
    other = bar["against"]
    if isinstance(other, dict):
        return next(iter(other.values()))
    return {"own_kyber": "latkem, Kyber"}.get(other, other.replace("_", " ").replace("checking", "key-checking"))


def ratio(value: float) -> str:
    """To two digits."""
    return f"{value:.1f}" if value >= 2 else f"{value:.2f}"


def spread(row: dict | None, limit: float) -> str:
    """Bold where any of the runs is above the limit."""
    if row is None:
        return DASH
    low, high = ratio(row["low"]), ratio(row["high"])
    text = low if low == high else f"{low}{DASH}{high}"
    return f"**{text}**" if row["high"] > limit else text


def of_set(bars: list[dict], cpu: dict, name: str) -> dict[str, tuple[dict, dict | None]]:
    """By operation: its bar and, if there is one, the CPU's figure."""
    found: dict[str, tuple[dict, dict | None]] = {}
    for bar in bars:
        rows = {row["operation"]: row for row in cpu["figures"].get(bar["name"], []) if row["set"] == name}
        found |= {operation: (bar, rows.get(operation)) for operation in bar["operations"]}
    return {operation: found[operation] for operation in OPERATIONS if operation in found}


def joined(parts: list[str]) -> str:
    """A text that is the same for all operations is written once."""
    return parts[0] if len(set(parts)) == 1 else " / ".join(parts)


def row_of(bars: list[dict], cpus: list[dict], name: str) -> str | None:
    """A line of a table; None where no CPU has a figure."""
    mine = [bar for bar in bars if name in bar["names"]]
    by_cpu = [of_set(mine, cpu, name) for cpu in cpus]
    if not any(figure for found in by_cpu for _, figure in found.values()):
        return None
    limits = joined([ratio(bar["limit"]) for bar, _ in by_cpu[0].values()])
    cells = [joined([spread(figure, bar["limit"]) for bar, figure in found.values()]) for found in by_cpu]
    return f"| {' | '.join([name, against(mine[0]), limits, *cells])} |"


def table(bars: list[dict], cpus: list[dict]) -> list[str]:
    """Of one backend and tier: bars against the same other share their sets' lines."""
    lines = []
    for other in dict.fromkeys(against(bar) for bar in bars):
        same = [bar for bar in bars if against(bar) == other]
        names = dict.fromkeys(name for bar in same for name in bar["names"])
        lines += [line for name in names if (line := row_of(same, cpus, name))]
    head = ["set", "by the time of", "limit", *(cpu["cpu"] for cpu in cpus)]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines] if lines else []


def machines(cpus: list[dict]) -> list[str]:
    lines = ["| CPU | family and model | date | runs | latkem, compiler | known besides |", "|---" * 6 + "|"]
    for cpu in cpus:
        cells = [cpu["cpu"], cpu["machine"], cpu["date"], str(cpu["runs"]), f"{cpu['latkem']}; {cpu['compiler']}"]
        besides = [f"rivals: {', '.join(cpu['rivals'])}"] if "rivals" in cpu else []
        lines.append(f"| {' | '.join([*cells, '; '.join([*besides, cpu['known']]).removesuffix('; ')])} |")
    return lines


def tables(bars: list[dict], cpus: list[dict]) -> str:
    sections, bare = [machines(cpus)], []
    for backend, tier in dict.fromkeys((bar["backend"], bar["tier"]) for bar in bars):
        rows = [bar for bar in bars if (bar["backend"], bar["tier"]) == (backend, tier)]
        lines = table(rows, cpus)
        if lines:
            sections.append([f"`{backend}`, tier `{tier}`, keygen / encaps / decaps:", "", *lines])
        bare += [bar["name"] for bar in rows if not any(bar["name"] in cpu["figures"] for cpu in cpus)]
    sections.append(wrap(f"Bars without a published figure: {'; '.join(bare)}.", width=120) if bare else [])
    return "\n".join("\n".join([*section, ""]) for section in sections if section)


def between(low_high: list[float]) -> str:
    """Whole numbers from 100 on."""
    low, high = (f"{value:,.0f}" if value >= 100 else f"{value:g}" for value in low_high)
    return low if low == high else f"{low}{DASH}{high}"


def costs(cpus: list[dict]) -> str:
    """The newest CPU that has them; latkem first, then by the time of a decapsulation."""
    cpu = max((cpu for cpu in cpus if cpu.get("costs")), key=lambda cpu: str(cpu["date"]))
    rows = sorted(cpu["costs"], key=lambda row: (row["library"] != "latkem", row["us"]["decaps"]))
    head = ["library", *OPERATIONS, "first keygen in a process", "stack KiB"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows:
        times = [between(row["us"][operation]) for operation in OPERATIONS]
        stack = f"{row['stack_bytes'] / 1024:.0f}"
        lines.append(f"| {' | '.join([named(row), *times, between(row['first_keygen_us']), stack])} |")
    head_line = f"{COSTS_OF} on an {cpu['cpu']}, in microseconds, {cpu['runs']} runs of `make peers` on {cpu['date']}:"
    return "\n".join([head_line, "", *lines, ""])


def named(row: dict) -> str:
    return f"{row['library']} ({row['backend']})"


def read() -> tuple[list[dict], list[dict]]:
    facts = json.loads((ROOT / "spec/sets.json").read_text())
    sets = [*facts["sets"], *facts["hybrids"]]
    bars = json.loads((PEERS / "bars.json").read_text())
    for bar in bars:
        bar["names"] = bar.get("sets") or [s["name"] for s in sets if s["family"] == bar["family"]]
    by_name = {bar["name"]: bar for bar in bars}
    cpus = [checked(json.loads(path.read_text()), by_name) for path in sorted((PEERS / "figures").glob("*.json"))]
    return bars, cpus


def with_tables(page: str, text: str) -> str:
    return TABLES.sub(lambda _: text, page, count=1)


def wanted(_: bool) -> dict[Path, str]:
    bars, cpus = read()
    written = {PERFORMANCE: tables(bars, cpus), README: costs(cpus)}
    return {page: with_tables(page.read_text(), text) for page, text in written.items()}


def main() -> int:
    try:
        return pages.main("figures", __doc__, "bench/peers/figures", wanted)
    except Refused as reason:
        print(f"figures: {reason}")
        return 1


if __name__ == "__main__":
    sys.exit(main())

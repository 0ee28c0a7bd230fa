#!/usr/bin/env python3
"""Makes bench/peers/figures/<machine>.json, a CPU's published figures, of three or more runs of `make peers`.

For each bar, set and operation it keeps the range of latkem's time by the other's over the runs, in two digits. Of one
set it also keeps each library's own times, its first key generation in a process and its stack. Runs of another CPU,
another latkem, compiler or rivals than the first one's are refused. docs/generate/figures.py then writes
docs/performance.md and a table of README.md. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "figures"
FEWEST_RUNS = 3
COSTS_OF = "ML-KEM-768"  # the set that README.md shows
SAME = ("machine", "cpu", "latkem_version", "latkem_cc", "latkem_flags")  # in the contexts of all runs


class Refused(Exception):
    pass


def ranges(runs: list[dict]) -> dict[str, list[dict]]:
    """By bar: the cases that every run has. If the fastest rival is not always the same, all of them are named."""
    found: dict[tuple[str, str, str], list[dict]] = {}
    for run in runs:
        for bar in run["bars"]:
            for case in bar["cases"]:
                found.setdefault((bar["name"], case["set"], case["operation"]), []).append(case)
    kept: dict[str, list[dict]] = {}
    for (bar, name, operation), cases in found.items():
        if len(cases) < len(runs):
            raise Refused(f"{bar}: {name} {operation} is in {len(cases)} of {len(runs)} runs")
        ratios = [round(case["ratio"], 2) for case in cases]
        rivals = " or ".join(sorted({case["rival"] for case in cases}))
        row = {"set": name, "operation": operation, "low": min(ratios), "high": max(ratios), "rival": rivals}
        kept.setdefault(bar, []).append(row)
    return kept


def costs(runs: list[dict]) -> list[dict]:
    """Of COSTS_OF, by library in the tier wire: ranges over the runs, in microseconds; the largest stack, in bytes.

    Of latkem it is the backend that it takes by itself: the one with first calls.
    """
    found = []
    for row in runs[0]["costs"]:
        if row["set"] != COSTS_OF or row["first_us"] is None:
            continue
        key = (row["library"], row["backend"], COSTS_OF)
        same = [c for run in runs for c in run["costs"] if (c["library"], c["backend"], c["set"]) == key]
        times: dict[str, list[float]] = {}
        for timed in (r for run in runs for r in run["rows"] if r["tier"] == "wire"):
            if (timed["library"], timed["backend"], timed["set"]) == key:
                times.setdefault(timed["operation"], []).append(round(timed["median_ns"] / 1000, 1))
        if len(same) < len(runs) or any(len(of_runs) < len(runs) for of_runs in times.values()):
            raise Refused(f"{row['library']} ({row['backend']}): {COSTS_OF} is not in every run")
        first = [round(c["first_us"][0]) for c in same]
        found.append(
            {"library": row["library"], "backend": row["backend"]}
            | {"us": {operation: [min(of_runs), max(of_runs)] for operation, of_runs in times.items()}}
            | {"first_keygen_us": [min(first), max(first)], "stack_bytes": max(max(c["stack_bytes"]) for c in same)}
        )
    return found


def rivals(run: dict) -> list[str]:
    """Libraries with their versions. The fastest rival is sought among them, so they are part of the figure."""
    return sorted({f"{row['library']} {row['version']}" for row in run["rows"] if row["library"] != "latkem"})


def collect(runs: list[dict]) -> dict:
    if len(runs) < FEWEST_RUNS:
        raise Refused(f"a figure needs {FEWEST_RUNS} runs, here are {len(runs)}")
    contexts = [run["context"] for run in runs]
    first = contexts[0]
    for key in SAME:
        values = {context[key] for context in contexts}
        if len(values) > 1:
            raise Refused(f"the runs differ in {key}: {', '.join(sorted(values))}")
    if any(rivals(run) != rivals(runs[0]) for run in runs):
        raise Refused("the runs differ in their rivals")
    if len({context["date"] for context in contexts}) < len(runs):
        raise Refused("a run is given twice")
    dates = sorted({context["date"][:10] for context in contexts})
    return {
        "machine": first["machine"],
        "cpu": first["cpu"],
        "date": dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}",
        "runs": len(runs),
        "latkem": first["latkem_version"],
        "compiler": first["latkem_cc"],
        "rivals": rivals(runs[0]),
        "known": "",
        "costs": costs(runs),
        "figures": ranges(runs),
    }


def text(found: dict) -> str:
    """JSON with a line for each figure, so that a new run's difference can be read."""
    head = {key: value for key, value in found.items() if key not in ("costs", "figures")}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    lines.append('  "costs": [' + ",".join(f"\n    {json.dumps(row)}" for row in found["costs"]) + "\n  ],")
    bars = []
    for name, rows in found["figures"].items():
        bars.append(f"    {json.dumps(name)}: [\n" + ",\n".join(f"      {json.dumps(row)}" for row in rows) + "\n    ]")
    return "\n".join(["{", *lines, '  "figures": {', ",\n".join(bars), "  }", "}", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, metavar="PEERS.json", help="what --json of a run has written")
    parser.add_argument("--cpu", help="the CPU's name, where the machine does not tell its generation")
    args = parser.parse_args()
    try:
        found = collect([json.loads(path.read_text()) for path in args.runs])
    except Refused as reason:
        print(f"collect: {reason}", file=sys.stderr)
        return 1
    path = FOLDER / f"{found['machine']}.json"
    path.write_text(text(found | ({"cpu": args.cpu} if args.cpu else {})))
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

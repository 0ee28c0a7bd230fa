#!/usr/bin/env python3
"""What the simulations of the cores reach: lines and branches of hw/rtl; with --toggles, bits that change both ways.

Builds the programs of hw/dv with Verilator's counters, in build/hw/coverage, runs them, and adds up what their models
counted. A line or branch that nothing reaches must have a row in coverage.toml that says why; a row is refused too if
its line is reached. --only judges the files of one core, by its programs. --keep puts the shares into hw/dv/figures;
with --only those of the core's files, and shares of other files stay.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import fileinput
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import design
import synthesis
from cores import RTL, cores, module, source
from mutants import CORE, within
from synthesis import ROOT

HERE = Path(__file__).resolve().parent
FIGURES = HERE / "figures" / "coverage.json"
WORK = synthesis.BUILD / "coverage"
COUNTS = WORK / "counts"

# Cores of fewer sets and operations reach nothing that the whole one does not, but that NTRU sorts in HPS alone. The
# schoolbook is wiped in a core that has it.
UNITS = ["ram_test", "front_test", "codec_test", "butterfly_3329_test", "poly_3329_test", "hash_test", "sampler_test"]
UNITS += ["saber_poly_test", "saber_schoolbook_1_test", "saber_7_3584_Unroll_1_test"]
UNITS += ["ntru_words_test", "ntru_regroup_701_2_test", "ntru_codec_509_test", "ntru_codec_701_test"]
UNITS += ["ntru_data_509_1_test", "ntru_data_701_2_test", "ntru_array_71_2_test", "ntru_sorter_508_test"]
UNITS += ["ntru_inverse_149_test", "ntru_6_4096_test"]
BENCHES = [*UNITS, "core"]

# Of a file: lines and branches that were reached, and all; bits that changed both ways, and all.
SHARE = ("reached", "lines", "toggled", "bits")

ROW = re.compile(r"C '(?P<keys>.*)' (?P<count>\d+)")


@cache
def lines_of(file: str) -> list[str]:
    return source(file).read_text().splitlines()


@dataclass(frozen=True, order=True)
class Point:
    """A line, a branch of it, or a bit, in all instances and parameters of its module together."""

    file: str  # its name in tables: see cores.module
    line: int
    column: int
    kind: str  # line, branch or toggle
    name: str  # of the branch, or of the bit

    def text(self) -> str:
        return lines_of(self.file)[self.line - 1].strip()

    def __str__(self) -> str:
        return f"{source(self.file).relative_to(ROOT)}:{self.line}  {self.name or self.kind}: {self.text()}"


def points_of(rows: Iterable[str]) -> Counter[Point]:
    """The output of models: a row for each point of each instance. Models of one kind have the same rows but for the
    counts."""
    totals: Counter[str] = Counter()
    for row in rows:
        if found := ROW.match(row):
            totals[found["keys"]] += int(found["count"])
    counts: Counter[Point] = Counter()
    for text, count in totals.items():
        keys = dict(entry.split("\x02", 1) for entry in text.split("\x01") if "\x02" in entry)
        path = Path(keys["f"]).resolve()
        if not path.is_relative_to(RTL):
            continue
        kind = keys["page"].split("/")[0].removeprefix("v_")
        point = Point(module(path), int(keys["l"]), int(keys.get("n", 0)), kind, keys.get("o", ""))
        counts[point] += count
    return counts


def of_core(counts: Counter[Point], only: str | None) -> Counter[Point]:
    """The points in the files of a core, or all."""
    return Counter({point: count for point, count in counts.items() if within(point.file, only)})


def missed(counts: Counter[Point]) -> list[Point]:
    """Lines and branches that nothing reached."""
    return sorted(point for point, count in counts.items() if point.kind != "toggle" and not count)


@cache
def body(file: str, function: str) -> range:
    """The lines of a function, from its head to its end; none if the file has no such function."""
    lines = lines_of(file)
    head = re.compile(rf"\s*function automatic [^(]*\b{function}\(")
    for first, line in enumerate(lines, 1):
        if head.match(line):
            return range(first, next(n for n in range(first, len(lines) + 1) if "endfunction" in lines[n - 1]) + 1)
    return range(0)


def explains(row: dict[str, Any], point: Point) -> bool:
    if row["file"] != point.file:
        return False
    if "functions" in row:
        return any(point.line in body(point.file, function) for function in row["functions"])
    return point.text() in row["lines"] and row.get("branch", point.name) == point.name


def single(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each of its lines or functions."""
    kind = "functions" if "functions" in row else "lines"
    return ({**row, kind: [name]} for name in row[kind])


def explained(counts: Counter[Point], only: str | None = None) -> tuple[list[Point], list[dict[str, Any]]]:
    """The points not reached for which coverage.toml has no row. Also the rows, of one line or function each, that
    explain none, or name a function with a line that is reached."""
    table = tomllib.loads((HERE / "coverage.toml").read_text()).get("unreached", [])
    rows = [row for several in table for row in single(several) if within(row["file"], only)]
    points = missed(counts)
    reached = [point for point, count in counts.items() if point.kind != "toggle" and count]
    left = [point for point in points if not any(explains(row, point) for row in rows)]
    idle = [
        row
        for row in rows
        if not any(explains(row, point) for point in points)
        or ("functions" in row and any(explains(row, point) for point in reached))
    ]
    return left, idle


def programs(only: str | None) -> list[str]:
    """All, or those of a core."""
    return [name for name in (*UNITS, *CORE) if only is None or name.startswith(f"{only}_")]


def simulate(chosen: list[str], toggles: bool, jobs: int) -> None:
    """Builds and runs these programs; their models write to COUNTS."""
    tree = WORK / "build"
    shutil.rmtree(COUNTS, ignore_errors=True)
    COUNTS.mkdir(parents=True)
    options = ["-DLATKEM_BUILD_HW=ON", "-DLATKEM_BUILD_CLI=OFF", "-DBUILD_TESTING=OFF", "-DLATKEM_HW_COVERAGE=ON"]
    options += [f"-DLATKEM_HW_TOGGLES={'ON' if toggles else 'OFF'}", "-DLATKEM_HW_ONLY=" + ";".join(BENCHES)]
    tests = rf"^hw\.({'|'.join(chosen)})$"
    commands = [
        ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(tree), *options],
        ["cmake", "--build", str(tree), "-j", str(jobs), "--target", *chosen],
        ["ctest", "--test-dir", str(tree), "-R", tests, "-j", str(jobs), "--output-on-failure", "--no-tests=error"],
    ]
    log = WORK / "log"
    for command in commands:
        print(" ".join(command[:2]), "...", flush=True)
        with log.open("w") as out:
            environment = {**os.environ, "LATKEM_HW_COUNTS": str(COUNTS)}
            done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, env=environment, check=False)
        if done.returncode:
            sys.exit(f"{log.read_text()[-2000:]}\ncoverage: {command[0]} failed ({log})")


def shares(counts: Counter[Point]) -> dict[str, dict[str, int]]:
    """Of each file: lines and branches reached, bits that changed twice or more, each with how many there are. Without
    --toggles no bits are counted."""
    files: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for point, count in counts.items():
        share = files[point.file]
        if point.kind == "toggle":
            share.update(bits=1, toggled=count > 1)
        else:
            share.update(lines=1, reached=count > 0)
    names = SHARE if any(point.kind == "toggle" for point in counts) else SHARE[:2]
    return {file: {name: int(share[name]) for name in names} for file, share in sorted(files.items())}


def total(files: dict[str, dict[str, int]]) -> dict[str, int]:
    names = next(iter(files.values()))
    return {name: sum(share[name] for share in files.values()) for name in names}


def table(files: dict[str, dict[str, int]]) -> str:
    rows = [f"{'':38} {'lines and branches':>20} {'bits':>15}"]
    for file, share in [*files.items(), ("all", total(files))]:
        bits = f" {share['toggled']:>7} of {share['bits']}" if "bits" in share else ""
        rows.append(f"{file:38} {share['reached']:>10} of {share['lines']:<6}{bits}")
    return "\n".join(rows)


def keep(files: dict[str, dict[str, int]], only: str | None) -> None:
    """Writes the shares. Those of one core take the place of its own, if no other core has changed."""
    digests = design.digests()
    if only:
        old = json.loads(FIGURES.read_text())
        if changed := [name for name, digest in digests.items() if name != only and old["design"].get(name) != digest]:
            sys.exit(f"coverage: the shares of {changed[0]} are of another design: keep those of all cores together")
        files = files | {file: share for file, share in old["files"].items() if not within(file, only)}
    figures = {"date": date.today().isoformat(), "design": digests, "files": dict(sorted(files.items()))}
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps(figures, indent=2) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2, help="at a time")
    parser.add_argument("--only", choices=[core.name for core in cores()], help="programs and files of this core")
    parser.add_argument("--toggles", action="store_true", help="count bits too: builds for hours")
    parser.add_argument("--bits", metavar="FILE", help="with --toggles, list the bits of this file that never change")
    parser.add_argument("--again", action="store_true", help="add up what the last run counted")
    parser.add_argument("--keep", action="store_true", help="keep the shares in hw/dv/figures")
    arguments = parser.parse_args()
    if not arguments.again:
        simulate(programs(arguments.only), arguments.toggles, arguments.jobs)
    if not (found := sorted(COUNTS.glob("*.dat"))):
        sys.exit(f"coverage: no counts in {COUNTS}")
    with fileinput.input(found, errors="replace") as rows:
        counts = of_core(points_of(rows), arguments.only)
    files = shares(counts)
    print(table(files))
    for point in sorted(counts):
        if point.file == arguments.bits and point.kind == "toggle" and counts[point] < 2:
            print(f"never changes both ways: {point}")
    unexplained, idle = explained(counts, arguments.only)
    for point in unexplained:
        print(f"not reached, and no row says why: {point}")
    for row in idle:
        what = row["lines"][0] if "lines" in row else f"function {row['functions'][0]}"
        print(f"reached, or not there, but coverage.toml has a row: {row['file']}: {what}")
    if arguments.keep and not unexplained and not idle:
        keep(files, arguments.only)
    return 1 if unexplained or idle else 0


if __name__ == "__main__":
    sys.exit(main())

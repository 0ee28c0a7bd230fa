#!/usr/bin/env python3
"""Runs the tests of latkem, in one of two rungs, and closes with a plain line of passes and failures.

The quick rung (`make test`) takes 11 to 26 minutes on two cores and fails for a fault in any kernel of any backend,
in the schemes, the API, the command, the protocols, the bindings. The hardware cores are apart (`make hw-test`). The
deep rung (`make test DEEP=1`) runs everything: all compilers, levels and CPUs, all traces, long fuzzing, the planted
faults; it takes hours. Each step is a build configuration with its CTest suites, or a script, and is in the area.toml
of its area (tools/areas.py); its log is kept under build/test/.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import areas

ROOT = areas.ROOT
OUT = ROOT / "build" / "test"
JOBS = areas.PLACES["{jobs}"]
TOLD, WIDEST = 30, 300  # lines of a failed step's log, and their characters: a reader may have nothing else of it


@dataclass
class Result:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: "Result", part: str = "") -> None:
        """Adds the counts of another, and where it is a part of this one its notes."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.notes += [f"{part}: {note}" for note in other.notes] if part else []


@dataclass(kw_only=True)
class Step(ABC):
    """One is skipped without the programs that it `needs`. The last three say when it may begin (`next_of`)."""

    name: str
    tree: str = ""  # of the build, if it has one
    needs: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    minutes: float = 60
    after: list[str] = field(default_factory=list)
    cores: int = 0  # that it keeps busy; 0: all
    alone: bool = False

    @abstractmethod
    def run(self, log: Path) -> Result: ...


@dataclass(kw_only=True)
class Suite(Step):
    """A build tree with the CTest suites to run, once or on each of the CPUs that QEMU emulates. `targets` are
    built, or all."""

    cmake: list[str]
    targets: list[str] = field(default_factory=list)
    ctest: list[str] = field(default_factory=list)
    cpus: list[str] = field(default_factory=list)

    def run(self, log: Path) -> Result:
        if lacking := lacks(self.needs):
            return lacking
        tree = OUT / self.tree
        targets = ["--target", *self.targets] if self.targets else []
        configure = ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(tree), "-DLATKEM_WERROR=ON", *self.cmake]
        forget_other_options(tree, configure)
        if not call(configure, log) or not call(["cmake", "--build", str(tree), "-j", JOBS, *targets], log):
            return Result(failed=1, notes=["does not build"])
        if not self.cpus:
            return self.test(tree, log, self.env)
        result = Result()
        for cpu in self.cpus:
            result.add(self.test(tree, log, {**self.env, "QEMU_CPU": cpu}), cpu)
        return result

    def test(self, tree: Path, log: Path, env: dict[str, str]) -> Result:
        report, parts_of_programs = tree / "report.xml", tree / "gtest"
        report.unlink(missing_ok=True)
        shutil.rmtree(parts_of_programs, ignore_errors=True)
        ctest = ["ctest", "--test-dir", str(tree), "-j", JOBS, "--output-on-failure", "--no-tests=error"]
        call([*ctest, "--output-junit", str(report), *self.ctest], log, env, self.minutes)
        return read_results(report, parts_of_programs)


@dataclass(kw_only=True)
class Script(Step):
    """A command that succeeds or fails as one test; `machine` is the only one that it is for."""

    command: list[str]
    machine: str = ""

    def run(self, log: Path) -> Result:
        if self.machine and self.machine != platform.machine():
            return Result(skipped=1, notes=[f"skipped: for {self.machine} only"])
        if lacking := lacks(self.needs):
            return lacking
        passed = call(self.command, log, self.env, self.minutes)
        skipped = [line.strip() for line in log.read_text(errors="replace").splitlines() if "skipped: " in line]
        return Result(passed=int(passed), failed=int(not passed), skipped=len(skipped), notes=skipped)


def forget_other_options(tree: Path, configure: list[str]) -> None:
    """CMake keeps each option that a configuration has named: of the other rung, none may stay in a tree."""
    kept, options = tree / "options.txt", "\n".join(configure)
    if not kept.exists() or kept.read_text() != options:
        (tree / "CMakeCache.txt").unlink(missing_ok=True)
    tree.mkdir(parents=True, exist_ok=True)
    kept.write_text(options)


def lacks(programs: list[str]) -> Result | None:
    for program in programs:
        if not shutil.which(program):
            return Result(skipped=1, notes=[f"skipped: no {program} on this machine"])
    return None


def call(command: list[str], log: Path, env: dict[str, str] | None = None, minutes: float = 60) -> bool:
    with log.open("a") as out:
        out.write(f"$ {' '.join(command)}\n")
        out.flush()
        try:
            done = subprocess.run(
                command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=ROOT,
                env={**os.environ, **(env or {})}, timeout=60 * minutes, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            out.write(f"{error}\n")
            return False
    return done.returncode == 0


def read_results(report: Path, parts_of_programs: Path) -> Result:
    """CTest's report. If a test of it is a part of a GoogleTest program, that part's own report counts, if it wrote
    one that explains CTest's verdict."""
    if not report.exists():
        return Result(failed=1, notes=["no tests were run"])
    result = Result()
    reasons: dict[str, int] = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        tests = read_part(parts_of_programs / f"{case.get('name')}.xml")
        verdict = (case.get("name"), verdict_of_ctest(case), skip_reason(case.findtext("system-out") or ""))
        explained = bool(tests) and (verdict[1] == "passed") == all(test[1] != "failed" for test in tests)
        for name, outcome, reason in tests if explained else [verdict]:
            setattr(result, outcome, getattr(result, outcome) + 1)
            if outcome == "failed":
                result.notes.append(f"FAILED: {name}")
            if outcome == "skipped":
                reasons[reason] = reasons.get(reason, 0) + 1
    result.notes += [f"{count} skipped: {reason}" for reason, count in sorted(reasons.items())]
    return result


def verdict_of_ctest(case: ElementTree.Element) -> str:
    return {"run": "passed", "disabled": "skipped", "notrun": "skipped", "skipped": "skipped"}.get(
        case.get("status") or "", "failed"
    )


def read_part(report: Path) -> list[tuple[str, str, str]]:
    """Name, outcome and reason for skipping of each test in a report of GoogleTest."""
    if not report.exists():
        return []
    tests = []
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        skipped = case.find("skipped")
        outcome = "failed" if case.find("failure") is not None else "passed" if skipped is None else "skipped"
        reason = "" if skipped is None else skip_reason(skipped.get("message") or "")
        tests.append((f"{case.get('classname')}.{case.get('name')}", outcome, reason))
    return tests


def skip_reason(text: str) -> str:
    for line in text.splitlines():
        if "skipped:" in line:
            return line.split("skipped:", 1)[1].strip()
    return "no reason given"


def step_from(table: dict[str, Any], tables: dict[str, dict[str, Any]]) -> Step:
    """A step as an area states it. One within another has that one's build tree and options."""
    host = tables[table.get("within", table["name"])]
    table = {**host, **table, "cmake": host["cmake"]}
    own = ["machine"] if "run" in table else ["targets", "ctest", "cpus"]
    keys = ("name", "needs", "env", "minutes", "after", "cores", "alone", *own)
    stated = {key: table[key] for key in keys if key in table}
    if "run" in table:
        return Script(command=table["run"], **stated)
    return Suite(cmake=table["cmake"], tree=host["name"], **stated)


def is_for_all(table: dict[str, Any], rung: str) -> bool:
    return "within" not in table and (rung == "deep" or not table.get("apart", False))


def choose(rung: str, only: list[str], area: str) -> list[Step]:
    """The steps of a rung, or those asked for. One apart or within another runs only if it or its area is asked for,
    and one within another not beside it. The deep rung leaves none out that is apart."""
    stated = [(owner.name, table) for owner, table in areas.steps(rung)]
    tables = {table["name"]: table for _, table in stated}
    if len(tables) < len(stated):
        raise areas.AreaError(f"two steps of the {rung} rung have one name")
    for place, (_, table) in enumerate(stated):
        if unknown := set(table.get("after", [])) - {earlier["name"] for _, earlier in stated[:place]}:
            raise areas.AreaError(f"{table['name']} is not stated after a step {sorted(unknown)[0]}")
    if unknown := set(only) - set(tables):
        raise areas.AreaError(f"no step {sorted(unknown)[0]}; there are: {', '.join(tables)}")
    names = set(only) or {table["name"] for _, table in stated if area or is_for_all(table, rung)}
    if area:
        names &= {table["name"] for owner, table in stated if owner == areas.find_area(area).name}
    names = {name for name in names if tables[name].get("within") not in names}
    if not names:
        raise areas.AreaError(f"the {rung} rung has no such step in {area}; --list lists all")
    return [step_from(table, tables) for name, table in tables.items() if name in names]


def listed() -> str:
    lines = []
    for rung in areas.RUNGS:
        for area, table in areas.steps(rung):
            within = f", within {table['within']}" if "within" in table else ""
            apart = ", apart" if table.get("apart", False) else ""
            lines.append(f"{rung:<8}{area.name:<16}{table['name']}{within}{apart}")
    return "\n".join(lines)


Measured = tuple[Step, Result, float, float]


def measured(step: Step) -> Measured:
    """The step and its result, its seconds, and those of processors, which the children of this process spent on it."""
    log = OUT / f"{step.name}.log"
    log.unlink(missing_ok=True)
    begin = os.times()
    result = step.run(log)
    end = os.times()
    spent = end.children_user + end.children_system - begin.children_user - begin.children_system
    return step, result, end.elapsed - begin.elapsed, spent


def next_of(waiting: list[Step], running: list[Step]) -> Step | None:
    """The first of the steps that may begin beside those that run. One for all processors leaves some of them idle at
    times, and then another, which keeps one busy, goes on."""
    unfinished = {name for step in waiting + running for name in (step.name, step.tree)}

    def may_begin(step: Step) -> bool:
        if any(other.alone for other in running) or not unfinished.isdisjoint(step.after):
            return False
        return not running or (not step.alone and bool(step.cores or all(other.cores for other in running)))

    return next(filter(may_begin, waiting), None) if len(running) < int(JOBS) else None


def results_of(steps: list[Step]) -> Iterator[Measured]:
    """Runs the steps side by side and yields each when it has ended. A process of its own counts a step's children."""
    waiting, running = list(steps), dict[Future[Measured], Step]()
    with ProcessPoolExecutor(max_workers=int(JOBS)) as pool:
        while waiting or running:
            while step := next_of(waiting, list(running.values())):
                waiting.remove(step)
                running[pool.submit(measured, step)] = step
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                del running[future]
                yield future.result()


def report(name: str, result: Result, seconds: float, spent: float) -> None:
    counts = f"{result.passed} passed, {result.failed} failed, {result.skipped} skipped"
    print(f"  {name:<20} {seconds:6.0f} s {spent:6.0f} CPU s   {counts}", flush=True)
    for note in result.notes:
        print(f"      {note}", flush=True)
    if result.failed:
        log = OUT / f"{name}.log"
        for line in log.read_text(errors="replace").splitlines()[-TOLD:]:
            print(f"      | {line[:WIDEST]}")
        print(f"      see {log.relative_to(ROOT)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="STEP", action="append", default=[], help="run only this step (again: these)")
    parser.add_argument("--area", metavar="AREA", default="", help="run only the steps of this area")
    parser.add_argument("--deep", action="store_true", help="the deep rung: everything, for hours")
    parser.add_argument("--list", action="store_true", help="list the steps: rung, area, name")
    args = parser.parse_args()

    OUT.mkdir(parents=True, exist_ok=True)
    if args.deep:
        os.environ["LATKEM_TEST_DEEP"] = "1"
    rung = "deep" if args.deep else "quick"
    try:
        if args.list:
            print(listed())
            return 0
        chosen = choose(rung, args.only, args.area)
    except areas.AreaError as error:
        parser.error(str(error))
    where = f"on {platform.machine()}, logs in {OUT.relative_to(ROOT)}/"
    print(f"latkem tests, {rung} rung: {len(chosen)} steps {where}", flush=True)
    begun, total, work = time.monotonic(), Result(), 0.0
    for step, result, seconds, spent in results_of(chosen):
        total.add(result)
        work += spent
        report(step.name, result, seconds, spent)
    print(f"  {'in all':<20} {time.monotonic() - begun:6.0f} s {work:6.0f} CPU s")
    print(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The command line: the steps of an evaluation, in order.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from latkem_evaluate import conformance
from latkem_evaluate.benchmarks import FULL, QUICK, Benchmarks, Plan, repetition_seconds
from latkem_evaluate.build import Build, code_sizes
from latkem_evaluate.groups import OPERATIONS
from latkem_evaluate.machine import core_to_pin, machine_facts
from latkem_evaluate.report import Report
from latkem_evaluate.steps import Advance, CommandError, Display, Part, Runner

STUDY_ROUNDS = 120
ROOT = Path(__file__).resolve().parents[2]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="latkem_evaluate", description="Build latkem, check it, measure it and write a report."
    )
    parser.add_argument("--quick", action="store_true", help="a look in under three minutes, with noisier numbers")
    parser.add_argument("--build", type=Path, default=ROOT / "build/evaluation-build", help="where to build")
    parser.add_argument("--out", type=Path, default=ROOT / "build/evaluation", help="where the report goes")
    parser.add_argument(
        "--peers", type=Path, default=ROOT / "build/peers/peers.json", help="other libraries' results, shown if there"
    )
    parser.add_argument(
        "--aarch64", type=Path, default=ROOT / "build/aarch64/cost.json", help="the AArch64 model's, shown if there"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the report in a browser")
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="JSON", help="only make the report, from results.json"
    )
    return parser.parse_args(arguments)


class Evaluation:
    """One run. Its results are plain data for results.json."""

    def __init__(self, options: argparse.Namespace, display: Display) -> None:
        self.plan: Plan = QUICK if options.quick else FULL
        self.display = display
        self.build = Build(ROOT, options.build.resolve())
        self.work = options.out.resolve() / "raw"
        self.runner = Runner(ROOT, options.out.resolve() / "log")
        self.work.mkdir(parents=True, exist_ok=True)
        self.core = core_to_pin()
        self.raw: dict = {
            "format": 1,
            "mode": self.plan.mode,
            "plan": asdict(self.plan),
            "command": "make evaluate QUICK=1" if options.quick else "make evaluate",
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine_facts(),
            "core": self.core,
            "repetition_seconds": {},
            "seconds": {},
            "problems": [],
            "conformance": [],
            "benchmarks": {"operations": [], "kernels": []},
            "profile": {},
            "study": {},
            "session_key": {},
            "stack": {},
            "peers": json.loads(options.peers.read_text()) if options.peers.exists() else None,
            "aarch64": json.loads(options.aarch64.read_text()) if options.aarch64.exists() else None,
        }

    def run(self) -> dict:
        with self._timed("Building"):
            self._build()
        self._try("Checking conformance", self._conformance)
        self._try("Timing operations", self._operations)
        self._try("Timing kernels", self._kernels)
        self._try("Profiling", self._profile)
        self._try("Studying Saber", self._study)
        self._try("Encrypting session keys", self._session_key)
        self._try("Measuring stacks", self._stack)
        return self.raw

    @contextmanager
    def _timed(self, title: str) -> Iterator[None]:
        start = time.monotonic()
        yield
        self.raw["seconds"][title] = round(time.monotonic() - start, 1)

    def _try(self, title: str, work: Callable[[Advance], None]) -> None:
        """A step that the others do not need: where it fails, the report says so."""
        with self._timed(title):
            try:
                with self.display.step(title) as advance:
                    work(advance)
            except (CommandError, OSError, ValueError) as error:
                self.raw["problems"].append(f"{title}: {error}")
                self.display.say(f"[red]{escape(title)} failed:[/] {escape(str(error))}")

    def _build(self) -> None:
        with self.display.step("Building") as advance:
            self.build.make(self.runner, advance)
        listing = self.work / "list.json"
        self.runner.run("list", [str(self.build.program("latkem")), "list", "--json"], output=listing)
        self.raw["library"] = json.loads(listing.read_text())
        self.raw["build"] = self.build.facts()
        self.raw["code_size"] = code_sizes(self.build)
        self.backends = len(self.raw["library"]["backends"])
        self.benchmarks = Benchmarks(self.build, self.runner, self.work, self.core, self.plan)

    def _conformance(self, advance: Advance) -> None:
        rounds = self.plan.accumulated_rounds
        for result in conformance.run_conformance(self.build, self.runner, self.work, rounds, advance):
            self.raw["conformance"].append(result)

    def _operations(self, advance: Advance) -> None:
        self._google("operations", self.plan.operation_processes, self.plan.operation_budget, advance)

    def _kernels(self, advance: Advance) -> None:
        self._google("kernels", self.plan.kernel_processes, self.plan.kernel_budget, advance)

    def _google(self, kind: str, processes: int, budget: float, advance: Advance) -> None:
        processes = max(processes // self.backends, self.plan.least_processes)
        rows = self.benchmarks.rows(f"bench_{kind}")
        seconds = repetition_seconds(self.plan, rows, budget)
        self.raw["repetition_seconds"][kind] = seconds
        for run in range(processes):
            part = Part(advance, run / processes, 1 / processes)
            document = self.benchmarks.google(f"bench_{kind}", run, rows, seconds, part)
            self.raw["benchmarks"][kind].append(document)

    def _profile(self, advance: Advance) -> None:
        rounds = ["--rounds", str(self.plan.profile_rounds)]
        self.raw["profile"] = self.benchmarks.report("profile", rounds, 5 * self.backends, advance)

    def _study(self, advance: Advance) -> None:
        rounds = ["--rounds", str(STUDY_ROUNDS)]
        self.raw["study"] = self.benchmarks.report("saber_study", rounds, self.backends, advance)

    def _session_key(self, advance: Advance) -> None:
        """Built here and not before, for only this step needs it."""
        self.build.compile(self.runner, "build-session_key", ["session_key"], Part(advance, 0, 0.2))
        quick = ["--quick"] if self.plan is QUICK else []
        self.raw["session_key"] = self.benchmarks.report("session_key", quick, 10, Part(advance, 0.2, 0.8))

    def _stack(self, advance: Advance) -> None:
        self.raw["stack"] = self.benchmarks.report("stack", [], 3, advance)


def summary(report: Report) -> Table:
    """The wire tier's medians for the terminal."""
    table = Table(title="Wire tier, µs (median)", title_justify="left", box=None, pad_edge=False)
    table.add_column("Set")
    table.add_column("Backend")
    for title in OPERATIONS.values():
        if title in {head for head, _ in report.operation_table("wire").heads}:
            table.add_column(title, justify="right")
    rows = report.operations[report.operations["tier"] == "wire"]
    for (name, backend), here in rows.groupby(["set", "backend"], sort=False):
        by_operation = here.set_index("operation")["median_ns"] / 1e3
        table.add_row(name, backend, *(f"{by_operation[op]:.2f}" for op in OPERATIONS if op in by_operation))
    return table


def open_in_browser(page: Path) -> None:
    if sys.stdout.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(page.as_uri())


def evaluate(options: argparse.Namespace, display: Display) -> int:
    raw = json.loads(options.source.read_text()) if options.source else Evaluation(options, display).run()
    with display.step("Writing the report"):
        report = Report(raw)
        page = report.write(options.out.resolve())
    display.console.print(summary(report))
    display.say(escape(report.headline))
    display.say(f"\nreport: {page}")
    if not options.no_open:
        open_in_browser(page)
    return 1 if report.problems or report.conformance_counts["fail"] else 0


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    display = Display(Console())
    try:
        return evaluate(options, display)
    except (CommandError, OSError, ValueError) as error:
        print(f"latkem_evaluate: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("latkem_evaluate: interrupted", file=sys.stderr)
        return 130

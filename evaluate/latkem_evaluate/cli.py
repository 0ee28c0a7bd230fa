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
from latkem_evaluate.benchmarks import FULL, QUICK, Benchmarks, Plan, Share, affordable
from latkem_evaluate.bindings import Bindings
from latkem_evaluate.build import Build, code_sizes
from latkem_evaluate.counts import aarch64_results, kept_studies
from latkem_evaluate.handshakes import Handshakes
from latkem_evaluate.hardware import hardware_figures
from latkem_evaluate.java import Java
from latkem_evaluate.machine import core_to_pin, machine_facts
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.report import Report
from latkem_evaluate.sections.ranking import contradictions
from latkem_evaluate.steps import Advance, CommandError, Display, Part, Runner
from latkem_evaluate.table import time_cell

STUDY_ROUNDS = 120
MATRIX_VECTOR_MUL_ROUNDS = 30  # as in the study beside which they are shown
ROOT = Path(__file__).resolve().parents[2]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="latkem_evaluate", description="Build latkem, check it, measure it and write a report."
    )
    parser.add_argument("--quick", action="store_true", help="a look in three minutes on two idle cores")
    parser.add_argument(
        "--began", type=float, metavar="SECONDS", help="when the three minutes began, as date +%%s tells"
    )
    parser.add_argument("--build", type=Path, default=ROOT / "build/evaluation-build", help="where to build")
    parser.add_argument("--out", type=Path, default=ROOT / "build/evaluation", help="where the report goes")
    parser.add_argument(
        "--peers", type=Path, default=ROOT / "build/peers/peers.json", help="other libraries' results, shown if there"
    )
    parser.add_argument(
        "--aarch64", type=Path, default=ROOT / "build/aarch64/cost.json", help="the AArch64 model's, shown if there"
    )
    parser.add_argument(
        "--other-machine",
        type=Path,
        metavar="JSON",
        default=ROOT / "build/session-key/other.json",
        help="another machine's session keys, shown beside this one's if there",
    )
    parser.add_argument(
        "--against", type=Path, metavar="JSON", help="say where the ranking contradicts that of another results.json"
    )
    parser.add_argument(
        "--proofs", type=Path, default=ROOT / "build/proofs/table.json", help="the table of proofs, shown if there"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the report in a browser")
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="JSON", help="only make the report, from results.json"
    )
    parser.add_argument(
        "--kept",
        action="store_true",
        help="with --from: show the figures of hardware cores and studies and the proofs that are here now",
    )
    return parser.parse_args(arguments)


def kept(options: argparse.Namespace) -> dict:
    """Results that no run of this program measures."""
    proofs = json.loads(options.proofs.read_text()) if options.proofs.exists() else None
    return {"hardware": hardware_figures(ROOT), "studies": kept_studies(ROOT), "proofs": proofs}


class Evaluation:
    """One run. Its results are plain data for results.json."""

    def __init__(self, options: argparse.Namespace, display: Display) -> None:
        self.plan: Plan = QUICK if options.quick else FULL
        began = time.time() if options.began is None else options.began
        self.deadline = began + self.plan.promise - self.plan.after
        self.display = display
        self.build = Build(ROOT, options.build.resolve())
        self.work = options.out.resolve() / "raw"
        self.runner = Runner(ROOT, options.out.resolve() / "log")
        self.work.mkdir(parents=True, exist_ok=True)
        self.core = core_to_pin()
        self.java = Java(self.build, self.runner, self.work, self.plan is QUICK)
        self.handshakes = Handshakes(self.build, self.runner, self.work, self.core, self.plan is QUICK)
        self.bindings = Bindings(ROOT, self.runner, self.work, self.plan is QUICK)
        self.raw: dict = {
            "format": 2,
            "mode": self.plan.mode,
            "plan": asdict(self.plan),
            "command": "make evaluate QUICK=1" if options.quick else "make evaluate",
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine_facts(),
            "core": self.core,
            "seconds": {},
            "problems": [],
            "conformance": [],
            "benchmarks": {"operations": [], "kernels": []},
            "profile": {},
            "study": {},
            "matrix_vector_mul": {},
            "java": {},
            "tls": {},
            "bindings": [],
            "session_key": {},
            "session_key_java": {},
            "session_key_other": json.loads(options.other_machine.read_text())
            if options.other_machine.exists()
            else None,
            "stack": {},
            "peers": json.loads(options.peers.read_text()) if options.peers.exists() else None,
            "aarch64": aarch64_results(ROOT, options.aarch64),
            **kept(options),
        }

    def run(self) -> dict:
        with self._timed("Building"):
            self._build()
        if self.java.wants_a_build:
            self._try("Building for Java", self.java.package)
        self._try("Checking conformance", self._conformance)
        self._try("Timing operations", self._operations)
        self._try("Timing kernels", self._kernels)
        self._try("Profiling", self._profile)
        self._try("Studying Saber", self._study)
        self._try("Multiplying matrix and vector", self._matrix_vector_mul)
        self._try("Encrypting session keys", self._session_key)
        self._try("Encrypting session keys in Java", self._session_key_java)
        self._try("Making TLS handshakes", self._tls)
        self._try("Measuring other languages", self._bindings)
        self._try("Measuring Java", self._java)
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
        self.benchmarks = Benchmarks(self.build, self.runner, self.work, self.core)

    def _conformance(self, advance: Advance) -> None:
        rounds = self.plan.accumulated_rounds
        for result in conformance.run_conformance(self.build, self.runner, self.work, rounds, advance):
            self.raw["conformance"].append(result)

    def _operations(self, advance: Advance) -> None:
        self._rounds("operations", self.plan.operations, self.plan.kernels.longest, advance)

    def _kernels(self, advance: Advance) -> None:
        self._rounds("kernels", self.plan.kernels, 0, advance)

    def _rounds(self, kind: str, share: Share, later: float, advance: Advance) -> None:
        """Within the time that is left, less what later steps may take of it."""
        seconds = affordable(share, self.deadline - later - time.time())
        for run in range(share.processes):
            part = Part(advance, run / share.processes, 1 / share.processes)
            document = self.benchmarks.rounds(f"bench_{kind}", run, share, seconds, part)
            self.raw["benchmarks"][kind].append(document)

    def _profile(self, advance: Advance) -> None:
        rounds = ["--rounds", str(self.plan.profile_rounds)]
        self.raw["profile"] = self.benchmarks.report("profile", rounds, 5 * self.backends, advance)

    def _study(self, advance: Advance) -> None:
        rounds = ["--rounds", str(STUDY_ROUNDS)]
        self.raw["study"] = self.benchmarks.report("saber_study", rounds, self.backends, advance)

    def _matrix_vector_mul(self, advance: Advance) -> None:
        rounds = ["--rounds", str(MATRIX_VECTOR_MUL_ROUNDS)]
        self.raw["matrix_vector_mul"] = self.benchmarks.report("matrix_vector_mul", rounds, 2, advance)

    def _session_key(self, advance: Advance) -> None:
        """Built here and not before, because only this step needs it."""
        self.build.compile(self.runner, "build-session_key", ["session_key"], Part(advance, 0, 0.2))
        quick = ["--quick"] if self.plan is QUICK else []
        self.raw["session_key"] = self.benchmarks.report("session_key", quick, 10, Part(advance, 0.2, 0.8))

    def _session_key_java(self, advance: Advance) -> None:
        self.raw["session_key_java"] = self.java.session_key(advance)

    def _tls(self, advance: Advance) -> None:
        self.raw["tls"] = self.handshakes.measure(advance)

    def _bindings(self, advance: Advance) -> None:
        self.raw["bindings"] = self.bindings.measure(advance)

    def _stack(self, advance: Advance) -> None:
        self.raw["stack"] = self.benchmarks.report("stack", [], 3, advance)

    def _java(self, advance: Advance) -> None:
        self.raw["java"] = self.java.ratios(advance)


def summary(report: Report) -> Table:
    """The wire tier's estimates for the terminal."""
    table = Table(title="Wire tier, µs", title_justify="left", box=None, pad_edge=False)
    table.add_column("Set")
    table.add_column("Backend")
    rows = report.results.rows(tier="wire")
    names = [name for name in OPERATIONS if name in set(rows["operation"])]
    for name in names:
        table.add_column(OPERATIONS[name], justify="right")
    for (set_name, backend), here in rows.groupby(["set", "backend"], sort=False):
        cells = {row["operation"]: time_cell(row, 1e3).text for _, row in here.iterrows()}
        table.add_row(set_name, backend, *(cells.get(name, "–") for name in names))
    return table


def comparison(report: Report, other: Path) -> tuple[str, bool]:
    """The comparison of two runs' rankings, and whether they agree."""
    mine, theirs = report.ranking.claims(), Report(json.loads(other.read_text())).ranking.claims()
    against = contradictions(mine, theirs)
    lines = [f"{backend}, level {level}, {op}: {fast} before {slow}" for backend, level, op, fast, slow in against]
    head = f"{len(mine)} pairs told apart here, {len(theirs)} there, {len(mine & theirs)} in both, alike; opposed:"
    return "\n".join([f"{head} {len(against)}", *lines]), not against


def open_in_browser(page: Path) -> None:
    if sys.stdout.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(page.as_uri())


def evaluate(options: argparse.Namespace, display: Display) -> int:
    raw = json.loads(options.source.read_text()) if options.source else Evaluation(options, display).run()
    if options.kept:
        raw |= kept(options)
    with display.step("Writing the report"):
        report = Report(raw)
        page = report.write(options.out.resolve())
    display.console.print(summary(report))
    display.say(escape(report.answers.lead))
    agrees = True
    if options.against:
        said, agrees = comparison(report, options.against)
        display.say(escape(said))
    display.say(f"\nreport: {page}")
    if not options.no_open:
        open_in_browser(page)
    return 0 if agrees and not report.failed else 1


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

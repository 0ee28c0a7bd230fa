"""Runs the benchmark programs and returns their JSON as it is.

SPDX-License-Identifier: Apache-2.0
"""

import json
from dataclasses import dataclass
from pathlib import Path

from latkem_evaluate.build import Build
from latkem_evaluate.steps import Advance, Runner, by_time


@dataclass(frozen=True)
class Plan:
    """How much is measured. The times are estimates for one backend and only move the progress bar."""

    mode: str
    flags: tuple[str, ...]  # of the Google Benchmark programs
    operation_processes: int  # shared out among the backends, for each process times all of them
    kernel_processes: int
    least_processes: int
    profile_rounds: int
    accumulated_rounds: int
    operation_seconds: float
    kernel_seconds: float
    profile_seconds: float


QUICK = Plan("quick", ("--quick",), 2, 1, 1, 30, 1000, 16, 10, 5)
FULL = Plan("full", (), 3, 2, 2, 120, 10000, 170, 100, 15)


class Benchmarks:
    """The programs of one build, pinned to one core."""

    def __init__(self, build: Build, runner: Runner, work: Path, core: int | None, backends: int) -> None:
        self.build = build
        self.runner = runner
        self.work = work
        self.pin = [] if core is None else ["--pin", str(core)]
        self.backends = backends

    def google(self, program: str, run: int, flags: tuple[str, ...], seconds: float, advance: Advance) -> dict:
        """One process of a Google Benchmark program. Status 1 means failed rows, which its JSON marks."""
        out = self.work / f"{program}-{run}.json"
        out.unlink(missing_ok=True)
        command = [str(self.build.program(program)), *self.pin, *flags]
        command += [f"--benchmark_out={out}", "--benchmark_out_format=json"]
        gauge = by_time(seconds * self.backends)
        self.runner.run(f"{program}-{run}", command, advance=advance, gauge=gauge, accepted=(0, 1))
        return json.loads(out.read_text())

    def report(self, program: str, arguments: list[str], seconds: float, advance: Advance) -> dict:
        """One of the programs that write a JSON report of their own."""
        out = self.work / f"{program}.json"
        out.unlink(missing_ok=True)
        command = [str(self.build.program(program)), *self.pin, *arguments, "--out", str(out)]
        self.runner.run(program, command, advance=advance, gauge=by_time(seconds * self.backends))
        return json.loads(out.read_text())

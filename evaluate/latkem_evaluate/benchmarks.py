"""Runs the benchmark programs and returns their JSON as it is.

SPDX-License-Identifier: Apache-2.0
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path

from latkem_evaluate.build import Build
from latkem_evaluate.steps import Advance, Runner, by_time


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    mode: str
    repetitions: int  # of a row in each process of a Google Benchmark program
    longest_repetition: float  # seconds; shorter where a program would exceed its budget
    operation_processes: int  # shared out among the backends, for each process times all of them
    kernel_processes: int
    least_processes: int
    operation_budget: float  # seconds for each process
    kernel_budget: float
    profile_rounds: int
    accumulated_rounds: int


QUICK = Plan("quick", 5, 0.02, 2, 1, 1, 30, 8, 30, 1000)
FULL = Plan("full", 15, 0.1, 3, 2, 2, math.inf, math.inf, 120, 10000)

WARM_UP = 0.25
"""A row's warm-up, as a part of a repetition."""
OVERHEAD = 1.7
"""The time that a row takes by the time of its repetitions: warm-up, search for the number of iterations, checks."""
SHORTEST_REPETITION = 0.002


def repetition_seconds(plan: Plan, rows: int, budget: float) -> float:
    """How long a repetition lasts, for a program of so many rows to keep to its budget."""
    affordable = budget / (max(rows, 1) * plan.repetitions * OVERHEAD)
    return min(plan.longest_repetition, max(affordable, SHORTEST_REPETITION))


class Benchmarks:
    """The programs of one build, pinned to one core."""

    def __init__(self, build: Build, runner: Runner, work: Path, core: int | None, plan: Plan) -> None:
        self.build = build
        self.runner = runner
        self.work = work
        self.pin = [] if core is None else ["--pin", str(core)]
        self.plan = plan

    def rows(self, program: str) -> int:
        """The number of rows that a Google Benchmark program has."""
        listing = self.work / f"{program}.txt"
        command = [str(self.build.program(program)), "--benchmark_list_tests=true"]
        self.runner.run(f"{program}-list", command, output=listing)
        return len(listing.read_text().splitlines())

    def google(self, program: str, run: int, rows: int, seconds: float, advance: Advance) -> dict:
        """One process of a Google Benchmark program. Status 1 means failed rows, which its JSON marks."""
        out = self.work / f"{program}-{run}.json"
        out.unlink(missing_ok=True)
        command = [str(self.build.program(program)), *self.pin, f"--benchmark_repetitions={self.plan.repetitions}"]
        command += [f"--benchmark_min_time={seconds:.4f}", f"--benchmark_min_warmup_time={WARM_UP * seconds:.4f}"]
        command += [f"--benchmark_out={out}", "--benchmark_out_format=json"]
        gauge = by_time(rows * self.plan.repetitions * seconds * OVERHEAD)
        self.runner.run(f"{program}-{run}", command, advance=advance, gauge=gauge, accepted=(0, 1))
        return json.loads(out.read_text())

    def report(self, program: str, arguments: list[str], seconds: float, advance: Advance) -> dict:
        """One of the programs that write a JSON report of their own."""
        out = self.work / f"{program}.json"
        out.unlink(missing_ok=True)
        command = [str(self.build.program(program)), *self.pin, *arguments, "--out", str(out)]
        self.runner.run(program, command, advance=advance, gauge=by_time(seconds))
        return json.loads(out.read_text())

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
class Share:
    """The budget of a program that times rows: how many processes, and for all of them together how long."""

    processes: int
    rounds: int  # of a process, at most
    shortest: float  # seconds, however late it is
    longest: float


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    mode: str
    operations: Share
    kernels: Share
    promise: float  # seconds for everything, from before the build
    after: float  # of these, what the steps after the timing take
    profile_rounds: int
    accumulated_rounds: int


QUICK = Plan("quick", Share(2, 60, 16, 30), Share(2, 40, 6, 12), 180, 47, 30, 1000)
FULL = Plan("full", Share(3, 60, math.inf, math.inf), Share(3, 60, math.inf, math.inf), math.inf, 0, 120, 10000)

SECONDS_OF_A_ROUND = 2.0
"""For the progress bar of a program that is not stopped: on three backends, one of them portable."""


def affordable(share: Share, left: float) -> float:
    """Seconds for each of its processes, where so many seconds are left for all."""
    return min(max(left, share.shortest), share.longest) / share.processes


class Benchmarks:
    """The programs of one build, pinned to one core."""

    def __init__(self, build: Build, runner: Runner, work: Path, core: int | None) -> None:
        self.build = build
        self.runner = runner
        self.work = work
        self.pin = [] if core is None else ["--pin", str(core)]

    def rounds(self, program: str, run: int, share: Share, seconds: float, advance: Advance) -> dict:
        """One process of a program that times rows, for about so many seconds."""
        limit = [] if math.isinf(seconds) else ["--seconds", f"{seconds:.1f}"]
        arguments = ["--rounds", str(share.rounds), *limit]
        expected = min(seconds, share.rounds * SECONDS_OF_A_ROUND)
        return self.report(program, arguments, expected, advance, name=f"{program}-{run}", accepted=(0, 1))

    def report(
        self,
        program: str,
        arguments: list[str],
        seconds: float,
        advance: Advance,
        name: str = "",
        accepted: tuple[int, ...] = (0,),
    ) -> dict:
        """A program's JSON. If status 1 is accepted, it means failed rows, which the JSON marks."""
        out = self.work / f"{name or program}.json"
        out.unlink(missing_ok=True)
        command = [str(self.build.program(program)), *self.pin, *arguments, "--out", str(out)]
        self.runner.run(name or program, command, advance=advance, gauge=by_time(seconds), accepted=accepted)
        return json.loads(out.read_text())

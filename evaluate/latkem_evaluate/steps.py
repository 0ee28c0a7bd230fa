"""Running programs with their output in a log, under a progress display.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

Advance = Callable[[float], None]
"""Called with the part of a step that is done, 0 to 1."""
Gauge = Callable[[float, str], float]
"""Estimates that part from the seconds that have passed and the log so far."""

POLL_SECONDS = 0.2
LOG_TAIL_LINES = 25


@dataclass(frozen=True)
class Part:
    """The advance of a part of a step."""

    whole: Advance
    start: float
    length: float

    def __call__(self, part: float) -> None:
        self.whole(self.start + self.length * part)


class CommandError(Exception):
    """A program ended with an error; the message has the end of its log."""

    def __init__(self, command: Sequence[str], status: int, log: Path) -> None:
        tail = log.read_text(errors="replace").splitlines()[-LOG_TAIL_LINES:] if log.exists() else []
        super().__init__("\n".join([f"{' '.join(command)}", f"ended with status {status}; {log} ends:", *tail]))


class Display:
    """One line per step: a live bar on a terminal, plain text elsewhere."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @contextmanager
    def step(self, title: str) -> Iterator[Advance]:
        start = time.monotonic()
        if self.console.is_terminal:
            with self._bar(title) as advance:
                yield advance
        else:
            self.console.print(f"{title} ...", highlight=False)
            yield lambda part: None
        self.say(f"[green]done[/] {escape(title)} ({time.monotonic() - start:.0f} s)")

    @contextmanager
    def _bar(self, title: str) -> Iterator[Advance]:
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(40), TimeElapsedColumn())
        with Progress(*columns, console=self.console, transient=True) as progress:
            task = progress.add_task(escape(title), total=1.0)
            yield lambda part: progress.update(task, completed=part)

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, soft_wrap=True)


class Runner:
    """Runs programs from one directory and keeps a log of each."""

    def __init__(self, directory: Path, logs: Path) -> None:
        self.directory = directory
        self.logs = logs
        logs.mkdir(parents=True, exist_ok=True)

    def run(
        self,
        name: str,
        command: Sequence[str],
        *,
        advance: Advance = lambda part: None,
        gauge: Gauge = lambda seconds, log: 0.0,
        environment: dict[str, str] | None = None,
        output: Path | None = None,
        accepted: Sequence[int] = (0,),
    ) -> int:
        """Runs a command; its standard output goes to `output`, the rest to the log. Returns an accepted status."""
        log = self.logs / f"{name}.log"
        with log.open("w") as log_file, (output or log).open("w" if output else "a") as out_file:
            process = subprocess.Popen(
                command,
                cwd=self.directory,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=out_file,
                stderr=log_file,
            )
            status = _wait(process, log, advance, gauge)
        if status not in accepted:
            raise CommandError(command, status, log)
        return status


def _wait(process: subprocess.Popen[bytes], log: Path, advance: Advance, gauge: Gauge) -> int:
    start = time.monotonic()
    try:
        while (status := process.poll()) is None:
            time.sleep(POLL_SECONDS)
            advance(gauge(time.monotonic() - start, log.read_text(errors="replace")))
    except BaseException:
        process.terminate()
        process.wait()
        raise
    return status


def by_time(expected_seconds: float) -> Gauge:
    """For programs that say nothing until they end."""
    return lambda seconds, log: min(seconds / expected_seconds, 0.99)


def by_ninja(seconds: float, log: str) -> float:
    """From the [done/all] of ninja's lines."""
    found = re.findall(r"^\[(\d+)/(\d+)\]", log, re.MULTILINE)
    return int(found[-1][0]) / int(found[-1][1]) if found else 0.0


def by_tests(seconds: float, log: str) -> float:
    """From GoogleTest's announcement and its line per finished test."""
    total = re.search(r"Running (\d+) tests", log)
    done = len(re.findall(r"^\[ +(?:OK|FAILED|SKIPPED) +\].*\(\d+ ms\)", log, re.MULTILINE))
    return min(done / int(total[1]), 1.0) if total and int(total[1]) else 0.0


def first_line(command: Sequence[str]) -> str:
    """The first line that a program prints, or "" where it cannot be run."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return result.stdout.strip().partition("\n")[0]

"""Proves one row of the table in a process of its own.

SPDX-License-Identifier: Apache-2.0
"""

import multiprocessing
import resource
import signal
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from proofs.domains import NotProved
from proofs.kept import Kept
from proofs.machine.check import record
from proofs.machine.memory import Violation
from proofs.table import NOT_APPLICABLE, NOT_PROVED, PROVED, TAGS, UNCHECKED, Row
from proofs.theorems.all import Task, tasks
from proofs.theorems.bounds import HEADERS
from proofs.theorems.target import Target, take_used
from proofs.theorems.theorem import Finding, Need, need
from proofs.whole import outcomes, rows

GIGABYTE = 1 << 30
MEMORY = 6 * GIGABYTE
SECONDS = 600.0  # of CPU


class Work(NamedTuple):
    build: str
    library: Path
    number: int  # of a task


@cache
def target_of(build: str, library: Path) -> Target:
    return Target(build, library)


@cache
def tasks_of(build: str, library: Path) -> list[Task]:
    target = target_of(build, library)
    return [*tasks(target), *rows.tasks(target), *outcomes.tasks(target)]


class TooLong(Exception):
    """A proof that took its seconds."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Refuses a proof that takes longer, or more memory than limit_memory allows."""

    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    except MemoryError:
        raise NotProved(f"takes more than {MEMORY // GIGABYTE} GiB") from None
    except TooLong:
        raise NotProved(f"takes more than {seconds:.0f} CPU seconds") from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def outcome(target: Target, task: Task) -> tuple[str, Finding]:
    """The status, and what was found or the witness."""
    if task.kernel is None:
        return NOT_APPLICABLE, Finding("the backend has no such kernel")
    if task.theorem is None:
        return NOT_PROVED, Finding(": ".join(filter(None, ["no theorem is stated", task.missing])))
    try:
        with limited(SECONDS):
            found = task.theorem.prove(target, task.kernel)
            return TAGS if task.theorem.tags else PROVED, found if isinstance(found, Finding) else Finding(found)
    except (NotProved, Violation) as reason:
        return NOT_PROVED, Finding(str(reason))


def prove(work: Work) -> Row:
    target, task = target_of(work.build, work.library), tasks_of(work.build, work.library)[work.number]
    take_used()
    began = time.process_time()
    status, (detail, rests_on) = outcome(target, task)
    machines = take_used()
    forms = tuple(sorted(set().union(*(m.forms_used for m in machines))))
    unchecked = [form for form in forms if form not in record.compared(target.image.machine)]
    if status == PROVED and unchecked:
        status, detail = UNCHECKED, f"compared with no processor: {'; '.join(unchecked)}"
    if status == PROVED and not all(m.pointers for m in machines):
        detail = "; ".join(filter(None, [detail, "buffers at constant addresses"]))
    return Row(
        build=work.build,
        machine=target.image.machine,
        backend=task.backend,
        kernel=task.name,
        variant=task.variant,
        claim=task.theorem.claim if task.theorem else "",
        domain=task.theorem.domain if task.theorem else "",
        status=status,
        detail=detail,
        function=_function(target, task),
        instructions=sum(m.instructions for m in machines),
        stack=max((m.stack_bytes for m in machines), default=0),
        seconds=round(time.process_time() - began, 2),
        forms=forms,
        executed=frozenset().union(*(m.executed() for m in machines)),
        of=_of(target, task),
        rests_on=rests_on if status in (PROVED, UNCHECKED) else (),
    )


def _taken_or_proved(kept: Kept | None, work: Work) -> Row:
    """The row of an earlier run, if there is one."""
    library = target_of(work.build, work.library).hash
    row = kept.row(library, work.number) if kept else None
    if row is None:
        row = prove(work)
        if kept:
            kept.keep(row, library, work.number)
    return row


def kernels_of(rows: Iterable[Row], libraries: Mapping[str, Path]) -> Iterator[Work]:
    """Those that the rows rest on and that are not among them, each once."""
    rows = list(rows)
    known = {(row.build, row.of) for row in rows}
    for build, library in libraries.items():
        wanted = {need for row in rows if row.build == build for need in row.rests_on}
        for number, task in enumerate(tasks_of(build, library)):
            of = _of(target_of(build, library), task)
            if of in wanted and (build, of) not in known:
                known.add((build, of))
                yield Work(build, library, number)


def _function(target: Target, task: Task) -> str:
    return target.image.where(task.kernel.address) if task.kernel else ""


def _of(target: Target, task: Task) -> Need | None:
    """The claim, for rows that rest on it."""
    if task.kernel is None or task.theorem is None or task.kernel.family not in HEADERS:
        return None
    return need(target, task.kernel, task.theorem.claim, task.theorem.contract)


def _row_of(work: Work, proved: Row) -> Row:
    """That of a task with the same outcome."""
    target, task = target_of(work.build, work.library), tasks_of(work.build, work.library)[work.number]
    function = _function(target, task)
    row = replace(proved, backend=task.backend, kernel=task.name, variant=task.variant, function=function, seconds=0.0)
    return replace(row, of=_of(target, task))


def limit_memory() -> None:
    """This process takes no more: a faulty kernel may run without end."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def prove_all(work: Sequence[Work], jobs: int, kept: Kept | None = None) -> Iterator[Row]:
    """In order. Each in a new process: terms are never given back. Functions that backends share, and claims about
    several kernels together, are proved once; rows that are kept, not again."""
    first: dict[tuple[object, ...], Work] = {}
    for w in work:
        first.setdefault(_same(w), w)
    done: dict[tuple[object, ...], Row] = {}
    context = multiprocessing.get_context("fork")
    with context.Pool(jobs, limit_memory, maxtasksperchild=1) as pool:
        rows = pool.imap(partial(_taken_or_proved, kept), first.values(), chunksize=1)
        for w in work:
            key = _same(w)
            if key in done:
                yield _row_of(w, done[key])
            else:
                done[key] = next(rows)
                yield done[key]


def _same(w: Work) -> tuple[object, ...]:
    task = tasks_of(w.build, w.library)[w.number]
    return w.build, w.library, w.number if task.kernel is None else task.same

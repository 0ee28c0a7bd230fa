"""Proves the theorems of the machine code and writes the table.

Builds the library with each compiler that is there, executes its kernels on variables and compares what they compute with
the standards. Exits with 1 if a theorem is not proved that has been stated. SPDX-License-Identifier: Apache-2.0
"""

import multiprocessing
import resource
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tqdm import tqdm

from proofs.builds import BUILDS, WORK
from proofs.domains import NotProved
from proofs.machine.memory import Violation
from proofs.table import NOT_APPLICABLE, NOT_PROVED, PROVED, Row, Table, summary
from proofs.theorems.all import Task, tasks
from proofs.theorems.target import Target, take_used
from proofs.theorems.theorem import Rung

Work = tuple[str, Path, int]  # a build, its library, the number of a task
GIGABYTE = 1 << 30
MEMORY = 6 * GIGABYTE


@cache
def _target(build: str, library: Path) -> Target:
    return Target(build, library)


@cache
def _tasks(build: str, library: Path) -> list[Task]:
    return list(tasks(_target(build, library)))


def prove(work: Work) -> Row:
    """One row, in a process of its own: terms are never given back."""
    build, library, number = work
    target, task = _target(build, library), _tasks(build, library)[number]
    take_used()
    began = time.process_time()
    status, detail = _outcome(target, task)
    machines = take_used()
    return Row(
        build, task.backend, task.name, task.variant,
        task.theorem.claim if task.theorem else "", task.theorem.domain if task.theorem else "",
        status, detail, target.image.where(task.kernel.address) if task.kernel else "",
        sum(m.instructions for m in machines), round(time.process_time() - began, 2),
        tuple(sorted(set().union(*(m.forms_used for m in machines)))),
    )  # fmt: skip


def _outcome(target: Target, task: Task) -> tuple[str, str]:
    if task.kernel is None:
        return NOT_APPLICABLE, "the backend has no such kernel"
    if task.theorem is None:
        return NOT_PROVED, "no theorem is stated"
    try:
        return PROVED, task.theorem.prove(target, task.kernel)
    except (NotProved, Violation) as reason:
        return NOT_PROVED, str(reason)
    except MemoryError:
        return NOT_PROVED, f"takes more than {MEMORY // GIGABYTE} GiB"


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def wanted(task: Task, only: list[str], rung: Rung) -> bool:
    """ONLY is words that are part of the row's title: all of them must be."""
    if task.theorem and task.kernel and task.theorem.rung > rung:
        return False
    return all(word in task.title for word in only)


def chosen(table: Table, arguments: Namespace) -> Iterator[Work]:
    """Makes the builds and lists their rows."""
    for build in BUILDS:
        if arguments.build and build.name not in arguments.build:
            continue
        if not build.possible:
            table.not_built.append(build.name)
            continue
        build.make()
        table.libraries[build.name] = _target(build.name, build.library).hash
        for number, task in enumerate(_tasks(build.name, build.library)):
            if wanted(task, arguments.only, arguments.rung):
                yield build.name, build.library, number


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m proofs", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="*", default=[], help="rows with all these words, as 'ntt avx512'")
    parser.add_argument("--build", nargs="*", help=f"of {', '.join(build.name for build in BUILDS)}")
    rung = parser.add_mutually_exclusive_group()
    rung.add_argument("--quick", dest="rung", action="store_const", const=Rung.QUICK, help="under 5 minutes")
    rung.add_argument("--slice", dest="rung", action="store_const", const=Rung.SLICE, help="under a minute")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    parser.add_argument("--out", type=Path, default=WORK, help="where the table goes")
    parser.set_defaults(rung=Rung.ALL)
    return parser.parse_args()


def main() -> int:
    arguments, table = parse(), Table()
    work = list(chosen(table, arguments))
    context = multiprocessing.get_context("fork")
    with context.Pool(arguments.jobs, _limit_memory, maxtasksperchild=1) as pool:
        progress = tqdm(pool.imap(prove, work, chunksize=1), total=len(work), unit="theorem", disable=None)
        for row in progress:
            table.rows.append(row)
            progress.set_postfix_str(f"{row.kernel} on {row.backend}")
    table.write(arguments.out)
    failed = [row for row in table.rows if row.status == NOT_PROVED and row.claim]
    for row in failed:
        print(f"not proved: {row.build}: {row.kernel} on {row.backend}: {row.claim}: {row.detail}")
    print(f"{summary(table.rows)}; {arguments.out / 'table.txt'}")
    return int(bool(failed) or not table.rows)


if __name__ == "__main__":
    sys.exit(main())

"""Proves the theorems of the machine code and writes the table.

Builds the library with each compiler that is there, executes its kernels on variables and compares what they compute
with the standards. Exits with 1 if a theorem that is stated is not proved, or if its proof met a form of instruction
that was compared with no processor. SPDX-License-Identifier: Apache-2.0
"""

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from proofs import unexecuted
from proofs.builds import BUILDS, WORK
from proofs.kept import Kept
from proofs.outcome import Work, kernels_of, prove_all, target_of, tasks_of
from proofs.progress import SECONDS, Progress
from proofs.rung import Rung
from proofs.table import NOT_PROVED, UNCHECKED, Table, summary
from proofs.theorems.all import Task


def wanted(task: Task, only: list[str], rung: Rung) -> bool:
    """All words must be part of the row's title and domain. Only the whole table has rows without a theorem."""
    if task.theorem is None or task.kernel is None:
        return rung == Rung.ALL and not only
    words = f"{task.title} {task.theorem.domain}"
    return task.theorem.rung <= rung and all(word in words for word in only)


def chosen(table: Table, arguments: Namespace) -> Iterator[Work]:
    """Makes the builds and lists their rows."""
    for build in BUILDS:
        if build.name not in (arguments.build or [b.name for b in BUILDS if b.rung <= arguments.rung]):
            continue
        if not build.possible:
            print(f"skipped: {build.name} is not proved: no {build.compiler} on this machine")
            table.not_built.append(build.name)
            continue
        build.make()
        table.libraries[build.name] = target_of(build.name, build.library).hash
        for number, task in enumerate(tasks_of(build.name, build.library)):
            if wanted(task, arguments.only, arguments.rung):
                yield Work(build.name, build.library, number)


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m proofs", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--only", nargs="*", default=[], help="rows with all these words, as 'ntt avx512' or 'ML-KEM names'"
    )
    parser.add_argument("--with-kernels", action="store_true", help="and the rows that these rest on")
    parser.add_argument("--build", nargs="*", help=f"of {', '.join(build.name for build in BUILDS)}")
    rung = parser.add_mutually_exclusive_group()
    rung.add_argument("--quick", dest="rung", action="store_const", const=Rung.QUICK, help="under 5 minutes")
    rung.add_argument("--slice", dest="rung", action="store_const", const=Rung.SLICE, help="under a minute")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes side by side")
    parser.add_argument("--out", type=Path, default=WORK, help="the folder of the table")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keeps rows, and takes those that a run with it kept, if nothing changed since",
    )
    parser.add_argument("--keep-unexecuted", action="store_true", help="records which instructions no run executes")
    parser.set_defaults(rung=Rung.ALL)
    return parser.parse_args()


def compare_unexecuted(arguments: Namespace, table: Table, libraries: dict[str, Path]) -> Iterator[str]:
    """Lists the instructions that no run executed, and prints the differences from the record of the rung."""
    rung = arguments.rung.name.lower()
    lines: list[str] = []
    for build, library in libraries.items():
        executed = frozenset[int]().union(*(row.executed for row in table.rows if row.build == build))
        found = unexecuted.places(target_of(build, library).image, executed)
        lines += unexecuted.as_text(build, found)
        if arguments.keep_unexecuted:
            unexecuted.keep(rung, build, library, found)
        if not arguments.only:
            yield from unexecuted.differences(rung, build, unexecuted.compiler(library), found)
    (arguments.out / "unexecuted.txt").write_text("\n".join(lines) + "\n")


def prove_into(table: Table, work: Sequence[Work], arguments: Namespace) -> None:
    kept = Kept(WORK / "kept") if arguments.resume else None
    written = time.monotonic()
    with Progress(len(work), "row") as progress:
        for row in prove_all(work, arguments.jobs, kept):
            table.rows.append(row)
            progress.step(f"{row.kernel} on {row.backend}")
            if time.monotonic() - written >= SECONDS:  # a run that is cut off leaves what it had
                written = time.monotonic()
                table.write(arguments.out)


def main() -> int:
    arguments, table = parse(), Table()
    work = list(chosen(table, arguments))
    libraries = {w.build: w.library for w in work}
    prove_into(table, work, arguments)
    if arguments.with_kernels:
        prove_into(table, list(kernels_of(table.rows, libraries)), arguments)
    table.compose()
    table.write(arguments.out)
    unlike = list(compare_unexecuted(arguments, table, libraries))
    print("\n".join(unlike), end="\n" if unlike else "")
    failed = [row for row in table.rows if row.status in (NOT_PROVED, UNCHECKED) and row.claim]
    for row in failed:
        print(f"{row.status}: {row.build}: {row.kernel} on {row.backend}: {row.claim}: {row.detail}")
    if any(row.status == UNCHECKED for row in failed):
        print("'make proofs-check' compares forms of instruction with processors")
    print(f"{summary(table.rows)}; {arguments.out / 'table.txt'}")
    return int(bool(failed or unlike) or not table.rows)


if __name__ == "__main__":
    sys.exit(main())

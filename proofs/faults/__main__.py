"""Plants faults and shows that each theorem refuses one, with a witness.

First those of the lists beside it, in the sources; then, for each row of the table, faults in the machine code. Exits
with 1 if a theorem survives all its faults. SPDX-License-Identifier: Apache-2.0
"""

import multiprocessing
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from proofs.builds import BUILDS, WORK
from proofs.faults import sources
from proofs.faults.machine_code import Verdict, verdicts
from proofs.outcome import Work, limit_memory, target_of, tasks_of
from proofs.progress import Progress
from proofs.rung import Rung
from proofs.theorems.all import Task

KINDS = ("instruction", "constant")
OPERATIONS = ("unknowns", "names", "tags")  # domains in which most faults do no harm: theirs are in the sources
Report = tuple[str, str, list[Verdict]]


def source_faults(only: list[str]) -> Iterator[tuple[str, str]]:
    """The planted fault and the error in the outcome."""
    sources.prepare()
    for number, fault in enumerate(sources.read()):
        if not sources.faulty_build(fault.build).possible:
            print(f"skipped: {fault.name}: there is no compiler for {fault.build} on this machine")
        elif all(word in fault.name or word in fault.kill for word in only):
            proved = sources.rows(fault, number)
            witness = proved[0].detail if proved and not fault.harmless else "stands, as it should"
            yield f"{fault.name}: {witness}", sources.mistake(fault, proved)


def _machine_fault(work: tuple[Work, str]) -> Report:
    (build, library, number), kind = work
    tasks = tasks_of(build, library)
    task = tasks[number]
    others = [other for other in tasks if other.title == task.title and other is not task and _is_tried(other)]
    return task.title, kind, list(verdicts(target_of(build, library), task, others, kind))


def _is_tried(task: Task) -> bool:
    theorem = task.theorem
    return bool(theorem and task.kernel and theorem.domain not in OPERATIONS and theorem.rung < Rung.ALL)


def machine_faults(only: list[str], builds: list[str], jobs: int) -> Iterator[Report]:
    work = []
    for build in (b for b in BUILDS if b.name in builds):
        build.make()
        for number, task in enumerate(tasks_of(build.name, build.library)):
            if _is_tried(task) and all(word in task.title for word in only):
                work += [(Work(build.name, build.library, number), kind) for kind in KINDS]
    context = multiprocessing.get_context("fork")
    with context.Pool(jobs, limit_memory, maxtasksperchild=1) as pool, Progress(len(work), "row") as progress:
        for report in pool.imap(_machine_fault, work):
            yield report
            progress.step(f"{report[1]}s of {report[0]}")


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m proofs.faults", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="*", default=[], help="rows or faults with all these words")
    parser.add_argument("--build", nargs="*", default=["gcc"], help="for the faults in the machine code")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def main() -> int:
    arguments, wrong, lines = parse(), 0, []
    for told, mistake in source_faults(arguments.only):
        wrong += bool(mistake)
        lines.append(f"{'WRONG: ' + mistake + ': ' if mistake else ''}{told}")
        print(lines[-1], flush=True)
    for title, kind, found in machine_faults(arguments.only, arguments.build, arguments.jobs):
        refused = [verdict for verdict in found if verdict.witness]
        if found and not refused:
            wrong += 1
            lines.append(f"WRONG: {title} stands with {len(found)} faults: {', '.join(v.fault.what for v in found)}")
            print(lines[-1], flush=True)
        lines += [f"{title}, {verdict.fault.what}: {verdict.witness or 'harmless'}" for verdict in found]
        if not found:
            lines.append(f"{title}: has no {kind} to spoil")
    (WORK / "faults.txt").write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} faults and notes in {WORK / 'faults.txt'}; {wrong} wrong")
    return int(wrong > 0 or not lines)


if __name__ == "__main__":
    sys.exit(main())

"""Compares the interpreters with processors: x86-64 with the CPU that this runs on, AArch64 with QEMU.

Every form of instruction that the libraries have, or that proofs met, on random and extreme states; then whole
operations with concrete inputs, byte by byte. Forms that the CPU here lacks are compared with the emulator
Bochs, which runs the operations too on the backend for AVX-512. Both lists are printed: the forms that proofs and
operations met, and with what each was compared, now or, as long as its meaning is the same, in a record. Exits with 1
if something differs, or if a form that was met was compared with nothing.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import platform
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

from proofs.builds import BUILDS
from proofs.machine.check import aarch64_forms, emulator, operations, record, x86_64
from proofs.machine.check.emulator import EmulatorError
from proofs.machine.check.record import Checked
from proofs.machine.image import Image
from proofs.progress import Progress

KINDS = ["cpu", "qemu", "bochs"]
STATES = 10_000
FORMS_PER_PROCESS = 32  # terms are kept as long as their process lives
CHECKS: dict[str, Callable[[Sequence[Path], int], x86_64.Check | aarch64_forms.Check]] = {
    "x64": x86_64.Check,
    "AArch64": aarch64_forms.Check,
}
HERE = {"x86_64": "x64", "aarch64": "AArch64"}.get(platform.machine(), "")

Task = TypeVar("Task")
Result = TypeVar("Result")


@cache
def image(path: Path) -> Image:
    return Image(path)


def in_processes(f: Callable[[Task], Result], tasks: Sequence[Task], jobs: int, each: int) -> Iterator[Result]:
    """The results in order; a process, which inherits what is cached here, does `each` tasks or fewer."""
    for i in range(0, len(tasks), jobs * each):
        some = tasks[i : i + jobs * each]
        try:
            with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as executor:
                yield from executor.map(f, some)
        except (BrokenProcessPool, EmulatorError) as error:
            raise SystemExit(f"an instruction touched what it should not: one of {some}: {error}") from None


# ---- forms ----


@cache
def check_of(libraries: tuple[Path, ...], states: int) -> x86_64.Check | aarch64_forms.Check:
    return CHECKS[image(libraries[0]).machine](libraries, states)


FormTask = tuple[tuple[Path, ...], int, str, list[str]]


def compare_form(task: FormTask) -> Checked:
    libraries, states, form, kinds = task
    return check_of(libraries, states).compare(form, kinds)


def check_forms(libraries: Sequence[Path], forms: set[str] | None, arguments: Namespace) -> list[Checked]:
    """Those of the libraries, or the ones of them that are given."""
    machine = image(libraries[0]).machine
    of = tuple(libraries), arguments.states
    chosen = [form for form in check_of(*of).forms if forms is None or form in forms]
    tasks = [(*of, form, arguments.on) for form in chosen]
    results = []
    with Progress(len(chosen), "form") as progress:
        for result in in_processes(compare_form, tasks, arguments.jobs, FORMS_PER_PROCESS):
            results.append(result)
            progress.step(f"{machine}: {result.form}")
    return results


# ---- operations ----


class OperationTask(NamedTuple):
    """A set on a backend of a library, interpreted or emulated; `native` is a library that runs here."""

    compare: Callable[[Image, Path, str, str, int | None], Iterator[operations.Comparison]]
    library: Path
    native: Path
    name: str
    backend: str
    most: int | None  # variants of the backend


def compare_operations(task: OperationTask) -> tuple[float, list[operations.Comparison]]:
    """The seconds that they take, and the comparisons."""
    began = sum(os.times()[:4])  # with children
    comparisons = list(task.compare(image(task.library), task.native, task.name, task.backend, task.most))
    return sum(os.times()[:4]) - began, comparisons


def check_operations(tasks: Sequence[OperationTask], jobs: int) -> tuple[dict[str, dict[str, str]], list[str]]:
    """By machine the forms that operations used, each with one of them, and the differences."""
    used: dict[str, dict[str, str]] = defaultdict(dict)
    differences: list[str] = []
    results = in_processes(compare_operations, tasks, jobs, 1)
    with Progress(len(tasks), "operation") as progress:
        for task, (seconds, comparisons) in zip(tasks, results, strict=True):
            for comparison in comparisons:
                used[image(task.library).machine] |= dict.fromkeys(comparison.forms, comparison.operation)
            differences += [f"{task.library}: {c.operation}: {c.difference}" for c in comparisons if c.difference]
            number = sum(c.instructions for c in comparisons)
            told = "emulated" if task.compare is operations.emulate else f"{number} instructions"
            progress.step(f"{len(comparisons)} of {task.name} on {task.backend}: {told}, {seconds:.0f} s")
    return used, differences


# ---- both lists ----


def compared_with(machine: str, results: Sequence[Checked]) -> dict[str, str]:
    """By form, what it was compared with: now, or in a record of the same meanings."""
    now = {c.form: f"{c.processor}, {c.states} states, now" for c in results if c.agrees}
    return {**{form: f"{kept}, in its record" for form, kept in record.compared(machine).items()}, **now}


def tell(machine: str, met: dict[str, str], results: Sequence[Checked]) -> list[str]:
    """Prints both lists; returns the forms that were met and compared with nothing."""
    compared = compared_with(machine, results)
    why = {c.form: f"for want of {', '.join(sorted(c.lacks))}" for c in results if c.lacks}
    print(f"\n{machine}: {len(met)} forms met, {len(met.keys() & compared.keys())} of them compared:")
    for form in sorted(met):
        print(f"    {form}: {compared.get(form) or 'COMPARED WITH NOTHING: ' + why.get(form, 'in no library given')}")
    return sorted(met.keys() - compared.keys())


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m proofs.machine.check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "libraries", nargs="*", type=Path, help="liblatkem.so, each with its symbol table; else the builds"
    )
    parser.add_argument("--states", type=int, default=STATES, help="on which each form is compared")
    parser.add_argument("--met", type=Path, help="only the forms that this file of a table of proofs has")
    parser.add_argument("--sets", nargs="*", help="whose operations are compared; else some, and all in the emulator")
    parser.add_argument("--backends", nargs="*", help="on which; else on all")
    parser.add_argument("--variants", type=int, help="at most so many of each backend's; else all")
    parser.add_argument("--on", nargs="*", default=KINDS, choices=KINDS, help="only with these processors")
    parser.add_argument("--keep", action="store_true", help="write what agrees into the records")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once")
    arguments = parser.parse_args()
    arguments.libraries = arguments.libraries or [b.library for b in BUILDS if b.library.exists()]
    return arguments


def operation_tasks(libraries: Sequence[Path], arguments: Namespace) -> Iterator[OperationTask]:
    native = next((path for path in libraries if image(path).machine == HERE), None)
    if native is None:
        print(f"operations: skipped: no library for {platform.machine()}, with which they are compared, is here")
        return
    for path in libraries:
        for backend in operations.backends(image(path)):
            if not arguments.backends or backend in arguments.backends:
                for name in operations.SETS if arguments.sets is None else arguments.sets:
                    yield OperationTask(operations.interpret, path, native, name, backend, arguments.variants)
                if backend == operations.EMULATED and may_emulate(arguments):
                    for name in operations.sets(native) if arguments.sets is None else arguments.sets:
                        yield OperationTask(operations.emulate, path, native, name, backend, arguments.variants)


def may_emulate(arguments: Namespace) -> bool:
    if "bochs" in arguments.on and not emulator.is_here():
        print(f"skipped: operations on {operations.EMULATED} are not emulated: {emulator.PACKAGE} is not here")
    return "bochs" in arguments.on and emulator.is_here()


def main() -> int:
    arguments = parse()
    wanted = json.loads(arguments.met.read_text()) if arguments.met else None
    by_machine: dict[str, list[Path]] = defaultdict(list)
    for path in arguments.libraries:
        by_machine[image(path).machine].append(path)
    used, differences = check_operations(list(operation_tasks(arguments.libraries, arguments)), arguments.jobs)
    unchecked = []
    for machine, libraries in by_machine.items():
        met = {**used[machine], **dict.fromkeys((wanted or {}).get(machine, []), "a proof")}
        results = check_forms(libraries, set(met) if wanted is not None else None, arguments)
        differences += [c.difference for c in results if c.difference]
        unchecked += tell(machine, met or {c.form: "a library" for c in results if c.has_meaning}, results)
        if lacking := [c.lacks for c in results if c.lacks]:
            what = ", ".join(sorted(set().union(*lacking)))
            print(f"skipped: {len(lacking)} forms of {machine} are not compared now, for want of {what}")
        if arguments.keep:
            print(*(f"kept in {path}" for path in record.keep(machine, results)), sep="\n")
    print(*(f"DIFFERENCE: {difference}" for difference in differences), sep="\n")
    print(f"{len(differences)} differences, {len(unchecked)} forms that were met and compared with nothing")
    return int(bool(differences or unchecked or not by_machine))


if __name__ == "__main__":
    sys.exit(main())

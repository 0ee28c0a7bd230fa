"""Compares the interpreter of x86-64 with the CPU that this runs on.

Every form of instruction that the libraries have, on 10,000 states at least, and whole operations with concrete inputs.
Each form that an operation used must be among those checked: both lists are printed. Exits with 1 if something differs
or was not checked. SPDX-License-Identifier: Apache-2.0
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from proofs.machine.check import operations, x86_64
from proofs.machine.check.x86_64_states import Processor, random_states
from proofs.machine.image import Image
from proofs.machine.terms import Words

SEED = 3329
FORMS_PER_PROCESS = 32  # terms are kept as long as their process lives

Task = TypeVar("Task")
Result = TypeVar("Result")


@cache
def image(path: Path) -> Image:
    return Image(path)


@cache
def forms_of(paths: tuple[Path, ...]) -> dict[str, x86_64.Instances]:
    return x86_64.forms_of(image(path) for path in paths)


@cache
def processor() -> Processor:
    return Processor()


@cache
def pool(states: int) -> Words:
    return random_states(states, SEED)


def in_processes(f: Callable[[Task], Result], tasks: Sequence[Task], jobs: int, each: int) -> Iterator[Result]:
    """The results in order; a process, which inherits what is cached here, does `each` tasks or fewer."""
    for i in range(0, len(tasks), jobs * each):
        some = tasks[i : i + jobs * each]
        try:
            with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as executor:
                yield from executor.map(f, some)
        except BrokenProcessPool:
            raise SystemExit(f"an instruction touched what it should not: one of {some}") from None


# ---- forms ----

FormTask = tuple[tuple[Path, ...], str, int]


def check_form(task: FormTask) -> tuple[str, int, list[str]]:
    """The form, the states that it was compared on, and the differences."""
    paths, name, states = task
    compared, found = x86_64.check_form(processor(), forms_of(paths)[name], pool(states), states)
    return name, compared, [f"{name}: {difference}" for difference in found]


def check_forms(paths: tuple[Path, ...], states: int, jobs: int) -> tuple[dict[str, int], list[str]]:
    """The forms that agree, with the states that each was compared on, and the differences."""
    pool(states)
    tasks = [(paths, name, states) for name in sorted(forms_of(paths))]
    checked: dict[str, int] = {}
    differences: list[str] = []
    for number, (name, compared, found) in enumerate(in_processes(check_form, tasks, jobs, FORMS_PER_PROCESS), 1):
        progress(f"form {number} of {len(tasks)}: {name}")
        differences += found
        if not found:
            checked[name] = compared
    return checked, differences


# ---- operations ----

OperationTask = tuple[Path, str, str]


def check_operations(task: OperationTask) -> tuple[float, list[operations.Comparison]]:
    """The seconds that a set takes on a backend, and the comparisons."""
    path, name, backend = task
    began = time.process_time()
    comparisons = list(operations.compare(operations.Native(image(path)), name, backend))
    return time.process_time() - began, comparisons


def check_all_operations(tasks: Sequence[OperationTask], jobs: int) -> tuple[dict[str, set[str]], list[str]]:
    """The forms that operations used, with the operations, and the differences."""
    used: dict[str, set[str]] = defaultdict(set)
    differences: list[str] = []
    results = in_processes(check_operations, tasks, jobs, 1)
    for (path, name, backend), (seconds, comparisons) in zip(tasks, results, strict=True):
        for comparison in comparisons:
            if comparison.difference:
                differences.append(f"{path}: {comparison.operation}: {comparison.difference}")
            for form in comparison.forms:
                used[form].add(comparison.operation)
        instructions = sum(c.instructions for c in comparisons)
        say(
            f"{name} on {backend}: {len(comparisons)} operations, {instructions} instructions, {seconds:.0f} s ({path})"
        )
    return used, differences


# ---- the command ----


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:110]}", end="", file=sys.stderr, flush=True)


def say(text: str) -> None:
    progress("")
    print(text, flush=True)


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m proofs.machine.check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("libraries", nargs="+", type=Path, help="liblatkem.so for x86-64, each with its symbol table")
    parser.add_argument("--states", type=int, default=x86_64.STATES, help="on which each form is compared")
    parser.add_argument("--sets", nargs="*", default=operations.SETS, help="whose operations are compared")
    parser.add_argument("--backends", nargs="+", default=operations.BACKENDS)
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--json", type=Path, help="where to write the forms that agree with their numbers of states")
    return parser.parse_args()


def main() -> int:
    arguments = parse()
    checked, differences = check_forms(tuple(arguments.libraries), arguments.states, arguments.jobs)
    say(f"{len(checked)} forms checked, on {sum(checked.values())} states:")
    for form, states in checked.items():
        say(f"    {form}: {states}")
    tasks = [
        (p, name, backend) for p in arguments.libraries for name in arguments.sets for backend in arguments.backends
    ]
    used, more = check_all_operations(tasks, arguments.jobs)
    differences += more
    unchecked = sorted(used.keys() - checked.keys())
    say(f"{len(used)} forms used by operations, {len(unchecked)} of them unchecked:")
    for form in sorted(used):
        say(f"    {form}{'' if form in checked else ': UNCHECKED, in ' + min(used[form])}")
    for difference in differences:
        say(difference)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(checked, indent=1))
    return int(bool(differences or unchecked))


if __name__ == "__main__":
    sys.exit(main())

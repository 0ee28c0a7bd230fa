"""Compares the interpreter of AArch64 with QEMU, and with the library that this machine runs.

Every form of instruction that the libraries have, on 10,000 states at least, and whole operations with concrete inputs.
Each form that an operation used must be among those checked: both lists are printed. Exits with 1 if something differs
or was not checked. SPDX-License-Identifier: Apache-2.0
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from proofs.machine.check import aarch64_forms, aarch64_operations
from proofs.machine.check.aarch64_operations import Comparison
from proofs.machine.image import Image

# ---- forms ----


def check_forms(libraries: Sequence[Path], most_instructions: int | None) -> tuple[dict[str, int], bool]:
    """The forms that agree, with the states that each was compared on, and whether all do."""
    report = aarch64_forms.check(libraries, most_instructions=most_instructions, progress=progress)
    checked = {form: c.states for form, c in report.forms.items() if not c.difference}
    instructions = sum(c.instructions for c in report.forms.values())
    say(f"{len(checked)} forms checked, by {instructions} instructions on {sum(checked.values())} states:")
    for form, states in checked.items():
        say(f"    {form}: {states}")
    for form, where in report.without_meaning.items():
        say(f"without a meaning, so that a proof stops there: {form} ({where})")
    for difference in report.differences:
        say(difference)
    return checked, not report.differences


# ---- operations ----

Task = tuple[Path, Path, str, str]


def compare(task: Task) -> tuple[float, list[Comparison]]:
    """The seconds that a set takes on a backend, and the comparisons."""
    library, native, name, backend = task
    began = time.process_time()
    comparisons = list(aarch64_operations.compare(Image(library), native, name, backend))
    return time.process_time() - began, comparisons


def compare_all(tasks: Sequence[Task]) -> Iterator[tuple[Task, float, Comparison]]:
    """Each task in a process of its own, for terms are kept as long as their process lives."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as executor:
        for task, (seconds, comparisons) in zip(tasks, executor.map(compare, tasks), strict=True):
            for comparison in comparisons:
                yield task, seconds / len(comparisons), comparison


def check_operations(tasks: Sequence[Task]) -> tuple[dict[str, str], bool]:
    """The forms that operations used, each with one of them, and whether all agree."""
    used: dict[str, str] = {}
    agree = True
    for (library, *_), seconds, found in compare_all(tasks):
        result = found.difference or f"the same bytes, {found.instructions} instructions"
        say(f"{found.title}: {result}, {seconds:.0f} s ({library})")
        used |= dict.fromkeys(found.forms - used.keys(), found.title)
        agree &= not found.difference
    return used, agree


# ---- the command ----


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:110]}", end="", file=sys.stderr, flush=True)


def say(text: str) -> None:
    progress("")
    print(text, flush=True)


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m proofs.machine.check.aarch64", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("libraries", nargs="+", type=Path, help="liblatkem.so for AArch64, each with its symbol table")
    parser.add_argument("--native", type=Path, help="liblatkem.so for this machine, with which operations are compared")
    parser.add_argument("--instructions", type=int, help="at most so many distinct instructions of a form")
    parser.add_argument("--sets", nargs="*", default=aarch64_operations.SETS, help="whose operations are compared")
    parser.add_argument("--backends", nargs="+", default=aarch64_operations.BACKENDS)
    parser.add_argument("--json", type=Path, help="where to write the forms that agree with their numbers of states")
    return parser.parse_args()


def main() -> int:
    arguments = parse()
    checked, agree = check_forms(arguments.libraries, arguments.instructions)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(checked, indent=1))
    if not arguments.native:
        return int(not agree)
    cases = product(arguments.libraries, arguments.sets, arguments.backends)
    used, same = check_operations([(path, arguments.native, name, backend) for path, name, backend in cases])
    unchecked = sorted(used.keys() - checked.keys())
    say(f"{len(used)} forms used by operations, {len(unchecked)} of them unchecked:")
    for form in sorted(used):
        say(f"    {form}{'' if form in checked else ': UNCHECKED, in ' + used[form]}")
    return int(bool(unchecked) or not (agree and same))


if __name__ == "__main__":
    sys.exit(main())

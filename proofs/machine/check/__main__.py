"""Compares the interpreter of x86-64 with the CPU that this runs on.

Every form of instruction that the libraries have, on 10,000 states at least, and whole operations with concrete inputs.
Each form that an operation used must be among those checked: both lists are printed. Exits with 1 if something differs
or was not checked. SPDX-License-Identifier: Apache-2.0
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from proofs.machine.check import operations, x86_64
from proofs.machine.check.x86_64_states import Processor, random_states
from proofs.machine.image import Image

SEED = 3329


def check_forms(images: Sequence[Image], states: int) -> tuple[dict[str, int], list[str]]:
    """The forms that agree, with the states that each was compared on, and the differences."""
    processor, pool = Processor(), random_states(states, SEED)
    checked: dict[str, int] = {}
    differences: list[str] = []
    forms = x86_64.forms_of(images)
    for number, (name, instances) in enumerate(sorted(forms.items()), 1):
        _progress(f"form {number} of {len(forms)}: {name}")
        compared, found = x86_64.check_form(processor, instances, pool, states)
        differences += [f"{name}: {difference}" for difference in found]
        if not found:
            checked[name] = compared
    return checked, differences


def check_operations(
    images: Sequence[Image], sets: Sequence[str], backends: Sequence[str]
) -> tuple[dict[str, set[str]], list[str]]:
    """The forms that operations used, with the operations, and the differences."""
    used: dict[str, set[str]] = {}
    differences: list[str] = []
    for image in images:
        native = operations.Native(image)
        for name in sets:
            for backend in backends:
                began, instructions = time.process_time(), 0
                for comparison in operations.compare(native, name, backend):
                    _progress(comparison.operation)
                    instructions += comparison.instructions
                    if comparison.difference:
                        differences.append(f"{image.path}: {comparison.operation}: {comparison.difference}")
                    for form in comparison.forms:
                        used.setdefault(form, set()).add(comparison.operation)
                seconds = time.process_time() - began
                _say(f"{image.path}: {name} on {backend}: {instructions} instructions, {seconds:.0f} s")
    return used, differences


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:110]}", end="", file=sys.stderr, flush=True)


def _say(text: str) -> None:
    _progress("")
    print(text, flush=True)


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m proofs.machine.check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("libraries", nargs="+", type=Path, help="liblatkem.so for x86-64, each with its symbol table")
    parser.add_argument("--states", type=int, default=x86_64.STATES, help="on which each form is compared")
    parser.add_argument("--sets", nargs="*", default=operations.SETS, help="whose operations are compared")
    parser.add_argument("--backends", nargs="+", default=operations.BACKENDS)
    parser.add_argument("--json", type=Path, help="where to write the forms that agree with their numbers of states")
    return parser.parse_args()


def main() -> int:
    arguments = parse()
    images = [Image(path) for path in arguments.libraries]
    checked, differences = check_forms(images, arguments.states)
    _say(f"{len(checked)} forms checked, on {sum(checked.values())} states:")
    for form, states in checked.items():
        _say(f"    {form}: {states}")
    used, more = check_operations(images, arguments.sets, arguments.backends)
    differences += more
    unchecked = sorted(used.keys() - checked.keys())
    _say(f"{len(used)} forms used by operations, {len(unchecked)} of them unchecked:")
    for form in sorted(used):
        _say(f"    {form}{'' if form in checked else ': UNCHECKED, in ' + min(used[form])}")
    for difference in differences:
        _say(difference)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(checked, indent=1))
    return int(bool(differences or unchecked))


if __name__ == "__main__":
    sys.exit(main())

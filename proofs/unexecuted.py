"""Instructions of the functions that proofs entered, and that no run executed: nothing is proved of what they do.

All arms that the contract leaves are executed: these instructions wait for arguments that no theorem gives, such as
buffers that overlap. The record has their number for each function, whatever their addresses; another number is
reported and has to be looked at. It is a record of one compiler: of another one's code there is nothing to compare.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.elffile import ELFFile

from proofs.json_data import Json
from proofs.machine.image import Image, Symbol
from proofs.machine.machines import MACHINES

RECORD = Path(__file__).with_suffix(".json")

Places = dict[str, tuple[list[int], int]]  # by function, the offsets of those not executed, and the number of all
Record = dict[str, dict[str, dict[str, Json]]]  # by rung and build


def compiler(library: Path) -> str:
    """The compilers' notes about themselves in the library."""
    with library.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".comment")
        names = section.data().decode().split("\0") if section else []
    return ", ".join(sorted(filter(None, set(names))))


def _names(image: Image) -> dict[Symbol, str]:
    """A name of each function, with its file where the name alone is not unique; two files may still share both."""
    found: dict[Symbol, str] = {}
    for name, symbols in sorted(image.named.items(), key=lambda x: (len(x[1]) > 1, (":" in x[0]) == (len(x[1]) == 1))):
        for symbol in symbols:
            if symbol.size and image.is_code(symbol.address):
                found.setdefault(symbol, name)
    return found


def places(image: Image, executed: frozenset[int]) -> Places:
    found: Places = {}
    machine = MACHINES[image.machine]
    for function, name in sorted(_names(image).items()):
        all_of_it = list(machine.addresses(image.code(function.address, function.size), function.address))
        others = [at - function.address for at in all_of_it if at not in executed]
        if others and len(others) < len(all_of_it):
            before, count = found.get(name, ([], 0))
            found[name] = before + others, count + len(all_of_it)
    return found


def as_text(build: str, found: Places) -> Iterator[str]:
    """A line for each function, with offsets."""
    total, number = sum(n for _, n in found.values()), sum(len(others) for others, _ in found.values())
    yield f"{build}: {number} of {total} instructions in {len(found)} functions are executed by no run"
    for name, (others, count) in found.items():
        yield f"  {name}: {len(others)} of {count}: {', '.join(f'+{at:#x}' for at in others)}"


def read() -> Record:
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def keep(rung: str, build: str, library: Path, found: Places) -> None:
    record = read()
    functions = {name: len(others) for name, (others, _) in sorted(found.items())}
    record.setdefault(rung, {})[build] = {"compiler": compiler(library), "functions": functions}
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


def differences(rung: str, build: str, made_by: str, found: Places) -> Iterator[str]:
    """Against the record; for another compiler's code it reports that it was not compared."""
    kept = read().get(rung, {}).get(build)
    if kept is None or kept["compiler"] != made_by:
        print(f"{build}: unexecuted instructions are not compared: {made_by} is not recorded")
        return
    functions = kept["functions"]
    for name in sorted(functions.keys() | found.keys()):
        others, _ = found.get(name, ([], 0))
        if len(others) != functions.get(name, 0):
            shown = f": {', '.join(f'+{at:#x}' for at in others)}" if others else ""
            recorded = functions.get(name, 0)
            yield f"{build}: {name}: {len(others)} instructions are executed by no run, recorded are {recorded}{shown}"

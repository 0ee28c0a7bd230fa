#!/usr/bin/env python3
"""Keeps the cycles of each operation, as the simulations of the whole cores count them, in hw/syn/figures/cycles.json.
With further parameters they are those of hw/dv/core/<core>/scheme.h, to which simulations are held.

`make hw-test` builds the programs. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import design
import synthesis
from cores import HW, OPERATIONS, Core, cores

PROGRAMS = synthesis.ROOT / "build/test/hw/hw/dv/core"


def counted(core: Core, programs: Path) -> Iterator[dict[str, object]]:
    """The cycles of a core, as its own tests count them: one for all sets, or for each."""
    for sets in core.whole_cores():
        command = [str(programs / f"{core.test_name(sets)}_core_test"), "--gtest_filter=*.KeepsToItsCycles"]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        known = design.digest(core.name, core.operations, sets)
        for row in rows:
            yield {"name": f"{row['set']} {row['operation']}", "core": core.name, "design": known, **row}


def further(core: Core) -> Iterator[dict[str, object]]:
    """The cycles of a core with each further parameter, in the order of scheme.h."""
    text = (HW / "dv" / "core" / core.name / "scheme.h").read_text()
    _, *parts = re.split(r'"(\w+)=(\d+)"', text[text.index("further_cycles =") :].partition(";")[0])
    for key, value, sets in zip(parts[::3], map(int, parts[1::3]), parts[2::3], strict=True):
        for name, numbers in re.findall(r'"([\w-]+)"([^"]*)', sets):
            known = design.digest(core.name, core.operations, core.sets_with(name), ((key, value),))
            counts = [int(number) for number in re.findall(r"\d+", numbers)]
            for operation, cycles, interval in zip(OPERATIONS, counts[::2], counts[1::2], strict=True):
                row = {"name": f"{name} {operation}, {key} = {value}", "core": core.name, "design": known}
                found = {"set": name, "operation": operation, "cycles": cycles, "interval": interval}
                yield {**row, **found, "further": {key: value}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=PROGRAMS, help="the folder of the cores' tests")
    names = [core.name for core in cores()]
    parser.add_argument("--only", action="append", choices=names, help="this core, other cores' rows stay")
    options = parser.parse_args()
    chosen = options.only or names
    rows = []
    for core in cores():
        if core.name in chosen:
            rows += [*counted(core, options.programs), *further(core)]
        else:
            rows += [row for row in synthesis.load("cycles")["rows"] if row["core"] == core.name]
    synthesis.write("cycles", rows)
    for row in rows:
        print(f"{row['name']:20} {row['cycles']:5} cycles, interval {row['interval']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

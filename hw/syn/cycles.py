#!/usr/bin/env python3
"""Keeps the cycles of each operation, as the simulations of the whole cores count them, in hw/syn/figures/cycles.json.
Those of further parameters are the latencies of hw/dv/core/<core>/scheme.h, to which simulations are held.

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
    table = text[text.index("further_cycles =") :].partition(";")[0]
    for key, value, sets in re.findall(r'\{"(\w+)=(\d+)",\s*\{(.*?\}\})\}\}', table, re.DOTALL):
        for name, *cycles in re.findall(r'\{"([\w-]+)", \{(\d+), (\d+), (\d+)\}\}', sets):
            known = design.digest(core.name, core.operations, core.sets_with(name), ((key, int(value)),))
            for operation, count in zip(OPERATIONS, cycles, strict=True):
                row = {"name": f"{name} {operation}, {key} = {value}", "core": core.name, "design": known}
                yield row | {"set": name, "operation": operation, "cycles": int(count), "further": {key: int(value)}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=PROGRAMS, help="the folder of the cores' tests")
    programs = parser.parse_args().programs
    rows = [row for core in cores() for row in (*counted(core, programs), *further(core))]
    synthesis.write("cycles", rows)
    for row in rows:
        print(f"{row['name']:20} {row['cycles']:5} cycles, interval {row.get('interval', 'not known')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

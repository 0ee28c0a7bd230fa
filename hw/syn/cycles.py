#!/usr/bin/env python3
"""Keeps the cycles of each operation, as the simulations of the whole cores count them, in hw/syn/figures/cycles.json.

`make hw-test` builds the programs. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import design
import synthesis
from cores import cores

PROGRAMS = synthesis.ROOT / "build/test/hw/hw/dv/core"


def counted(name: str, programs: Path) -> list[dict[str, object]]:
    """The cycles of a core, as its own test counts them."""
    command = [programs / f"{name}_core_test", "--gtest_filter=*.KeepsToItsCycles"]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    known = design.digest(name)
    return [{"name": f"{row['set']} {row['operation']}", "core": name, "design": known, **row} for row in rows]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=PROGRAMS, help="the folder of the cores' tests")
    programs = parser.parse_args().programs
    rows = [row for core in cores() for row in counted(core.name, programs)]
    synthesis.write("cycles", rows)
    for row in rows:
        print(f"{row['name']:20} {row['cycles']:5} cycles, interval {row['interval']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

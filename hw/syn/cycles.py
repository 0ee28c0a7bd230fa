#!/usr/bin/env python3
"""Keeps the cycles of each operation, as the simulation of the whole core counts them, in hw/syn/figures/cycles.json.

`make hw-test` builds the program. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import synthesis

CORE = "latkem_mlkem"
PROGRAM = synthesis.ROOT / "build/test/hw/hw/dv/core/core_test"


def counted(program: Path) -> list[dict[str, object]]:
    command = [program, "--gtest_filter=MlkemCore.KeepsToItsCycles"]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    known = synthesis.digest(CORE)
    return [{"name": f"{row['set']} {row['operation']}", "core": CORE, "sources": known, **row} for row in rows]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=PROGRAM, help="the test of the core")
    rows = counted(parser.parse_args().program)
    synthesis.write("cycles", rows)
    for row in rows:
        print(f"{row['name']:20} {row['cycles']:5} cycles, interval {row['interval']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

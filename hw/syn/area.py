#!/usr/bin/env python3
"""The area of the cores: LUTs, registers, multipliers and memories, as yosys maps them to Xilinx's 7 series.

Each row is of the core flattened, as a user would build it. --modules keeps the hierarchy and shows where the area is.
--keep puts the figures into hw/syn/figures; --compare says whether those that are there still hold.
SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from importlib.metadata import version
from typing import Any

import design
import synthesis
from synthesis import Configuration

TOOLS = {"yosys": version("pyosys")}
# LUTs that one cell of distributed memory takes.
LUTRAM = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM32X1S": 1, "RAM64X1S": 1}
COLUMNS = ["LUT", "LUTRAM", "SRL", "FF", "DSP", "RAMB36"]


def count(cells: dict[str, int]) -> dict[str, float]:
    """The resources of a list of cells. LUT is all: logic, memory and shift registers; these two are named besides."""
    totals: dict[str, float] = dict.fromkeys(COLUMNS, 0)
    for name, number in cells.items():
        if re.fullmatch(r"LUT[1-6]", name):
            totals["LUT"] += number
        elif name in LUTRAM:
            totals["LUTRAM"] += LUTRAM[name] * number
        elif name in ("SRL16E", "SRLC32E"):
            totals["SRL"] += number
        elif re.fullmatch(r"FD[CPRS]E(_1)?|LD[CP]E", name):
            totals["FF"] += number
        elif name == "DSP48E1":
            totals["DSP"] += number
        elif name in ("RAMB36E1", "RAMB18E1"):
            totals["RAMB36"] += number if name == "RAMB36E1" else number / 2
    totals["LUT"] += totals["LUTRAM"] + totals["SRL"]
    return totals


def cells_of(configuration: Configuration, flat: bool) -> dict[str, dict[str, int]]:
    """The cells of each module; `design` is the whole."""
    core, name = configuration.core, configuration.name
    stat = synthesis.BUILD / "area" / f"{name}{'' if flat else '-modules'}.json"
    synthesis.run_yosys(
        [
            *synthesis.read(core, configuration.parameters(), "" if flat else "--keep-hierarchy"),
            synthesis.xilinx(core, flat),
            f"tee -q -o {stat} stat -tech xilinx -json",
        ],
        stat.with_suffix(".log"),
    )
    text = stat.read_text()
    report = json.loads(text[text.index("{") :])
    named = {key.lstrip("\\"): module["num_cells_by_type"] for key, module in report["modules"].items()}
    return {**named, "design": report["design"]["num_cells_by_type"]}


def measure(job: tuple[Configuration, bool]) -> dict[str, Any]:
    """The figures of a configuration; with the hierarchy kept, those of each kind of module, all its instances together
    and without the modules inside."""
    configuration, flat = job
    cells = cells_of(configuration, flat)
    if flat:
        return count(cells["design"])
    del cells["design"]
    instances: dict[str, list[dict[str, float]]] = {}
    for name, found in cells.items():
        instances.setdefault(name.split("$")[0], []).append(count(found))
    modules = {
        name: {"instances": len(counts), **{column: sum(found[column] for found in counts) for column in COLUMNS}}
        for name, counts in instances.items()
    }
    return {"modules": modules}


def text_of(row: dict[str, Any]) -> str:
    return "  ".join(f"{row[column]:g} {column}" for column in COLUMNS)


def compare(rows: list[dict[str, Any]]) -> int:
    """Whether the figures that are kept are these."""
    kept = {row["name"]: row for row in synthesis.load("area")["rows"]}
    wrong = 0
    for row in rows:
        if {column: kept.get(row["name"], {}).get(column) for column in COLUMNS} != {key: row[key] for key in COLUMNS}:
            print(f"{row['name']}: hw/syn/figures/area.json has other figures (make hw-area OPTIONS=--keep)")
            wrong += 1
    return 1 if wrong else 0


def main() -> int:
    parser = synthesis.parser(__doc__)
    parser.add_argument("--modules", action="store_true", help="show how the area is shared out among the modules")
    parser.add_argument("--compare", action="store_true", help="fail where other figures are kept")
    arguments = parser.parse_args()
    chosen = synthesis.choose(arguments.only)
    if arguments.list:
        print("\n".join(configuration.name for configuration in chosen))
        return 0
    jobs = [(configuration, not arguments.modules) for configuration in chosen]
    progress, rows = synthesis.Progress(len(jobs)), []
    for (configuration, flat), figures in synthesis.each(measure, jobs, arguments.jobs):
        rows.append(design.row_of(configuration, figures))
        progress.say(f"{configuration.name}: {text_of(figures)}" if flat else configuration.name)
        for name, found in figures.get("modules", {}).items():
            print(f"    {found['instances']:3} {name:28} {text_of(found)}")
    if arguments.keep:
        synthesis.store("modules" if arguments.modules else "area", rows, TOOLS)
    return compare(rows) if arguments.compare else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Gate equivalents of the cores and their longest path without wires, in an open library of 0.18 um cells.

yosys maps a flattened core to the cells of qflow-tech-osu018; a gate equivalent is the area of a NAND2X1. Memories are
black boxes; only their bits are counted. Tables are gates. OpenSTA times from register to register. Wires have no load;
paths from and to memories and pins are excluded. --keep puts the figures into hw/syn/figures.
SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import design
import synthesis
from synthesis import BUILD, Configuration, ToolError

LIBRARY = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
PACKAGES = ("qflow-tech-osu018", "opensta")
# Of the mapping: what drives an input, what an output drives (pF), and the delay that is tried for (ps).
CONSTRAINTS = "set_driving_cell INVX2\nset_load 0.02\n"
DELAY = 4000
PERIOD = 10.0  # ns
MEMORY = "memory"  # the black box
NAND = "NAND2X1"

TIMING = """
read_liberty {library}
read_verilog {netlist}
link_design {top}
create_clock -name clk -period {period} [get_ports clk_i]
report_checks -path_delay max -digits 3
exit
"""


def tools() -> dict[str, str]:
    command = ["dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *PACKAGES]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {"yosys": version("pyosys"), **dict(line.split() for line in said.splitlines())}


def nand_area(liberty: str) -> float:
    """The area of a gate equivalent."""
    return float(re.findall(rf"cell\s*\(\s*{NAND}\s*\).*?\barea\s*:\s*([\d.]+)", liberty, re.S)[0])


def commands(configuration: Configuration, folder: Path) -> list[str]:
    """From the sources to a netlist of cells."""
    core, top = configuration.core, synthesis.core(configuration.core).top
    (folder / "constraints").write_text(CONSTRAINTS)
    return [
        *synthesis.read(core, configuration.parameters()),
        f"synth -flatten -top {top} -run begin:fine",
        *("memory_map -rom-only", "opt -fast -full", "techmap", "opt -fast", "setundef -zero"),
        f"dfflibmap -liberty {LIBRARY}",
        f"abc -liberty {LIBRARY} -constr {folder / 'constraints'} -D {DELAY}",
        "opt_clean",
        f"write_json {folder / 'netlist.json'}",
        f"chtype -set {MEMORY} t:$mem_v2",
        f"tee -q -o {folder / 'stat.json'} stat -liberty {LIBRARY} -json",
        f"write_verilog -noattr -noexpr -nohex {folder / 'netlist.v'}",
    ]


def memory_bits(module: dict[str, Any]) -> int:
    """Of all memories."""
    sizes = [cell["parameters"] for cell in module["cells"].values() if cell["type"] == "$mem_v2"]
    return sum(int(size["SIZE"], 2) * int(size["WIDTH"], 2) for size in sizes)


def path_of(report: str) -> float:
    """The longest path in ns, with the set-up of the register behind it."""
    slack = re.search(r"(-?[\d.]+)\s+slack", report)
    if not slack:
        raise ToolError(f"sta found no path:\n{report[-500:]}")
    return round(PERIOD - float(slack[1]), 2)


def timed(top: str, folder: Path) -> float:
    netlist, script = folder / "netlist.v", folder / "timing.tcl"
    # OpenSTA does not read the parameters of black boxes.
    netlist.write_text(re.sub(rf"^  {MEMORY} #\(.*?\n  \) ", f"  {MEMORY} ", netlist.read_text(), flags=re.M | re.S))
    script.write_text(TIMING.format(library=LIBRARY, netlist=netlist, top=top, period=PERIOD))
    command = ["sta", "-exit", str(script)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    (folder / "timing.log").write_text(done.stdout)
    return path_of(done.stdout)


def measure(configuration: Configuration) -> dict[str, Any]:
    folder = BUILD / "gates" / configuration.name
    folder.mkdir(parents=True, exist_ok=True)
    synthesis.run_yosys(commands(configuration, folder), folder / "yosys.log")
    text = (folder / "stat.json").read_text()
    top = synthesis.core(configuration.core).top
    area = json.loads(text[text.index("{") :])["design"]["area"]
    module = json.loads((folder / "netlist.json").read_text())["modules"][top]
    return {
        "GE": round(area / nand_area(LIBRARY.read_text())),
        "memory_bits": memory_bits(module),
        "path_ns": timed(top, folder),
    }


def main() -> int:
    arguments = synthesis.parser(__doc__).parse_args()
    chosen = synthesis.choose(arguments.only)
    if arguments.list:
        print("\n".join(configuration.name for configuration in chosen))
        return 0
    progress, rows = synthesis.Progress(len(chosen)), []
    for configuration, figures in synthesis.each(measure, chosen, arguments.jobs):
        rows.append(design.row_of(configuration, figures))
        told = f"{figures['GE']} GE, {figures['memory_bits']} bits of memory, {figures['path_ns']} ns"
        progress.say(f"{configuration.name}: {told}")
    if arguments.keep:
        synthesis.store("gates", rows, tools())
    return 0


if __name__ == "__main__":
    sys.exit(main())

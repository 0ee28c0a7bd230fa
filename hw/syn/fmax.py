#!/usr/bin/env python3
"""The clock of the cores, by place and route with nextpnr: on Lattice's ECP5-85K (40 nm), and on Nexus (LIFCL-40,
28 nm) for the cores that fit there.

Several seeds each; the median and the best are kept. A core that nextpnr finds no place for has no clock: its row has
the number of seeds that it was tried with. On Nexus the package has fewer pins than a core, so the core is in
a shell that shifts its pins. nextpnr knows no set-up time of Nexus' registers, so its clocks there are too high by
that.

A program nextpnr-ecp5 or nextpnr-nexus on the PATH, or the one that nextpnr.sh built, is used in place of the pinned
package, which is WebAssembly and takes longer; the figures name its version. Netlists and reports stay in
build/hw/fmax, named after the sources and the tools: a run that was broken off goes on where it was.
SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import design
import synthesis
from synthesis import BUILD, Configuration, ToolError

DEVICES = {"ecp5": "LFE5U-85F-8", "nexus": "LIFCL-40-9"}

SHELL = """
module shell (input logic clk_i, input logic d_i, input logic load_i, output logic q_o);
  localparam int In = {inputs};
  localparam int Out = {outputs};
  logic [1:0] reset_q;
  logic [In-1:0] in_q, held_q;
  logic [Out-1:0] out, out_q;
  always_ff @(posedge clk_i) begin
    reset_q <= {{reset_q[0], d_i}};
    in_q <= {{in_q[In-2:0], d_i}};
    if (load_i) held_q <= in_q;
    out_q <= load_i ? out : {{out_q[Out-2:0], 1'b0}};
    q_o <= out_q[Out-1];
  end
  {core} #({parameters}) u_core (
    .clk_i, .rst_ni(reset_q[1]), .zeroize_i(held_q[0]), .busy_o(out[0]),
    .s_axis_tvalid(held_q[1]), .s_axis_tready(out[1]), .s_axis_tdata(held_q[65:2]), .s_axis_tlast(held_q[66]),
    .m_axis_tvalid(out[2]), .m_axis_tready(held_q[67]), .m_axis_tdata(out[66:3]), .m_axis_tlast(out[67])
  );
endmodule
"""
# Four times the placer's own weight of time, and no limit of attempts to place a cell: see docs/hardware.md.
PLACER = ["--placer-heap-critexp", "4", "--placer-heap-timingweight", "40", "--placer-heap-cell-placement-timeout", "0"]
UNPLACED = "Unable to find legal placement", "no BELs remaining"  # nextpnr's errors if it gives up
PINS = {"clk_i": "E13", "d_i": "E17", "load_i": "G19", "q_o": "F13"}  # E13 reaches the clock network


def nextpnr(device: str) -> Path:
    """That of the PATH, that of nextpnr.sh, or the pinned one."""
    name = f"nextpnr-{device}"
    native = shutil.which(name) or shutil.which(name, path=BUILD.parent / "nextpnr")
    return Path(native) if native else Path(sys.executable).parent / f"yowasp-nextpnr-{device}"


@cache
def tools(device: str) -> dict[str, str]:
    """Their versions."""
    said = subprocess.run([nextpnr(device), "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"Version (?:nextpnr-)?([\w.-]+)", said.stdout + said.stderr)
    if not found:
        raise ToolError(f"{nextpnr(device)} has no version")
    kind = nextpnr(device).name.split("-")[0]  # with yowasp's floating point a placement is another
    return {"yosys": version("pyosys"), f"{kind}-{device}": found[1]}


def stamp(made_of: object) -> str:
    return hashlib.sha256(str(made_of).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Job:
    configuration: Configuration
    device: str
    seed: int

    def netlist(self) -> Path:
        made_of = synthesis.digest(self.configuration.core), version("pyosys"), SHELL, synthesis.COPIES
        return BUILD / "fmax" / f"{self.configuration.name}-{self.device}-{stamp(made_of)}.json"

    def report(self) -> Path:
        placed_by = stamp((tools(self.device), PLACER))
        return self.netlist().with_suffix(f".{placed_by}.seed{self.seed}.json")


def synthesise_ecp5(job: Job, netlist: Path) -> None:
    core = job.configuration.core
    lines = [
        *synthesis.read(core, job.configuration.parameters()),
        f"synth_ecp5 -top {synthesis.core(core).top} -json {netlist}",
    ]
    synthesis.run_yosys(lines, netlist.with_suffix(".log"))


def synthesise_nexus(job: Job, netlist: Path) -> None:
    configuration = job.configuration
    core = synthesis.core(configuration.core)
    shell = netlist.with_suffix(".sv")
    shell.parent.mkdir(parents=True, exist_ok=True)
    parameters = ", ".join(f".{key}({value})" for key, value in configuration.parameters().items())
    shell.write_text(SHELL.format(inputs=68, outputs=68, core=core.top, parameters=parameters))
    lines = [
        synthesis.read_files("shell", [*core.sources(), shell]),
        synthesis.COPIES,
        f"synth_nexus -flatten -top shell -json {netlist}",
    ]
    synthesis.run_yosys(lines, netlist.with_suffix(".log"))
    free_carries(netlist)


def free_carries(netlist: Path) -> None:
    """Takes the constant off the carry input of each adder: nextpnr would route it (yosys' issues 4081 and 5639)."""
    design = json.loads(netlist.read_text())
    for module in design["modules"].values():
        cells = module.get("cells", {}).values()
        constants = {cell["connections"]["Z"][0] for cell in cells if cell["type"] in ("VLO", "VHI")}
        for cell in cells:
            if cell["type"] == "CCU2" and cell["connections"]["CIN"][0] in constants | {"0", "1", "x"}:
                del cell["connections"]["CIN"], cell["port_directions"]["CIN"]
    netlist.write_text(json.dumps(design))


SYNTHESISE = {"ecp5": synthesise_ecp5, "nexus": synthesise_nexus}


def options_of(job: Job, report: Path) -> list[str]:
    common = [*PLACER, "--freq", "150", "--timing-allow-fail", "--json", str(job.netlist()), "--report", str(report)]
    if job.device == "ecp5":
        device = ["--85k", "--package", "CABGA756", "--speed", "8", "--lpf-allow-unconstrained"]
    else:  # router2 finds no way from the pin, or the oscillator, to the clock network
        pins = job.netlist().with_suffix(".pdc")
        pins.write_text("".join(f"ldc_set_location -site {{{site}}} [get_ports {pin}]\n" for pin, site in PINS.items()))
        device = ["--device", "LIFCL-40-9BG400C", "--pdc", str(pins), "--router", "router1"]
    return [*device, *common, "--seed", str(job.seed)]


def route(job: Job) -> dict[str, Any]:
    """The clock in MHz after routing, and the cells used; no clock if not all cells find a place. The report is that of
    the sources at the beginning, also if they change meanwhile."""
    report = job.report()
    log = report.with_suffix(".log")
    if not report.exists() and not is_unplaced(log):
        run_nextpnr(job, report)
    if not report.exists():
        return {"cells": cells_in(log.read_text())}
    figures = json.loads(report.read_text())
    return {
        "MHz": round(min(clock["achieved"] for clock in figures["fmax"].values()), 1),
        "cells": {kind: found["used"] for kind, found in figures["utilization"].items() if found["used"]},
    }


def is_unplaced(log: Path) -> bool:
    return log.exists() and any(error in log.read_text() for error in UNPLACED)


def cells_in(log: str) -> dict[str, int]:
    """Those of a design that was packed."""
    used = re.findall(r"^Info:\s+(\w+): +(\d+)/ *\d+ +\d+%", log, re.MULTILINE)
    return {kind: int(count) for kind, count in used if int(count)}


def run_nextpnr(job: Job, report: Path) -> None:
    command, log = [str(nextpnr(job.device)), *options_of(job, report)], report.with_suffix(".log")
    large_pages = os.environ | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # a seventh less time
    with log.open("w") as out:
        done = subprocess.run(command, env=large_pages, stdout=out, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        report.unlink(missing_ok=True)
    if done.returncode and not is_unplaced(log):
        lines = [line for line in log.read_text().splitlines() if line.startswith("ERROR")]
        raise ToolError(f"{lines[0] if lines else 'nextpnr failed'} ({log})")


def synthesise(job: Job) -> dict[str, Any]:
    if not job.netlist().exists():
        part = job.netlist().with_name(f"part-{job.netlist().name}")
        SYNTHESISE[job.device](job, part)
        part.rename(job.netlist())
    return {}


def rows_of(device: str, results: dict[Job, dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for configuration in dict.fromkeys(job.configuration for job in results if job.device == device):
        of_it = {
            job.seed: found
            for job, found in results.items()
            if (job.configuration, job.device) == (configuration, device)
        }
        clocks = [found["MHz"] for _, found in sorted(of_it.items()) if "MHz" in found]
        unplaced = len(of_it) - len(clocks)
        row = {
            "name": configuration.name,
            "core": configuration.core,
            "design": design.digest_of(configuration),
            "device": DEVICES[device],
            **({"MHz": statistics.median(clocks), "best": max(clocks)} if clocks else {}),
            "seeds": clocks,
            **({"unplaced": unplaced} if unplaced else {}),
            "cells": of_it[min(of_it)]["cells"],
        }
        rows.append(row)
        said = f"{row['MHz']} MHz, best of {len(clocks)} {row['best']}" if clocks else "no placement found"
        print(f"{row['name']}, {row['device']}: {said}")
    return rows


def main() -> int:
    parser = synthesis.parser(__doc__)
    parser.add_argument("--device", choices=list(SYNTHESISE), action="append", help="this device; may be repeated")
    parser.add_argument("--seeds", type=int, default=5, help="placements of each")
    arguments = parser.parse_args()
    chosen = synthesis.choose(arguments.only)
    if arguments.list:
        print("\n".join(configuration.name for configuration in chosen))
        return 0
    # Nexus holds one operation of one set.
    first = [
        Job(configuration, device, 1)
        for configuration in chosen
        for device in arguments.device or list(SYNTHESISE)
        if device == "ecp5" or len(configuration.operations) == len(configuration.sets) == 1
    ]
    jobs = [Job(job.configuration, job.device, seed + 1) for job in first for seed in range(arguments.seeds)]
    progress = synthesis.Progress(len(first) + len(jobs))
    for job, _ in synthesis.each(synthesise, first, arguments.jobs):
        progress.say(f"{job.configuration.name}, {job.device}: synthesised")
    results = {}
    for job, found in synthesis.each(route, jobs, arguments.jobs):
        results[job] = found
        said = f"{found['MHz']} MHz" if "MHz" in found else "no placement found"
        progress.say(f"{job.configuration.name}, {job.device}, seed {job.seed}: {said}")
    for device in SYNTHESISE:
        rows = rows_of(device, results)
        if arguments.keep and rows:
            synthesis.store(f"fmax-{device}", rows, tools(device))
    return 0


if __name__ == "__main__":
    sys.exit(main())

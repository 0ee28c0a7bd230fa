#!/usr/bin/env python3
"""Synthesises each core to a netlist of Xilinx's 7 series and simulates that: one answer of each operation.

The cells' models are those that come with yosys, but for two: its RAMB18E1 and RAMB36E1 have no memory, so block_ram.sv
is put into them, and CARRY4 is carry4.sv. All is made in build/hw/netlist. --fault inverts the table of one LUT, and
the test must fail. --plain simulates the plain Verilog that hw/syn/verilog.py writes instead.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "syn"))

import synthesis
import verilog
from cores import Core, cores
from synthesis import Configuration

CELLS = Path(str(distribution("pyosys").locate_file("pyosys/share/xilinx/cells_sim.v")))
WORK = synthesis.BUILD / "netlist"
# The replacement for the delays of a block memory; words from the highest down.
MEMORY = """
  if (RAM_MODE != "SDP" || READ_WIDTH_A != {width} || WRITE_MODE_B != "READ_FIRST" || DOA_REG != 0) begin : gen_other
    $error("block_ram does not know this mode");
  end
  block_ram #(
    .Bytes({bytes}), .Init({{{init}}}), .InitParity({{{parity}}})
  ) u_memory (
    .read_clk_i(CLKARDCLK), .read_i(ENARDEN), .raddr_i(ADDRARDADDR[{top}-:9]),
    .rdata_o({{DOBDO, DOADO}}), .rparity_o({{DOPBDOP, DOPADOP}}),
    .write_clk_i(CLKBWRCLK), .write_i(WEBWE & {{{bytes}{{ENBWREN}}}}), .waddr_i(ADDRBWRADDR[{top}-:9]),
    .wdata_i({{DIBDI, DIADI}}), .wparity_i({{DIPBDIP, DIPADIP}})
  );
"""


def memory(size: int) -> str:
    """The body of RAMB18E1 or RAMB36E1."""
    rows = 64 * size // 18
    return MEMORY.format(
        width=2 * size,
        bytes=2 * size // 9,
        top=13 if size == 18 else 14,
        init=", ".join(f"INIT_{row:02X}" for row in reversed(range(rows))),
        parity=", ".join(f"INITP_{row:02X}" for row in reversed(range(rows // 8))),
    )


def cells(netlist: str) -> str:
    """The models of the cells that a netlist has."""
    used = set(re.findall(r"^  ([A-Z][A-Z0-9_]*) (?:#\(|\\|\w)", netlist, re.MULTILINE))
    texts = []
    for name, body in re.findall(r"^module (\w+)(.*?)^endmodule", CELLS.read_text(), re.MULTILINE | re.DOTALL):
        if name in used and name != "CARRY4":
            logic = re.sub(r"\bspecify\b.*?\bendspecify\b", "", body, flags=re.DOTALL)
            size = re.fullmatch(r"RAMB(18|36)E1", name)
            texts.append(f"module {name}{logic}{memory(int(size[1])) if size else ''}endmodule")
    return "\n\n".join(texts) + "\n"


def inverted(netlist: str) -> str:
    """The netlist with every bit of one LUT's table inverted."""
    tables = list(re.finditer(r"LUT6 #\(\s*\.INIT\(64'h([0-9a-f]{16})\)", netlist))
    middle = tables[len(tables) // 2]
    table = f"{int(middle[1], 16) ^ (1 << 64) - 1:016x}"
    return netlist[: middle.start(1)] + table + netlist[middle.end(1) :]


def synthesise(configuration: Configuration, folder: Path) -> str:
    path = folder / "synthesised.v"
    synthesis.run_yosys(
        [
            *synthesis.read(configuration.core, configuration.parameters()),
            synthesis.xilinx(configuration.core),
            f"write_verilog -noattr {path}",
        ],
        folder / "yosys.log",
    )
    return path.read_text()


def plain(configuration: Configuration, folder: Path) -> str:
    path = folder / "plain.v"
    verilog.write(configuration.core, configuration.parameters(), path)
    return path.read_text()


def passes(configuration: Configuration) -> bool:
    """Builds the simulation of what is in the folder of its core, and runs it."""
    program = f"{configuration.core}_netlist_test"
    options = [
        "-DLATKEM_BUILD_HW=ON",
        "-DLATKEM_BUILD_CLI=OFF",
        "-DLATKEM_TEST_PARTS=",
        f"-DLATKEM_HW_ONLY={program}",
    ]
    tree = WORK / "tree"
    for command in (
        ["cmake", "-G", "Ninja", "-S", str(synthesis.ROOT), "-B", str(tree), *options, f"-DLATKEM_HW_NETLIST={WORK}"],
        ["ninja", "-C", str(tree), program],
    ):
        with (WORK / "build.log").open("w") as log:
            if subprocess.run(command, stdout=log, stderr=log, check=False).returncode:
                raise synthesis.ToolError(f"{command[0]} failed ({WORK / 'build.log'})")
    return subprocess.run([tree / "hw" / "dv" / "netlist" / program], check=False).returncode == 0


def tried(configuration: Configuration, arguments: argparse.Namespace) -> int:
    """0 if the simulation passes, or with the fault fails."""
    folder = WORK / configuration.core
    netlist = (plain if arguments.plain else synthesise)(configuration, folder)
    (folder / "cells.v").write_text(cells(netlist))
    (folder / "netlist.v").write_text(inverted(netlist) if arguments.fault else netlist)
    return 0 if passes(configuration) != arguments.fault else 1


def configuration_of(core: Core) -> Configuration:
    """The configuration that has the core's name, or is the core without parameters."""
    found = [one for one in synthesis.configurations() if one.core == core.name]
    return next((one for one in found if one.name == core.name), None) or next(
        one for one in found if one.parameters() == core.parameters()
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--fault", action="store_true", help="invert the table of one LUT, and see the test fail")
    kind.add_argument("--plain", action="store_true", help="simulate the core's plain Verilog, not its netlist")
    parser.add_argument("--only", choices=[core.name for core in cores()], help="this core")
    arguments = parser.parse_args()
    chosen = [configuration_of(core) for core in cores() if arguments.only in (None, core.name)]
    try:
        return max(tried(configuration, arguments) for configuration in chosen)
    except synthesis.ToolError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    sys.exit(main())

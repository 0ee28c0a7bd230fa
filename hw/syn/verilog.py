#!/usr/bin/env python3
"""Writes a core as one file of plain Verilog, for tools that do not read SystemVerilog: build/hw/<configuration>.v
has the core of a configuration (configurations.toml) with its parameters set, without packages and structures. yosys
reads the sources and writes the file; it keeps modules, memories and cycles, and does not synthesise.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import sys
from pathlib import Path

import synthesis
from cores import core, cores


def write(name: str, values: dict[str, int], out: Path) -> None:
    """Writes a core with these parameters to a file."""
    commands = [synthesis.read(name, values), f"hierarchy -check -top {core(name).top}", "proc", "opt_clean"]
    commands += ["bwmuxmap"]  # of cells that write_verilog does not know
    synthesis.run_yosys([*commands, f"write_verilog -noattr {out}"], out.with_suffix(".log"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="configurations (one of each core)")
    try:
        for configuration in synthesis.choose(parser.parse_args().only or [found.name for found in cores()]):
            out = synthesis.BUILD / f"{configuration.name}.v"
            write(configuration.core, configuration.parameters(), out)
            print(out.relative_to(synthesis.ROOT))
    except synthesis.ToolError as error:
        sys.exit(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())

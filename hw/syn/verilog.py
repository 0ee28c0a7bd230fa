#!/usr/bin/env python3
"""Writes a core as one file of plain Verilog, for tools that do not read SystemVerilog: build/hw/<configuration>.v
has the core of a configuration (configurations.toml) with its parameters set, without packages and structures. The
modules that serve all cores have a file each, as build/hw/axil.v. yosys reads the sources and writes the file; it keeps
modules, memories and cycles, and does not synthesise. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import synthesis
from cores import block, blocks, cores


def write(name: str, values: dict[str, int], out: Path) -> None:
    """Writes a core, or what serves all, with these parameters to a file."""
    commands = [*synthesis.read(name, values), f"hierarchy -check -top {block(name).top}", "proc", "opt_clean"]
    # Cells that write_verilog does not know, or writes as a part that is wider than the whole.
    commands += ["bwmuxmap", "techmap t:$shiftx"]
    synthesis.run_yosys([*commands, f"write_verilog -noattr {out}"], out.with_suffix(".log"))


def jobs(only: list[str]) -> Iterator[tuple[str, str, dict[str, int]]]:
    """The file to write, its core, and the parameters."""
    serving = [found.name for found in blocks()]
    chosen = only or [*serving, *(found.name for found in cores())]
    yield from ((name, name, {}) for name in chosen if name in serving)
    if rest := [name for name in chosen if name not in serving]:
        yield from ((found.name, found.core, found.parameters()) for found in synthesis.choose(rest))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="configurations (one of each core)")
    try:
        for name, of, values in jobs(parser.parse_args().only):
            out = synthesis.BUILD / f"{name}.v"
            write(of, values, out)
            print(out.relative_to(synthesis.ROOT))
    except synthesis.ToolError as error:
        sys.exit(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())

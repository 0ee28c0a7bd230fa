#!/usr/bin/env python3
"""Writes the cores as packages of two package managers, from the lists of sources: hw/rtl/*.core for FuseSoC, and
Bender.yml. For FuseSoC, sources that several lists have are packages of their own, so that a design may have several
cores.

--check changes nothing and fails where a file differs. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from cores import RTL, Block, Core, blocks, cores

ROOT = RTL.parents[1]
HEAD = "# Written by hw/syn/packages.py from the lists of sources in hw/rtl. SPDX-License-Identifier: Apache-2.0"
ABOUT = "latkem's hardware cores of lattice KEMs"
# Packages of sources that several lists have, and what is in them.
SHARED = {"rules": "what all modules assert", "shared": "what several cores have"}


def version() -> str:
    (found,) = re.findall(r'#define LATKEM_VERSION "(.*)"', (ROOT / "include/latkem/latkem.h").read_text())
    return found


def everything() -> list[Block]:
    return [*cores(), *blocks()]


def groups() -> dict[str, list[Path]]:
    """Sources by package, each in the order of the first list that has it."""
    made: dict[str, list[Path]] = {name: [] for name in (*SHARED, *(found.name for found in everything()))}
    for path in dict.fromkeys(path for found in everything() for path in found.sources()):
        users = [found.name for found in everything() if path in found.sources()]
        name = "rules" if len(users) == len(everything()) else "shared" if len(users) > 1 else users[0]
        made[name].append(path)
    return made


def fusesoc_name(name: str) -> str:
    return f"latkem:hw:{name}:{version()}"


def fusesoc(name: str, paths: list[Path], found: Block | None) -> Iterator[str]:
    yield f"CAPI=2:\n{HEAD}\nname: {fusesoc_name(name)}"
    yield f"description: {ABOUT}, {found.top if found else SHARED[name]}"
    yield "filesets:\n  rtl:"
    if found:
        needed = [fusesoc_name(other) for other in SHARED if {*groups()[other]} & {*found.sources()}]
        yield f"    depend: [{', '.join(needed)}]"
    yield "    file_type: systemVerilogSource\n    files:"
    yield from (f"      - {path.relative_to(RTL)}" for path in paths)
    yield "targets:\n  default: &default\n    filesets: [rtl]"
    if not found:
        return
    names = ["Ops", "Sets", *found.further] if isinstance(found, Core) else ["Depth"]
    yield f"    toplevel: {found.top}\n    parameters: [{', '.join(names)}]"
    yield "  lint:\n    <<: *default\n    flow: lint\n    flow_options:"
    yield "      tool: verilator\n      verilator_options: [-Wall]"
    yield "parameters:"
    for each in names:
        yield f"  {each}:\n    datatype: int\n    paramtype: vlogparam"


def bender() -> Iterator[str]:
    yield f"{HEAD}\npackage:\n  name: latkem\n  description: {ABOUT}\n\nsources:"
    for name, paths in groups().items():
        yield f"  # {name}\n  - files:"
        yield from (f"      - {path.relative_to(ROOT)}" for path in paths)


def files() -> dict[Path, str]:
    found = {each.name: each for each in everything()}
    texts = {RTL / f"latkem_{name}.core": fusesoc(name, paths, found.get(name)) for name, paths in groups().items()}
    return {path: "\n".join(lines) + "\n" for path, lines in {**texts, ROOT / "Bender.yml": bender()}.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = [path for path, text in files().items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if check:
            print(f"{path.relative_to(ROOT)} is out of date: hw/syn/packages.py writes it again")
        else:
            path.write_text(files()[path])
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

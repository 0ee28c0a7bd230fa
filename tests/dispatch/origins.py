#!/usr/bin/env python3
"""What the library says of its kernels' origins is what its object files have: a kernel of a ring is "recompiled" where
the backend's table has, in the backend's own object, the function of a header of src/ring, and nowhere else.

Usage: origins.py SOURCE LIBRARY READELF PROGRAM..., where PROGRAM prints the origins (origins.c).
SPDX-License-Identifier: Apache-2.0
"""

import re
import subprocess
import sys
from pathlib import Path

Kernels = set[tuple[str, str]]  # backend, kernel
TABLE = re.compile(r"Relocation section '\.rela?\.[\w.]*\.lk_(q3329|negacyclic|cyclic|ternary)_(\w+)'")
FUNCTION = re.compile(r"(?:\.text\.)?(lk_\w+)")
BACKENDS = {"neon": ["neon", "neon-sha3", "neon-sha3-full", "neon-sha3-half", "neon-sha3-quarter"]}


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def said(program: list[str]) -> Kernels:
    rows = [line.split() for line in output(*program).splitlines()]
    return {(backend, kernel) for backend, kernel, origin in rows if origin == "recompiled"}


def defined_in_headers(source: Path) -> dict[str, str]:
    """The kernels that headers of src/ring define, by their functions' names."""
    found = {}
    for header in (source / "src/ring").glob("*/*.h"):
        family = header.parent.name
        for kernel in re.findall(rf"^static \w+ lk_{family}_(\w+)\(", header.read_text(), re.M):
            found[f"lk_{family}_{kernel}"] = f"{family}/{kernel}"
    return found


def found(relocations: str, functions: dict[str, str]) -> Kernels:
    """The functions of headers that the tables of the library's objects name."""
    kernels, backends = set(), []
    for line in relocations.splitlines():
        if line.startswith(("Relocation section", "File:")):
            table = TABLE.match(line)
            backends = BACKENDS.get(table[2], [table[2]]) if table else []
        for name in FUNCTION.findall(line) if backends else []:
            kernels |= {(backend, functions[name]) for backend in backends if name in functions}
    return {(backend, kernel) for backend, kernel in kernels if backend != "portable"}


def main(source: str, library: str, readelf: str, *program: str) -> int:
    in_objects = found(output(readelf, "-rW", library), defined_in_headers(Path(source)))
    listed = said(list(program))
    known = {line.split()[0] for line in output(*program).splitlines()}
    in_objects = {row for row in in_objects if row[0] in known}
    for backend, kernel in sorted(in_objects ^ listed):
        where = "not listed" if (backend, kernel) in in_objects else "not in its table"
        print(f"origins: {kernel} of {backend}, compiled again: {where}", file=sys.stderr)
    print(f"origins: {len(listed)} kernels are portable C compiled again")
    return int(in_objects != listed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

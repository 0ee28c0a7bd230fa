#!/usr/bin/env python3
"""No name at file scope is one that a C library declares. Each C source is compiled behind all headers of each C
library that is here, with all that these offer beyond C. No macro has a name that they declare. The quick rung knows
the names of macOS and the BSDs from bsd_names.txt; LATKEM_TEST_DEEP compiles with their own headers and those of
Windows too.
SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import clibs

MACHINES = {"x86_64": ["-march=icelake-server"], "aarch64": ["-march=armv8.2-a+crypto+sha3"]}
MACRO = re.compile(r"^\s*#\s*define\s+(?!_)(\w+)", re.M)


def bsd_names() -> str:
    """Declares the names of bsd_names.txt as what no source has."""
    lines = (Path(__file__).parent / "bsd_names.txt").read_text().splitlines()
    names = [name for line in lines if not line.startswith("#") for name in line.split()]
    return "".join(f"extern const struct of_the_bsds {name};\n" for name in names)


class Names:
    def __init__(self, root: Path, work: Path):
        self.work = work
        self.everywhere = [path for path in sorted(root.glob("src/**/*.c")) if not MACHINES.keys() & set(path.parts)]
        self.everywhere += [self.macros(root), self.headers(root)]
        self.backends = {machine: sorted(root.glob(f"src/arch/{machine}/**/*.c")) for machine in MACHINES}
        # OpenSSL is the libcrypto that is here. The names of aws_lc.c are those of openssl.c.
        self.protocol = [path for path in sorted(root.glob("protocol/**/*.c")) if path.name != "aws_lc.c"]
        folders = [f"-I{root / name}" for name in ("src", "include", "protocol")]
        self.options = [*clibs.STRICT, "-D_GNU_SOURCE=", "-DLATKEM_BUILDING", *folders]

    def write(self, name: str, text: str) -> Path:
        (self.work / name).write_text(text)
        return self.work / name

    def macros(self, root: Path) -> Path:
        """A file that declares a constant by the name of each macro."""
        sources = (path for folder in ("src", "protocol") for path in root.glob(f"{folder}/**/*.*"))
        names = sorted({name for path in sources for name in MACRO.findall(path.read_text())})
        return self.write("macros.c", "".join(f"enum {{ {name} }};\n" for name in names))

    def headers(self, root: Path) -> Path:
        """A file that includes all public headers."""
        names = sorted(header.name for header in root.glob("include/latkem/*.h"))
        return self.write("headers.c", "".join(f"#include <latkem/{name}>\n" for name in names))

    def groups(self, library: clibs.CLibrary) -> Iterator[tuple[list[str], list[Path]]]:
        """The sources to compile with a C library, after the options that they need."""
        protocol = self.protocol if library.is_native else []  # the others lack libcrypto
        yield self.options, [*self.everywhere, *protocol]
        if library.machine in MACHINES:
            yield [*self.options, *MACHINES[library.machine]], self.backends[library.machine]

    def clashes(self, library: clibs.CLibrary) -> int:
        """How many sources do not compile; says which and why."""
        before = self.write(f"{library.name}.h", library.headers() + (bsd_names() if library.is_native else ""))
        errors, tried = [], 0
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for options, sources in self.groups(library):
                library.precompile(options, before)
                found = pool.map(lambda source: library.compiles([*options, "-include", str(before)], source), sources)  # noqa: B023
                errors += [error for error in found if error]
                tried += len(sources)
        print("".join(f"{library.name}: {error}" for error in errors), end="")
        print(f"{library.name}: {tried} sources, {len(errors)} that clash")
        return len(errors)


def main() -> int:
    with tempfile.TemporaryDirectory() as work:
        names = Names(clibs.ROOT, Path(work))
        return min(1, sum(names.clashes(library) for library in clibs.here()))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures the module beside crypto/mlkem and the C calls, in one process.

It builds the program tests/speed, or with --built takes that in build/go. SPDX-License-Identifier: Apache-2.0
"""

import shutil
import sys

from package import OUT, ROOT, put_sources, succeed

sys.path.append(str(ROOT / "harness" / "packages"))
import measure

PROGRAM = OUT / "speed"


def build() -> None:
    if not shutil.which("go"):
        raise measure.Absent("there is no go")
    put_sources()
    succeed("build", "-o", str(PROGRAM), "./tests/speed")


def documents(arguments: list[str], built: bool) -> list[str]:
    if not built:
        build()
    if not PROGRAM.exists():
        raise measure.Absent("the program is not built; make go-speed builds it")
    return [measure.run(PROGRAM, *arguments)]


if __name__ == "__main__":
    sys.exit(measure.main(["Go"], documents))

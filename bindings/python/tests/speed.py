#!/usr/bin/env python3
"""Measures the wheel beside Python's cryptography and the C calls of its own build, in one process.

It builds the wheel, or with --built takes the one in build/python. SPDX-License-Identifier: Apache-2.0
"""

import importlib.util
import os
import sys
from pathlib import Path

from run import HERE, OUT, ROOT, build, install, search_path, site

sys.path.append(str(ROOT / "harness" / "packages"))
import measure

BACKEND = "scikit_build_core"


def wheel(built: bool) -> Path:
    found = sorted(OUT.glob("latkem-*.whl"))
    if built and not found:
        raise measure.Absent("there is no wheel; make python builds it")
    if not built and not importlib.util.find_spec(BACKEND):
        raise measure.Absent(f"there is no {BACKEND} here; make python installs it")
    return found[0] if built else build()


def bare() -> Path:
    """The C calls, with the library that the wheel has."""
    library = OUT / "bare.so"
    archive = OUT / "cmake" / "latkem" / "src" / "liblatkem.a"
    measure.run("cc", "-O2", "-shared", "-fPIC", *measure.BARE, archive, "-o", library)
    return library


def documents(arguments: list[str], built: bool) -> list[str]:
    installed = site(install(Path(sys.executable), wheel(built), "speed"))
    environment = {**os.environ, "PYTHONPATH": search_path(installed), "LATKEM_BARE": str(bare())}
    return [measure.run(sys.executable, HERE / "tests" / "times.py", *arguments, env=environment)]


if __name__ == "__main__":
    sys.exit(measure.main(["Python"], documents))

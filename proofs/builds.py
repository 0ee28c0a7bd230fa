"""The builds of the library to prove, and how they are made.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from proofs.progress import SECONDS
from proofs.rung import Rung

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "proofs"
TOOLCHAINS = ROOT / "tools" / "toolchains"


@dataclass(frozen=True)
class Build:
    """A release build of the shared library; `compiler` is the program that it needs."""

    name: str
    compiler: str
    options: tuple[str, ...] = ()
    rung: Rung = Rung.ALL
    sources: Path = ROOT

    @property
    def tree(self) -> Path:
        """That of the tests with the same compiler and options, if LIBRARY_TREES says where and it is there."""
        own, others = WORK / self.name, os.environ.get("LIBRARY_TREES")
        other = Path(others, self.name.removesuffix("-gcc")) if others else own
        return other if (other / "CMakeCache.txt").exists() else own

    @property
    def library(self) -> Path:
        return self.tree / "src" / "liblatkem.so"

    @property
    def possible(self) -> bool:
        return shutil.which(self.compiler) is not None

    def make(self) -> None:
        print(f"building {self.name}", flush=True)
        if self.tree == WORK / self.name:
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", *self.options]
            configure = ["cmake", "-S", str(self.sources), "-B", str(self.tree), *options]
            subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
        jobs = str(os.cpu_count() or 1)
        command = ["cmake", "--build", str(self.tree), "--target", "latkem_shared", "-j", jobs]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as building:
            _tell_percents(building.stdout or [])
        if building.returncode:
            raise SystemExit(f"{self.name} does not build: {' '.join(command)}")


def _tell_percents(lines: Iterable[str]) -> None:
    """The progress of the build tool, a line now and then."""
    told = time.monotonic()
    for line in lines:
        if time.monotonic() - told >= SECONDS:
            told = time.monotonic()
            print(f"  {line.rstrip()}", flush=True)


def _toolchain(name: str) -> str:
    return f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAINS / name}.cmake"


BUILDS = [
    Build("gcc", "gcc", rung=Rung.SLICE),
    Build("clang", "clang", ("-DCMAKE_C_COMPILER=clang",)),
    Build("aarch64-gcc", "aarch64-linux-gnu-gcc-12", (_toolchain("aarch64"),), Rung.SLICE),
    Build("aarch64-clang", "clang", (_toolchain("aarch64-clang"),)),
]

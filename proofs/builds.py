"""The builds of the library whose machine code is proved, and how they are made.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from proofs.theorems.theorem import Rung

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
    def library(self) -> Path:
        return WORK / self.name / "src" / "liblatkem.so"

    @property
    def possible(self) -> bool:
        return shutil.which(self.compiler) is not None

    def make(self) -> None:
        tree = str(WORK / self.name)
        configure = ["cmake", "-S", str(self.sources), "-B", tree, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"]
        for command in ([*configure, *self.options], ["cmake", "--build", tree, "--target", "latkem_shared"]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _toolchain(name: str) -> str:
    return f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAINS / name}.cmake"


BUILDS = [
    Build("gcc", "gcc", rung=Rung.SLICE),
    Build("clang", "clang", ("-DCMAKE_C_COMPILER=clang",)),
    Build("aarch64-gcc", "aarch64-linux-gnu-gcc-12", (_toolchain("aarch64"),), Rung.QUICK),
    Build("aarch64-clang", "clang", (_toolchain("aarch64-clang"),)),
]

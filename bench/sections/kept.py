"""Builds the recorded program, and keeps numbers; both cost models use it.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from executed.program import run

ROOT = Path(__file__).resolve().parent.parent.parent


def build(tree: Path, options: Sequence[str] = ()) -> Path:
    """Builds the program of sections there."""
    more = ["-DLATKEM_BUILD_COST_MODEL=ON", "-DLATKEM_BUILD_CLI=OFF", "-DBUILD_TESTING=OFF"]
    run(["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(tree), *options, *more])
    run(["cmake", "--build", str(tree), "--target", "sections"])
    return tree / "bench" / "sections" / "sections"


def compiler(tree: Path) -> str:
    """The compiler that the counts depend on, as `gcc 12.2.0`."""
    text = next((tree / "CMakeFiles").glob("*/CMakeCCompiler.cmake")).read_text()
    name, version = (re.findall(rf'set\(CMAKE_C_COMPILER_{part} "(.*?)"', text)[0] for part in ("ID", "VERSION"))
    return f"{name.replace('GNU', 'gcc')} {version}"


@dataclass(frozen=True)
class Table:
    """Kept numbers that later versions are held to, and how much more one of them may become."""

    path: Path
    growth: float

    def write(self, made_with: str, rows: dict[str, float]) -> None:
        lines = [f"{name} {number:.0f}" for name, number in sorted(rows.items())]
        self.path.write_text("\n".join([f"compiler {made_with}", *lines]) + "\n")

    def check(self, made_with: str, rows: dict[str, float]) -> int:
        head, *lines = self.path.read_text().splitlines()
        if head != f"compiler {made_with}":
            print(f"skipped: {self.path.name} was made with {head.removeprefix('compiler ')}, this is {made_with}")
            return 0
        if found := self.above(dict(line.rsplit(" ", 1) for line in lines), rows):
            print("\n".join(found))
            print("if that is meant: again with --update")
            return 1
        print(f"{len(rows)} numbers of {self.path.name}: none grew by more than {100 * self.growth:g} %")
        return 0

    def above(self, kept: dict[str, str], rows: dict[str, float]) -> list[str]:
        return [
            f"{name}: {number:.0f}, {kept.get(name, 'nothing')} in {self.path.name}"
            for name, number in rows.items()
            if number > (1 + self.growth) * int(kept.get(name, 0))
        ]

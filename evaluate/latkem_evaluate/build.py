"""Configures and builds what the evaluation runs, and says how it was built.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from latkem_evaluate.steps import Advance, Runner, by_ninja, first_line

TARGETS = (
    "latkem_cli",
    "latkem_shared",
    "kat_digests",
    "kat_files",
    "bench_operations",
    "bench_kernels",
    "profile",
    "saber_study",
    "matrix_vector_mul",
    "stack",
)

# The library is C; C++ is only around it, and at -O1 it compiles in half the time.
OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
    "-DBUILD_TESTING=ON",
    "-DLATKEM_BUILD_BENCH=ON",
    "-DLATKEM_BUILD_JNI=OFF",
)


class Build:
    """A build directory. Programs are found by name, for where they lie is CMake's business."""

    def __init__(self, source: Path, directory: Path) -> None:
        self.source = source
        self.directory = directory

    def make(self, runner: Runner, advance: Advance) -> None:
        self._configure(runner, "configure", ["-G", "Ninja", *OPTIONS])
        self.compile(runner, "build", TARGETS, advance)

    def extend(
        self, runner: Runner, name: str, options: Sequence[str], targets: Sequence[str], advance: Advance
    ) -> None:
        """Builds targets that need more CMake options than the rest."""
        self._configure(runner, f"{name}-configure", options)
        self.compile(runner, f"{name}-build", targets, advance)

    def _configure(self, runner: Runner, name: str, options: Sequence[str]) -> None:
        runner.run(name, ["cmake", "-S", str(self.source), "-B", str(self.directory), *options])

    def compile(self, runner: Runner, name: str, targets: Sequence[str], advance: Advance) -> None:
        """Builds targets of the configured tree."""
        runner.run(
            name,
            ["cmake", "--build", str(self.directory), "--target", *targets],
            advance=advance,
            gauge=by_ninja,
            environment={"NINJA_STATUS": "[%f/%t] "},
        )

    def program(self, name: str) -> Path:
        return self._only(name, [path for path in self.directory.rglob(name) if path.is_file() and _is_program(path)])

    def libraries(self) -> list[Path]:
        archive = self._only("liblatkem.a", list(self.directory.rglob("liblatkem.a")))
        shared = sorted(path for path in self.directory.rglob("liblatkem.so*") if not path.is_symlink())
        return [archive, *shared]

    def parts(self) -> dict[str, list[Path]]:
        """The library's object files: each backend's own, those of portable, and what serves all."""
        folder = self.directory / "src" / "CMakeFiles" / "latkem_objects.dir"
        parts: dict[str, list[Path]] = {}
        for path in sorted(folder.rglob("*.o")):
            parts.setdefault(part_of(path.relative_to(folder)), []).append(path)
        return parts

    def _only(self, name: str, found: list[Path]) -> Path:
        if len(found) != 1:
            raise FileNotFoundError(f"{len(found)} files named {name} under {self.directory}, where one was expected")
        return found[0]

    def cache(self) -> dict[str, str]:
        """The entries of CMakeCache.txt."""
        text = (self.directory / "CMakeCache.txt").read_text()
        return dict(re.findall(r"^([A-Za-z_0-9]+):[A-Z]+=(.*)$", text, re.MULTILINE))

    def library_flags(self) -> str:
        """The compiler's flags for the library's first source file, without paths and defines."""
        commands = json.loads((self.directory / "compile_commands.json").read_text())
        library = str(self.source / "src") + "/"
        command = next((entry["command"] for entry in commands if entry["file"].startswith(library)), "")
        words = shlex.split(command)
        return " ".join(word for word in words if re.match(r"-(O|f|m|std=|g|W)", word))

    def facts(self) -> dict[str, str]:
        cache = self.cache()
        compiler = cache.get("CMAKE_C_COMPILER", "")
        return {
            "Compiler": first_line([compiler, "--version"]) or compiler,
            "Build type": cache.get("CMAKE_BUILD_TYPE", ""),
            "Compiler flags of the library": self.library_flags(),
            "CMake": first_line(["cmake", "--version"]).removeprefix("cmake version "),
            "Source": source_state(self.source),
        }


def _is_program(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o111)


def source_state(source: Path) -> str:
    """The git commit, and whether files differ from it."""
    commit = first_line(["git", "-C", str(source), "rev-parse", "--short=12", "HEAD"])
    if not commit or commit == "HEAD":
        return "no git commit"
    status = subprocess.run(["git", "-C", str(source), "status", "--porcelain"], capture_output=True, text=True)
    return f"commit {commit}" + (", with local changes" if status.stdout.strip() else "")


def part_of(source: Path) -> str:
    """The part to which an object file of the library belongs, by its path within src/."""
    folder = source.parts[0]
    if folder == "arch" and len(source.parts) == 4:
        return f"kernels of {source.parts[2]}"
    if folder in ("ring", "symmetric") and source.name.startswith("portable"):
        return "kernels of portable"
    return "schemes, scheduler, interface"


def code_sizes(build: Build) -> list[dict[str, int | str]]:
    """Bytes of code and constants, of initialised and of zeroed data, by binutils' size: of the libraries, then of the
    parts that they are made of."""
    files = {library.name: [library] for library in build.libraries()} | build.parts()
    rows: list[dict[str, int | str]] = []
    for name, paths in files.items():
        result = subprocess.run(["size", "-t", *map(str, paths)], capture_output=True, text=True, check=True)
        text, data, bss = (int(word) for word in result.stdout.splitlines()[-1].split()[:3])
        rows.append({"name": name, "text": text, "data": data, "bss": bss})
    return rows

#!/usr/bin/env python3
"""What the areas of the tree say of themselves, each in its own folder's area.toml.

    order = 50                   areas with a lower number come first; 50 if left out
    faults = ["x.toml"]          lists of planted faults (faults.py), by patterns from the area's folder
    [profiles.NAME]              what `tools/setup.sh NAME` prepares for
    about = "'make NAME'"
    with = ["build"]             profiles with packages that it needs too
    [[packages]]
    for = ["build", "test"]      the profiles that need it
    why = "a reason"
    apt = ["name-{gcc}"]         Debian packages; {gcc} is the major version of the package gcc
    program = "cmake"            this program from elsewhere will do instead
    elsewhere = "rustup"         or no package at all: a message says where the program comes from,
    oldest = "1.88"              and the oldest version that will do
    optional = true              not every release or architecture has it
    pip = "x/requirements.txt"   or a file of pinned Python packages, for build/venv
    script = ["sh", "x.sh"]      or a command that puts it under build/ where it can be had
    [options]
    NAME = ["-D..."]             a list of CMake options, for `use` below
    [[steps]]                    a step of `make test`
    name = "gcc"
    rung = "quick"               or "deep", or both in a list
    cmake = ["-D..."]            a build tree of the project with its CTest suites: CMake options,
    use = ["NAME"]               with lists of them by name,
    ctest = ["-R", "..."]        options of ctest,
    cpus = ["max"]               and the CPUs that QEMU emulates
    apart = true                 not for `make test`: run only when it or its area is asked for
    within = "gcc"               or a part of another step's tree, run only when it or its area is asked for,
    targets = ["..."]            for which these targets are built
    run = ["sh", "x.sh"]         or a command, which succeeds or fails
    needs = ["qemu-aarch64"]     programs without which the step is skipped
    machine = "x86_64"           the only machine that it is for
    env = { NAME = "value" }     in its environment
    minutes = 60                 after which it has failed
    after = ["gcc"]              steps stated before it that must have ended, if they run: it needs what they have
                                 built, or both write one folder
    cores = 1                    keeps one processor busy: runs beside other such steps and one that keeps all busy
    alone = true                 measures time: nothing runs beside it
    [[lint]]                     a part of `make lint`
    tidy = ["src/*.c"]           clang-tidy over these files, as git ls-files takes them,
    cmake = ["-D..."]            compiled with these options,
    tree = "clang-tidy"          in a tree of this name; parts of one tree are put together
    name = "clippy"              or a command with its name
    run = ["cargo", "clippy"]
    fix = ["cargo", "fmt"]       and one that lays the sources out, for `make format`
    needs = ["cargo"]            programs without which it is skipped

In commands and options {root} is the top of the tree, {python} this Python and {jobs} the number of processors.

SPDX-License-Identifier: Apache-2.0
Usage: areas.py profiles | packages PROFILE | lint [AREA]
"""

import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILES = ["*/area.toml", "bindings/*/area.toml"]
PLACES = {"{root}": str(ROOT), "{python}": sys.executable, "{jobs}": str(os.cpu_count() or 2)}
RUNGS = ["quick", "deep"]

KEYS = {
    "area": {"order", "faults", "profiles", "packages", "options", "steps", "lint"},
    "profiles": {"about", "with"},
    "packages": {"for", "why", "apt", "program", "elsewhere", "oldest", "optional", "pip", "script"},
    "steps": {
        *("name", "rung", "cmake", "use", "ctest", "cpus", "within", "targets", "run", "needs", "machine", "env"),
        *("minutes", "after", "cores", "alone", "apart"),
    },
    "lint": {"tidy", "cmake", "tree", "name", "run", "fix", "needs"},
}
REQUIRED = {"profiles": {"about"}, "packages": {"for", "why"}, "steps": {"name", "rung"}}


class AreaError(Exception):
    """An area.toml that cannot be meant."""


@dataclass(frozen=True)
class Area:
    name: str  # its folder
    data: dict[str, Any]

    def tables(self, kind: str) -> list[dict[str, Any]]:
        return self.data.get(kind, [])

    def check(self) -> None:
        self.check_keys("area", self.data)
        for table in self.data.get("profiles", {}).values():
            self.check_keys("profiles", table)
        for kind in ("packages", "steps", "lint"):
            for table in self.tables(kind):
                self.check_keys(kind, table)

    def check_keys(self, kind: str, table: dict[str, Any]) -> None:
        if unknown := set(table) - KEYS[kind]:
            raise AreaError(f"{self.name}/area.toml: {kind} has no key {sorted(unknown)[0]}")
        if lacking := REQUIRED.get(kind, set()) - set(table):
            raise AreaError(f"{self.name}/area.toml: {kind} must have a key {sorted(lacking)[0]}")


@cache
def areas() -> list[Area]:
    found = []
    for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
        try:
            area = Area(path.parent.relative_to(ROOT).as_posix(), tomllib.loads(path.read_text()))
        except tomllib.TOMLDecodeError as error:
            raise AreaError(f"{path.relative_to(ROOT)}: {error}") from error
        area.check()
        found.append(area)
    return sorted(found, key=lambda area: (area.data.get("order", 50), area.name))


def find_area(name: str) -> Area:
    for area in areas():
        if area.name == name.rstrip("/"):
            return area
    raise AreaError(f"no area {name}; there are: {', '.join(area.name for area in areas())}")


def fault_lists() -> list[Path]:
    """The lists of planted faults of all areas."""
    lists = []
    for area in areas():
        for pattern in area.data.get("faults", []):
            found = sorted((ROOT / area.name).glob(pattern))
            if not found:
                raise AreaError(f"{area.name}/area.toml: there is no list of faults {pattern}")
            lists += found
    return lists


def filled(value: Any) -> Any:
    """A value with its placeholders replaced."""
    if isinstance(value, str):
        for place, text in PLACES.items():
            value = value.replace(place, text)
        return value
    if isinstance(value, list):
        return [filled(part) for part in value]
    if isinstance(value, dict):
        return {key: filled(part) for key, part in value.items()}
    return value


def profiles() -> dict[str, dict[str, Any]]:
    return {name: table for area in areas() for name, table in area.data.get("profiles", {}).items()}


def with_included(profile: str) -> set[str]:
    return {profile}.union(*(with_included(name) for name in profiles()[profile].get("with", [])))


def packages(profile: str) -> Iterator[str]:
    """Lines for tools/setup.sh: a kind, a name, its reason and for packages what else is known, between bars."""
    if profile not in profiles():
        raise AreaError(f"no profile {profile}")
    wanted = with_included(profile)
    seen = set()
    for table in (table for area in areas() for table in area.tables("packages") if wanted & set(table["for"])):
        why, program = table["why"], table.get("program", "")
        lines: list[tuple[str, ...]] = [
            ("apt", name, why, program, "optional" * table.get("optional", False)) for name in table.get("apt", [])
        ]
        if "elsewhere" in table:
            lines += [("program", program, why, table.get("oldest", ""), table["elsewhere"])]
        lines += [("pip", table["pip"], why)] if "pip" in table else []
        lines += [("script", " ".join(table["script"]), why)] if "script" in table else []
        for line in lines:
            if line[:2] not in seen:
                seen.add(line[:2])
                yield "|".join(line)


def steps(rung: str) -> Iterator[tuple[Area, dict[str, Any]]]:
    """The steps of a rung, with the options that they name spelt out."""
    options = {name: words for area in areas() for name, words in area.data.get("options", {}).items()}
    for area in areas():
        for table in area.tables("steps"):
            rungs = table["rung"] if isinstance(table["rung"], list) else [table["rung"]]
            if unknown := set(rungs) - set(RUNGS):
                raise AreaError(f"{area.name}/area.toml: step {table['name']}: no rung {sorted(unknown)[0]}")
            if rung in rungs:
                used = [word for name in table.get("use", []) for word in options[name]]
                yield area, filled({**table, "cmake": used + table.get("cmake", [])})


def lint(chosen: list[Area]) -> Iterator[str]:
    """Lines for tools/lint.sh: a tree's or a command's name, what of it, and one word, between bars."""
    for area in chosen:
        for table in filled(area.tables("lint")):
            name = table.get("name") or table.get("tree", "clang-tidy")
            for kind in ("needs", "cmake", "tidy", "run", "fix"):
                yield from (f"{name}|{kind}|{word}" for word in table.get(kind, []))


def lines_for(arguments: list[str]) -> Iterator[str]:
    match arguments:
        case ["profiles"]:
            yield from (f"{name}|{table['about']}" for name, table in profiles().items())
        case ["packages", profile]:
            yield from packages(profile)
        case ["lint"]:
            yield from lint(areas())
        case ["lint", name]:
            yield from lint([find_area(name)])
        case _:
            raise AreaError(__doc__.splitlines()[-1])


def main() -> int:
    try:
        print("".join(f"{line}\n" for line in lines_for(sys.argv[1:])), end="")
    except AreaError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

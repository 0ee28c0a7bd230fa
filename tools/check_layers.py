#!/usr/bin/env python3
"""Checks who includes whom.

Between areas: SEES says what the files of an area may include beside their own; no area sees another one. Within src/
includes go down only: api -> scheme -> ring, symmetric -> base. The rings stand apart, but that cyclic knows the
ternary polynomials with which it multiplies. arch includes contracts (kernels.h), the portable kernels that it compiles
again, what these share, and base. No #if stands in scheme/ or ring/ but include guards.
SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".c", ".h", ".cpp", ".inc", ".py"}
NOT_OURS = {"build", "target", "node_modules"}

# An area, or a folder of one -> what it sees; the longest name that fits counts. All others are USERS of the library.
USERS = ["include", "spec"]
INTERNALS = [*USERS, "src", "harness"]
SEES = {
    "include": [],
    "spec": [],
    "src": ["include"],
    "harness": [*USERS, "src"],
    "tests": INTERNALS,
    "tests/cli": [*INTERNALS, "cli"],
    "tests/fuzz": [*INTERNALS, "cli"],
    "tests/packaging": [*INTERNALS, "tools"],
    "bench": INTERNALS,
    "bench/peers": USERS,
    "proofs": INTERNALS,
    "proofs/c": [*INTERNALS, "protocol", "cli"],
    "hw": USERS,
    "hw/dv": INTERNALS,
    "protocol": [
        *USERS,
        "src/scheme/row.h",
        "src/api/buffers.h",
        "src/base/ct.h",
        "src/base/trap.h",
        "src/base/wipe.h",
    ],
    "tests/protocol": [*INTERNALS, "protocol"],
    "bindings/java": ["include"],
    "bindings/java/session-key": [*USERS, "harness"],
}

# layer of src/ -> patterns of what it may include, beside its own files
MAY_INCLUDE = {
    "base": [r"valgrind/memcheck\.h$"],
    "symmetric": [r"base/"],
    "ring": [r"base/"],
    "arch": [
        r"base/",
        r"(ring|symmetric)/(\w+/)?kernels\.h$",
        r"ring/(cyclic|ternary)/(coding|fixed_type|packing|sampling)\.h$",
        r"ring/(toom_formulas|ternary/bits)\.h$",
        r"symmetric/keccak/single\.h$",
    ],
    "scheme": [
        r"base/",
        r"(ring|symmetric)/(\w+/)?kernels\.h$",
        r"symmetric/(job|run)\.h$",
        r"arch/backend\.h$",
        r"latkem/",
    ],
    "api": [r"base/", r"scheme/", r"arch/backend\.h$", r"latkem/"],
}
RING = re.compile(r"ring/(\w+)/")
RINGS_BELOW = {"cyclic": ["ternary"]}

INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<(latkem/[^>]+)>)')
IMPORT_PATH = re.compile(r"\bsys\.path\b")


@cache
def files() -> dict[str, list[str]]:
    """The paths of the tree's sources by their last part."""
    found: dict[str, list[str]] = {}
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if name not in NOT_OURS and not name.startswith(".")]
        for name in names:
            if Path(name).suffix in SOURCES:
                found.setdefault(name, []).append(Path(folder, name).relative_to(ROOT).as_posix())
    return found


def area_of(path: str) -> str:
    """The folder of an area: one at the top, or one of bindings/."""
    return "/".join(path.split("/")[: 2 if path.startswith("bindings/") else 1])


def seen_by(path: str) -> list[str]:
    fitting = [name for name in SEES if path.startswith(name + "/")]
    return SEES[max(fitting, key=len)] if fitting else USERS


def resolve(path: str, target: str) -> str | None:
    """The file of the tree that an include means: the nearest, or for want of one any of that name."""
    area = area_of(path) + "/"
    candidates = [name for name in files().get(Path(target).name, []) if ("/" + name).endswith("/" + target)]
    wanted = [f"{Path(path).parent.as_posix()}/{target}", target, f"include/{target}", f"src/{target}"]
    own = [name for name in candidates if name.startswith(area)]
    return next((name for name in wanted[:1] + own + wanted[1:] + candidates if name in candidates), None)


def mentions(line: str, path: str) -> Iterator[str]:
    """What a line includes, or a folder of the tree that it makes Python import from."""
    if path.endswith(".py"):
        if IMPORT_PATH.search(line):
            yield from (f"{word}/" for word in re.findall(r'"(\w+)"', line) if (ROOT / word).is_dir())
    elif include := INCLUDE.match(line):
        target = include[1] or include[2]
        if found := resolve(path, target):
            yield found


def between_areas(path: str, lines: list[str]) -> list[str]:
    allowed = [area_of(path), *seen_by(path)]
    return [
        f"{path}:{number}: {area_of(path)} may not see {found}"
        for number, line in enumerate(lines, 1)
        for found in mentions(line, path)
        if not any(found == name or found.startswith(name + "/") for name in allowed)
    ]


def within_src(path: Path, lines: list[str]) -> list[str]:
    """Of a file's path in src/."""
    layer, found = path.parts[0], []
    for number, line in enumerate(lines, 1):
        where = f"src/{path}:{number}"
        include = re.match(r'#include ["<]([^">]+)[">]', line)
        if include and "/" in include[1] and not include[1].startswith("sys/"):
            target = include[1]
            own = target.startswith(layer + "/") and not (layer == "ring" and crosses_rings(path, target))
            if not own and not any(re.match(pattern, target) for pattern in MAY_INCLUDE[layer]):
                found.append(f"{where}: {layer} may not include {target}")
        if layer in ("scheme", "ring") and re.match(r"#\s*(if|ifdef|elif|else)\b", line):
            found.append(f"{where}: no #if in {layer}/")
    return found


def crosses_rings(path: Path, target: str) -> bool:
    ring, own = RING.match(target), path.parent.name
    return bool(ring) and ring[1] != own and ring[1] not in RINGS_BELOW.get(own, [])


def problems(path: str) -> list[str]:
    lines = (ROOT / path).read_text().splitlines()
    found = between_areas(path, lines)
    if path.startswith("src/") and path.endswith((".c", ".h")):
        found += within_src(Path(path).relative_to("src"), lines)
    return found


def main() -> int:
    paths = sorted(path for group in files().values() for path in group if "/" in path)
    found = [problem for path in paths for problem in problems(path)]
    print("\n".join(found) if found else "layers: includes go down only, and no area sees another")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

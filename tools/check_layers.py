#!/usr/bin/env python3
"""Checks who includes whom, and which Python module imports which.

Between areas: SEES says what the files of an area may include beside their own; no area sees another one. Within src/
includes go down only: api -> scheme -> ring, symmetric -> base -> shared. src/shared is also protocol/'s; its row.h is
for scheme and api, its buffers.h for api. The rings are apart, but that cyclic knows the ternary polynomials with which
it multiplies. arch includes contracts (kernels.h), the portable kernels that it compiles again, what these share, and
base. A scheme does not include another one. No #if is in scheme/ or ring/ but include guards. In proofs/ imports go
down: theorems -> domains -> machine.
SPDX-License-Identifier: Apache-2.0
"""

import ast
import os
import posixpath
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".c", ".h", ".cpp", ".inc", ".py"}
NOT_OURS = {"build", "target", "node_modules", "vendor"}
STAND_INS = ("tests/platforms/", "tools/toolchains/")  # headers of systems, which <> does not mean

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
    "tests/kat": [*INTERNALS, "examples"],
    "tests/packaging": [*INTERNALS, "examples", "tools"],
    "bench": INTERNALS,
    "bench/cortex-m": [*USERS, "examples"],
    "dev": ["src"],
    "bench/peers": USERS,
    "proofs": [*INTERNALS, "tools/faults"],
    "proofs/c": [*INTERNALS, "tools/faults", "protocol", "cli"],
    "hw": USERS,
    "hw/dv": INTERNALS,
    "hw/dv/formal": [*INTERNALS, "tools/faults"],
    "protocol": [*USERS, "src/shared"],
    "tests/protocol": [*INTERNALS, "protocol"],
    "bindings/java": ["include", "harness"],
    "bindings/java/session-key": [*USERS, "harness"],
    "bindings/node": ["include", "harness"],
    "bindings/python": ["include", "harness"],
    "bindings/rust": [*USERS, "harness"],
    "bindings/go": [*USERS, "harness"],
}

# layer of src/ -> patterns of what it may include, beside its own files
FOR_SECRETS = r"shared/(ct|trap|wipe)\.h$"
MAY_INCLUDE = {
    "shared": [r"latkem/", r"valgrind/memcheck\.h$"],
    "base": [FOR_SECRETS],
    "symmetric": [r"base/", FOR_SECRETS],
    "ring": [r"base/", FOR_SECRETS],
    "arch": [
        r"base/",
        FOR_SECRETS,
        r"(ring|symmetric)/(\w+/)?kernels\.h$",
        r"ring/(cyclic|ternary)/(coding|fixed_type|packing|sampling)\.h$",
        r"ring/(toom_formulas|ternary/bits)\.h$",
        r"symmetric/keccak/single\.h$",
    ],
    "scheme": [
        r"base/",
        r"shared/row\.h$",
        FOR_SECRETS,
        r"(ring|symmetric)/(\w+/)?kernels\.h$",
        r"symmetric/(job|run)\.h$",
        r"arch/backend\.h$",
        r"latkem/",
    ],
    "api": [r"base/", r"shared/", r"scheme/", r"arch/backend\.h$", r"latkem/"],
}
# folder of proofs/ -> the folders of it that may not be imported there
PROOFS_ABOVE = {
    "machine": ["domains", "theorems", "whole"],
    "domains": ["theorems", "whole"],
    "theorems": ["whole"],
}
RING = re.compile(r"ring/(\w+)/")
SCHEME = re.compile(r"scheme/(\w+)/")
RINGS_BELOW = {"cyclic": ["ternary"]}

INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')


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


def resolve(path: str, target: str, quoted: bool) -> str | None:
    """The file of the tree that an include means: the nearest, or for want of one any of that name."""
    area = area_of(path) + "/"
    beside = posixpath.normpath(f"{posixpath.dirname(path)}/{target}")
    target = re.sub(r"^(\.\./)+", "", posixpath.normpath(target))
    candidates = [
        name
        for name in files().get(Path(target).name, [])
        if ("/" + name).endswith("/" + target) and (quoted or not name.startswith(STAND_INS))
    ]
    own = [name for name in candidates if name.startswith(area)]
    wanted = [*([beside] if quoted else []), *own, target, f"include/{target}", f"src/{target}", *candidates]
    return next((name for name in wanted if name in candidates), None)


def included(path: str, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines, and the files of the tree that they include."""
    for number, line in enumerate(lines, 1):
        if (include := INCLUDE.match(line)) and (found := resolve(path, include[1] or include[2], bool(include[1]))):
            yield number, found


def is_ours(name: str) -> bool:
    """Whether it is a folder of the tree."""
    return name not in {"", *NOT_OURS} and (ROOT / name).is_dir()


def modules_of(path: str, node: ast.stmt) -> Iterator[str]:
    """The modules that a statement imports, as paths from the top of the tree."""
    if isinstance(node, ast.Import):
        yield from (name.name.replace(".", "/") for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        package = "/".join(Path(path).parts[: -node.level]) if node.level else ""
        module = "/".join(filter(None, [package, (node.module or "").replace(".", "/")]))
        yield from (f"{module}/{name.name}" for name in node.names)


def added_to_path(node: ast.stmt) -> Iterator[str]:
    """The strings of a statement that changes sys.path."""
    parts = [*ast.walk(node)]
    if any(isinstance(part, ast.Attribute) and ast.unparse(part) == "sys.path" for part in parts):
        yield from (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def imported(path: str, source: str) -> Iterator[tuple[int, str]]:
    """Lines, and the modules of the tree that they import, or its folders that they add to sys.path."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            names = [*modules_of(path, node), *added_to_path(node)]
            yield from ((node.lineno, name) for name in names if is_ours(name.split("/")[0]))


def between_areas(path: str, source: str) -> list[str]:
    seen = imported(path, source) if path.endswith(".py") else included(path, source.splitlines())
    allowed = [area_of(path), *seen_by(path)]
    return [
        f"{path}:{number}: {area_of(path)} may not see {found}"
        for number, found in seen
        if not any(found == name or found.startswith(name + "/") for name in allowed)
    ]


def within_proofs(path: str, source: str) -> list[str]:
    above = PROOFS_ABOVE.get(path.split("/")[1], [])
    return [
        f"{path}:{number}: {path.split('/')[1]} may not import {found}"
        for number, found in imported(path, source)
        if any(found.startswith(f"proofs/{folder}/") for folder in above)
    ]


def within_src(path: Path, lines: list[str]) -> list[str]:
    """Of a file's path in src/."""
    layer, found = path.parts[0], []
    for number, line in enumerate(lines, 1):
        where = f"src/{path}:{number}"
        include = INCLUDE.match(line)
        target = (include[1] or include[2]) if include else ""
        if "/" in target and not target.startswith("sys/"):
            own = target.startswith(layer + "/") and not (crosses_rings(path, target) or crosses_schemes(path, target))
            if not own and not any(re.match(pattern, target) for pattern in MAY_INCLUDE[layer]):
                found.append(f"{where}: {layer} may not include {target}")
        if layer in ("scheme", "ring") and re.match(r"\s*#\s*(if|ifdef|elif|else)\b", line):
            found.append(f"{where}: no #if in {layer}/")
    return found


def crosses_rings(path: Path, target: str) -> bool:
    ring, own = RING.match(target), path.parent.name
    return path.parts[0] == "ring" and ring is not None and ring[1] not in (own, *RINGS_BELOW.get(own, []))


def crosses_schemes(path: Path, target: str) -> bool:
    scheme = SCHEME.match(target)
    return path.parts[0] == "scheme" and scheme is not None and scheme[1] != path.parent.name


def problems(path: str, source: str) -> list[str]:
    found = between_areas(path, source)
    if path.startswith("src/") and path.endswith((".c", ".h")):
        found += within_src(Path(path).relative_to("src"), source.splitlines())
    if path.startswith("proofs/") and path.endswith(".py"):
        found += within_proofs(path, source)
    return found


def main() -> int:
    paths = sorted(path for group in files().values() for path in group if "/" in path)
    found = [problem for path in paths for problem in problems(path, (ROOT / path).read_text())]
    print("\n".join(found) if found else "layers: includes go down only, and no area sees another")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks that includes in src/ go down only: api -> scheme -> ring, symmetric -> base.

The rings stand apart, but that pow2 knows the ternary polynomials with which it multiplies. arch includes contracts
(kernels.h), the portable kernels that its tables fall back on or that it compiles again, what these share, and base. No
#if stands in scheme/ or ring/ but include guards. SPDX-License-Identifier: Apache-2.0
"""

import re
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"

# layer -> patterns of what it may include, beside its own files
MAY_INCLUDE = {
    "base": [r"valgrind/memcheck\.h$"],
    "symmetric": [r"base/"],
    "ring": [r"base/"],
    "arch": [
        r"base/",
        r"(ring|symmetric)/(\w+/)?(kernels|portable)\.h$",
        r"ring/\w+/((bits|toom)\.h|portable\w*\.c)$",
    ],
    "scheme": [r"base/", r"(ring|symmetric)/(\w+/)?kernels\.h$", r"symmetric/job\.h$", r"arch/backend\.h$", r"latkem/"],
    "api": [r"base/", r"scheme/", r"arch/backend\.h$", r"latkem/"],
}
RING = re.compile(r"ring/(\w+)/")
RINGS_BELOW = {"pow2": ["ternary"]}


def problems(path: Path) -> list[str]:
    layer = path.relative_to(SRC).parts[0]
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.relative_to(SRC.parent)}:{number}"
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


def main() -> int:
    found = [p for path in sorted(SRC.rglob("*.[ch]")) for p in problems(path)]
    print("\n".join(found) if found else "layers: includes go down only")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

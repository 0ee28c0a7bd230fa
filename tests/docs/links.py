#!/usr/bin/env python3
"""Checks that the documentation points at what is there: links with their anchors, files that pages and comments name.

The map, docs/architecture.md, has at most 150 lines. Usage: links.py [SOURCE_DIR]. SPDX-License-Identifier: Apache-2.0
"""

import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SKIPPED = {"build", "target", "node_modules"}
MAP_LINES = 150

# Pages that name files of the past or of other projects; files that comments name and that are not of this tree.
FOREIGN = {"CHANGELOG.md", "docs/moving-firmware.md", "docs/old-names.md"}
ELSEWHERE = {
    "arch/arm64/include/uapi/asm/hwcap.h",
    "compiled_for.inc",
    "latkem.c",
    "intrin.h",
    "jni.h",
    "jni_md.h",
    "mm_malloc.h",
    "orders.inc",
}

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\s]+)`")
COMMENT = re.compile(r"^\s*(?:/\*|\*|//|# ).*", re.M)
FILE = re.compile(r"(?<![\w./<\"*-])[\w-]+(?:/[\w-]+)*\.(?:c|h|cpp|inc|py|sh|md)\b(?![\w>\"])")
SOURCE = re.compile(r"[\w./*-]+\.(c|h|cpp|inc|S|py|sh|rs|cmake|toml)|[\w./*-]+/")


@cache
def files() -> list[str]:
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
    return [f"/{path}" for path in found if not SKIPPED.intersection(path.parts) and ".git" not in path.parts]


def anchor(heading: str) -> str:
    """As GitHub makes it of a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading)
    return re.sub(r"[^\w -]", "", plain.strip().lower()).replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)", text, re.M)}


def link_fault(page: Path, target: str) -> str:
    if re.match(r"[a-z]+:", target):
        return ""
    name, _, wanted = target.partition("#")
    file = page.parent / name if name else page
    if not file.exists():
        return f"no file {name}"
    return "" if not wanted or wanted in anchors(file) else f"no heading #{wanted} in {name or page.name}"


def named_file_fault(name: str) -> str:
    """A path from the root, or the end of one; * matches any part."""
    if not SOURCE.fullmatch(name) or name.startswith(("build/", "/", "..")):
        return ""
    pattern = re.compile(".*/" + re.escape(name.strip("/")).replace(r"\*", r"[^/]*"))
    return "" if any(pattern.fullmatch(file) for file in files()) else f"no file or folder {name}"


def faults(page: Path) -> list[str]:
    name = str(page.relative_to(ROOT))
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    found = [link_fault(page, target) for target in LINK.findall(text)]
    if name not in FOREIGN:
        found += [named_file_fault(code) for code in CODE.findall(text)]
    return [f"{name}: {fault}" for fault in dict.fromkeys(found) if fault]


def comment_faults(source: Path) -> list[str]:
    names = {name for line in COMMENT.findall(source.read_text()) for name in FILE.findall(line)} - ELSEWHERE
    return [f"{source.relative_to(ROOT)}: {fault}" for fault in map(named_file_fault, sorted(names)) if fault]


def main() -> int:
    found = [fault for name in files() if name.endswith(".md") for fault in faults(ROOT / name[1:])]
    sources = (name for name in files() if name.endswith((".c", ".h", ".cpp", ".inc", ".py", ".sh", ".txt", ".cmake")))
    found += [fault for name in sources for fault in comment_faults(ROOT / name[1:])]
    lines = len((ROOT / "docs/architecture.md").read_text().splitlines())
    if lines > MAP_LINES:
        found.append(f"docs/architecture.md: {lines} lines; a map has {MAP_LINES}")
    print("\n".join(found) if found else "links: the documentation points at what is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

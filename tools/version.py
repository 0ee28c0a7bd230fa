#!/usr/bin/env python3
"""The version of latkem: include/latkem/latkem.h states it, and every other place repeats it.

Without an argument this names each place that has another version, and fails if there is one. With a version it raises
all places at once, and begins a section of the changelog:

    tools/version.py          check
    tools/version.py 0.3.0    raise

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER, CHANGELOG = "include/latkem/latkem.h", "CHANGELOG.md"
NUMBER = r"\d+\.\d+\.\d+"
FIRST = r"(?s:\A.*?)"  # only the first match of a file counts
MANIFEST = rf'{FIRST}^version = "(?P<version>{NUMBER})"$'

# Files, and a pattern with the version in them, or with its first two numbers. A file has a match at least.
PLACES = [
    (HEADER, rf'^#define LATKEM_VERSION "(?P<version>{NUMBER})"$'),
    (CHANGELOG, rf"{FIRST}^## (?P<version>{NUMBER})$"),
    ("evaluate/pyproject.toml", MANIFEST),
    ("bench/peers/Cargo.toml", MANIFEST),
    ("tests/interop/noise/Cargo.toml", MANIFEST),
    ("tests/interop/noise/Cargo.lock", rf'^name = "latkem-interop-noise"\nversion = "(?P<version>{NUMBER})"$'),
    ("bindings/rust/Cargo.toml", MANIFEST),
    ("bindings/rust/compare/Cargo.toml", MANIFEST),
    ("bindings/rust/Cargo.toml", rf'^latkem-sys = .*"=(?P<version>{NUMBER})"'),
    ("bindings/rust/**/Cargo.lock", rf'^name = "latkem(?:-[a-z]+)?"\nversion = "(?P<version>{NUMBER})"$'),
    ("bindings/go/internal/core/std.go", rf'return "(?P<version>{NUMBER})"'),
    ("bindings/node/package.json", rf'^  "version": "(?P<version>{NUMBER})",$'),
    ("bindings/java/pom.xml", rf"{FIRST}<version>(?P<version>{NUMBER})</version>"),
    ("bindings/java/*/pom.xml", rf"{FIRST}<version>(?P<version>{NUMBER})</version>"),
    ("bindings/java/latkem/src/main/java/org/latkem/jca/LatkemProvider.java", rf'VERSION = "(?P<version>{NUMBER})"'),
    ("bindings/java/android/app/build.gradle.kts", rf'versionName = "(?P<version>{NUMBER})"'),
    ("README.md", rf"(?:latkem</artifactId><version>|org\.latkem:latkem:)(?P<version>{NUMBER})"),
    ("README.md", rf"\blatkem(?:-[a-z]+)*-(?P<version>{NUMBER})\.(?:aar|jar|tgz)\b"),
    ("docs/java.md", rf"\blatkem(?:-[a-z]+)*-(?P<version>{NUMBER})\.jar\b"),
    ("docs/android.md", rf"\blatkem-android-(?P<version>{NUMBER})\.aar\b"),
    ("docs/node.md", rf"\blatkem-(?P<version>{NUMBER})\.tgz\b"),
    ("docs/man/latkem.1", rf'"latkem (?P<version>{NUMBER})"'),
    ("examples/cmake/CMakeLists.txt", r"find_package\(latkem (?P<version>\d+\.\d+) "),
    ("hw/rtl/*.core", rf"\blatkem:hw:\w+:(?P<version>{NUMBER})\b"),
]


def places(root: Path) -> Iterator[tuple[Path, str]]:
    """Each file with each of its patterns."""
    for files, pattern in PLACES:
        yield from ((path, pattern) for path in sorted(root.glob(files)))


def versions(text: str, pattern: str) -> list[str]:
    return [match["version"] for match in re.finditer(pattern, text, re.MULTILINE)]


def stated(root: Path) -> str:
    """The version of the header."""
    return versions((root / HEADER).read_text(), PLACES[0][1])[0]


def like(version: str, found: str) -> str:
    """As much of the version as is found in a place."""
    return ".".join(version.split(".")[: found.count(".") + 1])


def problems(root: Path) -> list[str]:
    """Each difference from the header, on a line."""
    wanted, found = stated(root), []
    for path, pattern in places(root):
        have = versions(path.read_text(), pattern)
        if not have:
            found.append(f"{path.relative_to(root)}: no version where it belongs")
        found += [
            f"{path.relative_to(root)}: {version}, not {like(wanted, version)}"
            for version in have
            if version != like(wanted, version)
        ]
    return found


def replaced(version: str) -> Callable[[re.Match[str]], str]:
    """A match with another version in it."""

    def replace(match: re.Match[str]) -> str:
        begin, end = match.start("version") - match.start(), match.end("version") - match.start()
        return match[0][:begin] + like(version, match["version"]) + match[0][end:]

    return replace


def raise_to(version: str, root: Path) -> None:
    """Writes the version to every place; the changelog keeps its sections."""
    for path, pattern in places(root):
        text = path.read_text()
        if path.name == CHANGELOG:
            path.write_text(text.replace(f"## {stated(root)}\n", f"## {version}\n\n## {stated(root)}\n", 1))
        elif path != root / HEADER:
            path.write_text(re.sub(pattern, replaced(version), text, flags=re.MULTILINE))
    header = root / HEADER
    header.write_text(re.sub(PLACES[0][1], replaced(version), header.read_text(), flags=re.MULTILINE))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", nargs="?", help="the new version; without one, check")
    arguments = parser.parse_args()
    if arguments.version:
        if not re.fullmatch(NUMBER, arguments.version):
            parser.error(f"'{arguments.version}' is no version like 0.3.0")
        raise_to(arguments.version, ROOT)
    found = problems(ROOT)
    print(
        "\n".join(found) if found else f"version: {stated(ROOT)} everywhere", file=sys.stderr if found else sys.stdout
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

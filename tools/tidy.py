#!/usr/bin/env python3
"""Runs clang-tidy where there is something new to find.

A file is left out if it passed before with the same content, headers, command and rules (build/lint/passed keeps a note
of that), and, without --all, if it did not change lately: since LATKEM_LINT_BASE (a commit); or else since what
upstream has, if that is less; or else in the six hours before the newest commit. A header that changed is read through
one file that includes it. Tables of factors are left out always: they are constant expressions alone, and their
arithmetic takes clang-tidy minutes.

Usage: tidy.py [--all] BUILD_FOLDER PATTERN... with the patterns of git ls-files. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PASSED = ROOT / "build" / "lint" / "passed"
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
FOLDERS = [ROOT / name for name in ("", "src", "include", "cli", "bench/lib")]  # of includes


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1]


def base_of_changes() -> str:
    if base := os.environ.get("LATKEM_LINT_BASE"):
        return base
    with_upstream = "@{upstream}" if git("rev-parse", "-q", "--verify", "@{upstream}") else "HEAD"
    ours = git("merge-base", "HEAD", with_upstream)
    if ours and ours != git("rev-parse", "HEAD"):
        return ours[0]
    newest = int(git("log", "-1", "--format=%ct")[0])
    older = git("rev-list", "-1", f"--before={newest - 6 * 3600}", "HEAD")
    return older[0] if older else git("hash-object", "-t", "tree", "/dev/null")[0]


def changed_lately() -> set[Path]:
    names = git("diff", "--name-only", base_of_changes(), "--") + git("ls-files", "--others", "--exclude-standard")
    return {ROOT / name for name in names}


class Headers:
    """The headers of the tree that a file includes, directly or not."""

    def __init__(self) -> None:
        self.known: dict[Path, set[Path]] = {}

    def of(self, path: Path) -> set[Path]:
        if path not in self.known:
            self.known[path] = set()
            named = {self.find(path, name) for name in INCLUDE.findall(path.read_text())}
            found = {header for header in named if header}
            self.known[path] = found.union(*(self.of(header) for header in found))
        return self.known[path]

    @staticmethod
    def find(path: Path, name: str) -> Path | None:
        places = (folder / name for folder in [path.parent, *FOLDERS])
        return next((place.resolve() for place in places if place.is_file()), None)


def to_read(files: list[Path], headers: Headers) -> list[Path]:
    """The files that changed, and for each header that changed the first file that includes it."""
    changed = changed_lately()
    chosen = [path for path in files if path in changed]
    for header in sorted(path for path in changed if path.suffix in (".h", ".inc")):
        if not any(header in headers.of(path) for path in chosen):
            chosen += [path for path in files if header in headers.of(path)][:1]
    return chosen


def note_of(path: Path, command: str, headers: Headers, version: str) -> Path:
    parts = [version, command, (ROOT / ".clang-tidy").read_text()]
    parts += [part.read_text() for part in sorted({path, *headers.of(path)})]
    return PASSED / hashlib.sha256("\0".join(parts).encode()).hexdigest()


def tidy(folder: Path, path: Path, note: Path) -> bool:
    if note.exists():
        return True
    done = subprocess.run(
        ["clang-tidy", "-p", str(folder), "--quiet", str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode == 0 and not done.stdout.strip():
        note.touch()
        return True
    print(done.stdout or done.stderr, flush=True)
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every file, but what passed before")
    parser.add_argument("--due", action="store_true", help="only say by the status whether there may be one: 0, else 1")
    parser.add_argument("folder", type=Path, help="the build folder with compile_commands.json")
    parser.add_argument("patterns", nargs="+", metavar="PATTERN", help="which files, as git ls-files takes it")
    args = parser.parse_args()

    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "--", *args.patterns)
    named = [ROOT / name for name in listed if not name.endswith("_factors.c")]
    headers = Headers()
    if args.due:
        return 0 if args.all or to_read(named, headers) else 1
    commands = {
        Path(entry["file"]).resolve(): entry["command"]
        for entry in json.loads((args.folder / "compile_commands.json").read_text())
    }
    files = [path for path in named if path in commands]
    chosen = files if args.all else to_read(files, headers)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True, check=True).stdout
    PASSED.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        notes = [note_of(path, commands[path], headers, version) for path in chosen]
        passed = list(pool.map(tidy, [args.folder] * len(chosen), chosen, notes))
    print(f"    clang-tidy: {len(chosen)} of {len(files)} files, {passed.count(False)} with findings")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

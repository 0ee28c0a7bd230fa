#!/usr/bin/env python3
"""Prints cargo's option for the rivals that are asked for, by feature or as "all", and that this machine can build.

The others are left out, with a message that says what they lack. Cargo.toml says what a feature needs.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANIFEST = tomllib.loads((HERE / "Cargo.toml").read_text())
NEEDS: dict[str, list[str]] = MANIFEST["package"]["metadata"]["needs"]
FEATURES = [name for name in MANIFEST["features"] if name != "default" and not name.startswith("_")]
PROGRAMS = {"libtool": "libtoolize"}  # where the program's name is not the package's


def has_libclang() -> bool:
    folders = [os.environ.get("LIBCLANG_PATH"), *Path("/").glob("usr/lib/llvm-*/lib")]
    return any(any(Path(folder).glob("libclang*.so*")) for folder in folders if folder)


def has_rust(oldest: str) -> bool:
    program = shutil.which("rustc")
    if not program:
        return False
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"rustc (\d+)\.(\d+)", done.stdout)
    return found is not None and tuple(map(int, found.groups())) >= tuple(map(int, oldest.split(".")))


def is_here(need: str) -> bool:
    if need == "libclang":
        return has_libclang()
    name, _, version = need.partition(" ")
    return has_rust(version) if name == "Rust" else shutil.which(PROGRAMS.get(name, name)) is not None


def buildable(asked: list[str], here: Callable[[str], bool] = is_here) -> tuple[list[str], list[str]]:
    """The features that can be built, and a message for each of the others."""
    kept, messages = [], []
    for feature in asked:
        lacking = [need for need in NEEDS.get(feature, []) if not here(need)]
        if lacking:
            messages.append(f"{feature} is left out: it needs {', '.join(lacking)}")
        else:
            kept.append(feature)
    return kept, messages


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", nargs="*", metavar="FEATURE", help=f"all, or of: {' '.join(FEATURES)}")
    asked = parser.parse_args().features
    for feature in asked:
        if feature not in [*FEATURES, "all"]:
            parser.error(f"there is no feature {feature}")
    kept, messages = buildable(FEATURES if "all" in asked else asked)
    for message in messages:
        print(f"peers: {message}", file=sys.stderr)
    if kept:
        print(f"--features={','.join(kept)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

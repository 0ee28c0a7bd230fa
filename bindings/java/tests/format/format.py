#!/usr/bin/env python3
"""Lays out the Java sources by palantir-java-format, of the version that pom.xml names, or names those that differ. It
names statements without braces too, and adds none.

    bindings/java/tests/format/format.py          check
    bindings/java/tests/format/format.py --fix    lay out

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from lint import sources
from maven import OUT, ROOT, Absent, maven, need

HERE = Path(__file__).resolve().parent

# Packages of the compiler that the formatter calls.
EXPORTS = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED" for name in (
    "api", "code", "file", "parser", "tree", "util"
)]  # fmt: skip


def libraries() -> Path:
    """The folder with the formatter and what it needs, from Maven's repositories once for each version."""
    pom = HERE / "pom.xml"
    version = re.findall(r"<version>(.*)</version>", pom.read_text())[1]
    folder = OUT / f"format-{version}"
    there = (folder / f"palantir-java-format-{version}.jar").exists()
    if not there and not maven("-q", "dependency:copy-dependencies", f"-DoutputDirectory={folder}", pom=pom):
        raise SystemExit(1)
    return folder


def run(*command: str) -> bool:
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="lay the sources out")
    arguments = parser.parse_args()
    try:
        need("java", "mvn")
        java = ["java", *EXPORTS, "-cp", f"{libraries()}/*", "com.palantir.javaformat.java.Main", "--palantir"]
    except Absent as absent:
        print(f"skipped: {absent}")
        return 0
    how = ["--replace"] if arguments.fix else ["--dry-run", "--set-exit-if-changed"]
    laid_out = run(*java, *how, *sources())
    if not laid_out:
        print("bindings/java/tests/format/format.py --fix lays these files out")
    return 0 if run("java", str(HERE / "Braces.java"), *sources()) and laid_out else 1


if __name__ == "__main__":
    sys.exit(main())

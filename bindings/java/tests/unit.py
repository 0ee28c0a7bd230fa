#!/usr/bin/env python3
"""Runs the JUnit tests of Java, those that take long with --slow, with Maven's own Java or with --every-jdk on this
machine from 17 on. The known-answer files are unpacked from tests/vectors; --vectors names another folder of them. The
glue's own test, which needs no JVM, comes after them, or alone with --glue.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import platform
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import maven
from maven import Count

OLDEST = 17
GLUE_TEST = "bindings/java/latkem/latkem_glue_test"


def unpacked_vectors() -> Path:
    folder = maven.OUT / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    for archive in sorted((maven.ROOT / "tests" / "vectors").glob("*.tar.xz")):
        target = folder / archive.name.removesuffix(".tar.xz")
        if not target.exists() or target.stat().st_mtime < archive.stat().st_mtime:
            with tarfile.open(archive) as tar:
                tar.extractall(folder, filter="data")
            target.touch()
    return folder


def command() -> list[str]:
    """The option that names latkem's command, of whichever build there is."""
    built = [maven.ROOT / folder / "cli" / "latkem" for folder in ("build/release", "build/test/gcc")]
    return [f"-Dlatkem.command={path}" for path in built if path.exists()][:1]


def version(java: Path) -> int:
    said = subprocess.run([java, "-version"], stderr=subprocess.PIPE, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0


def jdks() -> dict[int, Path]:
    """The Java of each version that is here."""
    places = [maven.ROOT / "build" / "jdk25", *sorted(Path("/usr/lib/jvm").glob("*"))]
    found = {version(java): java for place in places if (java := place / "bin" / "java").is_file()}
    return {number: found[number] for number in sorted(found) if number >= OLDEST}


def test(options: list[str], where: str, count: Count) -> None:
    maven.forget_reports()
    before = count.passed + count.failed
    fine = maven.maven("test", *options)
    maven.read_reports(count, where)
    if (not fine and not count.failed) or count.passed + count.failed == before:
        count.add(f"Maven's build ({where})", "failed")


def test_glue(count: Count) -> None:
    """The traces of the glue's calls on the stack, in the tree that Maven builds in."""
    tree = maven.MODULE / "target" / "native" / f"linux-{platform.machine()}"
    if not maven.maven("generate-sources", "-pl", "latkem", "-am"):
        count.add("the native libraries", "failed")
        return
    for command in (["cmake", "--build", str(tree), "--target", "latkem_glue_test"], [str(tree / GLUE_TEST)]):
        done = maven.run(command)
        sys.stdout.write(done.stdout)
        if done.returncode:
            count.add("glue_test", "failed")
            return
    count.add("glue_test", "passed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", action="store_true", help="also the tests with the tag 'slow'")
    parser.add_argument("--every-jdk", action="store_true", help="on each Java from 17 on that is here")
    parser.add_argument("--test", help="only these classes of the library's tests, as Surefire names them")
    parser.add_argument("--glue", action="store_true", help="only the glue's own test")
    parser.add_argument("--vectors", type=Path, help="a folder of known-answer files")
    args = parser.parse_args()

    maven.need("mvn", "javac", "cmake")
    options = [f"-Dlatkem.vectors={(args.vectors or unpacked_vectors()).resolve()}"]
    options += command()
    options += [] if args.slow else ["-DexcludedGroups=slow"]
    if args.test:
        options += [f"-Dtest={args.test}", "-pl", "latkem", "-am"]
    count = Count()
    if args.glue:
        test_glue(count)
        return count.show()
    if args.every_jdk:
        for number, java in jdks().items():
            test([*options, f"-Djvm={java}"], f"Java {number}", count)
        if 25 not in jdks():
            count.add("Java 25", "skipped", "not in build/jdk25 (bindings/java/tests/jdk25.sh)")
    else:
        test(options, "Maven's Java", count)
    if not args.test:
        test_glue(count)
    return count.show()


if __name__ == "__main__":
    sys.exit(maven.close(main))

"""Runs Maven over the modules of bindings/java, and reads what its tests reported.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
JAVA = ROOT / "bindings" / "java"
OUT = ROOT / "build" / "java"
MODULE = JAVA / "latkem"
# Maven's own JVM, not that of the tests: it ends before the second compiler has saved the time that it costs.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# The message of Maven when a plugin or library that the POM names cannot be had here.
UNREACHABLE = re.compile(
    r"offline mode|No plugin found for prefix|Could not transfer artifact|Could not find artifact|could not be resolved"
    r"|Unknown host"
)


class Absent(Exception):
    """Something that a test needs and this machine has not: it is skipped, and says why."""


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            raise Absent(f"no {program} on this machine")


def maven(*arguments: str, pom: Path = JAVA) -> bool:
    """Runs Maven, first with what was fetched before. Returns whether it succeeded; its output is this program's."""
    need("mvn", "javac", "cmake")
    command = ["mvn", "-B", "-ntp", "-Dstyle.color=never", "-f", str(pom), *arguments]
    done = run([*command, "-o"])
    if done.returncode and UNREACHABLE.search(done.stdout):
        print("not everything was fetched before; asking Maven's repositories", flush=True)
        done = run(command)
        if done.returncode and (said := UNREACHABLE.search(done.stdout)):
            sys.stdout.write(done.stdout)
            raise Absent(f"Maven cannot get what the POM names ({said[0]}); is there a network?")
    sys.stdout.write(done.stdout)
    sys.stdout.flush()
    return done.returncode == 0


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    print("$", " ".join(command), flush=True)
    env = {"MAVEN_OPTS": SHORT_LIVED, **os.environ}
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env)


@dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: dict[str, None] = field(default_factory=dict)

    def add(self, name: str, verdict: str, reason: str = "") -> None:
        setattr(self, verdict, getattr(self, verdict) + 1)
        if verdict == "failed":
            self.notes[f"FAILED: {name}"] = None
        if verdict == "skipped":
            self.notes[f"skipped: {name}: {reason}"] = None

    def show(self) -> int:
        """Prints what failed or was skipped and the line that closes every test program; returns the exit status."""
        for note in self.notes:
            print(note)
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed else 0


def forget_reports() -> None:
    for folder in JAVA.glob("*/target/surefire-reports"):
        shutil.rmtree(folder)


def read_reports(count: Count, where: str) -> None:
    """Adds what Surefire reported of each test."""
    for name, verdict, reason in reported():
        count.add(f"{name} ({where})", verdict, reason)


def reported() -> Iterator[tuple[str, str, str]]:
    for path in sorted(JAVA.glob("*/target/surefire-reports/TEST-*.xml")):
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            name = f"{case.get('classname', '').rpartition('.')[2]}.{case.get('name')}"
            skipped = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                yield name, "failed", ""
            elif skipped is not None:
                yield name, "skipped", (skipped.get("message") or "no reason given").splitlines()[0]
            else:
                yield name, "passed", ""


def jar() -> Path:
    """The library's jar, which Maven packs; its native libraries are inside."""
    if not maven("package", "-DskipTests", "-pl", "latkem", "-am"):
        raise SystemExit("the jar cannot be packed")
    return next(path for path in MODULE.glob("target/latkem-*.jar") if re.fullmatch(r"latkem-[\d.]+\.jar", path.name))


def test_classes() -> Path:
    """The classes of the tests, for programs among them that need nothing else."""
    if not maven("test-compile", "-pl", "latkem", "-am"):
        raise SystemExit("the tests cannot be compiled")
    return MODULE / "target" / "test-classes"


def close(test: Callable[[], int]) -> int:
    """Runs a test program to its exit status, or says why it is skipped."""
    try:
        return test()
    except Absent as absent:
        print(f"skipped: {absent}")
        print("0 passed, 0 failed, 1 skipped")
        return 0

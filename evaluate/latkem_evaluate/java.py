"""Runs the Java benchmarks beside other libraries, on the newest JVM that is here.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from latkem_evaluate.benchmarks import QUICK, Plan
from latkem_evaluate.build import Build
from latkem_evaluate.steps import Advance, Part, Runner, by_time

OLDEST = 17
QUICK_SECONDS, FULL_SECONDS = 15.0, 300.0


def missing(reason: str) -> dict:
    """The results where there are none."""
    return {"missing": reason}


def version_of(java: Path) -> tuple[int, ...]:
    """Of a java program, by the file `release` of its JDK; () where that says nothing."""
    try:
        release = (java.resolve().parents[1] / "release").read_text()
    except OSError:
        return ()
    found = re.search(r'^JAVA_VERSION="([\d.]+)', release, re.MULTILINE)
    return tuple(int(part) for part in found[1].split(".") if part) if found else ()


def candidates(root: Path) -> list[Path]:
    """Every java program that may be one: what the environment names, what the system has, what the tests fetched."""
    named = [shutil.which("java")]
    if home := os.environ.get("JAVA_HOME"):
        named.append(f"{home}/bin/java")
    installed = [*Path("/usr/lib/jvm").glob("*/bin/java"), *(root / "build").glob("jdk[0-9][0-9]/bin/java")]
    return [*(Path(path) for path in named if path), *installed]


def newest(programs: Iterable[Path]) -> Path | None:
    able = [path for path in programs if version_of(path) >= (OLDEST,)]
    return max(able, key=version_of, default=None)


class JavaBenchmarks:
    """The module bindings/java/bench, its libraries and the native library that has the C calls."""

    def __init__(self, build: Build, runner: Runner, plan: Plan) -> None:
        self.build = build
        self.runner = runner
        self.quick = plan is QUICK
        self.folder = build.source / "bindings/java"

    def measure(self, out: Path, advance: Advance) -> dict:
        """The program's JSON, or why there is none."""
        java = newest(candidates(self.build.source))
        if java is None:
            return missing(f"no JVM of version {OLDEST} or newer is found")
        self._package(Part(advance, 0, 0.2))
        jar = self.jar()
        if jar is None:
            reason = "make java was not run before" if self.quick else "Maven is not found"
            return missing(f"{reason}, and the benchmarks are not built")
        bare = self._c_calls(Part(advance, 0.2, 0.1))
        out.unlink(missing_ok=True)
        command = [str(java), f"-Dlatkem.bare={bare}", "-jar", str(jar), "ratios", "--json", str(out)]
        seconds = QUICK_SECONDS if self.quick else FULL_SECONDS
        quick = ["--quick"] if self.quick else []
        self.runner.run("java", [*command, *quick], advance=Part(advance, 0.3, 0.7), gauge=by_time(seconds))
        return json.loads(out.read_text())

    def jar(self) -> Path | None:
        found = sorted(self.folder.glob("bench/target/latkem-bench-*.jar"))
        return found[-1] if found else None

    def _package(self, advance: Advance) -> None:
        """A quick run takes what `make java` left: Maven's first run alone can take longer than it may."""
        if self.quick or shutil.which("mvn") is None:
            return
        command = ["mvn", "-B", "-q", "-f", str(self.folder), "-pl", "latkem,bench", "package", "-DskipTests"]
        self.runner.run("java-package", command, advance=advance, gauge=by_time(60))

    def _c_calls(self, advance: Advance) -> Path:
        configure = ["cmake", "-S", str(self.build.source), "-B", str(self.build.directory), "-DLATKEM_BUILD_JNI=ON"]
        self.runner.run("java-configure", configure)
        self.build.compile(self.runner, "java-build", ["latkem_bare"], advance)
        return next(self.build.directory.rglob("liblatkem_bare.*"))

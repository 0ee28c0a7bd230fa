"""Runs the programs of bindings/java on the newest JVM here: the session key, and latkem beside other libraries.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from latkem_evaluate.build import Build
from latkem_evaluate.steps import Advance, CommandError, Part, Runner, by_time

OLDEST = 17
BUILD_SECONDS = 60.0
STEADY_HEAP = ("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch")  # or the first use of each page is timed too
SESSION_QUICK = ("--rounds", "10", "--repetitions", "50")
SESSION_SECONDS, RATIOS_SECONDS = (6.0, 75.0), (15.0, 300.0)  # of a quick run and of a full one


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


class Java:
    """The jars and the JVM. Nothing else in the report needs them: what is absent is said in their sections alone."""

    def __init__(self, build: Build, runner: Runner, work: Path, quick: bool) -> None:
        self.build, self.runner, self.work, self.quick = build, runner, work, quick
        self.folder = build.source / "bindings/java"
        self.java = newest(candidates(build.source))
        self.absent = "" if self.java else f"there is no Java here, of version {OLDEST} or newer"

    @property
    def wants_a_build(self) -> bool:
        """A quick run takes what `make java` left: Maven's first run alone can take longer than it may."""
        return bool(self.java and not self.quick and shutil.which("mvn"))

    def package(self, advance: Advance) -> None:
        """Maven asks its repository for what this machine does not have yet."""
        command = ["mvn", "-B", "-q", "-f", str(self.folder), "package", "-DskipTests", "-Dmaven.javadoc.skip"]
        try:
            self.runner.run("java-package", command, advance=advance, gauge=by_time(BUILD_SECONDS))
        except CommandError as error:
            self.absent = f"the jars could not be built: {error}"

    def session_key(self, advance: Advance) -> dict:
        """The JSON of the executable jar, or why there is none as "absent"."""
        options = SESSION_QUICK if self.quick else ()
        return self._run("session-key", [], [*options], SESSION_SECONDS, advance)

    def ratios(self, advance: Advance) -> dict:
        """The JSON of latkem beside other libraries and beside its own C calls, or why there is none as "absent"."""
        options = ["--quick"] if self.quick else []
        bare = [] if self.absent else self._c_calls(Part(advance, 0, 0.3))
        return self._run("bench", [*STEADY_HEAP, *bare], ["ratios", *options], RATIOS_SECONDS, Part(advance, 0.3, 0.7))

    def _c_calls(self, advance: Advance) -> list[str]:
        self.build.extend(self.runner, "java", ["-DLATKEM_BUILD_JNI=ON"], ["latkem_bare"], advance)
        return [f"-Dlatkem.bare={next(self.build.directory.rglob('liblatkem_bare.*'))}"]

    def _run(
        self, module: str, virtual: list[str], options: list[str], seconds: tuple[float, float], advance: Advance
    ) -> dict:
        jars = sorted(self.folder.glob(f"{module}/target/latkem-{module}-*.jar"))
        if self.absent or not jars:
            return {"absent": self.absent or "there is no jar; make java builds it, with Maven"}
        out = self.work / f"{module}.json"
        out.unlink(missing_ok=True)
        command = [str(self.java), *virtual, "-jar", str(jars[-1]), *options, "--json", str(out)]
        try:
            self.runner.run(f"java-{module}", command, advance=advance, gauge=by_time(seconds[not self.quick]))
        except CommandError as error:
            return {"absent": str(error)}
        return json.loads(out.read_text())

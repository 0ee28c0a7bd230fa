"""The executable jar of bindings/java/session-key: built where Maven is, run where Java is.

SPDX-License-Identifier: Apache-2.0
"""

import json
import shutil
from pathlib import Path

from latkem_evaluate.steps import Advance, CommandError, Runner, by_time

QUICK_RUN = ("--rounds", "10", "--repetitions", "50")
BUILD_SECONDS, RUN_SECONDS, QUICK_SECONDS = 30, 75, 6


class Jar:
    """Nothing else in the report needs it, so what goes wrong here is said in its section alone."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "bindings" / "java"
        self.java, self.maven = shutil.which("java"), shutil.which("mvn")
        self.absent = "" if self.java else "there is no Java here"

    @property
    def can_be_built(self) -> bool:
        return bool(self.java and self.maven)

    def build(self, runner: Runner, advance: Advance) -> None:
        """Maven asks its repository for what this machine does not have yet."""
        modules = ["-f", str(self.folder), "-pl", "session-key", "-am"]
        command = ["mvn", "-B", "-q", *modules, "package", "-DskipTests", "-Dmaven.javadoc.skip"]
        try:
            runner.run("build-java", command, advance=advance, gauge=by_time(BUILD_SECONDS))
        except CommandError as error:
            self.absent = f"the jar could not be built: {error}"

    def measure(self, runner: Runner, work: Path, quick: bool, advance: Advance) -> dict:
        """The program's JSON, or why there is none as "absent"."""
        jars = sorted(self.folder.glob("session-key/target/latkem-session-key-*.jar"))
        if not self.absent and not jars:
            self.absent = "there is no jar: make java builds it, with Maven"
        if self.absent:
            return {"absent": self.absent}
        out = work / "session_key_java.json"
        command = ["java", "-jar", str(jars[-1]), *(QUICK_RUN if quick else ()), "--json", str(out)]
        try:
            gauge = by_time(QUICK_SECONDS if quick else RUN_SECONDS)
            runner.run("session-key-java", command, advance=advance, gauge=gauge)
        except CommandError as error:
            return {"absent": str(error)}
        return json.loads(out.read_text())

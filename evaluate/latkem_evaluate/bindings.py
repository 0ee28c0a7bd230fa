"""Runs the programs speed.py of bindings/: the packages in other languages beside the C calls and other libraries.

SPDX-License-Identifier: Apache-2.0
"""

import json
import sys
from pathlib import Path

from latkem_evaluate.steps import Advance, CommandError, Part, Runner, by_time

PROGRAMS = {
    "Python": "python/tests/speed.py",
    "Rust": "rust/speed.py",
    "Go": "go/speed.py",
    "Node": "node/speed.py",
}
SECONDS = (4.0, 60.0)  # of a language in a quick run and in a full one


class Bindings:
    """The packages. A full run builds them; a quick one measures those that an earlier `make` built."""

    def __init__(self, source: Path, runner: Runner, work: Path, quick: bool) -> None:
        self.source, self.runner, self.work, self.quick = source, runner, work, quick

    def measure(self, advance: Advance) -> list[dict]:
        """The documents of all languages. One that is not measured has the reason as "absent"."""
        found: list[dict] = []
        for i, language in enumerate(PROGRAMS):
            found += self._run(language, Part(advance, i / len(PROGRAMS), 1 / len(PROGRAMS)))
        return found

    def _run(self, language: str, advance: Advance) -> list[dict]:
        name = f"binding-{language.lower()}"
        out = self.work / f"{name}.json"
        out.unlink(missing_ok=True)
        options = ["--built", "--quick"] if self.quick else []
        command = [sys.executable, str(self.source / "bindings" / PROGRAMS[language]), *options, "--json", str(out)]
        try:
            self.runner.run(name, command, advance=advance, gauge=by_time(SECONDS[not self.quick]))
        except CommandError as error:
            return [{"language": language, "absent": str(error)}]
        return json.loads(out.read_text())

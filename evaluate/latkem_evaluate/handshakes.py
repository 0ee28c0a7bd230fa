"""Runs latkem_handshakes: handshakes of TLS 1.3 with latkem's OpenSSL provider.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import shutil
from pathlib import Path

from latkem_evaluate.build import Build
from latkem_evaluate.steps import Advance, CommandError, Part, Runner, by_time

REFERENCE = "X25519"
"""The first group, to which the program gives the ratios of all others."""
GROUPS = (
    *(REFERENCE, "X25519MLKEM768", "MLKEM512", "MLKEM768", "MLKEM1024"),
    *("secp256r1", "SecP256r1MLKEM768", "secp384r1", "SecP384r1MLKEM1024"),
)
BY_LATKEM = "@?provider=latkem"
"""Behind a group's name: latkem's implementation, where OpenSSL has its own."""
OLDEST_WITH_ML_KEM = (3, 5)
MILLISECONDS, SECONDS = (40, 200), (5, 40)  # of a group's turn and of them all, in a quick run and in a full one

OPTIONS = ("-DLATKEM_BUILD_PROVIDER=ON", "-DLATKEM_BUILD_HANDSHAKES=ON")
TARGETS = ("latkem_provider", "latkem_handshakes")


def ml_kem_of(group: str) -> str:
    """The set of ML-KEM in a group, or "" for a curve alone."""
    found = re.search(r"MLKEM(\d+)", group)
    return f"ML-KEM-{found[1]}" if found else ""


def contestants(openssl: str) -> list[str]:
    """The program's groups with this version of OpenSSL, latkem's before OpenSSL's own."""
    found = re.match(r"OpenSSL (\d+)\.(\d+)", openssl)
    if not found or (int(found[1]), int(found[2])) < OLDEST_WITH_ML_KEM:
        return [*GROUPS]
    return [name for group in GROUPS for name in ([group + BY_LATKEM, group] if ml_kem_of(group) else [group])]


class Handshakes:
    """The provider and the program, in the tree that the benchmarks were built in."""

    def __init__(self, build: Build, runner: Runner, work: Path, core: int | None, quick: bool) -> None:
        self.build, self.runner, self.work, self.quick = build, runner, work, quick
        self.pin = [] if core is None or not shutil.which("taskset") else ["taskset", "-c", str(core)]

    def measure(self, advance: Advance) -> dict:
        """The program's JSON, or why there is none as "absent"."""
        if absent := self._obstacle(Part(advance, 0, 0.3)):
            return {"absent": absent}
        openssl = self._run("handshakes-openssl", ["1", "1", REFERENCE], 1, Part(advance, 0.3, 0))["openssl"]
        groups = contestants(openssl)
        span, seconds = MILLISECONDS[not self.quick], SECONDS[not self.quick]
        rounds = 1000 * seconds // (span * len(groups))
        return self._run("handshakes", [str(rounds), str(span), *groups], seconds, Part(advance, 0.3, 0.7))

    def _obstacle(self, advance: Advance) -> str:
        """Why the program cannot be built here, or "" once it is built."""
        if self.build.cache().get("OPENSSL_SSL_LIBRARY", "NOTFOUND").endswith("NOTFOUND"):
            return "there is no libssl here (Debian: libssl-dev)"
        try:
            self.build.extend(self.runner, "handshakes", OPTIONS, TARGETS, advance)
        except CommandError as error:
            return f"the provider could not be built: {error}"
        return ""

    def _run(self, name: str, arguments: list[str], seconds: float, advance: Advance) -> dict:
        out = self.work / f"{name}.json"
        configuration = self.build.directory / "provider/openssl-latkem.cnf"
        self.runner.run(
            name,
            [*self.pin, str(self.build.program("latkem_handshakes")), *arguments],
            advance=advance,
            gauge=by_time(seconds),
            environment={"OPENSSL_CONF": str(configuration)},
            output=out,
        )
        return json.loads(out.read_text())

"""Runs the known-answer tests and the self-test, and brings their results into one form.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from latkem_evaluate.build import Build
from latkem_evaluate.steps import Advance, Part, Runner, by_tests, by_time

PASS, FAIL, NOT_RUN = "pass", "fail", "not run"

# Each check of the report, and its GoogleTest names ("Suite.Test" or "Suite").
CHECKS: dict[str, tuple[str, ...]] = {
    "Known answers": ("Rsp.FullFile",),
    "Accumulated": ("Accumulated.BothDigests",),
    "Rejection": ("Altered.Digest",),
    "Vector files": ("AlteredFile", "Acvp", "Wycheproof", "Cctv"),
}
SELF_TEST = "Self-test"
CHECK_NAMES = (*CHECKS, SELF_TEST)


@dataclass(frozen=True)
class Result:
    """The result of one test for one parameter set on one backend."""

    check: str
    set: str
    backend: str
    status: str
    detail: str = ""


def run_conformance(build: Build, runner: Runner, work: Path, rounds: int, advance: Advance) -> Iterator[dict]:
    """Yields each program's results before it runs the next. The self-test is of the sets that have known answers."""
    sets: dict[str, None] = {}
    for share, program in enumerate(("kat_digests", "kat_files")):
        done = run_gtest(build.program(program), runner, work, rounds, Part(advance, share / 3, 1 / 3))
        sets |= dict.fromkeys(result.set for result in done)
        yield from map(asdict, done)
    done = run_selftest(build.program("latkem"), runner, work, list(sets), rounds, Part(advance, 2 / 3, 1 / 3))
    yield from map(asdict, done)


def run_gtest(program: Path, runner: Runner, work: Path, rounds: int, advance: Advance) -> list[Result]:
    report = work / f"{program.name}.json"
    report.unlink(missing_ok=True)
    command = [str(program), f"--gtest_output=json:{report}", "--gtest_color=no"]
    environment = {"LATKEM_TEST_ROUNDS": str(rounds)}
    # Status 1 means failed tests, which the report shows.
    runner.run(program.name, command, advance=advance, gauge=by_tests, environment=environment, accepted=(0, 1))
    return list(parse_gtest(json.loads(report.read_text())))


def parse_gtest(report: dict) -> Iterable[Result]:
    """The results of parametrised tests with a parameter that prints as "SET on BACKEND"."""
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            set_name, separator, backend = test.get("value_param", "").partition(" on ")
            check = check_of(suite["name"].rpartition("/")[2], test["name"].partition("/")[0])
            if separator and check:
                yield Result(check, set_name, backend, *_verdict(test))


def check_of(suite: str, test: str) -> str | None:
    return next((name for name, tests in CHECKS.items() if suite in tests or f"{suite}.{test}" in tests), None)


def _verdict(test: dict) -> tuple[str, str]:
    if failures := test.get("failures"):
        return FAIL, failures[0]["failure"]
    if test["result"] == "SKIPPED":
        return NOT_RUN, "skipped"
    if test["result"] != "COMPLETED":
        return NOT_RUN, test["result"].lower()
    return PASS, ""


def run_selftest(
    program: Path, runner: Runner, work: Path, sets: list[str], rounds: int, advance: Advance
) -> list[Result]:
    report = work / "selftest.json"
    command = [str(program), "selftest", *sets, "--json", "--rounds", str(max(rounds // 100, 10))]
    runner.run("selftest", command, advance=advance, gauge=by_time(10), output=report, accepted=(0, 1))
    return list(parse_selftest(json.loads(report.read_text())))


def parse_selftest(report: dict) -> Iterable[Result]:
    for result in report["results"]:
        failed = [f"{check['name']}: {check['fault']}" for check in result["checks"] if not check["ok"]]
        status = PASS if result["ok"] else FAIL
        yield Result(SELF_TEST, result["set"], result["backend"], status, "; ".join(failed))


def merge(results: Iterable[dict]) -> dict[str, str]:
    """Several results of one check as one: {"status", "detail"}. A failure outweighs a skip, a skip a pass."""
    by_status: dict[str, str] = {}
    for result in results:
        by_status.setdefault(result["status"], result["detail"])
    for status in (FAIL, NOT_RUN, PASS):
        if status in by_status:
            return {"status": status, "detail": by_status[status]}
    return {"status": NOT_RUN, "detail": "no such test for this set"}

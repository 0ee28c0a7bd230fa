"""Running programs and reading their progress. SPDX-License-Identifier: Apache-2.0"""

import sys
from pathlib import Path

import pytest

from latkem_evaluate.steps import CommandError, Runner, by_ninja, by_tests, by_time


def test_ninja_progress() -> None:
    assert by_ninja(1.0, "") == 0
    assert by_ninja(1.0, "[1/8] a\n[2/8] b\n") == 0.25


def test_gtest_progress() -> None:
    log = "[==========] Running 4 tests from 1 test suite.\n[       OK ] A.b (3 ms)\n[  SKIPPED ] A.c (0 ms)\n"
    assert by_tests(1.0, log) == 0.5


def test_time_never_claims_the_end() -> None:
    assert by_time(10)(5, "") == 0.5
    assert by_time(10)(50, "") < 1


def test_failure_shows_the_end_of_the_log(tmp_path: Path) -> None:
    runner = Runner(tmp_path, tmp_path / "log")
    with pytest.raises(CommandError, match=r"status 3(.|\n)*the reason"):
        runner.run("broken", [sys.executable, "-c", "import sys; print('the reason'); sys.exit(3)"])


def test_output_is_kept_apart_from_the_log(tmp_path: Path) -> None:
    runner = Runner(tmp_path, tmp_path / "log")
    code = "import sys; print('{}'); print('note', file=sys.stderr); sys.exit(1)"
    assert runner.run("both", [sys.executable, "-c", code], output=tmp_path / "out.json", accepted=(0, 1)) == 1
    assert (tmp_path / "out.json").read_text() == "{}\n"
    assert (tmp_path / "log/both.log").read_text() == "note\n"

"""The runner of the tests: which steps run side by side, and what it says of each.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

import run_tests
from run_tests import Script, Step, next_of, results_of

WIDE, OTHER = Script(name="wide", command=["true"]), Script(name="other", command=["true"])
SMALL, TINY = Script(name="small", command=["true"], cores=1), Script(name="tiny", command=["true"], cores=1)
TIMED = Script(name="timed", command=["true"], alone=True)
LATER = Script(name="later", command=["true"], after=["wide"], cores=1)


@pytest.fixture(autouse=True)
def two_processors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tests, "JOBS", "2")
    monkeypatch.setattr(run_tests, "OUT", tmp_path)


@pytest.mark.parametrize(
    ("waiting", "running", "chosen"),
    [
        ([WIDE, OTHER], [], WIDE),
        ([OTHER, SMALL], [WIDE], SMALL),
        ([WIDE], [SMALL], WIDE),
        ([TINY], [SMALL], TINY),
        ([OTHER], [WIDE], None),
        ([TINY], [WIDE, SMALL], None),
        ([TIMED, SMALL], [], TIMED),
        ([TIMED, SMALL], [WIDE], SMALL),
        ([TIMED], [SMALL], None),
        ([SMALL], [TIMED], None),
        ([LATER, SMALL], [WIDE], SMALL),
        ([LATER, WIDE], [], WIDE),
        ([LATER], [SMALL], LATER),
    ],
    ids=lambda steps: "+".join(step.name for step in steps) if isinstance(steps, list) else "",
)
def test_one_step_for_all_processors_and_others_beside_it(
    waiting: list[Step], running: list[Step], chosen: Step | None
) -> None:
    assert next_of(waiting, running) is chosen


def test_a_part_of_a_tree_counts_as_its_tree() -> None:
    part = run_tests.Suite(name="part", cmake=[], tree="wide")
    assert next_of([LATER], [part]) is None


def test_a_step_begins_when_those_before_it_have_ended(tmp_path: Path) -> None:
    made = tmp_path / "made"
    maker = Script(name="maker", command=["sh", "-c", f"sleep 0.5; touch {made}"])
    taker = Script(name="taker", command=["test", "-e", str(made)], after=["maker"], cores=1)
    assert [(step.name, result.failed) for step, result, *_ in results_of([maker, taker])] == [
        ("maker", 0),
        ("taker", 0),
    ]


def test_seconds_of_processors_are_those_of_one_step() -> None:
    work = "while __import__('time').process_time() < 1: pass"
    busy = Script(name="busy", command=[sys.executable, "-c", work], cores=1)
    idle = Script(name="idle", command=["sleep", "1"], cores=1)
    measured = {step.name: (seconds, spent) for step, _, seconds, spent in results_of([busy, idle])}
    assert measured["busy"][1] > 0.9
    assert measured["idle"][0] > 0.9
    assert measured["idle"][1] < 0.5

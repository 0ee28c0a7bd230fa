"""Areas that describe themselves: a new folder with an area.toml is all that setup, tests and lint ask for.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

MADE_UP = """
[profiles.made-up]
about = "what nobody needs"
with = ["build"]

[[packages]]
for = ["made-up"]
why = "a reason of its own"
apt = ["a-made-up-package"]

[options]
made-up = ["-DMADE_UP=ON"]

[[steps]]
name = "made-up"
rung = "quick"
run = ["sh", "-c", "echo here is {root}"]

[[steps]]
name = "made-up-and-failing"
rung = "deep"
run = ["sh", "-c", "echo a reason; false"]

[[lint]]
name = "made-up-linter"
run = ["touch", "linted"]
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A tree of what the areas say of themselves and the tools, with a new area in it."""
    top = tmp_path / "latkem"
    shutil.copytree(ROOT / "tools", top / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.glob("*/area.toml"):
        (top / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, top / path.parent.name)
    describe(top, MADE_UP)
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    return top


def describe(top: Path, text: str) -> None:
    (top / "made_up").mkdir(exist_ok=True)
    (top / "made_up" / "area.toml").write_text(text)


def run(top: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LATKEM_NO_INSTALL": "1"}
    return subprocess.run(command, cwd=top, env=environment, capture_output=True, text=True)


def test_setup_knows_its_packages(copy: Path) -> None:
    packages = run(copy, "python3", "tools/areas.py", "packages", "made-up").stdout
    assert "apt|a-made-up-package|a reason of its own||\n" in packages
    assert "|configures the build|" in packages
    assert "what nobody needs" in run(copy, "tools/setup.sh", "--help").stdout


def test_its_steps_run(copy: Path) -> None:
    result = run(copy, "python3", "tools/run_tests.py", "--area", "made_up")
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("1 passed, 0 failed, 0 skipped\n")
    assert f"here is {copy}" in (copy / "build/test/made-up.log").read_text()
    listed = run(copy, "python3", "tools/run_tests.py", "--list").stdout
    assert "quick   made_up         made-up\n" in listed


def test_a_step_may_fail(copy: Path) -> None:
    result = run(copy, "python3", "tools/run_tests.py", "--deep", "--only", "made-up-and-failing")
    assert result.returncode == 1
    assert "0 passed, 1 failed, 0 skipped" in result.stdout
    assert "| a reason\n" in result.stdout


def test_a_rung_has_no_option_of_the_other(copy: Path) -> None:
    step = "[[steps]]\nname = 'made-up'\nrung = '{}'\ncmake = {}\n"
    describe(copy, step.format("quick", "['-DMADE_UP=ON']") + step.format("deep", "[]"))
    lines = ["cmake_minimum_required(VERSION 3.22)", "project(made_up NONE)", "enable_testing()"]
    lines += ['add_test(NAME option COMMAND test "${MADE_UP}" = "")']
    (copy / "CMakeLists.txt").write_text("\n".join(lines))
    quick = run(copy, "python3", "tools/run_tests.py", "--only", "made-up")
    assert "0 passed, 1 failed" in quick.stdout, quick.stdout
    deep = run(copy, "python3", "tools/run_tests.py", "--deep", "--only", "made-up")
    assert "1 passed, 0 failed" in deep.stdout, deep.stdout


def test_its_lint_runs(copy: Path) -> None:
    result = run(copy, "tools/lint.sh", "--area", "made_up")
    assert result.returncode == 0, result.stderr
    assert (copy / "linted").exists()


@pytest.mark.parametrize("first", [True, False])
def test_a_linter_that_fails_is_told(copy: Path, first: bool) -> None:
    """Whichever ends first, with what it said."""
    failing = '[[lint]]\nname = "failing"\nrun = ["sh", "-c", "echo a reason; false"]\n'
    slow = '[[lint]]\nname = "slow"\nrun = ["sleep", "0.3"]\n'
    describe(copy, failing + slow if first else slow + failing)
    result = run(copy, "tools/lint.sh", "--area", "made_up")
    assert result.returncode == 1
    assert "a reason" in result.stdout
    assert "failing" in next(line for line in result.stdout.splitlines() if line.endswith("FAILED"))


def test_its_sources_see_the_public_headers_alone(copy: Path) -> None:
    for name in ("include/latkem/latkem.h", "src/api/kem.h"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("")
    source = copy / "made_up" / "main.c"
    source.write_text("#include <latkem/latkem.h>\n")
    assert run(copy, "python3", "tools/check_layers.py").returncode == 0
    source.write_text('#include "api/kem.h"\n')
    result = run(copy, "python3", "tools/check_layers.py")
    assert result.returncode == 1
    assert "made_up/main.c:1: made_up may not see src/api/kem.h" in result.stdout


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[steps]]\nname = 'x'\nrung = 'quick'\nruns = ['true']\n", "steps has no key runs"),
        ("[[steps]]\nname = 'x'\nrun = ['true']\n", "steps must have a key rung"),
        ("[[steps]]\nname = 'x'\nrung = 'slow'\nrun = ['true']\n", "step x: no rung slow"),
        ("[[steps]]\nname = 'gcc'\nrung = 'quick'\nrun = ['true']\n", "two steps of the quick rung have one name"),
        ("[[steps]]\nname = 'x'\nrung = 'quick'\nrun = ['true']\nafter = ['y']\n", "x is not stated after a step y"),
        ("[[steps\n", "made_up/area.toml: "),
    ],
)
def test_mistakes_are_told(copy: Path, text: str, complaint: str) -> None:
    describe(copy, text)
    result = run(copy, "python3", "tools/run_tests.py", "--only", "layers")
    assert result.returncode == 2
    assert complaint in result.stderr


@pytest.mark.parametrize(
    ("rung", "asked", "runs"),
    [
        ("quick", "[], ''", False),
        ("quick", "['apart-step'], ''", True),
        ("quick", "[], 'made_up'", True),
        ("deep", "[], ''", True),
    ],
)
def test_a_step_apart_runs_where_it_is_asked_for(copy: Path, rung: str, asked: str, runs: bool) -> None:
    step = "name = 'apart-step'\nrung = ['quick', 'deep']\napart = true\nrun = ['true']\n"
    describe(copy, f"[[steps]]\n{step}")
    chosen = f"run_tests.choose('{rung}', {asked})"
    program = f"import sys; sys.path.insert(0, 'tools'); import run_tests\nprint([s.name for s in {chosen}])"
    result = run(copy, "python3", "-c", program)
    assert ("apart-step" in result.stdout) == runs, result.stdout + result.stderr
    assert ("layers" in result.stdout) == (asked == "[], ''")


@pytest.mark.parametrize(
    ("asked", "runs"),
    [
        ("['cli'], ''", ["cli"]),
        ("[], 'cli'", ["cli"]),
        ("['cli', 'gcc'], ''", ["gcc"]),
        ("[], 'made_up'", ["made-up"]),
    ],
)
def test_a_part_of_a_step_runs_where_that_does_not(copy: Path, asked: str, runs: list[str]) -> None:
    program = (
        f"import sys; sys.path.insert(0, 'tools'); import run_tests\nfor step in run_tests.choose('quick', {asked}):"
    )
    result = run(copy, "python3", "-c", f"{program} print(step.name, getattr(step, 'tree', '-'))")
    assert result.stdout.split()[::2] == runs, result.stderr
    assert set(result.stdout.split()[1::2]) <= {"gcc", "-"}

"""Every target of `make` asks for what it needs before it does anything: on a machine that lacks everything it says
what to install, and runs nothing. SPDX-License-Identifier: Apache-2.0
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKEFILES = [ROOT / "Makefile", *ROOT.glob("*/area.mk"), *ROOT.glob("bindings/*/area.mk")]
FREE = {"help", "clean"}  # they need the shell alone
TARGETS = [name for path in MAKEFILES for name in re.findall(r"^([a-z][\w-]*):", path.read_text(), re.M)]
# Variables that change the recipe of a target.
VARIANTS = {"peers": ["FEATURES=all"], "test": ["DEEP=1", "AREA=cli"], "hw-test": ["DEEP=1"], "evaluate": ["QUICK=1"]}
CALLS = [(name, "") for name in TARGETS] + [(name, words) for name in VARIANTS for words in VARIANTS[name]]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The makefiles, the tools and what the areas say; nothing is built, no program is there to run."""
    top = tmp_path / "latkem"
    shutil.copytree(ROOT / "tools", top / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*MAKEFILES, *ROOT.glob("*/area.toml"), *ROOT.glob("bindings/*/area.toml")]:
        (top / path.relative_to(ROOT).parent).mkdir(parents=True, exist_ok=True)
        shutil.copy(path, top / path.relative_to(ROOT))
    return top


def bare_path(folder: Path) -> str:
    """Programs of every Debian system, a Python that can make no environment, and a dpkg that has nothing installed."""
    folder.mkdir()
    for name in (
        "bash",
        "sh",
        "dirname",
        "awk",
        "grep",
        "env",
        "make",
        "sed",
        "date",
        "rm",
        "cmp",
        "head",
        "sort",
        "tr",
    ):
        (folder / name).symlink_to(program(name))
    python = f"""for word; do case $word in *ensurepip*) exit 1 ;; esac; done
exec {Path(sys.executable).resolve()} "$@"
"""
    stand_ins = {
        "python3": python,
        "dpkg-query": "exit 0",
        "apt-get": "exit 1",
        "apt-cache": 'echo "  Candidate: 4:12.2-1"',
    }
    for name, body in stand_ins.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return str(folder)


def program(name: str) -> str:
    found = shutil.which(name)
    assert found, f"there is no {name}"
    return found


def make(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": bare_path(tree / "bin"), "HOME": str(tree), "LATKEM_NO_INSTALL": "1"}
    return subprocess.run(
        [program("make"), "--no-print-directory", "-C", tree, *words],
        env=environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("target", "words"), [call for call in CALLS if call[0] not in FREE | {"sbom"}])
def test_a_bare_machine_is_told_what_to_install(tree: Path, target: str, words: str) -> None:
    result = make(tree, target, *words.split())
    told = result.stdout + result.stderr
    assert result.returncode != 0
    assert re.search(r"^setup: (installing is not allowed here|'[\w-]+' needs )", result.stderr, re.M), told
    assert "not found" not in told
    assert not (tree / "build").exists()


def test_a_bill_of_materials_needs_python_alone(tree: Path) -> None:
    (tree / "tools" / "sbom.py").write_text("print('written')\n")
    assert make(tree, "sbom").stdout.endswith("written\n")
    (tree / "bin" / "python3").write_text("#!/bin/sh\nexit 1\n")
    command = [program("make"), "-C", str(tree), "sbom"]
    result = subprocess.run(command, env={"PATH": f"{tree}/bin"}, capture_output=True, text=True)
    assert "Python 3.11 or newer is needed" in result.stderr


def test_a_program_that_no_package_brings_is_named(tree: Path) -> None:
    assert "'peers' needs cargo 1.88 or newer" in make(tree, "peers").stderr


def test_another_system_is_told_which_programs_it_lacks(tree: Path) -> None:
    bare_path(tree / "bin")
    for name in ("dpkg-query", "apt-get"):
        (tree / "bin" / name).unlink()
    command = [program("make"), "-C", str(tree), "build"]
    result = subprocess.run(command, env={"PATH": f"{tree}/bin"}, capture_output=True, text=True)
    assert result.returncode != 0
    assert "'build' needs cmake (configures the build)" in result.stderr
    assert "'build' needs g++ (" in result.stderr


def packages_of(profile: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/areas.py", "packages", profile], capture_output=True, text=True
    )
    return {line.split("|")[1] for line in done.stdout.splitlines()}


def test_the_rivals_need_no_more_than_is_installed_for_them() -> None:
    table = (ROOT / "bench/peers/README.md").read_text().partition("| cargo feature |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `.*\|$", table, re.M)
    needs = {name for row in rows for name in row.split("|")[5].strip().split(", ") if name}
    needs = {name for name in needs if not name.startswith("Rust ")}
    assert {"libclang", "autoconf", "perl"} <= needs
    assert {name.replace("libclang", "libclang-dev") for name in needs} <= packages_of("peers-all")

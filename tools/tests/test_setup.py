"""tools/setup.sh on a machine that lacks everything, played by programs in place of Debian's.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / "tools/setup.sh"


@pytest.fixture
def bare_machine(tmp_path: Path) -> dict[str, str]:
    """An environment where nothing is installed and apt-get only writes down how it was called."""
    programs = {
        "dpkg-query": "exit 0",
        "apt-get": f'echo "apt-get $*" >>{tmp_path}/calls',
        "apt-cache": 'echo "  Candidate: 4:12.2-1"',
    }
    for name in ("bash", "dirname", "awk", "grep", "env"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    (tmp_path / "python3").symlink_to(Path(sys.executable).resolve())
    for name, body in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    return {**os.environ, "PATH": str(tmp_path)}


def setup(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SETUP, *arguments], env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["build", "more"]])
def test_wrong_use(arguments: list[str]) -> None:
    result = setup(*arguments, **os.environ)
    assert result.returncode == 2
    assert "usage:" in result.stderr


def test_where_it_may_not_install_it_prints_the_command(bare_machine: dict[str, str], tmp_path: Path) -> None:
    result = setup("build", LATKEM_NO_INSTALL="1", **bare_machine)
    assert result.returncode == 1
    command = next(line for line in result.stderr.splitlines() if "sudo apt-get update && sudo apt-get install" in line)
    assert {"cmake", "ninja-build", "gcc", "libcli11-dev"} <= set(command.split())
    assert "configures the build" in result.stdout
    assert not (tmp_path / "calls").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="installs as root only")
def test_root_installs_what_is_missing(bare_machine: dict[str, str], tmp_path: Path) -> None:
    result = setup("build", **bare_machine)
    assert result.returncode == 0, result.stderr
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls[-1].startswith("apt-get -q install -y --no-install-recommends ")
    assert {"cmake", "ninja-build", "gcc", "g++", "libc6-dev"} <= set(calls[-1].split())


def test_without_python_it_is_the_first_that_is_installed(bare_machine: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "python3").unlink()
    result = setup("build", LATKEM_NO_INSTALL="1", **bare_machine)
    assert result.returncode == 1
    assert "apt-get install -y --no-install-recommends python3\n" in result.stderr


def test_a_python_that_is_too_old_hinders_no_build(bare_machine: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "python3").unlink()
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    assert setup("build", **bare_machine).returncode == 0
    result = setup("test", **bare_machine)
    assert result.returncode == 1
    assert "Python 3.11" in result.stderr


def test_compiler_packages_have_the_release_s_version(bare_machine: dict[str, str]) -> None:
    result = setup("deep", LATKEM_NO_INSTALL="1", **bare_machine)
    assert "gcc-12-multilib" in result.stderr
    assert "libclang-rt-12-dev" in result.stderr

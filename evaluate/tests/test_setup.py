"""tools/setup.sh on a machine that lacks everything, played by programs that stand in for Debian's.

SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
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
    for name in ("bash", "dirname", "awk", "grep", "env", "python3"):
        (tmp_path / name).symlink_to(subprocess.check_output(["which", name], text=True).strip())
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
    assert "sudo apt-get update && sudo apt-get install -y --no-install-recommends cmake ninja-build" in result.stderr
    assert "configures the build" in result.stdout
    assert not (tmp_path / "calls").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="installs as root only")
def test_root_installs_what_is_missing(bare_machine: dict[str, str], tmp_path: Path) -> None:
    result = setup("build", **bare_machine)
    assert result.returncode == 0, result.stderr
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls[-1].startswith("apt-get -q install -y --no-install-recommends cmake ninja-build gcc g++ libc6-dev")


def test_compiler_packages_have_the_release_s_version(bare_machine: dict[str, str]) -> None:
    result = setup("deep", LATKEM_NO_INSTALL="1", **bare_machine)
    assert "gcc-12-multilib" in result.stderr
    assert "libclang-rt-12-dev" in result.stderr

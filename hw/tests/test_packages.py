"""The packages for FuseSoC and Bender are what the lists of sources say, and tools take them.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import packages
from cores import RTL, Block, blocks, cores

FUSESOC = Path(sys.executable).parent / "fusesoc"
TOPS = pytest.mark.parametrize("block", [*cores(), *blocks()], ids=lambda block: block.name)


def needs(program: str) -> None:
    if not shutil.which(program):
        pytest.skip(f"there is no {program}")


def test_the_files_are_what_the_lists_say() -> None:
    stale = [str(path) for path, text in packages.files().items() if not path.exists() or path.read_text() != text]
    assert not stale, f"hw/syn/packages.py writes {', '.join(stale)}"
    assert {*RTL.rglob("*.core")} == {path for path in packages.files() if path.suffix == ".core"}


def test_each_source_is_in_one_package() -> None:
    for block in packages.everything():
        grouped = [path for paths in packages.groups().values() for path in paths if path in block.sources()]
        assert sorted(grouped) == sorted(block.sources())


def fusesoc(block: Block, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    if not FUSESOC.exists():
        pytest.skip("there is no fusesoc (tools/setup.sh hw)")
    needs("verilator")
    words = ["--cores-root", str(RTL), "run", "--target", "lint", packages.fusesoc_name(block.name), *options]
    command = [str(FUSESOC), *words]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


@TOPS
def test_fusesoc_lints_a_package(block: Block, tmp_path: Path) -> None:
    done = fusesoc(block, tmp_path)
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout


@pytest.mark.parametrize("block", cores(), ids=lambda block: block.name)
def test_fusesoc_gives_a_core_its_parameters(block: Block, tmp_path: Path) -> None:
    done = fusesoc(block, tmp_path, "--Sets", "64")
    assert done.returncode != 0
    assert f"{block.top}: Sets names a parameter set of another core" in done.stdout


@TOPS
def test_sources_of_bender_are_in_order(block: Block) -> None:
    """All of them in the order of Bender.yml, for each module as the top."""
    yaml = pytest.importorskip("yaml")
    needs("verilator")
    manifest = yaml.safe_load((packages.ROOT / "Bender.yml").read_text())
    assert manifest["package"]["name"] == "latkem"
    files = [packages.ROOT / path for group in manifest["sources"] for path in group["files"]]
    assert len(files) == len(set(files))
    command = ["verilator", "--lint-only", "-Wno-lint", "--top-module", block.top, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

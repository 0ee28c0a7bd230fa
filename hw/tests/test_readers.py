"""Which tools read the cores: the table of hw/README.md is what the tools do that are here, of the versions that it
names. SPDX-License-Identifier: Apache-2.0
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import synthesis
import verilog
from cores import Block, Core, blocks, cores

PAGE = (synthesis.HERE.parent / "README.md").read_text()
ROWS = re.findall(r"^\| (Verilator|yosys|Icarus Verilog) ([\d.]+)(?:, `(.*)`)? \| (yes|no) \| (yes|no) \|$", PAGE, re.M)
PROGRAMS = {
    "Verilator": ["verilator", "--lint-only", "-Wno-fatal", "--top-module"],
    "Icarus Verilog": ["iverilog", "-g2012", "-t", "null", "-s"],
}
# To read a core takes all tools together over a minute: they do so under LATKEM_HW_LONG.
CORES = cores() if "LATKEM_HW_LONG" in os.environ else []


@pytest.fixture(scope="module", params=[*CORES, *blocks()], ids=lambda core: core.name)
def core(request: pytest.FixtureRequest) -> Block:
    return request.param


@pytest.fixture(scope="module")
def plain(core: Block, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plain") / f"{core.name}.v"
    verilog.write(core.name, {}, path)
    return path


def version_of(tool: str) -> str:
    if tool == "yosys":
        return importlib.metadata.version("pyosys")
    program = PROGRAMS[tool][0]
    if not shutil.which(program):
        pytest.skip(f"there is no {program}")
    option = "-V" if program == "iverilog" else "--version"
    return re.findall(r"\d[\d.]+", subprocess.run([program, option], capture_output=True, text=True).stdout)[0]


def reads(tool: str, command: str, top: str, files: list[Path], log: Path) -> bool:
    if tool in PROGRAMS:
        return subprocess.run([*PROGRAMS[tool], top, *files], capture_output=True).returncode == 0
    try:
        options = f" --threads 1 --top {top}" if command == "read_slang" else ""
        synthesis.run_yosys([f"{command}{options} {' '.join(map(str, files))}", f"hierarchy -check -top {top}"], log)
    except synthesis.ToolError:
        return False
    return True


def test_the_table_has_all_tools() -> None:
    assert [row[0] for row in ROWS] == ["Verilator", "yosys", "yosys", "Icarus Verilog"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[2]}".strip())
def test_a_tool_reads_what_the_page_says(row: tuple[str, ...], core: Block, plain: Path, tmp_path: Path) -> None:
    tool, version, command, sources, written = row
    if version_of(tool) != version:
        pytest.skip(f"the page names {tool} {version}; here is {version_of(tool)}")
    for files, told in ((core.sources(), sources), ([plain], written)):
        read = reads(tool, command, core.top, files, tmp_path / "log")
        assert read or told == "no"
        assert told == "yes" or not read or not isinstance(core, Core)  # the page's "no" is of cores

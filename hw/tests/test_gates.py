"""The count of gates, and the longest path.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import gates
import synthesis

LIBERTY = """
cell (NAND2X1_LIKE) { area : 99; }
cell (NAND2X1) {
  cell_footprint : "nand2x1";
  area : 24;
  pin(A) { capacitance : 1; }
}
cell (NAND3X1) { area : 36; }
"""
REPORT = """
            9.816   data required time
           -4.728   data arrival time
-----------------------------------------------------------
            {}   slack ({})
"""


def memory(kind: str, size: int, width: int) -> dict[str, Any]:
    return {"type": kind, "parameters": {"SIZE": f"{size:032b}", "WIDTH": f"{width:032b}"}}


def test_a_gate_equivalent_is_the_nand_of_two_inputs() -> None:
    assert gates.nand_area(LIBERTY) == 24


def test_bits_are_of_memories_alone() -> None:
    cells = {"a": memory("$mem_v2", 512, 64), "b": memory("$mem_v2", 16, 3), "c": {"type": "NAND2X1"}}
    assert gates.memory_bits({"cells": cells}) == 512 * 64 + 48


@pytest.mark.parametrize(("slack", "ns"), [("5.089", 4.91), ("-2.5", 12.5)])
def test_the_path_is_what_the_period_leaves(slack: str, ns: float) -> None:
    assert gates.path_of(REPORT.format(slack, "MET")) == ns


def test_no_path_is_an_error() -> None:
    with pytest.raises(synthesis.ToolError):
        gates.path_of("No paths found.")


def test_opensta_reads_a_netlist_without_the_parameters_of_memories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netlist.v").write_text(
        '  memory #(\n    .A(1),\n    .B("x")\n  ) m (\n    .D(d)\n  );\n  INVX1 i (.A(d));\n'
    )

    def sta(command: list[Any], **_: Any) -> subprocess.CompletedProcess:
        assert "create_clock -name clk -period 10.0 [get_ports clk_i]" in Path(command[-1]).read_text()
        return subprocess.CompletedProcess(command, 0, stdout=REPORT.format("6.0", "MET"))

    monkeypatch.setattr(gates.subprocess, "run", sta)
    assert gates.timed("top", tmp_path) == 4.0
    assert (tmp_path / "netlist.v").read_text() == "  memory m (\n    .D(d)\n  );\n  INVX1 i (.A(d));\n"

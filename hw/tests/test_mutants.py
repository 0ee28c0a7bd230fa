"""The flips of hw/dv/mutants.py, and that each row of its table fits the code.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "dv"))

import mutants


@pytest.fixture(scope="module")
def every() -> list[mutants.Mutant]:
    return [mutant for file in mutants.files() for mutant in mutants.mutants_of(file)]


def test_rows_fit_the_code(every: list[mutants.Mutant]) -> None:
    assert all(mutants.equivalents(every).values())


def test_each_file_and_each_flip_has_a_mutant(every: list[mutants.Mutant]) -> None:
    assert {mutant.file for mutant in every} == set(mutants.files())
    rare = {">>", "<<", "^=", "-=", "&=", "+=", "|="}
    assert set(mutants.FLIPS) - {mutant.old for mutant in every} <= rare


def test_what_is_no_logic_stays() -> None:
    text = """
  // a && b
  localparam int unsigned CountWidth = 10;
  logic [7:0] x, y;
  for (int i = 0; i < 8; i++) x[i] = "1 + 1";
  u_ram #(.Width(64))
`ifndef SYNTHESIS
  assert property (a == b);
`endif
"""
    assert not list(mutants.flips(mutants.logic(text.replace("x[i]", "x"))))


@pytest.mark.parametrize(
    ("code", "flips"),
    [
        ("if (a[3:0] == 4'hf)", ["3 4", "0 1", "== !=", "4'hf 4'h0", "(a[3:0] == 4'hf) (!(a[3:0] == 4'hf))"]),
        ("if (!rst_ni) q <= '0;", ["! ", "'0 '1"]),
        ("q <= 10'(x) + 5'd31 >>> 1;", ["+ -", "5'd31 5'd0", "1 2"]),
        ("y = &a ^ ~b[4+:2];", ["& |", "^ |", "~ ", "4 5", "2 3"]),
    ],
)
def test_flips(code: str, flips: list[str]) -> None:
    assert sorted(f"{old} {new}" for _, old, new in mutants.flips(code)) == sorted(flips)


def test_a_build_that_does_not_end_is_the_mutants_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "WORK", tmp_path)
    assert mutants.call(["sh", "-c", "sh -c 'while :; do :; done'; exit 1"], seconds=1) != 0
    assert mutants.elaboration((tmp_path / "log").read_text(), "a bench") == "elaboration"
    with pytest.raises(SystemExit, match="not for the mutant"):
        mutants.elaboration("no space left on device", "a bench")

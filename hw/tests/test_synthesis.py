"""The commands that yosys gets of the scripts.

SPDX-License-Identifier: Apache-2.0
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import synthesis

# Two copies each of a bit and of a choice, and two registers that are equal and no copies.
COPIED = """
module copied (input logic clk_i, rst_ni, d_i, input logic [1:0] e_i, output logic [7:0] q_o);
  typedef enum logic [1:0] {A, B, C} choice_e;
  choice_e choice;
  always_comb begin
    choice = A;
    if (e_i[0]) choice = B;
    if (e_i[1]) choice = C;
  end
  for (genvar i = 0; i < 2; i++) begin : gen_copy
    (* keep, dont_merge *) logic bit_q;
    (* keep, dont_merge *) choice_e choice_q;
    logic equal_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) bit_q <= 1'b0;
      else bit_q <= d_i;
    end
    always_ff @(posedge clk_i) begin
      choice_q <= choice;
      equal_q <= d_i;
    end
    assign q_o[4*i+:4] = {choice_q == A, choice_q == C, equal_q, bit_q};
  end
endmodule
"""


@pytest.mark.parametrize(("command", "registers"), [([], 5), ([synthesis.COPIES], 7)])
def test_copies_of_registers_stay(tmp_path: Path, command: list[str], registers: int) -> None:
    source, stat = tmp_path / "copied.sv", tmp_path / "stat.json"
    source.write_text(COPIED)
    lines = [f"read_slang {source}", *command, "synth_ecp5 -top copied", f"tee -q -o {stat} stat -json"]
    synthesis.run_yosys(lines, tmp_path / "log")
    text = stat.read_text()
    cells = json.loads(text[text.index("{") :])["design"]["num_cells_by_type"]
    assert cells["TRELLIS_FF"] == registers

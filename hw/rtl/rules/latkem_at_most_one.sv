// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Asserts that at most one of some selects is high. Without logic in synthesis.

// Synthesis leaves the ports unused.
// verilator lint_off UNUSEDSIGNAL

module latkem_at_most_one #(
  parameter int unsigned Width = 2
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Width-1:0] selects_i
);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert ($onehot0(selects_i));
  end
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

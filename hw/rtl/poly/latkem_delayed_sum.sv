// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The sum of two residues modulo Q, five cycles later: as long as latkem_butterfly takes. One adder
// a cycle; the two cycles left are apart, since three registers in a row cost a shift register.

module latkem_delayed_sum #(
  parameter  int unsigned Q = 3329,
  localparam int unsigned W = $clog2(Q)
) (
  input  logic         clk_i,
  input  logic [W-1:0] x_i,
  input  logic [W-1:0] y_i,
  output logic [W-1:0] sum_o
);

  logic [W:0] sum_q1, sum_q2, less_q3;
  logic [W-1:0] sum_q4;

  always_ff @(posedge clk_i) begin
    sum_q1 <= {1'b0, x_i} + {1'b0, y_i};
    sum_q2 <= sum_q1;
    less_q3 <= sum_q2 - (W + 1)'(Q);
    sum_q4 <= less_q3[W-1:0] + (less_q3[W] ? W'(Q) : '0);
    sum_o <= sum_q4;
  end

endmodule

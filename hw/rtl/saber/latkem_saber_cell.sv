// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A cell of the schoolbook: an accumulator, to which a small multiple of a coefficient is added
// modulo 2^13.

module latkem_saber_cell
  import latkem_saber_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  clear_i,
  input  logic                  step_i,
  input  small_t                small_i,
  input  multiples_t            multiples_i,
  input  logic [CoeffWidth-1:0] held_i,  // what the multiple is added to
  output logic [CoeffWidth-1:0] sum_o
);

  logic [CoeffWidth-1:0] chosen, term, sum_q;

  always_comb begin
    unique case (small_i.code[1:0])
      2'd0:    chosen = multiples_i.one;
      2'd1:    chosen = multiples_i.one << 1;
      2'd2:    chosen = multiples_i.three;
      default: chosen = multiples_i.one << 2;
    endcase
    if (!small_i.code[2]) chosen = small_i.code[0] ? multiples_i.five : '0;
    term = chosen ^ {CoeffWidth{small_i.negative}};
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) sum_q <= '0;
    else if (step_i) sum_q <= held_i + term + CoeffWidth'(small_i.negative);
  end

  assign sum_o = sum_q;

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A product of two residues modulo Q, in two cycles. The bits above the lowest W = clog2(Q) select
// residues from two tables; their sum with the low bits is below 4 Q, and two conditional
// subtractions are left.

module latkem_reduce #(
  parameter  int unsigned Q = 3329,
  localparam int unsigned W = $clog2(Q)
) (
  input  logic           clk_i,
  input  logic [2*W-1:0] product_i,
  output logic [W-1:0]   residue_o
);

  localparam int unsigned LowBits = W / 2;
  localparam int unsigned HighBits = W - LowBits;

  typedef logic [(1<<LowBits)-1:0][W-1:0] low_table_t;
  typedef logic [(1<<HighBits)-1:0][W-1:0] high_table_t;

  function automatic low_table_t low_table();
    low_table_t table_;
    for (int unsigned i = 0; i < (1 << LowBits); i++) table_[i] = W'((i << W) % Q);
    return table_;
  endfunction

  function automatic high_table_t high_table();
    high_table_t table_;
    for (int unsigned i = 0; i < (1 << HighBits); i++) table_[i] = W'((i << (W + LowBits)) % Q);
    return table_;
  endfunction

  localparam low_table_t LowTable = low_table();
  localparam high_table_t HighTable = high_table();

  logic [W+1:0] folded_q, folded_d, once, twice;

  assign folded_d = {2'b00, LowTable[product_i[W+:LowBits]]}
      + {2'b00, HighTable[product_i[W+LowBits+:HighBits]]} + {2'b00, product_i[W-1:0]};

  // Below 4 Q, then below 2 Q, then below Q.
  logic [W+2:0] less_2q;
  logic [W+1:0] less_q;

  assign less_2q = {1'b0, folded_q} - (W + 3)'(2 * Q);
  assign once = less_2q[W+2] ? folded_q : less_2q[W+1:0];
  assign less_q = once - (W + 2)'(Q);
  assign twice = less_q[W+1] ? once : less_q;

  always_ff @(posedge clk_i) begin
    folded_q <= folded_d;
    residue_o <= twice[W-1:0];
  end

endmodule

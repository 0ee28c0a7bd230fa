// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A product of two residues modulo Q, in two cycles. The bits above the lowest W = clog2(Q) select
// residues from two tables. Their sum with the low bits, less 2 Q, lies in -2 Q to 2 Q - 1; adding
// 2 Q to what is negative, taking Q away and adding Q to what is negative leaves 0 to Q - 1.

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
  localparam logic [W:0] Modulus = (W + 1)'(Q);
  localparam logic [W:0] Twice = (W + 1)'(2 * Q);

  // Bit by bit, [bit][index], and read by shifting: of an indexed table synthesis makes a ROM and
  // moves it before the register of the product, where there is no time for it.
  typedef logic [W-1:0][(1<<LowBits)-1:0] low_table_t;
  typedef logic [W+1:0][(1<<HighBits)-1:0] high_table_t;

  function automatic low_table_t low_table();
    low_table_t table_;
    logic [W-1:0] residue;
    for (int unsigned i = 0; i < (1 << LowBits); i++) begin
      residue = W'((i << W) % Q);
      for (int unsigned j = 0; j < W; j++) table_[j][i] = residue[j];
    end
    return table_;
  endfunction

  function automatic high_table_t high_table();
    high_table_t table_;
    logic [W+1:0] residue;
    for (int unsigned i = 0; i < (1 << HighBits); i++) begin
      residue = (W + 2)'((i << (W + LowBits)) % Q) - (W + 2)'(2 * Q);
      for (int unsigned j = 0; j < W + 2; j++) table_[j][i] = residue[j];
    end
    return table_;
  endfunction

  localparam low_table_t LowTable = low_table();
  localparam high_table_t HighTable = high_table();

  logic [W-1:0] middle;
  logic [W+1:0] top;

  // A half first where there are 128 entries: simulators shift 64 bits at once.
  logic [5:0] index;
  logic upper;

  assign index = 6'(product_i[W+LowBits+:HighBits]);
  if (HighBits > 6) begin : gen_halves
    assign upper = product_i[2*W-1];
  end else begin : gen_whole
    assign upper = 1'b0;
  end

  always_comb begin
    for (int unsigned j = 0; j < W; j++) begin
      middle[j] = 1'(LowTable[j] >> product_i[W+:LowBits]);
    end
    for (int unsigned j = 0; j < W + 2; j++) begin
      top[j] = 1'((upper ? 64'(HighTable[j] >> (1 << (HighBits - 1)))
                         : 64'(HighTable[j])) >> index);
    end
  end

  // Kept, since adders in a chain are smaller here than what synthesis makes of one sum of three.
  (* keep *) logic [W:0] low, positive;
  logic [W+1:0] folded_q;
  logic [W:0] less;

  assign low = {1'b0, middle} + {1'b0, product_i[W-1:0]};
  assign positive = folded_q[W:0] + (folded_q[W+1] ? Twice : '0);
  assign less = positive - Modulus;

  always_ff @(posedge clk_i) begin
    folded_q <= {1'b0, low} + top;
    residue_o <= less[W-1:0] + (less[W] ? Modulus[W-1:0] : '0);
  end

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A modular multiplier between an adder pair before and one after, five cycles:
//
//   before 0, after 1  (a + z b, a - z b)            forward butterfly, multiply and accumulate
//   before 1, after 0  ((a + b) / 2, z (b - a))      inverse butterfly, halving
//   before 0, after 0  (a, z b)
//
// All values are residues 0 to Q - 1. FIPS 203 algorithms 9 and 10.

module latkem_butterfly #(
  parameter  int unsigned Q = 3329,
  localparam int unsigned W = $clog2(Q)
) (
  input  logic         clk_i,
  input  logic         before_i,
  input  logic         after_i,   // of the operands that went in four cycles ago
  input  logic [W-1:0] a_i,
  input  logic [W-1:0] b_i,
  input  logic [W-1:0] z_i,
  output logic [W-1:0] sum_o,
  output logic [W-1:0] difference_o,
  output logic [W-1:0] product_o
);

  localparam logic [W:0] Modulus = (W + 1)'(Q);

  // 1: a + b and b - a
  logic [W:0] plus, plus_less, minus;
  logic [W-1:0] plus_mod, minus_mod;
  logic [W-1:0] a_q1, b_q1, z_q1;
  logic before_q1;

  assign plus = {1'b0, a_i} + {1'b0, b_i};
  assign plus_less = plus - Modulus;
  assign plus_mod = plus_less[W] ? plus[W-1:0] : plus_less[W-1:0];
  assign minus = {1'b0, b_i} - {1'b0, a_i};
  assign minus_mod = minus[W-1:0] + (minus[W] ? Modulus[W-1:0] : '0);

  always_ff @(posedge clk_i) begin
    a_q1 <= before_i ? plus_mod : a_i;
    b_q1 <= before_i ? minus_mod : b_i;
    z_q1 <= z_i;
    before_q1 <= before_i;
  end

  // 2: the product; half of the sum
  logic [W:0] odd;
  logic [W-1:0] a_q2, a_q3, a_q4;
  logic [2*W-1:0] product_q2;

  assign odd = {1'b0, a_q1} + ((before_q1 && a_q1[0]) ? Modulus : '0);

  always_ff @(posedge clk_i) begin
    a_q2 <= before_q1 ? odd[W:1] : odd[W-1:0];
    product_q2 <= {{W{1'b0}}, b_q1} * {{W{1'b0}}, z_q1};
    a_q3 <= a_q2;
    a_q4 <= a_q3;
  end

  // 3, 4: reduction
  logic [W-1:0] product_q4;

  latkem_reduce #(
    .Q(Q)
  ) u_reduce (
    .clk_i,
    .product_i(product_q2),
    .residue_o(product_q4)
  );

  // 5: a + z b and a - z b
  logic [W:0] sum, sum_less, difference;
  logic [W-1:0] sum_mod, difference_mod;

  assign sum = {1'b0, a_q4} + {1'b0, product_q4};
  assign sum_less = sum - Modulus;
  assign sum_mod = sum_less[W] ? sum[W-1:0] : sum_less[W-1:0];
  assign difference = {1'b0, a_q4} - {1'b0, product_q4};
  assign difference_mod = difference[W-1:0] + (difference[W] ? Modulus[W-1:0] : '0);

  always_ff @(posedge clk_i) begin
    sum_o <= after_i ? sum_mod : a_q4;
    difference_o <= after_i ? difference_mod : product_q4;
    product_o <= product_q4;
  end

endmodule

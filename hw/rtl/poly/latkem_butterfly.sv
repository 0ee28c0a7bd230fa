// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A modular multiplier between an adder pair before and one after, five cycles:
//
//   before 0, after 1  (a + z b, a - z b)            forward butterfly, multiply and accumulate
//   before 1, after 0  ((a + b) / 2, -z (b - a))     inverse butterfly, halving
//   before 0, after 0  (a, -z b)
//
// All values are residues 0 to Q - 1. FIPS 203 algorithms 9 and 10. The signs are what costs
// least: without `after` the minuend a of the difference is taken away, no more.

module latkem_butterfly #(
  parameter  int unsigned Q = 3329,
  localparam int unsigned W = $clog2(Q)
) (
  input  logic         clk_i,
  input  logic         before_i,
  input  logic         after_i,   // of the operands that went in three cycles ago
  input  logic [W-1:0] a_i,
  input  logic [W-1:0] b_i,
  input  logic [W-1:0] z_i,
  input  logic [W-1:0] less_i,    // taken from a, of the operands that went in two cycles ago
  output logic [W-1:0] sum_o,
  output logic [W-1:0] difference_o,
  output logic [W-1:0] product_o
);

  localparam logic [W:0] Modulus = (W + 1)'(Q);
  localparam logic [W-1:0] Half = W'(Q / 2);

  // 1: a + b, or a + a, which is halved in any case; b - a, or b
  logic [W:0] twice_q1;
  logic signed [W:0] minus, b_q1;
  logic [W-1:0] z_q1;

  assign minus = {1'b0, b_i} - {1'b0, before_i ? a_i : '0};

  always_ff @(posedge clk_i) begin
    twice_q1 <= {1'b0, a_i} + {1'b0, before_i ? b_i : a_i};
    b_q1 <= minus + signed'(minus[W] ? Modulus : '0);
    z_q1 <= z_i;
  end

  // 2: the product, of b_q1 with its sign: yosys puts its sum into the adder of a multiplier block,
  // where one that is cut to W bits keeps its carry. The half: an odd 2 h + 1 is h + (Q + 1) / 2,
  // less Q where that is Q or more
  logic [W-1:0] half, a_q2, a_q3;
  logic [2*W-1:0] product_q2;

  assign half = twice_q1[W:1];

  always_ff @(posedge clk_i) begin
    a_q2 <= half + (!twice_q1[0] ? '0 : (half >= Half) ? -Half : Half + W'(1));
    product_q2 <= (2*W)'(b_q1 * signed'({1'b0, z_q1}));
  end

  // 3, 4: reduction
  logic [W:0] rest;
  logic [W-1:0] product_q4;
  logic [W:0] less_q4;        // a - Q
  logic [W-1:0] minuend_q4;   // a, or 0
  logic after_q4;

  latkem_reduce #(
    .Q(Q)
  ) u_reduce (
    .clk_i,
    .product_i(product_q2),
    .residue_o(product_q4)
  );

  assign rest = {1'b0, a_q2} - {1'b0, less_i};

  always_ff @(posedge clk_i) begin
    a_q3 <= rest[W-1:0] + (rest[W] ? Modulus[W-1:0] : '0);
    less_q4 <= {1'b0, a_q3} - Modulus;
    minuend_q4 <= after_i ? a_q3 : '0;
    after_q4 <= after_i;
  end

  // 5: a + z b and a - z b
  logic [W:0] sum, difference;

  assign sum = less_q4 + {1'b0, after_q4 ? product_q4 : '0};
  assign difference = {1'b0, minuend_q4} - {1'b0, product_q4};

  always_ff @(posedge clk_i) begin
    sum_o <= sum[W-1:0] + (sum[W] ? Modulus[W-1:0] : '0);
    difference_o <= difference[W-1:0] + (difference[W] ? Modulus[W-1:0] : '0);
    product_o <= product_q4;
  end

endmodule

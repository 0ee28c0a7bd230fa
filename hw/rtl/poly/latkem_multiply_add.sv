// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// c + a b modulo Q, five cycles, all residues 0 to Q - 1: one product of polynomials with a complete
// transform, coefficient by coefficient.

module latkem_multiply_add #(
  parameter  int unsigned Q = 12289,
  localparam int unsigned W = $clog2(Q)
) (
  input  logic         clk_i,
  input  logic [W-1:0] a_i,
  input  logic [W-1:0] b_i,
  input  logic [W-1:0] c_i,
  output logic [W-1:0] sum_o
);

  localparam logic [W:0] Modulus = (W + 1)'(Q);

  // 1, 2: the product; 3, 4: its reduction
  logic [W-1:0] a_q1, b_q1, c_q1, c_q2, c_q3, product_q4;
  logic [2*W-1:0] product_q2;
  logic [W:0] less_q4;  // c - Q

  always_ff @(posedge clk_i) begin
    a_q1 <= a_i;
    b_q1 <= b_i;
    product_q2 <= (2*W)'(a_q1) * (2*W)'(b_q1);
  end

  latkem_reduce #(
    .Q(Q)
  ) u_reduce (
    .clk_i,
    .product_i(product_q2),
    .residue_o(product_q4)
  );

  always_ff @(posedge clk_i) begin
    c_q1 <= c_i;
    c_q2 <= c_q1;
    c_q3 <= c_q2;
    less_q4 <= {1'b0, c_q3} - Modulus;
  end

  // 5: the sum
  logic [W:0] sum;
  assign sum = less_q4 + {1'b0, product_q4};

  always_ff @(posedge clk_i) sum_o <= sum[W-1:0] + (sum[W] ? Modulus[W-1:0] : '0);

endmodule

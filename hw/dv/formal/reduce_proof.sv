// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_reduce gives r for every input k q + r with r < q, two cycles later. A remainder is not
// computed: the input is made of quotient and remainder, which any input has.

module reduce_proof #(
  parameter  int unsigned Q = 3329,
  localparam int unsigned W = $clog2(Q)
) (
  input logic         clk_i,
  input logic [W:0]   quotient_i,
  input logic [W-1:0] remainder_i
);

  logic [2*W:0] product;
  logic [W-1:0] residue;

  assign product = (2 * W + 1)'(quotient_i) * (2 * W + 1)'(Q) + (2 * W + 1)'(remainder_i);

  latkem_reduce #(
    .Q(Q)
  ) u_dut (
    .clk_i,
    .product_i(product[2*W-1:0]),
    .residue_o(residue)
  );

  always_comb assume (remainder_i < W'(Q) && !product[2*W]);

  logic [1:0] known_q = 2'b00;
  logic [1:0][W-1:0] expected_q;
  always_ff @(posedge clk_i) begin
    known_q <= {known_q[0], 1'b1};
    expected_q <= {expected_q[0], remainder_i};
  end

  always_comb if (known_q[1]) assert (residue == expected_q[1]);

endmodule

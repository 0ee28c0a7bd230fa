// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A coefficient modulo 2^13 from its residues a modulo 7681 and b modulo 12289, eight cycles later.
// The coefficient x is between -25 165 824 and 25 165 824. With M = 7681 * 12289 and
// k = 7681^-1 (b - a) mod 12289, a + 7681 k is x, or x + M where x is negative.
//
// No multiplier: 7681^-1 is 4099 = 2^12 + 2 + 1 modulo 12289, 7681 is 1 - 2^9 and M is 7 * 2^9 + 1
// modulo 2^13. Of a negative x, k is 9012 or more, else 3276 or less.

module latkem_saber_crt
  import latkem_saber_pkg::*;
#(
  localparam int unsigned WidthA = $clog2(ModulusA),
  localparam int unsigned WidthB = $clog2(ModulusB)
) (
  input  logic                  clk_i,
  input  logic [WidthA-1:0]     a_i,
  input  logic [WidthB-1:0]     b_i,
  output logic [CoeffWidth-1:0] x_o
);

  // 1, 2: b - a modulo 12289
  logic signed [WidthB:0] difference_q1;
  logic [WidthB-1:0] difference_q2, difference_q3;

  always_ff @(posedge clk_i) begin
    difference_q1 <= {1'b0, b_i} - (WidthB + 1)'(a_i);
    difference_q2 <= WidthB'(difference_q1
        + signed'(difference_q1[WidthB] ? (WidthB + 1)'(ModulusB) : '0));
    difference_q3 <= difference_q2;
  end

  // 3, 4: 4099 times that; 5, 6: its reduction
  logic [WidthB+1:0] triple_q3;
  logic [2*WidthB-1:0] product_q4;
  logic [WidthB-1:0] k;

  always_ff @(posedge clk_i) begin
    triple_q3 <= {2'b00, difference_q2} + {1'b0, difference_q2, 1'b0};
    product_q4 <= {(2*WidthB-12)'(difference_q3) + (2*WidthB-12)'(triple_q3[WidthB+1:12]),
                   triple_q3[11:0]};
  end

  latkem_reduce #(
    .Q(ModulusB)
  ) u_reduce (
    .clk_i,
    .product_i(product_q4),
    .residue_o(k)
  );

  // 7, 8: a + k - 2^9 k, less M where x is negative, modulo 2^13
  logic [5:0][WidthA-1:0] a_q;
  logic negative, negative_q7;
  logic [CoeffWidth-1:0] sum_q7;
  logic [3:0] less_q7;

  assign negative = k[WidthB-1] || k[WidthB-2];

  always_ff @(posedge clk_i) begin
    a_q[0] <= a_i;
    for (int i = 1; i < 6; i++) a_q[i] <= a_q[i-1];
    sum_q7 <= CoeffWidth'(a_q[5]) + k[CoeffWidth-1:0];
    less_q7 <= k[3:0] + (negative ? 4'd7 : 4'd0);
    negative_q7 <= negative;
    x_o <= sum_q7 - {less_q7, 8'd0, negative_q7};
  end

endmodule

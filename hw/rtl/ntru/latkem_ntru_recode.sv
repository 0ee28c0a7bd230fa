// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Digits of coefficients in base 4, -1 to 2 (latkem_ntru_pkg): of pass j the digit of bits 2 j and
// 2 j + 1. A trit as a coefficient is its own digit of pass 0.

module latkem_ntru_recode
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t Set = ntru_set(2'd3),
  localparam int unsigned LogQ = 32'(Set.log_q)
) (
  input  logic [LogQ-1:0] coeff_i,
  input  logic [2:0]      pass_i,
  output digit_t          digit_o
);

  localparam int unsigned Digits = (LogQ + 1) / 2;

  logic [Digits-1:0][1:0] pairs;
  logic carry;

  assign pairs = (2 * Digits)'(coeff_i);

  always_comb begin
    carry = 1'b0;
    for (int unsigned i = 0; i < Digits; i++) begin
      if (i < 32'(pass_i)) carry = pairs[i][1] && (pairs[i][0] || carry);
    end
  end

  assign digit_o = '{bits: 2'(coeff_i >> {pass_i, 1'b0}), carry: carry};

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Radix-4 digits of coefficients, -2 to 2 (Booth), as the lines of the array: of pass j that of bits 2 j
// and 2 j + 1, on the lines from bit 2 j on. A trit as a coefficient has one digit, itself.

module latkem_ntru_recode
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t Set = ntru_set(2'd3),
  localparam int unsigned LogQ = 32'(Set.log_q),
  localparam type coeff_t = logic [LogQ-1:0]
) (
  input  coeff_t     coeff_i,
  input  logic [2:0] pass_i,
  output coeff_t     one_o,
  output coeff_t     two_o,
  output logic       negative_o
);

  logic [2:0] bits;  // 2 j + 1, 2 j, 2 j - 1
  logic one, two;

  always_comb begin
    bits = 3'({17'(coeff_i), 1'b0} >> {pass_i, 1'b0});
    one = bits[1] ^ bits[0];
    two = bits[2] ? bits[1:0] == 2'b00 : bits[1:0] == 2'b11;
    for (int unsigned i = 0; i < LogQ; i++) begin
      one_o[i] = one && i >= 2 * 32'(pass_i);
      two_o[i] = two && i > 2 * 32'(pass_i);
    end
    negative_o = bits[2] && bits[1:0] != 2'b11;
  end

endmodule

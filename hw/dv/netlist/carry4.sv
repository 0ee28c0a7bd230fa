// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Four bits of a carry chain. The model that comes with yosys feeds the vector CO back into itself.
// That is a loop to Verilator 5.006, which now and then settles on a carry of the cycle before.

module CARRY4 (
  output logic [3:0] CO,
  output logic [3:0] O,
  input  logic       CI,
  input  logic       CYINIT,
  input  logic [3:0] DI,
  input  logic [3:0] S
);

  logic c0, c1, c2, c3;

  assign c0 = CI | CYINIT;
  assign c1 = S[0] ? c0 : DI[0];
  assign c2 = S[1] ? c1 : DI[1];
  assign c3 = S[2] ? c2 : DI[2];
  assign CO = {S[3] ? c3 : DI[3], c3, c2, c1};
  assign O = S ^ {c3, c2, c1, c0};

endmodule

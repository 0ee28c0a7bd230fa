// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A register slice, between parts that lie far from each other: what comes in a cycle is there in the next.
// The data is zero when nothing came, and wiped when cleared.

module latkem_ntru_slice #(
  parameter type data_t = logic
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  clear_i,
  input  logic  valid_i,
  input  logic  last_i,
  input  data_t data_i,
  output logic  valid_o,
  output logic  last_o,
  output data_t data_o
);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      last_o <= 1'b0;
    end else begin
      valid_o <= valid_i && !clear_i;
      last_o <= last_i;
    end
  end

  always_ff @(posedge clk_i) data_o <= (clear_i || !valid_i) ? '0 : data_i;

endmodule

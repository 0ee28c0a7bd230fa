// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Asserts that what is offered stays, and stays as it is, until it is taken: a valid until its ready,
// or a ready until its valid. `clear_i` ends an offer that waits. Without logic in synthesis.

// Synthesis leaves the ports unused.
// verilator lint_off UNUSEDSIGNAL

module latkem_holds #(
  parameter int unsigned Width = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             clear_i,
  input logic             offered_i,
  input logic             taken_i,
  input logic [Width-1:0] what_i
);

`ifndef SYNTHESIS
  logic waits, waits_q;
  logic [Width-1:0] what_q;  // zero when nothing waits, because it may be a secret

  assign waits = offered_i && !taken_i && !clear_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      what_q <= '0;
    end else begin
      waits_q <= waits;
      what_q <= waits ? what_i : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && waits_q && !clear_i) assert (offered_i && what_i == what_q);
  end
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

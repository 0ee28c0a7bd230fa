// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A small memory of look-up tables whose read has no register: what is read appears at once.

module latkem_lutram_direct #(
  parameter int unsigned Width = 6,
  parameter int unsigned Depth = 32,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 we_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  input  logic [AddrWidth-1:0] raddr_i,
  output logic [Width-1:0]     rdata_o
);

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  assign rdata_o = mem[raddr_i];

endmodule

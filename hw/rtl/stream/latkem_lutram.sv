// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A small memory like latkem_ram, which synthesis should make of look-up tables, not of a block.

module latkem_lutram #(
  parameter int unsigned Width = 6,
  parameter int unsigned Depth = 256,
  parameter bit          Direct = 1'b0,  // what is read appears at once
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

  if (Direct) begin : gen_direct
    assign rdata_o = mem[raddr_i];
  end else begin : gen_register
    always_ff @(posedge clk_i) begin
      rdata_o <= mem[raddr_i];
    end
  end

endmodule

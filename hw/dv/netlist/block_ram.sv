// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A block memory of the 7 series as the netlists use it: 512 words of `Bytes` bytes of 8 and 1 bits,
// one port that reads, one that writes, the old word where both meet. yosys' models of RAMB18E1 and
// RAMB36E1 have ports and delays, but no memory; netlist.py puts this into them.

module block_ram #(
  parameter int Bytes = 4,
  parameter bit [512*8*Bytes-1:0] Init = '0,
  parameter bit [512*Bytes-1:0] InitParity = '0
) (
  input  logic               read_clk_i,
  input  logic               read_i,
  input  logic [8:0]         raddr_i,
  output logic [8*Bytes-1:0] rdata_o,
  output logic [Bytes-1:0]   rparity_o,
  input  logic               write_clk_i,
  input  logic [Bytes-1:0]   write_i,
  input  logic [8:0]         waddr_i,
  input  logic [8*Bytes-1:0] wdata_i,
  input  logic [Bytes-1:0]   wparity_i
);

  logic [8*Bytes-1:0] data [512];
  logic [Bytes-1:0] parity [512];

  initial begin
    for (int i = 0; i < 512; i++) begin
      data[i] = Init[8*Bytes*i+:8*Bytes];
      parity[i] = InitParity[Bytes*i+:Bytes];
    end
  end

  always_ff @(posedge read_clk_i) begin
    if (read_i) begin
      rdata_o <= data[raddr_i];
      rparity_o <= parity[raddr_i];
    end
  end

  always_ff @(posedge write_clk_i) begin
    for (int b = 0; b < Bytes; b++) begin
      if (write_i[b]) begin
        data[waddr_i][8*b+:8] <= wdata_i[8*b+:8];
        parity[waddr_i][b] <= wparity_i[b];
      end
    end
  end

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The part that latkem_saber_poly's control drives, with any data: its order and its addresses do not depend
// on them.

// verilator lint_off UNUSEDSIGNAL

module latkem_ram #(
  parameter int unsigned Width = 64,
  parameter int unsigned Depth = 512,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 we_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  input  logic [AddrWidth-1:0] raddr_i,
  output logic [Width-1:0]     rdata_o
);

  assign rdata_o = '0;

endmodule

module latkem_saber_crt
  import latkem_saber_pkg::*;
(
  input  logic                        clk_i,
  input  logic [$clog2(ModulusA)-1:0] a_i,
  input  logic [$clog2(ModulusB)-1:0] b_i,
  output logic [CoeffWidth-1:0]       x_o
);

  assign x_o = '0;

endmodule

module latkem_lane
  import latkem_poly_pkg::*;
#(
  parameter  int unsigned Q = 12289,
  parameter  int unsigned Root = 3,
  parameter  int unsigned XWidth = 13,
  parameter  int unsigned VAddrWidth = 9,
  parameter  int unsigned CAddrWidth = 8,
  parameter  int unsigned Butterflies = 16,
  localparam int unsigned Halves = Butterflies == 8 ? 2 : 1,
  localparam int unsigned W = $clog2(Q)
) (
  input  logic        clk_i,
  input  logic [3:0][VAddrWidth-1:0] v_raddr_i,
  input  logic [3:0][CAddrWidth-1:0] c_raddr_i,
  input  logic [3:0][1:0]            v_select_i,
  input  logic [3:0][1:0]            c_select_i,
  input  logic [3:0][1:0][1:0][XWidth-1:0] x_i,
  input  logic        x_signed_i,
  input  lane_source_e source_i,
  input  logic        half_i,
  input  logic        before_1_i,
  input  logic        after_1_i,
  input  logic        before_2_i,
  input  logic        after_2_i,
  input  logic [5+Halves:0] factor_1_i,
  input  logic [5+Halves:0] factor_2_i,
  input  logic        hold_i,
  input  logic        upper_i,
  input  logic        accumulate_i,
  input  logic [3:0][1:0]            write_select_i,
  input  logic [7:0]  v_we_i,
  input  logic [3:0][VAddrWidth-1:0] v_waddr_i,
  input  logic [7:0]  c_we_i,
  input  logic [3:0][CAddrWidth-1:0] c_waddr_i,
  input  logic        c_product_i,
  input  logic        c_turned_i,
  input  logic        wipe_i,
  output logic [7:0][W-1:0] read_o
);

  assign read_o = '0;

endmodule

// verilator lint_on UNUSEDSIGNAL

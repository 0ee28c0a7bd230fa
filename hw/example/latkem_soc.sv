// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A core behind registers: latkem_axil and the core that the macro LATKEM_CORE names, joined.

`ifndef LATKEM_CORE
`define LATKEM_CORE latkem_mlkem
`endif

module latkem_soc (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        zeroize_i,
  output logic        irq_o,
  output logic        busy_o,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [11:0] s_axil_awaddr,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  output logic [1:0]  s_axil_bresp,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  input  logic [11:0] s_axil_araddr,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp
);

  logic core_zeroize, core_busy;
  logic req_valid, req_ready, req_last, rsp_valid, rsp_ready, rsp_last;
  logic [63:0] req_data, rsp_data;

  latkem_axil u_axil (
    .clk_i,
    .rst_ni,
    .zeroize_i,
    .irq_o,
    .busy_o,
    .s_axil_awvalid,
    .s_axil_awready,
    .s_axil_awaddr,
    .s_axil_wvalid,
    .s_axil_wready,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_bvalid,
    .s_axil_bready,
    .s_axil_bresp,
    .s_axil_arvalid,
    .s_axil_arready,
    .s_axil_araddr,
    .s_axil_rvalid,
    .s_axil_rready,
    .s_axil_rdata,
    .s_axil_rresp,
    .core_zeroize_o(core_zeroize),
    .core_busy_i(core_busy),
    .m_axis_tvalid(req_valid),
    .m_axis_tready(req_ready),
    .m_axis_tdata(req_data),
    .m_axis_tlast(req_last),
    .s_axis_tvalid(rsp_valid),
    .s_axis_tready(rsp_ready),
    .s_axis_tdata(rsp_data),
    .s_axis_tlast(rsp_last)
  );

  `LATKEM_CORE u_core (
    .clk_i,
    .rst_ni,
    .zeroize_i(core_zeroize),
    .busy_o(core_busy),
    .s_axis_tvalid(req_valid),
    .s_axis_tready(req_ready),
    .s_axis_tdata(req_data),
    .s_axis_tlast(req_last),
    .m_axis_tvalid(rsp_valid),
    .m_axis_tready(rsp_ready),
    .m_axis_tdata(rsp_data),
    .m_axis_tlast(rsp_last)
  );

endmodule

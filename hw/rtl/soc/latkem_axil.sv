// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Registers for the streams of any core: an AXI4-Lite subordinate of 32 bits, with an interrupt.
// hw/README.md has the map of the registers and says what each does.
//
// Every output comes from a register. One write and one read are under way at a time, each for a
// fixed number of cycles. A register that held a word is zero once the word has passed.

module latkem_axil #(
  parameter int unsigned Depth = 8  // words that wait each way, 1 to 64
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        zeroize_i,       // as a write of the register's bit, for hardware
  output logic        irq_o,
  output logic        busy_o,          // low: no secret in here or in the core
  // registers
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
  output logic [1:0]  s_axil_rresp,
  // the core
  output logic        core_zeroize_o,
  input  logic        core_busy_i,
  output logic        m_axis_tvalid,   // requests
  input  logic        m_axis_tready,
  output logic [63:0] m_axis_tdata,
  output logic        m_axis_tlast,
  input  logic        s_axis_tvalid,   // responses
  output logic        s_axis_tready,
  input  logic [63:0] s_axis_tdata,
  input  logic        s_axis_tlast
);

  if (Depth < 1 || Depth > 64) begin : gen_wrong_depth
    $error("latkem_axil: Depth is not between 1 and 64");
  end

  localparam logic [31:0] Id = 32'h4c4b_454d;  // "LKEM"
  localparam logic [15:0] Version = 16'd1;     // of this map

  // Addresses of the registers.
  localparam logic [11:0] RegId      = 12'h000;
  localparam logic [11:0] RegVersion = 12'h004;
  localparam logic [11:0] RegControl = 12'h008;
  localparam logic [11:0] RegStatus  = 12'h00c;
  localparam logic [11:0] RegReqLow  = 12'h010;
  localparam logic [11:0] RegReqHigh = 12'h014;
  localparam logic [11:0] RegReqLast = 12'h018;
  localparam logic [11:0] RegRspLow  = 12'h01c;
  localparam logic [11:0] RegRspHigh = 12'h020;

  localparam logic [1:0] RespOkay  = 2'b00;
  localparam logic [1:0] RespError = 2'b10;  // SLVERR

  // ---- Zeroisation ----

  logic zeroize_q, ask_zeroize;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) zeroize_q <= 1'b0;
    else zeroize_q <= zeroize_i || ask_zeroize;
  end

  assign core_zeroize_o = zeroize_q;

  // ---- Words that wait ----

  localparam int unsigned CountWidth = $clog2(Depth + 1);

  logic req_push, req_ready, req_valid, rsp_valid, rsp_pop, rsp_last;
  logic [63:0] req_data, rsp_data;
  logic req_last;
  logic [CountWidth-1:0] req_count, rsp_count;

  latkem_fifo #(
    .Width(65),
    .Depth(Depth)
  ) u_request (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_q),
    .valid_i(req_push),
    .ready_o(req_ready),
    .data_i({req_last, req_data}),
    .valid_o(req_valid),
    .ready_i(m_axis_tready),
    .data_o({m_axis_tlast, m_axis_tdata}),
    .count_o(req_count)
  );

  latkem_fifo #(
    .Width(65),
    .Depth(Depth)
  ) u_response (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_q),
    .valid_i(s_axis_tvalid),
    .ready_o(s_axis_tready),
    .data_i({s_axis_tlast, s_axis_tdata}),
    .valid_o(rsp_valid),
    .ready_i(rsp_pop),
    .data_o({rsp_last, rsp_data}),
    .count_o(rsp_count)
  );

  assign m_axis_tvalid = req_valid;

  // ---- Writes ----

  logic aw_valid_q, w_valid_q, w_whole_q, b_valid_q, b_okay_q;
  logic [11:0] aw_addr_q;
  logic [31:0] w_data_q;
  logic write, write_okay;

  assign s_axil_awready = !aw_valid_q;
  assign s_axil_wready = !w_valid_q;
  assign s_axil_bvalid = b_valid_q;
  assign s_axil_bresp = b_okay_q ? RespOkay : RespError;

  assign write = aw_valid_q && w_valid_q && !b_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_valid_q <= 1'b0;
      aw_addr_q <= '0;
      w_valid_q <= 1'b0;
      w_whole_q <= 1'b0;
      w_data_q <= '0;
      b_valid_q <= 1'b0;
      b_okay_q <= 1'b0;
    end else begin
      if (s_axil_awready) begin
        aw_valid_q <= s_axil_awvalid;
        aw_addr_q <= s_axil_awaddr;
      end else if (write) begin
        aw_valid_q <= 1'b0;
      end
      if (s_axil_wready) begin
        w_valid_q <= s_axil_wvalid;
        w_whole_q <= s_axil_wstrb == 4'b1111;
        w_data_q <= s_axil_wdata & {32{s_axil_wvalid}};
      end else if (write) begin
        w_valid_q <= 1'b0;
      end
      // A write that waits is forgotten with all else: it is answered with an error.
      if (zeroize_q) begin
        w_whole_q <= 1'b0;
        w_data_q <= '0;
      end
      if (write) begin
        b_valid_q <= 1'b1;
        b_okay_q <= write_okay;
      end else if (s_axil_bready) begin
        b_valid_q <= 1'b0;
      end
    end
  end

  logic [1:0] enable_q, pending_q, happens, acknowledged;  // bit 0 a response begins, 1 idle
  logic [31:0] low_q;
  logic low_valid_q, put_low, put_control;

  always_comb begin
    put_control = 1'b0;
    put_low = 1'b0;
    req_push = 1'b0;
    req_last = 1'b0;
    acknowledged = 2'b00;
    write_okay = write && w_whole_q && !zeroize_q;
    unique case (aw_addr_q)
      RegControl: put_control = write_okay;
      RegStatus:  acknowledged = w_data_q[25:24] & {2{write_okay}};
      RegReqLow:  put_low = write_okay;
      RegReqHigh, RegReqLast: begin
        write_okay = write_okay && req_ready;
        req_push = write_okay;
        req_last = aw_addr_q == RegReqLast;
      end
      default:    write_okay = 1'b0;
    endcase
  end

  assign req_data = {w_data_q, low_q};
  assign ask_zeroize = put_control && w_data_q[31];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q <= 2'b00;
      low_q <= '0;
      low_valid_q <= 1'b0;
    end else begin
      if (put_control) enable_q <= w_data_q[1:0];
      if (req_push || zeroize_q) begin
        low_q <= '0;
        low_valid_q <= 1'b0;
      end else if (put_low) begin
        low_q <= w_data_q;
        low_valid_q <= 1'b1;
      end
    end
  end

  // ---- Interrupts ----

  logic holds, holds_q, first_q, busy_q, irq_q;

  // A secret may be in the core, or in one of these registers.
  assign holds = core_busy_i || low_valid_q || req_valid || rsp_valid || zeroize_q;
  assign happens = {holds_q && !holds, s_axis_tvalid && s_axis_tready && first_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      holds_q <= 1'b1;
      first_q <= 1'b1;
      pending_q <= 2'b00;
      irq_q <= 1'b0;
    end else begin
      holds_q <= holds;
      if (zeroize_q) first_q <= 1'b1;
      else if (s_axis_tvalid && s_axis_tready) first_q <= s_axis_tlast;
      pending_q <= ((pending_q & ~acknowledged) | happens) & {1'b1, !zeroize_q};
      irq_q <= |(pending_q & enable_q);
    end
  end

  assign irq_o = irq_q;

  // ---- Reads ----

  logic r_valid_q, r_okay_q, read, read_okay;
  logic [31:0] r_data_q, read_data;

  assign s_axil_arready = !r_valid_q;
  assign s_axil_rvalid = r_valid_q;
  assign s_axil_rdata = r_data_q;
  assign s_axil_rresp = r_okay_q ? RespOkay : RespError;

  assign read = s_axil_arvalid && s_axil_arready;

  always_comb begin
    read_data = '0;
    read_okay = 1'b1;
    rsp_pop = 1'b0;
    unique case (s_axil_araddr)
      RegId:      read_data = Id;
      RegVersion: read_data = {Version, 16'(Depth)};
      RegControl: read_data = {30'd0, enable_q};
      RegStatus: begin
        read_data[25:24] = pending_q;
        read_data[23:16] = 8'(rsp_count);
        read_data[15:8] = 8'(Depth) - 8'(req_count);
        read_data[1:0] = {rsp_last, holds};
      end
      RegRspLow: begin
        read_okay = rsp_valid && !zeroize_q;
        read_data = rsp_data[31:0] & {32{read_okay}};
      end
      RegRspHigh: begin
        read_okay = rsp_valid && !zeroize_q;
        read_data = rsp_data[63:32] & {32{read_okay}};
        rsp_pop = read && read_okay;
      end
      default:    read_okay = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r_valid_q <= 1'b0;
      r_okay_q <= 1'b0;
      r_data_q <= '0;
    end else begin
      if (read) begin
        r_valid_q <= 1'b1;
        r_okay_q <= read_okay;
        r_data_q <= read_data;
      end else if (s_axil_rready) begin
        r_valid_q <= 1'b0;
        r_data_q <= '0;
      end else if (zeroize_q) begin
        r_data_q <= '0;
      end
    end
  end

  // High from the edge on that takes a word of the bus; a cycle later low than the core.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b1;
    else busy_q <= holds || w_valid_q || s_axil_wvalid || r_valid_q || read || zeroize_i;
  end

  assign busy_o = busy_q;

`ifndef SYNTHESIS
  // The streams' rules are asserted in latkem_fifo. A zeroisation empties what is offered to read.
  latkem_holds u_aw_holds (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .offered_i(s_axil_awready),
    .taken_i(s_axil_awvalid),
    .what_i(1'b0)
  );

  latkem_holds u_w_holds (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .offered_i(s_axil_wready),
    .taken_i(s_axil_wvalid),
    .what_i(1'b0)
  );

  latkem_holds #(
    .Width(2)
  ) u_b_holds (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .offered_i(s_axil_bvalid),
    .taken_i(s_axil_bready),
    .what_i(s_axil_bresp)
  );

  latkem_holds u_ar_holds (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .offered_i(s_axil_arready),
    .taken_i(s_axil_arvalid),
    .what_i(1'b0)
  );

  latkem_holds #(
    .Width(34)
  ) u_r_holds (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_q),
    .offered_i(s_axil_rvalid),
    .taken_i(s_axil_rready),
    .what_i({s_axil_rresp, s_axil_rdata})
  );

  latkem_at_most_one #(
    .Width(4)
  ) u_one_effect (
    .clk_i,
    .rst_ni,
    .selects_i({put_control, put_low, req_push, |acknowledged})
  );
`endif

endmodule

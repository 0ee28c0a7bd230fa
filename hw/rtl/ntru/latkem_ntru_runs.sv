// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// One side of a merge: a queue of ascending runs, its first word in a register. A run that is over shows
// nothing until the next one begins; until then its first words are read again and again, because they may
// not have come yet. The addresses of reads depend on secrets; the addresses and times of writes do not.

module latkem_ntru_runs #(
  parameter int unsigned Slots = 339,
  parameter bit Direct = 1'b0,         // in look-up tables, without a register behind the memory
  localparam int unsigned AddrWidth = $clog2(Slots)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  input  logic                 restart_i,   // the sort is over
  input  logic [AddrWidth-1:0] slot_i,      // with clear_i or restart_i: that which is written next
  input  logic                 write_i,
  input  logic [32:0]          data_i,      // whether a word is the last of its run, and the word
  input  logic                 step_i,      // one of both sides is taken
  input  logic                 take_i,      // this one, unless its run is over
  input  logic                 next_i,      // in a step: both runs end with it
  output logic [31:0]          word_o,
  output logic                 end_o,       // the last one of its run
  output logic                 over_o       // no word of the run is left
);

  localparam logic [AddrWidth-1:0] LastSlot = AddrWidth'(Slots - 1);
  typedef logic [AddrWidth-1:0] addr_t;

  function automatic addr_t after(addr_t slot);
    return slot == LastSlot ? '0 : slot + 1'b1;
  endfunction

  logic [32:0] head_q, next;
  logic over_q, waits, advance;
  addr_t write_q;

  assign {end_o, word_o} = head_q;
  assign over_o = over_q;
  assign waits = over_q || end_o;  // what comes behind the head is of another run
  assign advance = next_i || (step_i && take_i && !waits);

  always_ff @(posedge clk_i) begin
    if (clear_i) head_q <= '0;
    else if (step_i && (take_i || over_q)) head_q <= next;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      over_q <= 1'b1;
      write_q <= '0;
    end else if (clear_i || restart_i) begin
      over_q <= 1'b1;
      write_q <= slot_i;
    end else begin
      if (next_i) over_q <= 1'b0;
      else if (step_i && take_i && end_o) over_q <= 1'b1;
      if (write_i) write_q <= after(write_q);
    end
  end

  if (Direct) begin : g_direct
    addr_t read_q;  // the slot behind the head's, or that of the run to come

    latkem_lutram #(
      .Width(33),
      .Depth(1 << AddrWidth),
      .Direct(1'b1)
    ) u_mem (
      .clk_i,
      .we_i(write_i),
      .waddr_i(write_q),
      .wdata_i(data_i),
      .raddr_i(read_q),
      .rdata_o(next)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) read_q <= '0;
      else if (clear_i || restart_i) read_q <= '0;
      else if (advance) read_q <= after(read_q);
    end
  end else begin : g_block
    addr_t read_q, second_q;  // as above; and the slot behind it
    logic [32:0] rdata, next_q;
    logic fresh_q;            // rdata is what next_q does not have yet

    latkem_ram #(
      .Width(33),
      .Depth(1 << AddrWidth)
    ) u_mem (
      .clk_i,
      .we_i(write_i),
      .waddr_i(write_q),
      .wdata_i(data_i),
      .raddr_i(waits && !next_i ? read_q : second_q),
      .rdata_o(rdata)
    );

    assign next = fresh_q ? rdata : next_q;

    always_ff @(posedge clk_i) begin
      fresh_q <= waits || (step_i && take_i);
      next_q <= clear_i ? '0 : next;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q <= '0;
        second_q <= addr_t'(1);
      end else if (clear_i || restart_i) begin
        read_q <= '0;
        second_q <= addr_t'(1);
      end else if (advance) begin
        read_q <= second_q;
        second_q <= after(second_q);
      end
    end
  end

endmodule

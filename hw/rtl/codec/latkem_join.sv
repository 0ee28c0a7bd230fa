// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Joins groups of bytes to words of 64 bits. They are put behind the bytes that wait in a buffer;
// whenever eight are there, a word leaves.

module latkem_join #(
  parameter int unsigned GroupBytes = 12,   // of the longest group
  parameter int unsigned BufferBytes = 18   // that and what may wait before it
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        group_valid_i,  // fewer than eight bytes wait, but those that leave now
  input  logic [3:0]  bytes_i,
  input  logic        group_last_i,   // words end with it
  input  logic [8*GroupBytes-1:0] group_i,  // zero where none is valid, and behind its bytes
  output logic        word_valid_o,
  output logic        word_next_o,    // word_valid_o in the next cycle
  output logic [63:0] word_o,
  output logic        word_last_o,
  output logic        empty_o
);

  // A group that arrives finds fewer than eight bytes, for a word that is complete leaves in the
  // same cycle. Bytes of the buffer that are not filled are zero.
  localparam int unsigned BufferBits = 8 * BufferBytes;
  logic [BufferBits-1:0] buffer_q, buffer_d;
  logic [8*GroupBytes+23:0] shifted;  // by 0 to 3 bytes
  logic [4:0] fill_q, fill_d;
  logic last_q, last_d;
  logic emit_q;  // the buffer holds a word

  assign shifted = {24'd0, group_i} << {fill_q[1:0], 3'b000};

  always_comb begin
    buffer_d = {64'd0, buffer_q[BufferBits-1:64]};
    if (!emit_q) buffer_d[63:0] = buffer_q[63:0];
    buffer_d |= BufferBits'(fill_q[2] ? {shifted, 32'd0} : {32'd0, shifted});
    fill_d = {emit_q ? fill_q[4:3] - 2'd1 : fill_q[4:3], fill_q[2:0]};
    last_d = last_q && !word_last_o;
    if (group_valid_i) begin
      fill_d = fill_d + {1'b0, bytes_i};
      if (group_last_i) last_d = 1'b1;
    end
    if (clear_i) begin
      fill_d = 5'd0;
      last_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) buffer_q <= '0;
    else buffer_q <= buffer_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q <= 5'd0;
      emit_q <= 1'b0;
      last_q <= 1'b0;
    end else begin
      fill_q <= fill_d;
      emit_q <= word_next_o;
      last_q <= last_d;
    end
  end

  assign word_valid_o = emit_q;
  assign word_next_o = fill_d >= 5'd8;
  assign word_o = buffer_q[63:0];
  assign word_last_o = emit_q && last_q && fill_q == 5'd8;
  assign empty_o = fill_q == 5'd0;

`ifndef SYNTHESIS
  // Room for a group that comes.
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!group_valid_i || fill_q < (emit_q ? 5'd16 : 5'd8));
  end
`endif

endmodule

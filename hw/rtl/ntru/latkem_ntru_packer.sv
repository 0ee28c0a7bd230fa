// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// pack_S3 (NTRU round 3): a byte of each group of trits, eight bytes a word. A polynomial follows
// the one before, or begins at a byte of its own; then the part of its first word that comes before it
// is another's; its end joins it later.

module latkem_ntru_packer
  import latkem_hash_pkg::*;
  import latkem_ntru_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  // before a polynomial, unless it follows the one before
  input  logic        begin_i,
  input  word_addr_t  addr_i,
  input  logic [2:0]  byte_i,
  // its groups
  input  logic        group_valid_i,
  input  trit_group_t group_i,
  input  logic        group_flush_i,  // after this one the word is sent as it is
  // words; one may wait
  output logic        word_valid_o,
  input  logic        word_ready_i,
  output word_addr_t  word_addr_o,
  output logic [63:0] word_o,
  output logic [63:0] seam_o,         // bytes that have not been sent
  output logic        idle_o
);

  logic [63:0] word_q, seam_q, sent_q;
  logic [2:0] fill_q, fill_d;          // bytes that the word has
  word_addr_t addr_q, sent_addr_q;
  logic valid_q, valid_d, flush_q, flush_d;
  logic first_q, first_d;              // the word holds bytes of another polynomial's end,
  logic inside_q;                      // as the first one of this polynomial did
  logic [7:0] byte_d, byte_q;
  logic byte_valid_q, byte_flush_q;
  logic full, send, kept;

  // 3^i t, a sum of few shifts.
  function automatic logic [7:0] weighted(trit_t trit, int unsigned i);
    logic [7:0] t;
    t = 8'(trit);
    unique case (i)
      0:       return t;
      1:       return t + (t << 1);
      2:       return t + (t << 3);
      3:       return (t << 5) - t - (t << 2);
      default: return t + (t << 4) + (t << 6);
    endcase
  endfunction

  always_comb begin
    byte_d = weighted(group_i[0], 0);
    for (int unsigned i = 1; i < GroupSize; i++) byte_d = byte_d + weighted(group_i[i], i);
  end

  assign full = byte_valid_q && fill_q == 3'd7;
  assign send = full || flush_q;
  assign kept = first_q && full;       // the first word waits for its beginning

  logic [63:0] next_word;
  always_comb begin
    next_word = word_q;
    if (byte_valid_q) next_word[8*fill_q+:8] = byte_q;
  end

  always_comb begin
    fill_d = fill_q;
    first_d = first_q;
    flush_d = byte_valid_q && byte_flush_q && !full;
    if (byte_valid_q) fill_d = fill_q + 3'd1;
    if (send) begin
      fill_d = 3'd0;
      first_d = 1'b0;
    end
    if (begin_i) begin
      fill_d = byte_i;
      first_d = byte_i != 3'd0;
    end
    valid_d = (valid_q && !word_ready_i) || (send && !kept);
    if (clear_i) begin
      fill_d = 3'd0;
      first_d = 1'b0;
      flush_d = 1'b0;
      valid_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q <= 3'd0;
      first_q <= 1'b0;
      flush_q <= 1'b0;
      valid_q <= 1'b0;
      byte_valid_q <= 1'b0;
      byte_flush_q <= 1'b0;
      addr_q <= '0;
      inside_q <= 1'b0;
    end else begin
      fill_q <= fill_d;
      first_q <= first_d;
      flush_q <= flush_d;
      valid_q <= valid_d;
      byte_valid_q <= group_valid_i && !clear_i;
      byte_flush_q <= group_flush_i;
      if (begin_i) inside_q <= byte_i != 3'd0;
      if (begin_i) addr_q <= addr_i;
      else if (send) addr_q <= addr_q + WordAddrWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      byte_q <= '0;
      word_q <= '0;
      seam_q <= '0;
      sent_q <= '0;
    end else begin
      byte_q <= byte_d;
      word_q <= (send || begin_i) ? '0 : next_word;
      if (kept) seam_q <= next_word;
      else if (flush_q && !inside_q) seam_q <= '0;
      if (send) begin
        sent_q <= flush_q ? word_q | (seam_q & {64{!inside_q}}) : next_word;
        sent_addr_q <= addr_q;
      end else if (word_ready_i) begin
        sent_q <= '0;
      end
    end
  end

  assign word_valid_o = valid_q;
  assign word_addr_o = sent_addr_q;
  assign word_o = sent_q;
  assign seam_o = word_q;
  assign idle_o = !valid_q && !byte_valid_q && !flush_q;

endmodule

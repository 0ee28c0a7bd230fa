// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// pack_Sq and pack_Rq0 (NTRU round 3): joins groups of coefficients, or words, to words. An object may
// begin inside a word that has been begun.

module latkem_ntru_joiner
  import latkem_hash_pkg::*;
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t Set = ntru_set(2'd3),
  localparam int unsigned GroupBits = GroupSize * 32'(Set.log_q)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        begin_i,        // an object begins here,
  input  word_addr_t  addr_i,
  input  logic [5:0]  fill_i,         // behind so many bits
  input  logic [63:0] begun_i,
  // its groups, not in two cycles that follow each other; a word has 64 bits and may
  input  logic        coeffs_valid_i,
  input  logic        coeffs_last_i,  // the bits that the object has left
  input  logic [GroupBits-1:0] coeffs_i,
  input  logic        word_valid_i,
  input  logic [63:0] word_i,
  input  logic        flush_i,        // what is there is the last word
  output logic        word_valid_o,
  output word_addr_t  word_addr_o,
  output logic [63:0] word_o
);

  localparam int unsigned Groups = all_groups(Set);
  localparam int unsigned LastBits = 8 * coeff_bytes(Set) - GroupBits * (Groups - 1);
  // Those of the last group that are not padding.
  localparam int unsigned LastUsed = 32'(Set.log_q) * ((32'(Set.n) - 1) % GroupSize);

  logic [127:0] bits_q, bits_d, shifted;
  logic [7:0] fill_q, fill_d, kept;
  logic flush_q, send;
  logic [6:0] count;
  logic [64:0] group;
  word_addr_t addr_q;

  assign send = fill_q >= 8'd64 || (flush_q && fill_q != 8'd0);
  // 64 bits less, or none. A group goes behind the lower six bits of fill_q either way: while the last
  // word is sent no group comes.
  always_comb begin
    kept = fill_q;
    if (fill_q >= 8'd64) kept = {1'b0, fill_q[7], fill_q[5:0]};
    else if (flush_q) kept = 8'd0;
  end

  always_comb begin
    group = word_valid_i ? {1'b0, word_i} : 65'(coeffs_i);
    count = word_valid_i ? 7'd64 : (coeffs_last_i ? 7'(LastBits) : 7'(GroupBits));
    if (!word_valid_i && coeffs_last_i) group &= ~({65{1'b1}} << LastUsed);
    shifted = 128'(group) << fill_q[5:0];
    bits_d = send ? {64'd0, bits_q[127:64]} : bits_q;
    fill_d = kept;
    if (coeffs_valid_i || word_valid_i) begin
      bits_d = bits_d | shifted;
      fill_d = kept + {1'b0, count};
    end
    if (begin_i) begin
      bits_d = {64'd0, begun_i};
      fill_d = {2'd0, fill_i};
    end
    if (clear_i) fill_d = 8'd0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q <= 8'd0;
      flush_q <= 1'b0;
      addr_q <= '0;
    end else begin
      fill_q <= fill_d;
      flush_q <= !clear_i && (flush_i || (flush_q && fill_d != 8'd0));
      if (begin_i) addr_q <= addr_i;
      else if (send) addr_q <= addr_q + WordAddrWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) bits_q <= '0;
    else bits_q <= bits_d;
  end

  assign word_valid_o = send;
  assign word_addr_o = addr_q;
  assign word_o = bits_q[63:0];

`ifndef SYNTHESIS
  // A group finds less than a word.
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(coeffs_valid_i || word_valid_i) || kept == {2'd0, fill_q[5:0]});
  end
`endif

endmodule

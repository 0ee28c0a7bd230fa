// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The memory of words: 512 of 64 bits, kept twice, so that a hash and a response (or a comparison)
// read at once. Its one write port serves, in this order, the encoder and the digests, which never
// come together and never wait, the selection of the key, the wiping, and the request.
//
// Comparisons: words of the encoder with ct, and H(ek) with that of dk. Nothing but the data of the
// selection depends on the former's outcome. The selection takes four words, of the key that was made if
// they agree, else of its replacement in implicit rejection.

module latkem_words
  import latkem_hash_pkg::*;
#(
  parameter word_addr_t Message = 9'd448,  // m; the encoder has a copy
  parameter word_addr_t Key = 9'd456       // what the selection takes where ciphertexts agree
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  // encoder
  input  logic         code_valid_i,
  input  logic         code_compare_i,
  input  logic         code_first_i,    // key generation: s, not t
  input  word_addr_t   code_addr_i,
  input  logic [63:0]  code_data_i,
  // digests
  input  logic         digest_valid_i,
  input  word_addr_t   digest_addr_i,
  input  logic [63:0]  digest_data_i,
  input  logic         digest_check_i,  // compared with the word at digest_addr_i, not stored
  // request
  input  logic         store_valid_i,
  output logic         store_ready_o,
  input  word_addr_t   store_addr_i,
  input  logic [63:0]  store_data_i,
  input  logic         store_follows_i,
  // wiping
  input  logic         wipe_valid_i,
  output logic         wipe_ready_o,
  input  word_addr_t   wipe_addr_i,
  // selection of the key; hash and response wait meanwhile
  input  logic         select_i,
  input  word_addr_t   select_reject_i,  // what it takes where they do not
  input  word_addr_t   select_to_i,
  // reading: one cycle
  input  word_addr_t   hash_raddr_i,
  output logic [63:0]  hash_rdata_o,
  input  word_addr_t   reply_raddr_i,
  output logic [63:0]  reply_rdata_o,
  input  logic [4:0]   message_index_i,
  output logic [7:0]   message_byte_o,
  // what is written, wiping aside
  output logic         written_o,
  output word_addr_t   written_addr_o,
  output word_addr_t   first_avail_o,   // s is there up to this address
  output logic [WordAddrWidth:0] avail_o,  // what a hash may follow is there up to this address
  // since clear_i
  output logic         checked_o,       // pulse: the last word of H(ek) has been compared
  output logic         bad_dk_o
);

  // ---- Selection ----

  logic selecting_q, selecting_d;      // a pair of words is being read
  logic [1:0] index_q, index_d;
  logic select_write_q;                // a pair of words has been read
  logic [1:0] write_index_q;
  logic differs_q, differs_d;
  word_addr_t select_write, select_reject;

  assign select_reject = select_reject_i + WordAddrWidth'(index_q);
  assign select_write = select_to_i + WordAddrWidth'(write_index_q);

  always_comb begin
    selecting_d = selecting_q;
    index_d = index_q;
    if (selecting_q) begin
      index_d = index_q + 2'd1;
      selecting_d = index_q != 2'd3;
    end
    if (select_i) selecting_d = 1'b1;
    if (clear_i) begin
      selecting_d = 1'b0;
      index_d = 2'd0;
    end
  end

  // ---- Comparison ----

  logic compare_valid, compare_valid_q, compare_code_q, compare_last_q;
  word_addr_t compare_addr;
  logic [63:0] compare_data_q;
  logic compare_valid_q2, compare_code_q2, compare_last_q2;
  logic [15:0] differences_q;  // a bit for four
  logic mismatch, bad_dk_q, bad_dk_d;

  // The encoder's word goes first, whatever is done with it.
  assign compare_valid = code_valid_i ? code_compare_i : digest_valid_i && digest_check_i;
  assign compare_addr = code_valid_i ? code_addr_i : digest_addr_i;
  assign mismatch = differences_q != '0;

  always_comb begin
    differs_d = differs_q | (compare_valid_q2 & compare_code_q2 & mismatch);
    bad_dk_d = bad_dk_q | (compare_valid_q2 & ~compare_code_q2 & mismatch);
    if (clear_i) begin
      differs_d = 1'b0;
      bad_dk_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    compare_data_q <= code_valid_i ? code_data_i : digest_data_i;
    for (int i = 0; i < 16; i++) begin
      differences_q[i] <= compare_data_q[4*i+:4] != reply_rdata_o[4*i+:4];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      selecting_q <= 1'b0;
      index_q <= 2'd0;
      select_write_q <= 1'b0;
      write_index_q <= 2'd0;
      compare_valid_q <= 1'b0;
      compare_code_q <= 1'b0;
      compare_last_q <= 1'b0;
      compare_valid_q2 <= 1'b0;
      compare_code_q2 <= 1'b0;
      compare_last_q2 <= 1'b0;
      differs_q <= 1'b0;
      bad_dk_q <= 1'b0;
      checked_o <= 1'b0;
    end else begin
      selecting_q <= selecting_d;
      index_q <= index_d;
      select_write_q <= selecting_q;
      write_index_q <= index_q;
      compare_valid_q <= compare_valid;
      compare_code_q <= code_valid_i;
      compare_last_q <= !code_valid_i && digest_addr_i[1:0] == 2'd3;
      differs_q <= differs_d;
      bad_dk_q <= bad_dk_d;
      compare_valid_q2 <= compare_valid_q;
      compare_code_q2 <= compare_code_q;
      compare_last_q2 <= compare_last_q;
      checked_o <= compare_valid_q2 && compare_last_q2;
    end
  end

  assign bad_dk_o = bad_dk_q;

  // ---- The write port ----

  logic we;
  word_addr_t meant, waddr;  // an address wiping aside, and at last
  logic [63:0] wdata;

  assign wipe_ready_o = !code_valid_i && !digest_valid_i && !select_write_q;
  assign store_ready_o = wipe_ready_o && !wipe_valid_i;

  always_comb begin
    written_o = store_valid_i && !wipe_valid_i;
    meant = store_addr_i;
    wdata = store_data_i;
    if (code_valid_i) begin
      written_o = !code_compare_i;
      meant = code_addr_i;
      wdata = code_data_i;
    end else if (digest_valid_i) begin
      written_o = !digest_check_i;
      meant = digest_addr_i;
      wdata = digest_data_i;
    end else if (select_write_q) begin
      written_o = 1'b1;
      meant = select_write;
      wdata = differs_q ? hash_rdata_o : reply_rdata_o;
    end
    we = written_o;
    waddr = meant;
    if (wipe_valid_i && wipe_ready_o) begin
      we = 1'b1;
      waddr = wipe_addr_i;
      wdata = '0;
    end
  end

  assign written_addr_o = meant;

  word_addr_t first_avail_q, first_avail_d;
  logic [WordAddrWidth:0] avail_q, avail_d, after;

  assign after = {1'b0, code_valid_i ? code_addr_i : store_addr_i} + 10'd1;

  always_comb begin
    first_avail_d = first_avail_q;
    avail_d = avail_q;
    if (code_valid_i && !code_compare_i) begin
      if (code_first_i) first_avail_d = after[WordAddrWidth-1:0];
      else avail_d = after;
    end else if (store_valid_i && store_ready_o && store_follows_i) begin
      avail_d = after;
    end
    if (clear_i) begin
      first_avail_d = '0;
      avail_d = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_avail_q <= '0;
      avail_q <= '0;
    end else begin
      first_avail_q <= first_avail_d;
      avail_q <= avail_d;
    end
  end

  assign first_avail_o = first_avail_q;
  assign avail_o = avail_q;

  // ---- Memories ----

  word_addr_t hash_raddr, reply_raddr;

  assign hash_raddr = selecting_q ? select_reject : hash_raddr_i;

  always_comb begin
    reply_raddr = reply_raddr_i;
    if (compare_valid) reply_raddr = compare_addr;
    else if (selecting_q) reply_raddr = Key + WordAddrWidth'(index_q);
  end

  latkem_ram #(
    .Width(64),
    .Depth(512)
  ) u_hash_words (
    .clk_i,
    .we_i(we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i(hash_raddr),
    .rdata_o(hash_rdata_o)
  );

  latkem_ram #(
    .Width(64),
    .Depth(512)
  ) u_reply_words (
    .clk_i,
    .we_i(we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i(reply_raddr),
    .rdata_o(reply_rdata_o)
  );

  // A copy of m for the encoder, written a cycle later.
  logic message_write_q;
  logic [1:0] message_addr_q;
  logic [63:0] message_data_q, message_word;
  logic [2:0] message_byte_q;

  always_ff @(posedge clk_i) begin
    message_write_q <= we && waddr[WordAddrWidth-1:2] == Message[WordAddrWidth-1:2];
    message_addr_q <= waddr[1:0];
    message_data_q <= wdata;
  end

  latkem_ram #(
    .Width(64),
    .Depth(4)
  ) u_message (
    .clk_i,
    .we_i(message_write_q),
    .waddr_i(message_addr_q),
    .wdata_i(message_data_q),
    .raddr_i(message_index_i[4:3]),
    .rdata_o(message_word)
  );

  always_ff @(posedge clk_i) begin
    message_byte_q <= message_index_i[2:0];
  end

  assign message_byte_o = message_word[8*message_byte_q+:8];

`ifndef SYNTHESIS
  latkem_at_most_one #(
    .Width(5)
  ) u_one_write (
    .clk_i,
    .rst_ni,
    .selects_i({code_valid_i, digest_valid_i, select_write_q, wipe_valid_i && wipe_ready_o,
                 store_valid_i && store_ready_o})
  );
`endif

endmodule

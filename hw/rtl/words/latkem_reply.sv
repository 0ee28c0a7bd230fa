// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Sends the objects of a response from the memory of words, each word as soon as it is there,
// through a register that is zero when it holds none.
//
//   keygen  s, t or b, the seed of A, H(ek) || z
//   encaps  ct, ss
//   decaps  ss

module latkem_reply
  import latkem_hash_pkg::*;
#(
  parameter int unsigned CountBits = 8  // of a number of words
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         start_i,
  input  logic         keygen_i,
  input  logic         encaps_i,
  // where things are, and how many words
  input  word_addr_t   first_addr_i,    // keygen: s. encaps: ct
  input  logic [CountBits-1:0] first_words_i,
  input  logic [CountBits-1:0] vector_words_i,  // keygen: t or b, from address 0 on
  input  word_addr_t   seed_addr_i,
  input  word_addr_t   hash_ek_addr_i,
  input  word_addr_t   shared_addr_i,   // ss
  // which are there: of four words or eight the first one; the others follow in the next cycles
  input  logic         seed_i,
  input  logic         hash_ek_i,
  input  logic         shared_i,
  input  word_addr_t   first_avail_i,  // keygen: s is there up to this address
  input  logic [WordAddrWidth:0] avail_i,  // t, b or ct is there up to this address
  // memory of words: what is read appears one cycle later
  output word_addr_t   raddr_o,
  input  logic [63:0]  rdata_i,
  output logic         reply_valid_o,
  input  logic         reply_ready_i,
  output logic [63:0]  reply_o,
  output word_addr_t   sent_o          // keygen: words of s below this address have been sent
);

  typedef enum logic [2:0] {
    StIdle,
    StFirst,  // keygen: s
    StMain,   // keygen: t or b. encaps: ct
    StSeed,   // keygen
    StLast    // keygen: H(ek) || z. Else ss
  } state_e;

  state_e state_q, state_d;
  word_addr_t addr_q, addr_d;
  logic [CountBits-1:0] left_q, left_d;
  logic valid_q, valid_d;    // the word at addr_q has been read
  logic full_q, take;        // the register holds a word; it takes what there is
  logic [63:0] word_q;
  logic beat;

  assign take = !full_q || reply_ready_i;
  assign beat = valid_q && take;

  always_comb begin
    state_d = state_q;
    addr_d = addr_q;
    left_d = left_q;
    if (beat) begin
      addr_d = addr_q + 9'd1;
      left_d = left_q - CountBits'(1);
      if (left_q == CountBits'(0)) begin
        unique case (state_q)
          StFirst: begin
            state_d = StMain;
            addr_d = 9'd0;
            left_d = vector_words_i - CountBits'(1);
          end
          StMain: begin
            state_d = keygen_i ? StSeed : StLast;
            addr_d = keygen_i ? seed_addr_i : shared_addr_i;
            left_d = CountBits'(3);
          end
          StSeed: begin
            state_d = StLast;
            addr_d = hash_ek_addr_i;
            left_d = CountBits'(7);
          end
          default: state_d = StIdle;
        endcase
      end
    end
    if (start_i) begin
      state_d = StLast;
      addr_d = shared_addr_i;
      left_d = CountBits'(3);
      if (keygen_i || encaps_i) begin
        state_d = keygen_i ? StFirst : StMain;
        addr_d = first_addr_i;
        left_d = first_words_i - CountBits'(1);
      end
    end
    if (clear_i) state_d = StIdle;
  end

  // Whether the word that is being read is there: compared for both that it may be, since which it
  // is is known late.
  logic first_here, first_next, here, next, moves, jumps;

  assign first_here = addr_q < first_avail_i;
  assign first_next = addr_q + 9'd1 < first_avail_i;
  assign here = {1'b0, addr_q} < avail_i;
  assign next = {1'b0, addr_q} + 10'd1 < avail_i;
  assign moves = beat && left_q != CountBits'(0);
  // To the vector's first word, or to where nothing is compared.
  assign jumps = beat && left_q == CountBits'(0);

  always_comb begin
    unique case (state_d)
      StFirst: valid_d = moves ? first_next : first_here;
      StMain:  valid_d = jumps ? avail_i != '0 : (moves ? next : here);
      StSeed:  valid_d = seed_i;
      StLast:  valid_d = keygen_i ? hash_ek_i : shared_i;
      default: valid_d = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      addr_q <= 9'd0;
      left_q <= CountBits'(0);
      valid_q <= 1'b0;
      full_q <= 1'b0;
    end else begin
      state_q <= state_d;
      addr_q <= addr_d;
      left_q <= left_d;
      valid_q <= valid_d;
      if (clear_i) full_q <= 1'b0;
      else if (take) full_q <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || (take && !valid_q)) word_q <= '0;
    else if (take) word_q <= rdata_i;
  end

  assign raddr_o = addr_d;
  assign reply_valid_o = full_q;
  assign reply_o = word_q;
  assign sent_o = (state_q == StFirst) ? addr_q : first_addr_i + WordAddrWidth'(first_words_i);

`ifndef SYNTHESIS
  latkem_holds #(
    .Width(64)
  ) u_reply_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(reply_valid_o),
    .taken_i(reply_ready_i),
    .what_i(reply_o)
  );
`endif

endmodule

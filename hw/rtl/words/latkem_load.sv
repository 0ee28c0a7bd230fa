// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The targets of a request's words: the memory of words, the decoder, or both.
//
//   keygen  seeds, z                      all to memory
//   encaps  t || seed, m                  t to both
//   decaps  s, t || seed, H(ek), z, ct    s to the decoder alone, t and ct to both
//
// t is b in Saber; the seed is that of A.

module latkem_load
  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_words_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        start_i,
  input  logic        keygen_i,
  input  logic        encaps_i,
  input  logic        decaps_i,
  // how many words, and where they go
  input  logic [CountWidth-1:0] seeds_words_i,   // keygen, with z
  input  logic [CountWidth-1:0] secret_words_i,
  input  logic [CountWidth-1:0] vector_words_i,
  input  logic [CountWidth-1:0] ct_words_i,
  input  logic [2:0]  last_i,                    // polynomials of a vector, less one
  input  word_addr_t  seeds_addr_i,
  input  word_addr_t  message_addr_i,
  input  word_addr_t  z_addr_i,
  // request
  input  logic        word_valid_i,
  output logic        word_ready_o,
  // memory of words
  output logic        store_valid_o,
  input  logic        store_ready_i,
  output word_addr_t  store_addr_o,
  output logic        store_follows_o,  // what a hash may follow: the words from 0 on, in order
  // decoder
  output logic        decode_word_valid_o,
  input  logic        decode_word_ready_i,
  output logic        decode_job_valid_o,
  input  logic        decode_job_ready_i,
  output decode_part_e decode_part_o,  // which polynomial
  output logic [1:0]  decode_index_o
);

  typedef enum logic [2:0] {
    StIdle,
    StSecret,  // s of decaps
    StVector,  // t
    StTail,    // keygen: the seeds, then z. encaps: the seed. decaps: the seed, H(ek), z
    StMessage, // m
    StCt
  } state_e;

  // ---- Words ----

  state_e state_q, state_d;
  logic [CountWidth-1:0] left_q, left_d;  // words of this part after the present one
  word_addr_t addr_q, addr_d;
  logic decodes, stores, beat;

  localparam logic [CountWidth-1:0] One = 1;

  assign decodes = state_q == StSecret || state_q == StVector || state_q == StCt;
  assign stores = state_q != StSecret;

  // Both take the word in the same cycle.
  assign word_ready_o = state_q != StIdle && (!decodes || decode_word_ready_i)
      && (!stores || store_ready_i);
  assign beat = word_valid_i && word_ready_o;
  assign decode_word_valid_o = word_valid_i && decodes && (!stores || store_ready_i);
  assign store_valid_o = word_valid_i && state_q != StIdle && stores
      && (!decodes || decode_word_ready_i);
  assign store_addr_o = addr_q;
  assign store_follows_o = !keygen_i && state_q != StMessage;

  always_comb begin
    state_d = state_q;
    left_d = left_q;
    addr_d = addr_q;
    if (beat) begin
      left_d = left_q - One;
      if (stores) addr_d = addr_q + 9'd1;
      if (left_q == '0) begin
        unique case (state_q)
          StSecret: begin
            state_d = StVector;
            left_d = vector_words_i - One;
          end
          StVector: begin
            state_d = StTail;
            left_d = decaps_i ? CountWidth'(11) : CountWidth'(3);
          end
          StTail: begin
            if (decaps_i) begin
              state_d = StCt;
              left_d = ct_words_i - One;
            end else if (encaps_i) begin
              state_d = StMessage;
              left_d = CountWidth'(3);
              addr_d = message_addr_i;
            end else begin
              state_d = StIdle;
            end
          end
          default: state_d = StIdle;
        endcase
      end
      if (keygen_i && left_q == CountWidth'(4)) addr_d = z_addr_i;
    end
    if (start_i) begin
      addr_d = keygen_i ? seeds_addr_i : 9'd0;
      if (keygen_i) begin
        state_d = StTail;
        left_d = seeds_words_i - One;
      end else begin
        state_d = decaps_i ? StSecret : StVector;
        left_d = (decaps_i ? secret_words_i : vector_words_i) - One;
      end
    end
    if (clear_i) state_d = StIdle;
  end

  // ---- The decoder's jobs ----

  state_e job_q, job_d;
  logic [1:0] index_q, index_d;
  logic v_q, v_d;  // the last polynomial of ct

  always_comb begin
    unique case (job_q)
      StSecret: decode_part_o = PartSecret;
      StCt:     decode_part_o = v_q ? PartLast : PartCt;
      default:  decode_part_o = PartVector;
    endcase
  end

  assign decode_index_o = index_q;
  assign decode_job_valid_o = job_q != StIdle;

  always_comb begin
    job_d = job_q;
    index_d = index_q;
    v_d = v_q;
    if (decode_job_valid_o && decode_job_ready_i) begin
      index_d = index_q + 2'd1;
      if (v_q) begin
        job_d = StIdle;
        v_d = 1'b0;
      end else if ({1'b0, index_q} == last_i) begin
        index_d = 2'd0;
        unique case (job_q)
          StSecret: job_d = StVector;
          StVector: job_d = decaps_i ? StCt : StIdle;
          default:  v_d = 1'b1;
        endcase
      end
    end
    if (start_i) begin
      index_d = 2'd0;
      v_d = 1'b0;
      if (keygen_i) job_d = StIdle;
      else job_d = decaps_i ? StSecret : StVector;
    end
    if (clear_i) job_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      left_q <= '0;
      addr_q <= 9'd0;
      job_q <= StIdle;
      index_q <= 2'd0;
      v_q <= 1'b0;
    end else begin
      state_q <= state_d;
      left_q <= left_d;
      addr_q <= addr_d;
      job_q <= job_d;
      index_q <= index_d;
      v_q <= v_d;
    end
  end

`ifndef SYNTHESIS
  latkem_holds #(
    .Width($bits(decode_part_e) + 2)
  ) u_decode_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(decode_job_valid_o),
    .taken_i(decode_job_ready_i),
    .what_i({decode_part_o, decode_index_o})
  );

  // Words for both are taken together.
  always_ff @(posedge clk_i) begin
    if (rst_ni && decodes && stores) begin
      assert ((store_valid_o && store_ready_i) == (decode_word_valid_o && decode_word_ready_i));
    end
  end
`endif

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the words of a request go: to the memory of words, to the decoder, or to both.
//
//   keygen  d, z                       both to memory
//   encaps  t || rho, m                t to both
//   decaps  s, t || rho, H(ek), z, ct  s to the decoder alone, t and ct to both

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_mlkem_load
  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_mlkem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        start_i,
  input  mlkem_task_t task_i,
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
  output decode_job_t decode_job_o
);

  typedef enum logic [2:0] {
    StIdle,
    StSecret,  // s of decaps
    StVector,  // t
    StTail,    // keygen: d, then z. encaps: rho. decaps: rho, H(ek), z
    StMessage, // m
    StCt
  } state_e;

  mlkem_set_t params;
  logic [2:0] last;

  assign params = task_i.params;
  assign last = params.k - 3'd1;

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
  assign store_follows_o = !task_i.keygen && state_q != StMessage;

  logic [CountWidth-1:0] vector_words;
  assign vector_words = mlkem_vector_words(params.k);

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
            left_d = vector_words - One;
          end
          StVector: begin
            state_d = StTail;
            left_d = task_i.decaps ? CountWidth'(11) : CountWidth'(3);
          end
          StTail: begin
            if (task_i.decaps) begin
              state_d = StCt;
              left_d = mlkem_ct_words(params.k) - One;
            end else if (task_i.encaps) begin
              state_d = StMessage;
              left_d = CountWidth'(3);
              addr_d = params.kyber ? AddrRaw : AddrMessage;
            end else begin
              state_d = StIdle;
            end
          end
          default: state_d = StIdle;
        endcase
      end
      if (task_i.keygen && left_q == CountWidth'(4)) addr_d = addr_z(params.k);
    end
    if (start_i) begin
      addr_d = task_i.keygen ? AddrMessage : 9'd0;
      if (task_i.keygen) begin
        state_d = StTail;
        left_d = CountWidth'(7);
      end else begin
        state_d = task_i.decaps ? StSecret : StVector;
        left_d = vector_words - One;
      end
    end
    if (clear_i) state_d = StIdle;
  end

  // ---- The decoder's jobs ----

  state_e job_q, job_d;
  logic [1:0] index_q, index_d;
  logic v_q, v_d;  // the last polynomial of ct

  always_comb begin
    decode_job_o = '{d: 4'd12, to_c: 1'b0, slot: SlotT + {2'd0, index_q}};
    if (task_i.decaps && job_q == StSecret) begin
      decode_job_o.slot = slot_s(params.k) + {2'd0, index_q};
    end
    if (task_i.decaps && job_q == StCt) begin
      decode_job_o.to_c = 1'b1;
      decode_job_o.d = v_q ? params.dv : params.du;
      decode_job_o.slot = v_q ? SlotLoadedV : {2'd0, index_q};
    end
  end

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
      end else if ({1'b0, index_q} == last) begin
        index_d = 2'd0;
        unique case (job_q)
          StSecret: job_d = StVector;
          StVector: job_d = task_i.decaps ? StCt : StIdle;
          default:  v_d = 1'b1;
        endcase
      end
    end
    if (start_i) begin
      index_d = 2'd0;
      v_d = 1'b0;
      if (task_i.keygen) job_d = StIdle;
      else job_d = task_i.decaps ? StSecret : StVector;
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
    .Width($bits(decode_job_t))
  ) u_decode_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(decode_job_valid_o),
    .taken_i(decode_job_ready_i),
    .what_i(decode_job_o)
  );

  // What both take they take together.
  always_ff @(posedge clk_i) begin
    if (rst_ni && decodes && stores) begin
      assert ((store_valid_o && store_ready_i) == (decode_word_valid_o && decode_word_ready_i));
    end
  end
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Overwrites what may hold secrets. After reset, zeroisation or an error: all memories. After an
// operation only what it used: the polynomials as soon as the last one has been encoded, while
// hashing or sending goes on; s in the memory of words as it is sent; the other secrets at the end.
// The rest, keys' public parts among it, is overwritten while the core waits; the next
// operation may begin before that is done, and the next wait does it. Pipelines run on, and what
// they then read is zero.

module latkem_wipe
  import latkem_hash_pkg::*;
#(
  // So many words from here on hold secrets, whatever is done.
  parameter word_addr_t  Scratch = 9'd448,
  parameter int unsigned Words = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        everything_i,     // pulse or level: forget and overwrite everything
  input  logic        start_i,
  input  logic        finish_i,         // pulse: the operation is over
  input  logic        stores_s_i,       // the operation puts s into the memory of words,
  input  word_addr_t  s_addr_i,         // here
  input  word_addr_t  z_addr_i,         // four words
  input  logic        polynomials_i,    // level: no polynomial will be used any more
  input  word_addr_t  sent_i,           // keygen: words of s below this address have been sent
  output logic        clear_o,          // units forget what they do and what they hold
  output logic        busy_o,           // no operation may begin
  output logic        tidying_o,        // it may, but something is left to be overwritten
  output logic        word_valid_o,
  input  logic        word_ready_i,
  output word_addr_t  word_addr_o,
  output logic        poly_valid_o,
  output logic        poly_all_o,       // at all addresses, one by one, else those of slots
  output logic [8:0]  poly_addr_o,
  output logic [3:0]  slot_o,           // the scheme's order of slots that held secrets
  input  logic [3:0]  next_slot_i,
  input  logic        last_slot_i
);

  localparam logic [9:0] FlushCycles = 10'd28;
  localparam logic [9:0] ScratchWords = 10'(Words + 4);  // with z

  typedef enum logic [1:0] {
    StEverything,
    StWait,    // for an operation or for its end
    StFinish,
    StTidy
  } state_e;

  state_e state_q, state_d;
  logic clear_q;  // StEverything or StFinish
  logic [9:0] count_q, count_d;
  logic poly_on_q, poly_on_d, poly_done_q, poly_done_d;
  logic [7:0] poly_q, poly_d;
  word_addr_t secret_q, secret_d;   // keygen: words of s below are overwritten
  logic secret_on_q, secret_on_d;
  logic secret_left_q;              // some are left, of those that had been sent a cycle before

  assign slot_o = poly_q[7:4];

  always_comb begin
    state_d = state_q;
    count_d = count_q;
    poly_on_d = poly_on_q;
    poly_done_d = poly_done_q;
    poly_d = poly_q;
    secret_d = secret_q;
    secret_on_d = secret_on_q;

    if (poly_on_q) begin
      poly_d[3:0] = poly_q[3:0] + 4'd1;
      if (poly_q[3:0] == 4'hf) poly_d[7:4] = next_slot_i;
      if (poly_q[3:0] == 4'hf && last_slot_i) begin
        poly_on_d = 1'b0;
        poly_done_d = 1'b1;
      end
    end else if ((polynomials_i || state_q == StFinish) && !poly_done_q) begin
      poly_on_d = 1'b1;
    end
    if (state_q == StWait && secret_left_q && word_ready_i) secret_d = secret_q + 9'd1;

    unique case (state_q)
      StEverything: begin
        count_d = count_q + 10'd1;
        if (count_q == 10'd511 + FlushCycles) state_d = StWait;
      end
      StFinish: begin
        if (secret_left_q) begin
          if (word_ready_i) secret_d = secret_q + 9'd1;
        end else if (count_q != ScratchWords || poly_done_q) begin
          count_d = count_q + 10'd1;
        end
        if (count_q == ScratchWords + FlushCycles) begin
          state_d = StTidy;
          count_d = 10'd0;
          secret_on_d = 1'b0;
        end
      end
      StTidy: begin
        count_d = count_q + 10'd1;
        if (count_q == 10'd511 + FlushCycles) state_d = StWait;
      end
      default: ;
    endcase

    if (start_i) begin
      state_d = StWait;
      poly_on_d = 1'b0;
      poly_done_d = 1'b0;
      poly_d = 8'd0;
      secret_d = s_addr_i;
      secret_on_d = stores_s_i;
    end
    if (finish_i && state_q == StWait) begin
      state_d = StFinish;
      count_d = 10'd0;
    end
    if (everything_i) begin
      state_d = StEverything;
      count_d = 10'd0;
      poly_on_d = 1'b0;
      poly_done_d = 1'b1;
      secret_on_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StEverything;
      clear_q <= 1'b1;
      count_q <= '0;
      poly_on_q <= 1'b0;
      poly_done_q <= 1'b1;
      poly_q <= '0;
      secret_q <= '0;
      secret_on_q <= 1'b0;
      secret_left_q <= 1'b0;
    end else begin
      state_q <= state_d;
      clear_q <= state_d == StEverything || state_d == StFinish;
      count_q <= count_d;
      poly_on_q <= poly_on_d;
      poly_done_q <= poly_done_d;
      poly_q <= poly_d;
      secret_q <= secret_d;
      secret_on_q <= secret_on_d;
      secret_left_q <= secret_on_q && secret_d != sent_i;
    end
  end

  // Each word is overwritten again while the pipelines run empty.
  assign word_valid_o = state_q != StWait || secret_left_q;

  always_comb begin
    if (state_q == StEverything || state_q == StTidy) word_addr_o = count_q[8:0];
    else if (secret_left_q) word_addr_o = secret_q;
    else if (count_q < 10'(Words)) word_addr_o = Scratch + count_q[8:0];
    else word_addr_o = z_addr_i + {7'd0, count_q[1:0]};
  end

  assign clear_o = clear_q;
  assign busy_o = clear_o;
  assign tidying_o = state_q == StTidy;
  assign poly_valid_o = state_q == StEverything || poly_on_q;
  assign poly_all_o = state_q == StEverything;
  assign poly_addr_o = poly_all_o ? count_q[8:0] : {1'b0, poly_q};

`ifndef SYNTHESIS
  latkem_holds u_word_holds (
    .clk_i,
    .rst_ni,
    .clear_i(start_i || finish_i || everything_i),
    .offered_i(word_valid_o),
    .taken_i(word_ready_i),
    .what_i(1'b0)
  );
`endif

endmodule

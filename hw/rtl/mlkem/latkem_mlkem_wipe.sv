// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Overwrites what may hold secrets. After reset, zeroisation or an error: all memories. After an
// operation only what it used: the polynomials as soon as the last one has been encoded, while
// hashing or sending goes on; s in the memory of words as it is sent; the rest at the end.
// Pipelines run on, and what they then read is zero.

module latkem_mlkem_wipe
  import latkem_pkg::*;
  import latkem_mlkem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        everything_i,     // pulse or level: forget and overwrite everything
  input  logic        start_i,
  input  logic        finish_i,         // pulse: the operation is over
  input  mlkem_task_t task_i,
  input  logic        polynomials_i,    // level: no polynomial will be used any more
  input  word_addr_t  sent_i,           // keygen: words of s below this address have been sent
  output logic        clear_o,          // units forget what they do and what they hold
  output logic        busy_o,
  output logic        word_valid_o,
  input  logic        word_ready_i,
  output word_addr_t  word_addr_o,
  output logic        poly_valid_o,
  output logic [7:0]  poly_addr_o
);

  localparam logic [9:0] FlushCycles = 10'd32;
  localparam logic [9:0] ScratchWords = 10'd36;  // 448 to 479 and z

  typedef enum logic [1:0] {
    StEverything,
    StWait,    // for an operation or for its end
    StFinish
  } state_e;

  state_e state_q, state_d;
  logic [9:0] count_q, count_d;
  logic poly_on_q, poly_on_d, poly_done_q, poly_done_d;
  logic [7:0] poly_q, poly_d, poly_last;
  word_addr_t secret_q, secret_d;   // keygen: words of s below are overwritten
  logic secret_on_q, secret_on_d, secret_left;

  assign secret_left = secret_on_q && secret_q != sent_i;

  always_comb begin
    if (task_i.keygen) poly_last = 8'h7f;
    else if (task_i.encaps) poly_last = 8'h8f;
    else poly_last = {slot_s(task_i.params.k) + 4'(task_i.params.k) - 4'd1, 4'hf};
  end

  always_comb begin
    state_d = state_q;
    count_d = count_q;
    poly_on_d = poly_on_q;
    poly_done_d = poly_done_q;
    poly_d = poly_q;
    secret_d = secret_q;
    secret_on_d = secret_on_q;

    if (poly_on_q) begin
      poly_d = poly_q + 8'd1;
      if (poly_q == poly_last) begin
        poly_on_d = 1'b0;
        poly_done_d = 1'b1;
      end
    end else if ((polynomials_i || state_q == StFinish) && !poly_done_q) begin
      poly_on_d = 1'b1;
    end
    if (state_q == StWait && secret_left && word_ready_i) secret_d = secret_q + 9'd1;

    unique case (state_q)
      StEverything: begin
        count_d = count_q + 10'd1;
        if (count_q == 10'd511 + FlushCycles) state_d = StWait;
      end
      StFinish: begin
        if (secret_left) begin
          if (word_ready_i) secret_d = secret_q + 9'd1;
        end else if (count_q != ScratchWords || poly_done_q) begin
          count_d = count_q + 10'd1;
        end
        if (count_q == ScratchWords + FlushCycles) begin
          state_d = StWait;
          secret_on_d = 1'b0;
        end
      end
      default: ;
    endcase

    if (start_i) begin
      poly_on_d = 1'b0;
      poly_done_d = 1'b0;
      poly_d = 8'd0;
      secret_d = addr_ct(task_i.params.k);
      secret_on_d = task_i.keygen;
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
      count_q <= '0;
      poly_on_q <= 1'b0;
      poly_done_q <= 1'b1;
      poly_q <= '0;
      secret_q <= '0;
      secret_on_q <= 1'b0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      poly_on_q <= poly_on_d;
      poly_done_q <= poly_done_d;
      poly_q <= poly_d;
      secret_q <= secret_d;
      secret_on_q <= secret_on_d;
    end
  end

  always_comb begin
    word_valid_o = 1'b0;
    word_addr_o = count_q[8:0];
    if (state_q == StEverything) begin
      word_valid_o = !count_q[9];
    end else if (secret_left) begin
      word_valid_o = 1'b1;
      word_addr_o = secret_q;
    end else if (state_q == StFinish) begin
      word_valid_o = count_q < ScratchWords;
      word_addr_o = (count_q < 10'd32) ? AddrMessage + count_q[8:0]
                  : addr_z(task_i.params.k) + {7'd0, count_q[1:0]};
    end
  end

  assign clear_o = state_q != StWait;
  assign busy_o = state_q != StWait;
  assign poly_valid_o = state_q == StEverything || poly_on_q;
  assign poly_addr_o = (state_q == StEverything) ? count_q[7:0] : poly_q;

endmodule

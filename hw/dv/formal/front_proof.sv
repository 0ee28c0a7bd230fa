// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_front, whatever source, sink and core do: what waits at its output does not change; each
// request is answered by one response of the length that its header says; the core is given as
// many words as it asks for, each the word that was sent; and once a request is complete, with a
// source that pauses and a sink and a core that do not, it is idle again after `Most` cycles.

module front_proof
  import latkem_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input logic        zeroize_i,
  input logic        s_axis_tvalid,
  input logic [63:0] s_axis_tdata,
  input logic        s_axis_tlast,
  input logic        m_axis_tready,
  input logic        word_ready_i,
  input logic        result_valid_i,
  input status_e     result_status_i,
  input logic        reply_valid_i,
  input logic [63:0] reply_i,
  input logic        core_busy_i,
  input logic        core_tidying_i,
  input logic [2:0]  watch_i           // follow this word of a request
);

  localparam logic [CountWidth-1:0] RequestWords = 5;
  localparam logic [CountWidth-1:0] ResponseWords = 3;
  localparam logic [4:0] Most = 5'd20;

  logic in_ready, out_valid, out_last, busy, start, word_valid, received, abort, reply_ready;
  logic finish;
  logic [63:0] out_data, word;
  op_e op, next_op;
  logic [3:0] next_set;

  latkem_front #(
    .Ops(3'b101),
    .Sets(16'h0022)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .zeroize_i,
    .s_axis_tvalid,
    .s_axis_tready(in_ready),
    .s_axis_tdata,
    .s_axis_tlast,
    .m_axis_tvalid(out_valid),
    .m_axis_tready,
    .m_axis_tdata(out_data),
    .m_axis_tlast(out_last),
    .busy_o(busy),
    .start_o(start),
    .op_o(op),
    .next_op_o(next_op),
    .next_set_o(next_set),
    .request_words_i(RequestWords),
    .response_words_i(ResponseWords),
    .word_valid_o(word_valid),
    .word_ready_i,
    .word_o(word),
    .received_o(received),
    .abort_o(abort),
    .result_valid_i,
    .result_status_i,
    .reply_valid_i,
    .reply_ready_o(reply_ready),
    .reply_i,
    .finish_o(finish),
    .core_busy_i,
    .core_tidying_i
  );

  logic [1:0] begin_q = 2'b11;
  always_ff @(posedge clk_i) begin_q <= {begin_q[0], 1'b0};
  always_comb begin
    assume (rst_ni == !begin_q[1]);
    assume (!result_valid_i || received);
  end

  logic in, out;
  assign in = s_axis_tvalid && in_ready;
  assign out = out_valid && m_axis_tready;

  // ---- Whole requests and responses ----

  logic open_q;                    // a request has begun and not ended
  logic owed_q;                    // one has ended, and its response has not
  logic [2:0] sent_q;              // beats of the response; its header says status Ok
  logic ok_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      open_q <= 1'b0;
      owed_q <= 1'b0;
      sent_q <= 3'd0;
    end else begin
      if (in) open_q <= !s_axis_tlast;
      if (in && s_axis_tlast) owed_q <= 1'b1;
      if (out) begin
        sent_q <= out_last ? 3'd0 : sent_q + 3'd1;
        if (sent_q == 3'd0) ok_q <= out_data[7:0] == StatusOk;
        if (out_last) owed_q <= 1'b0;
      end
    end
  end

  logic waits_q;
  logic [64:0] waiting_q;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && out_valid && !m_axis_tready && !zeroize_i;
    waiting_q <= {out_last, out_data};
  end

  logic ok;
  assign ok = (sent_q == 3'd0) ? out_data[7:0] == StatusOk : ok_q;

  always_comb begin
    if (!begin_q[1]) begin
      if (waits_q) assert (out_valid && {out_last, out_data} == waiting_q);
      if (out_valid) assert (owed_q && !open_q);
      if (out_valid) assert (out_last == (ok ? sent_q == ResponseWords[2:0] : sent_q == 3'd0));
      if (in) assert (!owed_q);
      if (!busy) assert (!open_q && !owed_q && !out_valid);
    end
  end

  // ---- The words that the core is given ----

  logic [3:0] came_q, given_q;     // words of this request, the command not counted; stay at 15
  logic [2:0] watched_q;
  logic [63:0] data_q;
  logic begun_q;                   // its command has come
  logic given;
  assign given = word_valid && word_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || (in && !open_q)) begin
      came_q <= 4'd0;
      given_q <= 4'd0;
      watched_q <= watch_i;
    end else begin
      if (in && came_q != 4'd15) came_q <= came_q + 4'd1;
      if (in && came_q == {1'b0, watched_q}) data_q <= s_axis_tdata;
      if (given && given_q != 4'd15) given_q <= given_q + 4'd1;
    end
  end

  always_comb begin
    if (!begin_q[1] && !zeroize_i) begin
      if (given) assert (given_q < came_q && given_q < RequestWords[3:0]);
      if (given && given_q == {1'b0, watched_q}) assert (word == data_q);
      if (received) assert (given_q == RequestWords[3:0] && came_q == RequestWords[3:0]);
      if (abort) assert (came_q != RequestWords[3:0] || open_q);
    end
  end

  // ---- Idle again ----

  logic [4:0] quiet_q;             // cycles without a pause of sink or core, and nothing offered
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || s_axis_tvalid || !m_axis_tready || !word_ready_i || !reply_valid_i
        || core_busy_i || core_tidying_i || (received && !result_valid_i)) quiet_q <= 5'd0;
    else if (quiet_q != Most) quiet_q <= quiet_q + 5'd1;
  end

  always_comb if (!begin_q[1] && quiet_q == Most && !open_q) assert (!busy);

endmodule

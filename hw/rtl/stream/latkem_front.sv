// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The stream front end of every core. It decodes the command, gives the words of the request to
// the core behind it, holds the request's length to what the command says, and sends the header
// and the core's reply. A request that is wrong is drained to its end and answered by a header.
//
// Every output to the streams is a register. Registers that held a word are zero once it passed.

module latkem_front
  import latkem_pkg::*;
#(
  parameter bit [2:0]  Ops  = 3'b111,
  parameter bit [15:0] Sets = 16'h0007
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        zeroize_i,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic [63:0] s_axis_tdata,
  input  logic        s_axis_tlast,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic [63:0] m_axis_tdata,
  output logic        m_axis_tlast,
  output logic        busy_o,
  // the core behind it
  output logic        start_o,          // pulse: one begins; op_o and its set hold until the next
  output op_e         op_o,
  output op_e         next_op_o,        // op_o in the next cycle, and the set
  output logic [3:0]  next_set_o,
  // of op_o and its set, without command and header: two or more
  input  logic [CountWidth-1:0] request_words_i,
  input  logic [CountWidth-1:0] response_words_i,
  output logic        word_valid_o,
  input  logic        word_ready_i,
  output logic [63:0] word_o,
  output logic        received_o,       // level: the request is complete, its length right
  output logic        abort_o,          // pulse: a wrong length, the core forgets the operation
  input  logic        result_valid_i,   // level, after received_o: the status is known
  input  status_e     result_status_i,
  input  logic        reply_valid_i,    // words after the header, if the status is StatusOk
  output logic        reply_ready_o,
  input  logic [63:0] reply_i,
  output logic        finish_o,         // pulse: the response has passed
  input  logic        core_busy_i,      // the core wipes: no command is taken
  input  logic        core_tidying_i    // the core wipes, but a command may end that
);

  typedef enum logic [2:0] {
    StIdle,
    StRequest,
    StDrain,
    StResult,
    StHeader,
    StReply,
    StEnd
  } state_e;

  state_e state_q, state_d;

  // ---- Input ----

  logic accepting_q, accepting_d;  // a request is awaited or coming in
  logic in_valid, in_ready, in_last, in_push;
  logic [63:0] in_data;

  latkem_skid #(
    .Width(65)
  ) u_request (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_i),
    .allow_i(accepting_d),
    .valid_i(s_axis_tvalid),
    .ready_o(s_axis_tready),
    .data_i({s_axis_tlast, s_axis_tdata}),
    .valid_o(in_valid),
    .ready_i(in_ready),
    .data_o({in_last, in_data})
  );

  assign in_push = s_axis_tvalid && s_axis_tready;

  always_comb begin
    accepting_d = accepting_q;
    if (state_q == StIdle && !core_busy_i && !in_valid) accepting_d = 1'b1;
    if (in_push && s_axis_tlast) accepting_d = 1'b0;
    if (zeroize_i) accepting_d = 1'b0;
  end

  // ---- Output ----

  logic out_valid, out_ready, out_last;
  logic [63:0] out_data;

  latkem_skid #(
    .Width(65)
  ) u_response (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_i),
    .allow_i(1'b1),
    .valid_i(out_valid),
    .ready_o(out_ready),
    .data_i({out_last, out_data}),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o({m_axis_tlast, m_axis_tdata})
  );

  // ---- The command ----

  logic [3:0] op_q, op_d;
  logic [7:0] set_q, set_d;
  logic [15:0] tag_q, tag_d;
  logic good_op, good_set, good_command;

  always_comb begin
    unique case (in_data[3:0])
      OpKeygen: good_op = Ops[0];
      OpEncaps: good_op = Ops[1];
      OpDecaps: good_op = Ops[2];
      default:  good_op = 1'b0;
    endcase
  end

  assign good_set = in_data[15:12] == 4'd0 && Sets[in_data[11:8]];
  assign good_command = good_op && good_set && in_data[7:4] == 4'd0 && in_data[63:32] == 32'd0;

  // ---- Sequence ----

  logic [CountWidth-1:0] left_q, left_d;  // words still to pass, request or response
  logic first_q, first_d;                 // left_q is not set yet
  logic started_q, started_d;             // the core works for this request
  status_e status_q, status_d;
  logic [CountWidth-1:0] left;
  logic final_q, final_d;                 // the last of them is next
  logic passes, wrong_length;

  localparam logic [CountWidth-1:0] One = 1;
  localparam logic [CountWidth-1:0] Two = 2;

  always_comb begin
    left = left_q;
    if (first_q) left = (state_q == StRequest) ? request_words_i : response_words_i;
  end

  assign wrong_length = in_valid && in_last != final_q;

  // A word of the request or of the response passes.
  assign passes = (state_q == StRequest) ? in_valid && !wrong_length && word_ready_i
                : state_q == StReply && reply_valid_i && out_ready;
  assign left_d = passes ? left - One : left;
  assign final_d = passes ? left == Two : (final_q && state_q != StIdle && state_q != StHeader);

  always_comb begin
    state_d = state_q;
    first_d = first_q;
    started_d = started_q;
    status_d = status_q;
    op_d = op_q;
    set_d = set_q;
    tag_d = tag_q;
    in_ready = 1'b0;
    word_valid_o = 1'b0;
    abort_o = 1'b0;
    reply_ready_o = 1'b0;
    finish_o = 1'b0;
    out_valid = 1'b0;
    out_last = 1'b0;
    out_data = {28'd0, op_q, tag_q, set_q, status_q};
    unique case (state_q)
      StIdle: begin
        in_ready = 1'b1;
        if (in_valid) begin
          op_d = in_data[3:0];
          set_d = in_data[15:8];
          tag_d = in_data[31:16];
          first_d = 1'b1;
          if (!good_command) status_d = StatusBadCommand;
          else if (in_last) status_d = StatusBadLength;
          else status_d = StatusOk;
          started_d = good_command && !in_last;
          if (in_last) state_d = StHeader;
          else state_d = good_command ? StRequest : StDrain;
        end
      end
      StRequest: begin
        if (wrong_length) begin
          in_ready = 1'b1;
          abort_o = 1'b1;
          started_d = 1'b0;
          status_d = StatusBadLength;
          state_d = in_last ? StHeader : StDrain;
        end else begin
          in_ready = word_ready_i;
          word_valid_o = in_valid;
          first_d = 1'b0;
          if (passes && final_q) begin
            first_d = 1'b1;
            state_d = StResult;
          end
        end
      end
      StDrain: begin
        in_ready = 1'b1;
        if (in_valid && in_last) state_d = StHeader;
      end
      StResult: begin
        if (result_valid_i) begin
          status_d = result_status_i;
          state_d = StHeader;
        end
      end
      StHeader: begin
        out_valid = 1'b1;
        out_last = status_q != StatusOk;
        if (out_ready) state_d = (status_q == StatusOk) ? StReply : StEnd;
      end
      StReply: begin
        out_valid = reply_valid_i;
        out_data = reply_i;
        out_last = final_q;
        reply_ready_o = out_ready;
        first_d = 1'b0;
        if (passes && final_q) state_d = StEnd;
      end
      StEnd: begin
        if (!m_axis_tvalid) begin
          finish_o = started_q;
          started_d = 1'b0;
          state_d = StIdle;
        end
      end
      default: state_d = StIdle;
    endcase
    if (zeroize_i) begin
      state_d = StIdle;
      started_d = 1'b0;
      finish_o = 1'b0;
    end
  end

  logic start_q, busy_q, busy_d;

  assign busy_d = state_d != StIdle || in_push || core_busy_i || core_tidying_i || finish_o
      || zeroize_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      accepting_q <= 1'b0;
      left_q <= '0;
      final_q <= 1'b0;
      first_q <= 1'b0;
      started_q <= 1'b0;
      status_q <= StatusOk;
      op_q <= 4'd0;
      set_q <= 8'd0;
      tag_q <= 16'd0;
      start_q <= 1'b0;
      busy_q <= 1'b1;
    end else begin
      state_q <= state_d;
      accepting_q <= accepting_d;
      left_q <= left_d;
      final_q <= final_d;
      first_q <= first_d;
      started_q <= started_d;
      status_q <= status_d;
      op_q <= op_d;
      set_q <= set_d;
      tag_q <= tag_d;
      start_q <= state_q == StIdle && state_d == StRequest;
      busy_q <= busy_d;
    end
  end

  assign start_o = start_q;
  assign op_o = op_e'(op_q);
  assign next_op_o = op_e'(op_d);
  assign next_set_o = set_d[3:0];
  assign word_o = in_data;
  assign received_o = state_q == StResult || (started_q && (state_q == StHeader
      || state_q == StReply || state_q == StEnd));
  assign busy_o = busy_q;

`ifndef SYNTHESIS
  // The rules of AXI4-Stream are asserted in latkem_skid.
  latkem_holds u_word_holds (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_i),
    .offered_i(word_valid_o),
    .taken_i(word_ready_i),
    .what_i(1'b0)
  );

  latkem_holds u_reply_holds (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_i),
    .offered_i(reply_ready_o),
    .taken_i(reply_valid_i),
    .what_i(1'b0)
  );

  // The task holds from the start on.
  latkem_holds #(
    .Width(8)
  ) u_task_holds (
    .clk_i,
    .rst_ni,
    .clear_i(zeroize_i),
    .offered_i(started_q),
    .taken_i(abort_o || finish_o),
    .what_i({next_op_o, next_set_o})
  );

  // The core's obligations.
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!result_valid_i || received_o);
  end
`endif

endmodule

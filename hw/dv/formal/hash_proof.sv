// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_hash and Keccak, with sinks that want as much as those of ML-KEM: no permutation is begun
// in another, but where an entry that needs one block more comes before it; no output is taken
// before the last round, or over words that are still to leave; a digest that waits does not change;
// no job is taken while another is fed, and none begins, or begins again, with a block that is
// ready. Nothing of a permutation that may be forgotten is sent. Which words Keccak gives does not
// matter: its rounds are left out.

module hash_proof
  import latkem_hash_pkg::*;
#(
  parameter int unsigned Rounds = 1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        clear_i,
  input logic        job_valid_i,
  input hash_job_t   job_i,
  input logic [WordAddrWidth:0] avail_i,
  input logic [63:0] rdata_i,
  input logic        checkable_i,
  input logic        digest_next_i,
  input logic        enough_i      // whatever is accepted
);

  localparam sink_t Retry = 2'd3;

  logic job_ready, digest_valid, digest_check, opening, sample_valid, first, block, complete, idle;
  sink_t begun, sink;
  word_addr_t raddr, digest_addr;
  logic [63:0] digest_data;
  logic [3:0] sample_slot, complete_slot;
  logic [63:0] sample;

  latkem_hash #(
    .Retry(Retry),
    .Rounds(Rounds)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .job_valid_i,
    .job_ready_o(job_ready),
    .job_i,
    .last_bytes_i(3'd0),
    .avail_i,
    .raddr_o(raddr),
    .rdata_i,
    .checkable_i,
    .digest_next_i,
    .digest_valid_o(digest_valid),
    .digest_addr_o(digest_addr),
    .digest_check_o(digest_check),
    .digest_data_o(digest_data),
    .begun_o(begun),
    .further_i(begun == Retry || begun == 2'd2),
    .third_i(begun == Retry),
    .opening_o(opening),
    .words_i({5'd21, opening ? 5'd17 : 5'd7, 5'd16}),
    .sample_valid_o(sample_valid),
    .sample_sink_o(sink),
    .sample_first_o(first),
    .sample_block_o(block),
    .sample_slot_o(sample_slot),
    .sample_o(sample),
    .enough_i,
    .complete_o(complete),
    .complete_slot_o(complete_slot),
    .idle_o(idle)
  );

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;
  always_comb begin
    assume (rst_ni == !begin_q);
    assume (job_i.sink != SinkDigest || job_i.digest_words != 4'd0);
  end

  logic running_q;             // a permutation is under way
  logic [4:0] rounds_q;        // cycles of it
  localparam logic [4:0] Last = 5'(24 / Rounds - 1);
  logic ends;
  assign ends = running_q && u_dut.u_keccak.last_q
      && (u_dut.action_q.begins || u_dut.action_q.step || u_dut.action_q.capture);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      running_q <= 1'b0;
      rounds_q <= 5'd0;
    end else if (u_dut.action_q.begins) begin
      running_q <= 1'b1;
      rounds_q <= 5'd0;
    end else if (ends) begin
      running_q <= 1'b0;
    end else if (u_dut.action_q.step) begin
      rounds_q <= rounds_q + 5'd1;
    end
  end

  logic waits, waits_q, next_q;
  word_addr_t waiting_q;
  assign waits = u_dut.left_q != 5'd0 && u_dut.sink_q == SinkDigest && !digest_valid;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && !clear_i && waits;
    waiting_q <= digest_addr;
    next_q <= digest_next_i;
  end

  always_comb begin
    if (!begin_q) begin
      if (running_q) assert (u_dut.u_keccak.last_q == (rounds_q == Last));
      assert (rounds_q <= Last);
      if (u_dut.action_q.begins) assert (!running_q || u_dut.u_keccak.last_q || u_dut.short_q);
      if (u_dut.action_q.step || u_dut.action_q.capture) assert (running_q);
      if (u_dut.action_q.capture) begin
        assert (u_dut.u_keccak.last_q);
        assert (!u_dut.undecided_q || u_dut.verdict_q);
        assert (u_dut.left_q == 5'd0 || (u_dut.left_q == 5'd1 && u_dut.shift_q));
      end
      if (waits_q) assert (u_dut.left_q != 5'd0 && digest_addr == waiting_q);
      if (waits) assert (!u_dut.shift_q);
      if (digest_valid) assert (next_q && u_dut.left_q != 5'd0);
      if (job_valid_i && job_ready) assert (!u_dut.feeding_q && !u_dut.undecided_q);
      if (u_dut.take) assert (u_dut.ready_q);
      if (u_dut.ready_d) assert (u_dut.started_d == u_dut.started_q);
      assert (running_q == (u_dut.state_q != 2'd0));
    end
  end

endmodule

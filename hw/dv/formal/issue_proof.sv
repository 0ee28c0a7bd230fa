// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_poly_issue: the groups of a job enter in order, each once, the last one marked. And of a
// transform, whatever other jobs enter between: a group that reads a word enters so late after the
// group that writes it that the word is there. One job is followed, and one word.

module issue_proof
  import latkem_pkg::*;
  import latkem_poly_pkg::*;
(
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic       job_valid_i,
  input poly_job_t  job_i,
  input logic       follow_i,  // the job that is taken now
  input digits_t    any_word_i
);

  // A group's results are in memory for the groups that enter so many cycles later (latkem_poly:
  // written at the end of cycle 13, read at the end of cycle 1).
  localparam logic [3:0] Latency = 4'd13;

  logic job_ready, valid, last, idle;
  poly_job_t job;
  logic [5:0] group;

  latkem_poly_issue u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .job_valid_i,
    .job_ready_o(job_ready),
    .job_i,
    .valid_o(valid),
    .job_o(job),
    .group_o(group),
    .last_o(last),
    .idle_o(idle)
  );

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;
  always_comb assume (rst_ni == !begin_q);

  // The job that is followed is known by its destination, which no other job has while it runs.
  localparam logic [3:0] Mark = 4'd5;
  logic take, followed_q, begun_q;
  poly_job_t job_q;
  digits_t word_q;
  logic [5:0] group_q;   // the next one
  logic [1:0] inside_q;  // jobs under way
  assign take = job_valid_i && job_ready;

  logic product, goes;
  assign product = job_q.op == PolyMacMatrix || job_q.op == PolyMacVector;
  assign goes = followed_q && valid && job.dst == Mark;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      followed_q <= 1'b0;
      inside_q <= 2'd0;
    end else begin
      inside_q <= inside_q + 2'(take) - 2'(valid && last);
      if (take && follow_i) begin
        followed_q <= 1'b1;
        job_q <= job_i;
        word_q <= any_word_i;
        group_q <= 6'd0;
      end else if (goes) begin
        group_q <= group_q + 6'd1;
        if (last) followed_q <= 1'b0;
      end
    end
  end

  always_comb begin
    assume (job_i.op <= PolyMacVector);
    assume (!(job_valid_i && job_i.dst == Mark) || (follow_i && !followed_q));
    assume (!(job_valid_i && follow_i) || job_i.dst == Mark);
  end

  // Whether this group of a transform has the word that is followed; of both words w0 likewise.
  step_e step;
  digits_t digits;
  logic touches;
  always_comb begin
    step = step_e'({1'b0, (job.op == PolyNttInverse) ? ~group[5:4] : group[5:4]});
    digits = digits_of(step, {1'b0, group[3:0]});
    touches = goes && !product;
    if (step != Step128And64) touches = touches && digits.d3 == word_q.d3;
    if (step != Step32And16) touches = touches && digits.d2 == word_q.d2;
    if (step == Step128And64 || step == Step32And16) begin
      touches = touches && digits.d1 == word_q.d1;
    end
  end

  logic [3:0] since_q;  // cycles since it was last read, and will be written; stays at 15
  logic [2:0] touched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (take && follow_i)) begin
      since_q <= 4'd15;
      touched_q <= 3'd0;
    end else if (touches) begin
      since_q <= 4'd1;
      touched_q <= touched_q + 3'd1;
    end else if (since_q != 4'd15) begin
      since_q <= since_q + 4'd1;
    end
  end

  always_comb begin
    if (!begin_q) begin
      assert (inside_q <= 2'd2 && idle == (inside_q == 2'd0) && job_ready == (inside_q != 2'd2));
      if (valid) assert (inside_q != 2'd0);
      if (goes) begin
        assert (job == job_q && group == group_q);
        assert (last == (group == (product ? 6'd31 : 6'd63)));
      end
      if (touches) assert (since_q >= Latency);
      if (goes && last && !product) assert (touched_q + 3'(touches) == 3'd4);
    end
  end

endmodule

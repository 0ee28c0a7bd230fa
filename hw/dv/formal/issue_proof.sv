// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_poly_issue: the groups of a job enter in order, each once, the last one marked. And of a
// transform, whatever other jobs enter between and whenever a memory is taken: a group that reads a
// word enters so late after the group that writes it that the word is there. One job is followed,
// and one word.
//
// With two cycles a group, both may read the word, and the first may write over it. Then the second
// enters so early that the word is not yet written, if what later steps read is never taken in two
// cycles running.

module issue_proof
  import latkem_poly_pkg::*;
#(
  parameter  int unsigned Halves = 1,
  localparam int unsigned CountWidth = 5 + Halves,
  localparam int unsigned LowWidth = 3 + Halves  // within a step
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic       job_valid_i,
  input poly_job_t  job_i,
  input logic       first_taken_i,
  input logic       later_taken_i,
  input logic       follow_i,  // the job that is taken now
  input digits_t    any_word_i
);

  // A group's results are in memory for the groups that enter so many cycles later (latkem_poly:
  // written at the end of cycle 13, read at the end of cycle 1).
  localparam logic [3:0] Latency = 4'd13;

  logic job_ready, valid, last, idle, unused_first_next;
  poly_job_t job;
  logic [CountWidth-1:0] group;

  latkem_poly_issue #(
    .Halves(Halves)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .job_valid_i,
    .job_ready_o(job_ready),
    .job_i,
    .first_taken_i,
    .later_taken_i,
    .first_next_o(unused_first_next),
    .valid_o(valid),
    .job_o(job),
    .group_o(group),
    .last_o(last),
    .idle_o(idle)
  );

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;
  always_comb assume (rst_ni == !begin_q);

  logic later_taken_q = 1'b0;
  always_ff @(posedge clk_i) later_taken_q <= later_taken_i;
  if (Halves == 2) begin : gen_taken
    always_comb assume (!(later_taken_i && later_taken_q));
  end

  // The job that is followed is known by its destination, which no other job has while it runs.
  localparam logic [3:0] Mark = 4'd5;
  logic take, followed_q, begun_q;
  poly_job_t job_q;
  digits_t word_q;
  logic [CountWidth-1:0] group_q;  // the next one
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
        group_q <= '0;
      end else if (goes) begin
        group_q <= group_q + CountWidth'(1);
        if (last) followed_q <= 1'b0;
      end
    end
  end

  always_comb begin
    assume (job_i.op <= PolyNttInverse);
    assume (!(job_valid_i && job_i.dst == Mark) || (follow_i && !followed_q));
    assume (!(job_valid_i && follow_i) || job_i.dst == Mark);
  end

  function automatic logic [1:0] step_number(logic [CountWidth-1:0] count);
    return count[CountWidth-1-:2];
  endfunction

  // The group of a step that has the word that is followed, with either w0.
  function automatic logic [3:0] place_of(poly_op_e op, logic [1:0] number, digits_t word);
    unique case ((op == PolyNttInverse) ? ~number : number)
      2'd0:    return {word.d1, word.d2};
      2'd1:    return {word.d1, word.d3};
      default: return {word.d3, word.d2};
    endcase
  endfunction

  // latkem_poly's view of a group: a step and digits.
  step_e step;
  digits_t digits;
  logic touches;
  always_comb begin
    step = step_e'({1'b0, (job.op == PolyNttInverse) ? ~step_number(group) : step_number(group)});
    digits = digits_of(step, {1'b0, group[LowWidth-1-:4]});
    touches = goes && !product;
    if (step != Step128And64) touches = touches && digits.d3 == word_q.d3;
    if (step != Step32And16) touches = touches && digits.d2 == word_q.d2;
    if (step == Step128And64 || step == Step32And16) begin
      touches = touches && digits.d1 == word_q.d1;
    end
  end

  logic [3:0] since_q;  // cycles since it was last read, and will be written; stays at 15
  logic touched_q;
  logic [CountWidth-1:0] last_q;  // the group that did
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (take && follow_i)) begin
      since_q <= 4'd15;
      touched_q <= 1'b0;
    end else if (touches) begin
      since_q <= 4'd1;
      touched_q <= 1'b1;
      last_q <= group;
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
        assert (last == (group == CountWidth'((product ? 32 : 64) * Halves - 1)));
        if (!product) begin
          assert (touches == (group[LowWidth-1-:4] == place_of(job.op, step_number(group), word_q)));
        end
      end
      if (touches && touched_q) begin
        if (Halves == 1 || !group[0]) assert (since_q >= Latency);
        else if (step_number(group) != 2'd0) assert (since_q < Latency);
      end
    end
  end

  // Invariants of the state within, which make the above inductive.
  logic [1:0] marked;
  logic [3:0] wait_;
  logic [LowWidth-1:0] low, first, final_, final_before;  // cycles of a step that have the word
  logic [CountWidth-1:0] elapsed;  // the groups, at least `Halves` cycles each, and the pause
  always_comb begin
    for (int i = 0; i < 2; i++) begin
      marked[i] = u_dut.valid_q[i] && u_dut.context_q[i].job.dst == Mark;
    end
    wait_ = marked[0] ? u_dut.context_q[0].wait_ : u_dut.context_q[1].wait_;
    low = group_q[LowWidth-1:0];
    first = LowWidth'(place_of(job_q.op, step_number(group_q), word_q)) << (Halves - 1);
    final_ = first | LowWidth'(Halves - 1);
    final_before = LowWidth'(place_of(job_q.op, step_number(group_q) - 2'd1, word_q)) << (Halves - 1)
        | LowWidth'(Halves - 1);
    elapsed = group_q - last_q;
    if (!last_q[CountWidth-1] && group_q[CountWidth-1]) begin
      elapsed = elapsed + CountWidth'(9) - CountWidth'(wait_);
    end
    if (!begin_q) begin
      assert (inside_q == {1'b0, u_dut.valid_q[0]} + {1'b0, u_dut.valid_q[1]});
      assert (u_dut.valid_q != 2'b10 && marked != 2'b11 && followed_q == (marked != 2'b00));
      for (int i = 0; i < 2; i++) begin
        assert (u_dut.can_q[i] == (u_dut.valid_q[i]
            && (u_dut.context_q[i].group != CountWidth'(32 * Halves)
            || u_dut.context_q[i].job.op == PolyMacMatrix
            || u_dut.context_q[i].job.op == PolyMacVector || u_dut.context_q[i].wait_ == 4'd0)));
        if (u_dut.valid_q[i]) begin
          assert (u_dut.context_q[i].job.op <= PolyNttInverse && u_dut.context_q[i].wait_ <= 4'd9);
          assert (u_dut.context_q[i].wait_ == 4'd0
              || u_dut.context_q[i].group == CountWidth'(32 * Halves));
          if (u_dut.context_q[i].job.op == PolyMacMatrix
              || u_dut.context_q[i].job.op == PolyMacVector) begin
            assert (!u_dut.context_q[i].group[CountWidth-1]);
          end
        end
        if (marked[i]) begin
          assert (u_dut.context_q[i].job == job_q && u_dut.context_q[i].group == group_q);
        end
      end
      if (followed_q && !product) begin
        assert (touched_q == (step_number(group_q) != 2'd0 || low > first));
        if (touched_q) begin
          if (low > first) begin
            assert (last_q == {step_number(group_q), (low > final_) ? final_ : first});
          end else begin
            assert (last_q == {step_number(group_q) - 2'd1, final_before});
          end
          assert (since_q == 4'd15 || CountWidth'(since_q) >= elapsed);
          if (Halves == 2 && low == final_ && step_number(group_q) != 2'd0) begin
            assert (since_q == (later_taken_q ? 4'd2 : 4'd1) || since_q == 4'd1);
          end
        end
      end
    end
  end

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the job and the group that enter the pipeline in this cycle. Two jobs are under way; the older
// one goes first whenever it can. A transform cannot between its second and third step: the first groups of
// the third need what the last groups of the second write. The younger job fills that gap.
//
// A memory may be taken by what is no transform. A group that reads it does not go then; one of the
// other job may.
//
// With two cycles a group no other job's comes between them: the first may write over words that the
// second reads.

module latkem_poly_issue
  import latkem_poly_pkg::*;
#(
  parameter int unsigned Gap = 9,  // idle cycles between the second and the third step
  parameter type job_t = poly_job_t,  // with a field `op` of poly_op_e
  parameter  int unsigned Halves = 1,  // cycles that a group takes, 1 or 2
  localparam int unsigned CountWidth = 5 + Halves
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,
  input  logic       job_valid_i,
  output logic       job_ready_o,
  input  job_t       job_i,
  input  logic       first_taken_i,  // what the first step of an inverse transform reads
  input  logic       later_taken_i,  // what the second to the fourth step of any transform read
  output logic       first_next_o,   // a job's next group reads the former
  output logic       valid_o,
  output job_t       job_o,
  // transform: {step in order, group}; product: 0 to 31; of two halves: these and then the half
  output logic [CountWidth-1:0] group_o,
  output logic       last_o,
  output logic       idle_o
);

  typedef struct packed {
    job_t       job;
    logic [CountWidth-1:0] group;
    logic [3:0] wait_;
  } context_t;

  function automatic logic is_product(poly_op_e op);
    return op == PolyMacMatrix || op == PolyMacVector;
  endfunction

  logic [1:0] valid_q, valid_d;    // 0: the older job
  context_t [1:0] context_q, context_d, next;
  logic [1:0] can_q, can_d, may;   // a group of it may go; of the next state
  logic [1:0] goes, ends;

  for (genvar i = 0; i < 2; i++) begin : gen_context
    assign may[i] = !(next[i].group == CountWidth'(32 * Halves) && !is_product(next[i].job.op)
        && next[i].wait_ != 4'd0);
    assign ends[i] = context_q[i].group == (is_product(context_q[i].job.op)
        ? CountWidth'(32 * Halves - 1) : CountWidth'(64 * Halves - 1));
    always_comb begin
      next[i] = context_q[i];
      if (context_q[i].wait_ != 4'd0) next[i].wait_ = context_q[i].wait_ - 4'd1;
      if (goes[i]) begin
        next[i].group = context_q[i].group + CountWidth'(1);
        if (context_q[i].group == CountWidth'(32 * Halves - 1)) next[i].wait_ = 4'(Gap);
      end
    end
  end

  logic [1:0] able;
  logic [1:0] first, free;  // the next group is of an inverse's first step; what it reads is free

  for (genvar i = 0; i < 2; i++) begin : gen_free
    assign first[i] = context_q[i].group[CountWidth-1-:2] == 2'd0
        && context_q[i].job.op == PolyNttInverse;
    assign free[i] = !(first[i] && first_taken_i)
        && !(context_q[i].group[CountWidth-1-:2] != 2'd0 && later_taken_i);
  end

  assign able = can_q & free;
  if (Halves == 1) begin : gen_whole
    assign goes = {able[1] && !able[0], able[0]};
  end else begin : gen_halves
    logic [1:0] split;  // a group of it is halfway
    assign split = valid_q & {context_q[1].group[0], context_q[0].group[0]};
    assign goes = {able[1] && !split[0] && (!able[0] || split[1]), able[0] && !split[1]};
  end
  assign first_next_o = (can_q & first) != 2'b00;
  assign job_ready_o = !valid_q[1];

  always_comb begin
    valid_d = valid_q & ~(goes & ends);
    can_d = valid_d & may;
    context_d = next;
    if (!valid_d[0]) begin
      valid_d = {1'b0, valid_d[1]};
      can_d = {1'b0, can_d[1]};
      context_d[0] = next[1];
    end
    if (job_valid_i && job_ready_o) begin
      if (valid_d[0]) begin
        valid_d[1] = 1'b1;
        can_d[1] = 1'b1;
        context_d[1] = '{job: job_i, group: '0, wait_: 4'd0};
      end else begin
        valid_d[0] = 1'b1;
        can_d[0] = 1'b1;
        context_d[0] = '{job: job_i, group: '0, wait_: 4'd0};
      end
    end
    if (clear_i) begin
      valid_d = 2'b00;
      can_d = 2'b00;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 2'b00;
      can_q <= 2'b00;
    end else begin
      valid_q <= valid_d;
      can_q <= can_d;
    end
  end

  always_ff @(posedge clk_i) context_q <= context_d;

  assign valid_o = goes != 2'b00;
  assign job_o = goes[0] ? context_q[0].job : context_q[1].job;
  assign group_o = goes[0] ? context_q[0].group : context_q[1].group;
  assign last_o = goes[0] ? ends[0] : ends[1];
  assign idle_o = valid_q == 2'b00;

`ifndef SYNTHESIS
  latkem_holds u_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(job_ready_o),
    .taken_i(job_valid_i),
    .what_i(1'b0)
  );

  latkem_at_most_one u_one_job (
    .clk_i,
    .rst_ni,
    .selects_i(goes)
  );
`endif

endmodule

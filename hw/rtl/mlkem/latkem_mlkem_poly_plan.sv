// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The order of the transforms and products of an operation. A job is offered as soon as what it
// reads is there; jobs are never overtaken, but the polynomial unit overlaps two.
//
//   keygen  NTT s, NTT e, then A s row by row
//   encaps  NTT y; t y, its inverse; each row of A^T y and its inverse
//   decaps  NTT u, s u, its inverse (m' is made from it); then as encaps, but an inverse is
//           issued one row late: the unit is the bottleneck and must not wait for a sum's end
//
// FIPS 203 algorithms 13, 14 and 15.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_mlkem_poly_plan
  import latkem_poly_pkg::*;
  import latkem_mlkem_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         start_i,
  input  mlkem_task_t  task_i,
  input  mlkem_ready_t ready_i,
  output logic         job_valid_o,
  input  logic         job_ready_i,
  output poly_job_t    job_o,
  output logic         idle_o
);

  typedef enum logic [3:0] {
    StIdle,
    StLoaded,        // NTT u
    StInner,         // s u
    StInnerInverse,
    StNoise,         // NTT s or y
    StErrors,        // NTT e
    StVector,        // t y
    StVectorInverse,
    StRow,           // A s or A^T y, one row
    StRowInverse
  } state_e;

  state_e state_q, state_d;
  logic [1:0] index_q, index_d;    // within the state
  logic [1:0] row_q, row_d;        // of products
  logic [1:0] back_q, back_d;      // of inverses
  logic [3:0] before_q, before_d;  // polynomials that are loaded before the one that is used next

  mlkem_set_t params;
  logic [2:0] last;
  logic at_last, row_at_last, back_at_last;
  logic [3:0] index;

  assign params = task_i.params;
  assign last = params.k - 3'd1;
  assign at_last = {1'b0, index_q} == last;
  assign row_at_last = {1'b0, row_q} == last;
  assign back_at_last = {1'b0, back_q} == last;
  assign index = {2'd0, index_q};

  // Apart, so that a core without inverse transforms has a constant there.
  poly_op_e op;

  always_comb begin
    unique case (state_q)
      StLoaded:            op = task_i.decaps ? PolyNttLoaded : PolyNttNoise;
      StNoise, StErrors:   op = PolyNttNoise;
      StInner, StVector:   op = task_i.keygen ? PolyMacMatrix : PolyMacVector;
      StRow:               op = PolyMacMatrix;
      default:             op = task_i.keygen ? PolyNttNoise : PolyNttInverse;
    endcase
  end

  // Of an operation that a core has not there are no jobs.
  always_comb begin
    job_o = '0;
    job_o.op = op;
    job_valid_o = 1'b0;
    unique case (state_q)
      StLoaded: begin
        if (task_i.decaps) begin
          job_valid_o = ready_i.loaded > before_q;
          job_o.src = index;
          job_o.dst = SlotRow + index;
        end
      end
      StInner: begin
        if (task_i.decaps) begin
          job_valid_o = ready_i.vectors[SlotRow+index];
          job_o.src = SlotRow + index;
          job_o.other = slot_s(params.k) + index;
          job_o.dst = SlotAccW;
          job_o.first = index_q == 2'd0;
        end
      end
      StInnerInverse: begin
        if (task_i.decaps) begin
          job_valid_o = ready_i.sums[SlotAccW[2:0]];
          job_o.src = SlotAccW;
          job_o.dst = slot_s(params.k);
        end
      end
      StNoise: begin
        job_valid_o = ready_i.noise[index];
        job_o.src = index;
        job_o.dst = index;
      end
      StErrors: begin
        if (task_i.keygen) begin
          job_valid_o = ready_i.noise[SlotRow+index];
          job_o.src = SlotRow + index;
          job_o.dst = SlotRow + index;
        end
      end
      StVector: begin
        if (!task_i.keygen) begin
          job_valid_o = ready_i.vectors[index] &&
              (task_i.decaps || ready_i.loaded > before_q);
          job_o.src = index;
          job_o.other = SlotT + index;
          job_o.dst = SlotAccV;
          job_o.first = index_q == 2'd0;
        end
      end
      StVectorInverse: begin
        if (!task_i.keygen) begin
          job_valid_o = ready_i.sums[SlotAccV[2:0]];
          job_o.src = SlotAccV;
          job_o.dst = SlotV;
        end
      end
      StRow: begin
        job_valid_o = ready_i.vectors[index] && ready_i.matrix[{row_q, index_q}];
        job_o.src = index;
        job_o.other = {row_q, index_q};
        job_o.dst = {2'd0, row_q};
        job_o.first = index_q == 2'd0;
      end
      StRowInverse: begin
        if (!task_i.keygen) begin
          job_valid_o = ready_i.sums[{1'b0, back_q}];
          job_o.src = {2'd0, back_q};
          job_o.dst = SlotRow + {2'd0, back_q};
        end
      end
      default: ;
    endcase
  end

  always_comb begin
    state_d = state_q;
    index_d = index_q;
    row_d = row_q;
    back_d = back_q;
    before_d = before_q;
    if (job_valid_o && job_ready_i) begin
      index_d = at_last ? 2'd0 : index_q + 2'd1;
      if (state_q == StLoaded || state_q == StVector) before_d = before_q + 4'd1;
      unique case (state_q)
        StLoaded: if (at_last) state_d = StInner;
        StInner:  if (at_last) state_d = StInnerInverse;
        StInnerInverse: begin
          index_d = 2'd0;
          state_d = StNoise;
        end
        StNoise:  if (at_last) state_d = task_i.keygen ? StErrors : StVector;
        StErrors: if (at_last) state_d = StRow;
        StVector: if (at_last) state_d = task_i.decaps ? StRow : StVectorInverse;
        StVectorInverse: begin
          index_d = 2'd0;
          state_d = StRow;
        end
        StRow: begin
          if (at_last) begin
            row_d = row_q + 2'd1;
            if (task_i.keygen) state_d = row_at_last ? StIdle : StRow;
            else if (task_i.decaps && row_q == 2'd0) state_d = StVectorInverse;
            else state_d = StRowInverse;
          end
        end
        StRowInverse: begin
          index_d = 2'd0;
          back_d = back_q + 2'd1;
          if (back_at_last) state_d = StIdle;
          else if (task_i.decaps && {1'b0, back_q} == last - 3'd1) state_d = StRowInverse;
          else state_d = StRow;
        end
        default: ;
      endcase
    end
    if (start_i) begin
      index_d = 2'd0;
      row_d = 2'd0;
      back_d = 2'd0;
      before_d = task_i.decaps ? {params.k, 1'b0} : 4'd0;  // s and t come before u
      state_d = task_i.decaps ? StLoaded : StNoise;
    end
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      index_q <= 2'd0;
      row_q <= 2'd0;
      back_q <= 2'd0;
      before_q <= 4'd0;
    end else begin
      state_q <= state_d;
      index_q <= index_d;
      row_q <= row_d;
      back_q <= back_d;
      before_q <= before_d;
    end
  end

  assign idle_o = state_q == StIdle;

`ifndef SYNTHESIS
  latkem_holds #(
    .Width($bits(poly_job_t))
  ) u_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i || start_i),
    .offered_i(job_valid_o),
    .taken_i(job_ready_i),
    .what_i(job_o)
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

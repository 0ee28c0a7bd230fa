// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// What the encoder sends, in order, and where its words go.
//
//   keygen  s, then t = A s + e by rows
//   encaps  u by rows, then v
//   decaps  m' = v - s u; then v and u by rows, to be compared with ct
//
// FIPS 203 algorithms 13 (lines 18 to 20), 14 (19 to 23) and 15 (6 and 7).

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_mlkem_code_plan
  import latkem_hash_pkg::*;
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
  output encode_job_t  job_o,
  output logic         idle_o,
  // words as they leave the encoder
  input  logic         word_valid_i,
  input  logic         word_last_i,
  output word_addr_t   word_addr_o,
  output logic         word_compare_o,  // not stored but compared with the word at word_addr_o
  output logic         word_first_o     // of the operation's first part: s or m'
);

  typedef enum logic [1:0] {
    StIdle,
    StFirst,  // s or m'
    StRow,    // t or u
    StV
  } state_e;

  mlkem_set_t params;
  logic [2:0] last;

  assign params = task_i.params;
  assign last = params.k - 3'd1;

  // ---- Jobs ----

  state_e state_q, state_d;
  logic [1:0] index_q, index_d;
  logic at_last;
  logic [3:0] index;

  assign at_last = {1'b0, index_q} == last;
  assign index = {2'd0, index_q};

  always_comb begin
    job_o = '0;
    job_o.d = 4'd12;
    job_valid_o = 1'b0;
    unique case (state_q)
      StFirst: begin
        if (task_i.keygen) begin
          job_valid_o = ready_i.vectors[index];
          job_o.slot = index;
        end else begin
          // v is the last polynomial that is loaded, after s, t and u.
          job_valid_o = ready_i.vectors[slot_s(params.k)]
              && ready_i.loaded == 4'(mlkem_linear(params.k, 3, 1));
          job_o.d = 4'd1;
          job_o.slot = slot_s(params.k);
          job_o.operand = OperandC;
          job_o.operand_slot = SlotLoadedV;
          job_o.negate = 1'b1;
        end
      end
      StRow: begin
        job_valid_o = ready_i.vectors[SlotRow+index];
        job_o.slot = SlotRow + index;
        if (task_i.keygen) begin
          job_valid_o = ready_i.vectors[SlotRow+index] && ready_i.sums[{1'b0, index_q}];
          job_o.operand = OperandC;
          job_o.operand_slot = index;
        end else begin
          job_valid_o = ready_i.vectors[SlotRow+index] && ready_i.noise[SlotRow+index];
          job_o.d = params.du;
          job_o.operand = OperandNoise;
          job_o.operand_slot = SlotRow + index;
        end
      end
      StV: begin
        job_valid_o = ready_i.vectors[SlotV] && ready_i.noise[SlotNoiseV];
        job_o.d = params.dv;
        job_o.slot = SlotV;
        job_o.operand = OperandNoise;
        job_o.operand_slot = SlotNoiseV;
        job_o.message = 1'b1;
      end
      default: ;
    endcase
  end

  always_comb begin
    state_d = state_q;
    index_d = index_q;
    if (job_valid_o && job_ready_i) begin
      index_d = at_last ? 2'd0 : index_q + 2'd1;
      unique case (state_q)
        StFirst: begin
          if (task_i.decaps) begin
            index_d = 2'd0;
            state_d = StV;
          end else if (at_last) begin
            state_d = StRow;
          end
        end
        StRow: if (at_last) state_d = task_i.encaps ? StV : StIdle;
        StV: begin
          index_d = 2'd0;
          state_d = task_i.decaps ? StRow : StIdle;
        end
        default: ;
      endcase
    end
    if (start_i) begin
      index_d = 2'd0;
      state_d = task_i.encaps ? StRow : StFirst;
    end
    if (clear_i) state_d = StIdle;
  end

  // ---- Words ----

  state_e part_q, part_d;
  logic [1:0] done_q, done_d;  // polynomials of this part
  word_addr_t addr_q, addr_d;
  word_addr_t addr_v;

  assign addr_v = addr_ct_v(params.k);

  always_comb begin
    part_d = part_q;
    done_d = done_q;
    addr_d = addr_q;
    if (word_valid_i) addr_d = addr_q + 9'd1;
    if (word_valid_i && word_last_i) begin
      done_d = ({1'b0, done_q} == last) ? 2'd0 : done_q + 2'd1;
      unique case (part_q)
        StFirst: begin
          if (task_i.decaps) begin
            done_d = 2'd0;
            part_d = StV;
            addr_d = addr_v;
          end else if ({1'b0, done_q} == last) begin
            part_d = StRow;
            addr_d = 9'd0;
          end
        end
        StV: begin
          done_d = 2'd0;
          part_d = task_i.decaps ? StRow : StIdle;
          addr_d = addr_ct(params.k);
        end
        StRow: if ({1'b0, done_q} == last) part_d = task_i.encaps ? StV : StIdle;
        default: ;
      endcase
    end
    if (start_i) begin
      done_d = 2'd0;
      part_d = task_i.encaps ? StRow : StFirst;
      addr_d = task_i.decaps ? AddrMessage : addr_ct(params.k);
    end
    if (clear_i) part_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      index_q <= 2'd0;
      part_q <= StIdle;
      done_q <= 2'd0;
      addr_q <= 9'd0;
    end else begin
      state_q <= state_d;
      index_q <= index_d;
      part_q <= part_d;
      done_q <= done_d;
      addr_q <= addr_d;
    end
  end

  assign word_addr_o = addr_q;
  assign word_first_o = part_q == StFirst;
  assign word_compare_o = task_i.decaps && part_q != StFirst;
  assign idle_o = part_q == StIdle;

`ifndef SYNTHESIS
  latkem_holds #(
    .Width($bits(encode_job_t))
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

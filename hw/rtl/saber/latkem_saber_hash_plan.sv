// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The order of the hashes of an operation. A job is offered as soon as what it reads is there;
// jobs are never overtaken.
//
//   keygen  gen_s, SHAKE128(a0), gen_A, H(pk)
//   encaps  H(pk), m = H(m0), G(m || H(pk)), gen_s, gen_A, H(ct), ss = H(K || H(ct))
//   decaps  gen_A while m' is computed, G(m' || H(pk)), gen_s, H(ct), ss = H(K or z || H(ct))

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_saber_hash_plan
  import latkem_hash_pkg::*;
  import latkem_saber_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         start_i,
  input  saber_task_t  task_i,
  input  saber_ready_t ready_i,
  output logic         job_valid_o,
  input  logic         job_ready_i,
  output hash_job_t    job_o
);

  typedef enum logic [3:0] {
    StIdle,
    StHashEk,
    StHashMessage,
    StExpand,
    StSecret,
    StSeed,
    StMatrix,
    StHashCt,
    StKey
  } state_e;

  state_e state_q, state_d;
  saber_layout_t layout;

  assign layout = task_i.layout;

  always_comb begin
    job_o = '0;
    job_o.hash = HashSha3_256;
    job_o.first_words = 8'd4;
    job_o.digest_words = 4'd4;
    job_valid_o = 1'b0;
    unique case (state_q)
      StHashEk: begin
        job_valid_o = 1'b1;
        job_o.follows = 1'b1;
        // pk; in key generation seed_A is its second piece.
        job_o.first_words = 8'(task_i.keygen ? layout.seed_a : layout.hash_ek);
        job_o.second_addr = layout.seed_a;
        job_o.second_words = task_i.keygen ? 3'd4 : 3'd0;
        job_o.digest_addr = layout.hash_ek;
      end
      StHashMessage: begin
        job_valid_o = ready_i.received;
        job_o.first_addr = AddrRaw;
        job_o.digest_addr = AddrMessage;
      end
      StExpand: begin
        // Words of a digest follow each other, and come before they are read.
        job_valid_o = task_i.decaps ? ready_i.message : ready_i.message_begun;
        job_o.hash = HashSha3_512;
        job_o.first_addr = AddrMessage;
        job_o.second_addr = layout.hash_ek;
        job_o.second_words = 3'd4;
        job_o.digest_addr = AddrSeeds;
        job_o.digest_words = 4'd8;
      end
      StSecret: begin
        job_valid_o = task_i.keygen ? ready_i.secret : ready_i.expanded;
        job_o.hash = HashShake128;
        job_o.sink = SinkSecret;
        job_o.first_addr = task_i.keygen ? AddrRaw : AddrNoise;
      end
      StSeed: begin
        job_valid_o = 1'b1;  // a0 comes before seed_s
        job_o.hash = HashShake128;
        job_o.first_addr = AddrMessage;
        job_o.digest_addr = layout.seed_a;
      end
      StMatrix: begin
        job_valid_o = task_i.encaps || ready_i.seed_a;
        job_o.hash = HashShake128;
        job_o.sink = SinkMatrix;
        job_o.first_addr = layout.seed_a;
      end
      StHashCt: begin
        job_valid_o = 1'b1;
        job_o.follows = 1'b1;
        job_o.first_addr = layout.ct_b;
        job_o.first_words = 8'(layout.ct_words);
        job_o.digest_addr = AddrHashCt;
      end
      StKey: begin
        job_valid_o = task_i.encaps ? ready_i.hash_ct_begun : ready_i.selected;
        job_o.first_addr = task_i.encaps ? AddrSeeds : AddrKey;
        job_o.second_addr = AddrHashCt;
        job_o.second_words = 3'd4;
        job_o.digest_addr = AddrShared;
      end
      default: ;
    endcase
  end

  always_comb begin
    state_d = state_q;
    if (job_valid_o && job_ready_i) begin
      unique case (state_q)
        StHashEk:      state_d = task_i.keygen ? StIdle : StHashMessage;
        StHashMessage: state_d = StExpand;
        StExpand:      state_d = StSecret;
        StSecret: begin
          if (task_i.keygen) state_d = StSeed;
          else state_d = task_i.encaps ? StMatrix : StHashCt;
        end
        StSeed:        state_d = StMatrix;
        StMatrix: begin
          if (task_i.keygen) state_d = StHashEk;
          else state_d = task_i.encaps ? StHashCt : StExpand;
        end
        StHashCt:      state_d = StKey;
        default:       state_d = StIdle;
      endcase
    end
    if (start_i) begin
      if (task_i.keygen) state_d = StSecret;
      else state_d = task_i.encaps ? StHashEk : StMatrix;
    end
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

`ifndef SYNTHESIS
  latkem_holds #(
    .Width($bits(hash_job_t))
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

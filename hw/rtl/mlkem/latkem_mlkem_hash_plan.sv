// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The order of the hashes of an operation. A job is offered as soon as what it reads is there;
// jobs are never overtaken.
//
//   keygen  G(d || k), PRF s, PRF e, XOF A by rows, H(ek)
//   encaps  H(ek), [Kyber: H(m)], G(m || H(ek)), PRF y, XOF A^T by rows, PRF e1 and e2,
//           [Kyber: H(ct), KDF]
//   decaps  [ML-KEM: H(ek)], some entries of A^T while m' is computed, G(m' || h), PRF y, the
//           other entries, PRF e1 and e2, J(z || ct) [Kyber: H(ct), KDF]
//
// FIPS 203 algorithms 13, 14, 17 and 18; Kyber round 3 algorithms 4, 5, 8 and 9.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_mlkem_hash_plan
  import latkem_hash_pkg::*;
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
  output hash_job_t    job_o
);

  typedef enum logic [3:0] {
    StIdle,
    StHashEk,
    StHashMessage,
    StExpand,
    StVector,
    StErrors,
    StMatrix,
    StHashCt,
    StKey
  } state_e;

  state_e state_q, state_d;
  logic [2:0] noise_q, noise_d;  // polynomial within StVector and StErrors
  logic [1:0] row_q, row_d, column_q, column_d;
  logic [2:0] early_q, early_d;  // entries of A left before G in decaps
  logic complete_q, complete_d;  // all entries of A have been given

  mlkem_set_t params;
  logic kyber, last_noise, last_entry;
  logic [2:0] errors;
  logic [7:0] ct_words;

  assign params = task_i.params;
  assign kyber = params.kyber;
  assign errors = task_i.keygen ? params.k : params.k + 3'd1;
  assign last_noise = noise_q == ((state_q == StVector) ? params.k : errors) - 3'd1;
  assign last_entry = ({1'b0, row_q} == params.k - 3'd1) && ({1'b0, column_q} == params.k - 3'd1);
  assign ct_words = 8'(mlkem_ct_words(params.k));

  // How many entries of A fit in the time in which m' is computed.
  function automatic logic [2:0] early_entries(logic round3, logic [2:0] k);
    unique case (k)
      3'd2:    return round3 ? 3'd4 : 3'd3;
      3'd3:    return round3 ? 3'd6 : 3'd5;
      default: return round3 ? 3'd6 : 3'd4;
    endcase
  endfunction

  always_comb begin
    job_o = '0;
    job_o.hash = HashShake256;
    job_valid_o = 1'b0;
    unique case (state_q)
      StHashEk: begin
        job_valid_o = 1'b1;
        job_o.hash = HashSha3_256;
        job_o.follows = 1'b1;
        job_o.first_words = task_i.keygen ? 8'(addr_rho(params.k)) : 8'(addr_hash_ek(params.k));
        job_o.second_addr = AddrSeeds;
        job_o.second_words = task_i.keygen ? 3'd4 : 3'd0;
        job_o.digest_addr = addr_hash_ek(params.k);
        // FIPS 203 7.3: H(ek) is compared with the hash in dk. Kyber's decaps has no such hash.
        job_o.check = task_i.decaps;
        job_o.digest_words = 4'd4;
      end
      StHashMessage: begin
        job_valid_o = ready_i.received;
        job_o.hash = HashSha3_256;
        job_o.first_addr = AddrRaw;
        job_o.first_words = 8'd4;
        job_o.digest_addr = AddrMessage;
        job_o.digest_words = 4'd4;
      end
      StExpand: begin
        // Words of a digest follow each other, and come before they are read.
        if (task_i.keygen) job_valid_o = ready_i.seed;
        else if (task_i.decaps) job_valid_o = ready_i.message;
        else if (kyber) job_valid_o = ready_i.message_begun;
        else job_valid_o = ready_i.message && ready_i.hash_ek_begun;
        job_o.hash = HashSha3_512;
        job_o.first_addr = AddrMessage;
        job_o.first_words = 8'd4;
        job_o.second_addr = addr_hash_ek(params.k);
        job_o.second_words = task_i.keygen ? 3'd0 : 3'd4;
        job_o.tail_bytes = {1'b0, task_i.keygen && !kyber};
        job_o.tail = {13'd0, params.k};
        job_o.digest_addr = AddrSeeds;
        job_o.digest_words = 4'd8;
      end
      StVector, StErrors: begin
        job_valid_o = ready_i.expanded;
        job_o.first_addr = AddrNoise;
        job_o.first_words = 8'd4;
        job_o.tail_bytes = 2'd1;
        job_o.tail = {12'd0, 4'(noise_q) + ((state_q == StErrors) ? 4'(params.k) : 4'd0)};
        job_o.sink = (params.eta1 == 2'd3 && (state_q == StVector || task_i.keygen))
                   ? SinkCbd3 : SinkCbd2;
        if (state_q == StVector) job_o.slot = 4'(noise_q);
        else if (noise_q == params.k) job_o.slot = SlotNoiseV;
        else job_o.slot = SlotRow + 4'(noise_q);
      end
      StMatrix: begin
        job_valid_o = task_i.decaps ? ready_i.rho : 1'b1;
        job_o.hash = HashShake128;
        job_o.sink = SinkMatrix;
        job_o.first_addr = task_i.keygen ? AddrSeeds : addr_rho(params.k);
        job_o.first_words = 8'd4;
        job_o.tail_bytes = 2'd2;
        job_o.tail = task_i.keygen ? {6'd0, row_q, 6'd0, column_q}
                   : {6'd0, column_q, 6'd0, row_q};
        job_o.slot = {row_q, column_q};
      end
      StHashCt: begin
        job_valid_o = 1'b1;
        job_o.hash = kyber ? HashSha3_256 : HashShake256;
        job_o.follows = 1'b1;
        job_o.first_addr = kyber ? addr_ct(params.k) : addr_z(params.k);
        job_o.first_words = kyber ? ct_words : ct_words + 8'd4;
        job_o.digest_addr = kyber ? AddrHashCt : AddrReject;
        job_o.digest_words = 4'd4;
      end
      StKey: begin
        job_valid_o = task_i.encaps ? ready_i.hash_ct_begun : ready_i.selected;
        job_o.first_addr = task_i.encaps ? AddrSeeds : AddrReject;
        job_o.first_words = 8'd4;
        job_o.second_addr = AddrHashCt;
        job_o.second_words = 3'd4;
        job_o.digest_addr = AddrShared;
        job_o.digest_words = 4'd4;
      end
      default: ;
    endcase
  end

  always_comb begin
    state_d = state_q;
    noise_d = noise_q;
    row_d = row_q;
    column_d = column_q;
    early_d = early_q;
    complete_d = complete_q;
    if (job_valid_o && job_ready_i) begin
      unique case (state_q)
        StHashEk: begin
          if (task_i.keygen) state_d = StIdle;
          else if (task_i.decaps) state_d = StMatrix;
          else state_d = kyber ? StHashMessage : StExpand;
        end
        StHashMessage: state_d = StExpand;
        StExpand: state_d = StVector;
        StVector: begin
          noise_d = last_noise ? 3'd0 : noise_q + 3'd1;
          if (last_noise) state_d = (task_i.keygen || complete_q) ? StErrors : StMatrix;
        end
        StMatrix: begin
          column_d = ({1'b0, column_q} == params.k - 3'd1) ? 2'd0 : column_q + 2'd1;
          if ({1'b0, column_q} == params.k - 3'd1) row_d = row_q + 2'd1;
          if (early_q != 3'd0) early_d = early_q - 3'd1;
          if (last_entry) complete_d = 1'b1;
          if (early_q == 3'd1) state_d = StExpand;
          else if (last_entry) state_d = task_i.keygen ? StHashEk : StErrors;
        end
        StErrors: begin
          noise_d = last_noise ? 3'd0 : noise_q + 3'd1;
          if (last_noise) begin
            if (task_i.keygen) state_d = StMatrix;
            else if (task_i.encaps && !kyber) state_d = StIdle;
            else state_d = StHashCt;
          end
        end
        StHashCt: state_d = kyber ? StKey : StIdle;
        StKey: state_d = StIdle;
        default: ;
      endcase
    end
    if (start_i) begin
      noise_d = 3'd0;
      row_d = 2'd0;
      column_d = 2'd0;
      complete_d = 1'b0;
      early_d = task_i.decaps ? early_entries(kyber, params.k) : 3'd0;
      if (task_i.keygen) state_d = StExpand;
      else if (task_i.decaps && kyber) state_d = StMatrix;
      else state_d = StHashEk;
    end
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      noise_q <= 3'd0;
      row_q <= 2'd0;
      column_q <= 2'd0;
      early_q <= 3'd0;
      complete_q <= 1'b0;
    end else begin
      state_q <= state_d;
      noise_q <= noise_d;
      row_q <= row_d;
      column_q <= column_d;
      early_q <= early_d;
      complete_q <= complete_d;
    end
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

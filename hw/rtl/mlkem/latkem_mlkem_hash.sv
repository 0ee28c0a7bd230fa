// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The hash unit and what consumes its output in a core of ML-KEM and Kyber: the noise sampler and the
// rejection sampler. An entry of the matrix takes three blocks, and more if they hold fewer than 256
// coefficients.

module latkem_mlkem_hash
  import latkem_hash_pkg::*;
  import latkem_mlkem_pkg::*;
#(
  parameter int unsigned Rounds = 1  // of Keccak, a cycle; 1 or 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,     // forget all jobs, overwrite all registers
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  hash_job_t   job_i,
  input  logic [WordAddrWidth:0] avail_i,  // job.follows: words of the first piece below are there
  output word_addr_t  raddr_o,     // memory of words: what is read appears one cycle later
  input  logic [63:0] rdata_i,
  input  logic        checkable_i,  // what a digest is compared with is there
  input  logic        digest_next_i,  // a word of a digest is accepted in the next cycle
  output logic        digest_valid_o,
  output word_addr_t  digest_addr_o,
  output logic        digest_check_o,  // as the job says
  output logic [63:0] digest_data_o,
  output logic        a_we_o,      // coefficients 8 i to 8 i + 7 of the matrix, {slot, i}
  output logic [8:0]  a_waddr_o,
  output logic [95:0] a_wdata_o,
  output logic        a_done_o,
  output logic [3:0]  a_done_slot_o,
  output logic        n_we_o,      // coefficients 16 i to 16 i + 15 of noise, {slot, i}
  output logic [7:0]  n_waddr_o,
  output logic [47:0] n_wdata_o,
  output logic        n_done_o,
  output logic [3:0]  n_done_slot_o,
  output logic        idle_o
);

  sink_t begun, unused_current, sink;
  logic opening, further, third, valid, first, block, enough, hash_idle;
  logic [3:0] slot;
  logic [3:1][4:0] words;
  logic [63:0] word;

  assign further = begun == SinkMatrix || begun == SinkCbd3;
  assign third = begun == SinkMatrix;

  assign words[SinkCbd2] = 5'd16;
  assign words[SinkCbd3] = opening ? 5'd17 : 5'd7;
  assign words[SinkMatrix] = 5'd21;

  latkem_hash #(
    .Retry(SinkMatrix),
    .Rounds(Rounds)
  ) u_hash (
    .clk_i,
    .rst_ni,
    .clear_i,
    .job_valid_i,
    .job_ready_o,
    .job_i,
    .last_bytes_i(3'd0),
    .avail_i,
    .raddr_o,
    .rdata_i,
    .checkable_i,
    .digest_next_i,
    .digest_valid_o,
    .digest_addr_o,
    .digest_check_o,
    .digest_data_o,
    .begun_o(begun),
    .further_i(further),
    .third_i(third),
    .current_o(unused_current),
    .more_i(1'b0),
    .opening_o(opening),
    .words_i(words),
    .sample_valid_o(valid),
    .sample_sink_o(sink),
    .sample_first_o(first),
    .sample_block_o(block),
    .sample_slot_o(slot),
    .sample_o(word),
    .enough_i(enough),
    // Its last coefficients are being written; the time does not depend on which were accepted.
    .complete_o(a_done_o),
    .complete_slot_o(a_done_slot_o),
    .idle_o(hash_idle)
  );

  latkem_mlkem_noise u_noise (
    .clk_i,
    .rst_ni,
    .clear_i,
    .valid_i(valid && (sink == SinkCbd2 || sink == SinkCbd3)),
    .first_i(first),
    .three_i(sink == SinkCbd3),
    .slot_i(slot),
    .word_i(word),
    .we_o(n_we_o),
    .waddr_o(n_waddr_o),
    .wdata_o(n_wdata_o),
    .done_o(n_done_o),
    .done_slot_o(n_done_slot_o)
  );

  latkem_mlkem_sampler u_sampler (
    .clk_i,
    .rst_ni,
    .clear_i,
    .valid_i(valid && sink == SinkMatrix),
    .first_i(first),
    .block_i(block),
    .slot_i(slot),
    .word_i(word),
    .enough_o(enough),
    .we_o(a_we_o),
    .waddr_o(a_waddr_o),
    .wdata_o(a_wdata_o)
  );

  assign idle_o = hash_idle && !n_we_o && !a_we_o;

endmodule

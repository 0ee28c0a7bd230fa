// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The hash unit with its jobs, SHA3-256 all: in encapsulation ss = H(r || m), in decapsulation
// H(z || ct), then H(r || m).

module latkem_ntru_hash
  import latkem_hash_pkg::*;
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t Set = ntru_set(2'd3),
  parameter int unsigned Rounds = 1  // of Keccak, a cycle; 1 or 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        start_i,
  input  logic        encaps_i,
  input  logic        decaps_i,
  input  logic        received_i,    // level: z and ct are in their places
  input  logic        packed_i,      // level: r is being packed, m may be,
  input  logic [WordAddrWidth:0] avail_i,  // up to here
  input  word_addr_t  ct_addr_i,
  output word_addr_t  raddr_o,
  input  logic [63:0] rdata_i,
  input  logic        digest_next_i,
  output logic        digest_valid_o,
  output word_addr_t  digest_addr_o,
  output logic [63:0] digest_data_o
);

  localparam int unsigned PackedBytes = 2 * trit_bytes(Set);
  localparam int unsigned CtBytes = coeff_bytes(Set);
  // A word that is there: of packed trits that end with a word, no byte of it counts.
  localparam int unsigned PackedTail = (PackedBytes - 1) / 8;

  typedef enum logic [1:0] {
    StIdle,
    StReject,
    StKey
  } state_e;

  state_e state_q, state_d;
  hash_job_t job;
  logic job_valid, job_ready;
  logic [2:0] last_bytes, last_bytes_q;

  always_comb begin
    job = '0;
    job.hash = HashSha3_256;
    job.digest_words = 4'd4;
    job.follows = state_q == StKey;
    job.first_addr = AddrPacked;
    job.first_words = 8'(PackedBytes / 8);
    job.second_addr = AddrPacked + WordAddrWidth'(PackedTail);
    job.digest_addr = encaps_i ? AddrShared : AddrKey;
    last_bytes = 3'(PackedBytes % 8);
    job_valid = state_q == StKey && packed_i;
    if (state_q == StReject) begin
      job.first_addr = ct_addr_i - WordAddrWidth'(4);
      job.first_words = 8'(4 + CtBytes / 8);
      job.second_addr = ct_addr_i + WordAddrWidth'(CtBytes / 8);
      job.digest_addr = AddrReject;
      last_bytes = 3'(CtBytes % 8);
      job_valid = received_i;
    end
  end

  always_comb begin
    state_d = state_q;
    if (job_valid && job_ready) state_d = (state_q == StReject) ? StKey : StIdle;
    if (start_i && encaps_i) state_d = StKey;
    if (start_i && decaps_i) state_d = StReject;
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      last_bytes_q <= 3'd0;
    end else begin
      state_q <= state_d;
      if (job_valid && job_ready) last_bytes_q <= last_bytes;
    end
  end

  sink_t unused_begun, unused_current, unused_sink;
  logic unused_opening, unused_check, unused_valid, unused_first, unused_block, unused_complete,
      unused_idle;
  logic [3:0] unused_slot, unused_complete_slot;
  logic [63:0] unused_word;

  latkem_hash #(
    .Retries(1'b0),
    .Partial(1'b1),
    .Rounds(Rounds)
  ) u_hash (
    .clk_i,
    .rst_ni,
    .clear_i,
    .job_valid_i(job_valid),
    .job_ready_o(job_ready),
    .job_i(job),
    .last_bytes_i(last_bytes_q),
    .avail_i,
    .raddr_o,
    .rdata_i,
    .checkable_i(1'b1),
    .digest_next_i,
    .digest_valid_o,
    .digest_addr_o,
    .digest_check_o(unused_check),
    .digest_data_o,
    .begun_o(unused_begun),
    .further_i(1'b0),
    .third_i(1'b0),
    .current_o(unused_current),
    .more_i(1'b0),
    .opening_o(unused_opening),
    .words_i('0),
    .sample_valid_o(unused_valid),
    .sample_sink_o(unused_sink),
    .sample_first_o(unused_first),
    .sample_block_o(unused_block),
    .sample_slot_o(unused_slot),
    .sample_o(unused_word),
    .enough_i(1'b1),
    .complete_o(unused_complete),
    .complete_slot_o(unused_complete_slot),
    .idle_o(unused_idle)
  );

`ifndef SYNTHESIS
  latkem_holds #(
    .Width($bits(hash_job_t))
  ) u_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i || start_i),
    .offered_i(job_valid),
    .taken_i(job_ready),
    .what_i(job)
  );
`endif

endmodule

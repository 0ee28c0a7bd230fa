// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The hash unit and what consumes its output in a core of Saber. The streams of gen_s and gen_A are
// longer than three blocks, the number that the unit knows when one begins: it asks for each further
// one as the one before the last leaves.

module latkem_saber_hash
  import latkem_hash_pkg::*;
  import latkem_saber_pkg::*;
#(
  parameter int unsigned Rounds = 1  // of Keccak, a cycle; 1 or 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,     // forget all jobs, overwrite all registers
  input  saber_set_t  params_i,    // constant from the cycle before a job on
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  hash_job_t   job_i,
  input  logic [WordAddrWidth:0] avail_i,  // job.follows: words of the first piece below are there
  output word_addr_t  raddr_o,     // memory of words: what is read appears one cycle later
  input  logic [63:0] rdata_i,
  input  logic        digest_next_i,  // a word of a digest is accepted in the next cycle
  output logic        digest_valid_o,
  output word_addr_t  digest_addr_o,
  output logic [63:0] digest_data_o,
  // coefficients
  output logic        x_next_o,    // x_we_o in the next cycle
  output logic        x_we_o,
  output slot_t       x_slot_o,
  output logic [3:0]  x_index_o,
  output logic [15:0][CoeffWidth-1:0] x_wdata_o,
  output logic        done_o,      // pulse: a polynomial's last coefficients are being written
  output slot_t       done_slot_o
);

  sink_t begun, current, sink;
  logic further, third, more, valid, first, block;
  logic unused_opening, unused_check, unused_complete, unused_idle;
  logic [3:0] unused_slot, unused_complete_slot;
  logic [3:1][4:0] words;
  logic [63:0] word;

  // Blocks of 168 bytes.
  function automatic logic [5:0] blocks_of(logic [2:0] l, sink_t to);
    if (to == SinkSecret) return (l == 3'd2) ? 6'd4 : 6'd5;
    unique case (l)
      3'd2:    return 6'd10;
      3'd3:    return 6'd23;
      default: return 6'd40;
    endcase
  endfunction

  // A register beside its users.
  logic [2:0] l_q;
  always_ff @(posedge clk_i) l_q <= params_i.l;

  assign further = begun != SinkDigest;
  assign third = begun != SinkDigest;
  assign words = '{default: 5'd21};

  // Blocks of a stream that have left or begun to.
  logic [5:0] sent_q, sent_d;

  always_comb begin
    sent_d = sent_q;
    if (valid && block && sink != SinkDigest) begin
      sent_d = (sent_q == blocks_of(l_q, sink) - 6'd1) ? 6'd0 : sent_q + 6'd1;
    end
    if (clear_i) sent_d = 6'd0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sent_q <= 6'd0;
    else sent_q <= sent_d;
  end

  // When the next block is captured, two more are known.
  assign more = current != SinkDigest && sent_q + 6'd3 < blocks_of(l_q, current);

  latkem_hash #(
    .Retry(2'd3),
    .Retries(1'b0),
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
    .checkable_i(1'b1),
    .digest_next_i,
    .digest_valid_o,
    .digest_addr_o,
    .digest_check_o(unused_check),
    .digest_data_o,
    .begun_o(begun),
    .further_i(further),
    .third_i(third),
    .current_o(current),
    .more_i(more),
    .opening_o(unused_opening),
    .words_i(words),
    .sample_valid_o(valid),
    .sample_sink_o(sink),
    .sample_first_o(first),
    .sample_block_o(block),
    .sample_slot_o(unused_slot),
    .sample_o(word),
    .enough_i(1'b1),
    .complete_o(unused_complete),
    .complete_slot_o(unused_complete_slot),
    .idle_o(unused_idle)
  );

  latkem_saber_sampler u_sampler (
    .clk_i,
    .rst_ni,
    .clear_i,
    .params_i,
    .valid_i(valid && sink != SinkDigest),
    .first_i(first),
    .secret_i(sink == SinkSecret),
    .word_i(word),
    .x_next_o,
    .x_we_o,
    .x_slot_o,
    .x_index_o,
    .x_wdata_o,
    .done_o,
    .done_slot_o
  );

endmodule

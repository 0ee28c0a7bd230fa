// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The encoder's jobs, in order, and the targets of its words.
//
//   keygen  s, then t by rows
//   encaps  u by rows, then v
//   decaps  m'; then v and u by rows, to be compared with ct
//
// t, u and v are b, b' and c in Saber. FIPS 203 algorithms 13 (lines 18 to 20), 14 (19 to 23) and 15
// (6 and 7).

module latkem_code_plan
  import latkem_hash_pkg::*;
  import latkem_words_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         start_i,
  input  logic         encaps_i,
  input  logic         decaps_i,
  input  logic [2:0]   last_i,         // polynomials of a vector, less one
  // where words go: m', ct (key generation: s) and its last polynomial; t goes to 0
  input  word_addr_t   message_addr_i,
  input  word_addr_t   ct_addr_i,
  input  word_addr_t   last_addr_i,
  // jobs: polynomial `index_o` of `part_o`
  output code_part_e   part_o,
  output logic [1:0]   index_o,
  input  logic         there_i,        // what that job reads is there
  output logic         job_valid_o,
  input  logic         job_ready_i,
  output logic         idle_o,
  // words as they leave the encoder
  input  logic         word_valid_i,
  input  logic         word_last_i,
  output word_addr_t   word_addr_o,
  output logic         word_compare_o,  // not stored but compared with the word at word_addr_o
  output logic         word_first_o     // of the operation's first part: s or m'
);

  // ---- Jobs ----

  code_part_e part_q, part_d;
  logic [1:0] index_q, index_d;
  logic at_last;

  assign at_last = {1'b0, index_q} == last_i;
  assign part_o = part_q;
  assign index_o = index_q;
  assign job_valid_o = part_q != CodeNone && there_i;

  always_comb begin
    part_d = part_q;
    index_d = index_q;
    if (job_valid_o && job_ready_i) begin
      index_d = at_last ? 2'd0 : index_q + 2'd1;
      unique case (part_q)
        CodeFirst: begin
          if (decaps_i) begin
            index_d = 2'd0;
            part_d = CodeLast;
          end else if (at_last) begin
            part_d = CodeRow;
          end
        end
        CodeRow: if (at_last) part_d = encaps_i ? CodeLast : CodeNone;
        CodeLast: begin
          index_d = 2'd0;
          part_d = decaps_i ? CodeRow : CodeNone;
        end
        default: ;
      endcase
    end
    if (start_i) begin
      index_d = 2'd0;
      part_d = encaps_i ? CodeRow : CodeFirst;
    end
    if (clear_i) part_d = CodeNone;
  end

  // ---- Words ----

  code_part_e sent_q, sent_d;
  logic [1:0] done_q, done_d;  // polynomials of this part
  word_addr_t addr_q, addr_d;

  always_comb begin
    sent_d = sent_q;
    done_d = done_q;
    addr_d = addr_q;
    if (word_valid_i) addr_d = addr_q + 9'd1;
    if (word_valid_i && word_last_i) begin
      done_d = ({1'b0, done_q} == last_i) ? 2'd0 : done_q + 2'd1;
      unique case (sent_q)
        CodeFirst: begin
          if (decaps_i) begin
            done_d = 2'd0;
            sent_d = CodeLast;
            addr_d = last_addr_i;
          end else if ({1'b0, done_q} == last_i) begin
            sent_d = CodeRow;
            addr_d = 9'd0;
          end
        end
        CodeLast: begin
          done_d = 2'd0;
          sent_d = decaps_i ? CodeRow : CodeNone;
          addr_d = ct_addr_i;
        end
        CodeRow: if ({1'b0, done_q} == last_i) sent_d = encaps_i ? CodeLast : CodeNone;
        default: ;
      endcase
    end
    if (start_i) begin
      done_d = 2'd0;
      sent_d = encaps_i ? CodeRow : CodeFirst;
      addr_d = decaps_i ? message_addr_i : ct_addr_i;
    end
    if (clear_i) sent_d = CodeNone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q <= CodeNone;
      index_q <= 2'd0;
      sent_q <= CodeNone;
      done_q <= 2'd0;
      addr_q <= 9'd0;
    end else begin
      part_q <= part_d;
      index_q <= index_d;
      sent_q <= sent_d;
      done_q <= done_d;
      addr_q <= addr_d;
    end
  end

  assign word_addr_o = addr_q;
  assign word_first_o = sent_q == CodeFirst;
  assign word_compare_o = decaps_i && sent_q != CodeFirst;
  assign idle_o = sent_q == CodeNone;

`ifndef SYNTHESIS
  latkem_holds #(
    .Width($bits(code_part_e) + 2)
  ) u_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i || start_i),
    .offered_i(job_valid_o),
    .taken_i(job_ready_i),
    .what_i({part_q, index_q})
  );
`endif

endmodule

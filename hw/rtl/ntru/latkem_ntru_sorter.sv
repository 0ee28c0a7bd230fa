// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Sorts words, as fixed_type does: runs of one or two, then stages that merge pairs of runs, each as long
// as the others or longer by one. When valid_o is high depends on valid_i alone. Every register that held a
// word is zero in the cycle after the last one comes out.

module latkem_ntru_sorter
  import latkem_ntru_pkg::*;
#(
  parameter int unsigned Count = 676    // words of a sort, 2 to 1024
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,      // forgets everything
  input  logic        wipe_i,       // with clear_i: zero goes to the address in every memory
  input  logic [8:0]  wipe_addr_i,
  input  logic        valid_i,      // words that are sorted next come behind the last of these
  input  logic [31:0] word_i,       // signed
  output logic        valid_o,      // ascending
  output trit_t       tag_o         // the two lowest bits
);

  localparam int unsigned Stages = $clog2(Count);

  if (Count < 2 || Count > 1024) begin : g_range
    $error("latkem_ntru_sorter: Count must be 2 to 1024");
  end

  // The longest run of stage s that is the first of its pair.
  function automatic int unsigned first_run(int unsigned s);
    int unsigned pairs, size;
    pairs = 1 << (Stages - s);
    first_run = 0;
    for (int unsigned j = 0; j < pairs; j++) begin
      size = (2 * j + 1) * Count / (2 * pairs) - j * Count / pairs;
      if (size > first_run) first_run = size;
    end
  endfunction

  // In the cycle behind wipe_i, when clear_i has made zero of what is written.
  logic wipe_q, clear;
  // verilator lint_off UNUSEDSIGNAL
  logic [8:0] slot;  // small memories do not use its upper bits
  // verilator lint_on UNUSEDSIGNAL
  assign clear = clear_i || wipe_q;
  assign slot = wipe_addr_i & {9{clear_i && wipe_i}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wipe_q <= 1'b0;
    else wipe_q <= clear_i && wipe_i;
  end

  logic valid[Stages], run_end[Stages], sort_end[Stages];
  logic [31:0] word[Stages];  // between stages

  latkem_ntru_pairs #(
    .Count (Count),
    .Levels(Stages - 1)
  ) u_pairs (
    .clk_i,
    .rst_ni,
    .clear_i,
    .valid_i,
    .word_i,
    .valid_o(valid[0]),
    .run_end_o(run_end[0]),
    .sort_end_o(sort_end[0]),
    .word_o(word[0])
  );

  for (genvar s = 1; s < Stages; s++) begin : g_stage
    localparam int unsigned Run = first_run(s + 1);
    localparam int unsigned Slots = s == Stages - 1 ? (Count + 1) / 2 : Run + 1;

    latkem_ntru_merge #(
      .Run(Run),
      .Slots(Slots)
    ) u_merge (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .wipe_i(wipe_q),
      .slot_i($clog2(Slots)'(slot)),
      .valid_i(valid[s-1]),
      .run_end_i(run_end[s-1]),
      .sort_end_i(sort_end[s-1]),
      .word_i(word[s-1]),
      .valid_o(valid[s]),
      .run_end_o(run_end[s]),
      .sort_end_o(sort_end[s]),
      .word_o(word[s])
    );
  end

  assign valid_o = valid[Stages-1];
  assign tag_o = word[Stages-1][1:0];

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A stage of the sorter: merges the first run with the second, the third with the fourth, and so on. It
// takes a step with each word that comes, and behind the last one in each cycle. The output follows the
// input by a fixed number of steps.

module latkem_ntru_merge #(
  parameter int unsigned Run = 338,     // the longest of the first, third, ... runs
  parameter int unsigned Slots = 338,   // Run + 1; where there is one pair alone, its longer run
  localparam int unsigned AddrWidth = $clog2(Slots)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  input  logic                 wipe_i,      // zero is written to both sides
  input  logic [AddrWidth-1:0] slot_i,      // with clear_i: where, a cycle later; else zero
  input  logic                 valid_i,
  input  logic                 run_end_i,   // the last word of its run
  input  logic                 sort_end_i,  // the last word of all
  input  logic [31:0]          word_i,      // zero without one
  output logic                 valid_o,
  output logic                 run_end_o,
  output logic                 sort_end_o,
  output logic [31:0]          word_o
);

  // A second run's first word is compared two or three steps after it came: it is written, read into
  // the memory's register, if there is one, and into the head. So many steps and the length of a first
  // run are between what comes in and what goes out.
  localparam bit Direct = Slots <= 64;
  localparam int unsigned Lag = Run + (Direct ? 2 : 3);
  localparam int unsigned StepWidth = $clog2(Lag);

  logic [StepWidth-1:0] steps_q;  // since the first word; then since the last one
  logic counts, counted;          // this step is counted; it is number Lag
  logic primed_q;                 // words go out
  logic drain_q, drained;         // all words have come; and the last one goes out
  logic wipe_q;                   // zeros are written over them
  logic side_q;                   // the word that comes is of a second run
  logic step, next, next_run, take_first;
  logic [1:0] run_end, over;
  logic [1:0][31:0] word;

  assign step = valid_i || drain_q;
  assign counts = drain_q || (valid_i && !primed_q);
  assign counted = steps_q == StepWidth'(Lag - 1);
  assign drained = drain_q && counted;
  assign next_run = (over[0] && run_end[1]) || (over[1] && run_end[0]);
  assign next = step && (primed_q ? next_run : counted);
  assign take_first = over[1] || (!over[0] && $signed(word[0]) <= $signed(word[1]));

  for (genvar i = 0; i < 2; i++) begin : g_side
    latkem_ntru_runs #(
      .Slots (Slots),
      .Direct(Direct)
    ) u_runs (
      .clk_i,
      .rst_ni,
      .clear_i,
      .restart_i(drained),
      .slot_i,
      .write_i((valid_i && side_q == 1'(i)) || wipe_q || wipe_i),
      .data_i({run_end_i, word_i}),
      .step_i(step),
      .take_i(take_first == (i == 0)),
      .next_i(next),
      .word_o(word[i]),
      .end_o(run_end[i]),
      .over_o(over[i])
    );
  end

  always_ff @(posedge clk_i) begin
    word_o <= '0;
    if (step && primed_q && !clear_i) word_o <= take_first ? word[0] : word[1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      steps_q <= '0;
      primed_q <= 1'b0;
      drain_q <= 1'b0;
      wipe_q <= 1'b0;
      side_q <= 1'b0;
      valid_o <= 1'b0;
      run_end_o <= 1'b0;
      sort_end_o <= 1'b0;
    end else if (clear_i) begin
      steps_q <= '0;
      primed_q <= 1'b0;
      drain_q <= 1'b0;
      wipe_q <= 1'b0;
      side_q <= 1'b0;
      valid_o <= 1'b0;
      run_end_o <= 1'b0;
      sort_end_o <= 1'b0;
    end else begin
      if (counts) steps_q <= counted ? '0 : steps_q + 1'b1;
      primed_q <= (primed_q || (valid_i && counted)) && !drained;
      drain_q <= (drain_q || (valid_i && sort_end_i)) && !drained;
      wipe_q <= drain_q && !drained;
      side_q <= side_q ^ (valid_i && run_end_i);
      valid_o <= step && primed_q;
      run_end_o <= step && primed_q && next_run;
      sort_end_o <= drained;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(valid_i && drain_q));
      assert (valid_i || word_i == '0);
      assert (!(primed_q && over == 2'b11));
    end
  end
`endif

endmodule

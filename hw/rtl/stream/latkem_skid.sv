// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A buffer of two beats between two handshakes: every output comes from a register, and a beat may
// pass in every cycle. A word does not stay when its beat has passed. `allow_i` low keeps ready_o
// low from the next edge on.

module latkem_skid #(
  parameter int unsigned Width = 65
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // drops what is inside
  input  logic             allow_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic ready_q, ready_d;
  logic head_valid_q, head_valid_d, tail_valid_q, tail_valid_d;
  logic [Width-1:0] head_q, tail_q;
  logic push, move;

  assign push = valid_i && ready_q;
  assign move = ready_i || !head_valid_q;  // `head` takes a beat if there is one

  // `tail` is never there without `head`, and nothing is pushed while it is.
  always_comb begin
    head_valid_d = head_valid_q;
    tail_valid_d = tail_valid_q;
    if (move) begin
      head_valid_d = tail_valid_q || push;
      tail_valid_d = 1'b0;
    end else if (push) begin
      tail_valid_d = 1'b1;
    end
    if (clear_i) begin
      head_valid_d = 1'b0;
      tail_valid_d = 1'b0;
    end
    ready_d = !tail_valid_d && allow_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      head_valid_q <= 1'b0;
      tail_valid_q <= 1'b0;
    end else begin
      ready_q <= ready_d;
      head_valid_q <= head_valid_d;
      tail_valid_q <= tail_valid_d;
    end
  end

  // A word stays in `tail` at most one edge longer than its beat. Whether a beat comes, or `head` moves, is
  // known late. So the input is masked, and `head` takes a sum of two words, one of them zero: a choice
  // with zero would become a reset, which is as late and far away.
  logic [Width-1:0] pushed, kept;
  assign pushed = data_i & {Width{push}};
  assign kept = tail_q & {Width{tail_valid_q}};

  always_ff @(posedge clk_i) begin
    if (clear_i) head_q <= '0;
    else if (move) head_q <= kept | pushed;
    if (clear_i) tail_q <= '0;
    else if (!tail_valid_q) tail_q <= pushed;
  end

  assign ready_o = ready_q;
  assign valid_o = head_valid_q;
  assign data_o = head_q;

`ifndef SYNTHESIS
  latkem_holds u_ready_holds (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i || !allow_i),
    .offered_i(ready_o),
    .taken_i(valid_i),
    .what_i(1'b0)
  );

  latkem_holds #(
    .Width(Width)
  ) u_valid_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(valid_o),
    .taken_i(ready_i),
    .what_i(data_o)
  );
`endif

endmodule

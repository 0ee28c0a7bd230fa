// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_fifo loses, makes, changes and reorders no word, keeps what waits, counts what is inside, and
// has zeros where no word is.

module fifo_proof #(
  parameter int unsigned Width = 4,
  parameter int unsigned Depth = 3,
  localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             clear_i,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic             mark_i    // follow the word that enters now
);

  logic ready, valid;
  logic [Width-1:0] data;
  logic [CountWidth-1:0] count;

  latkem_fifo #(
    .Width(Width),
    .Depth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o(valid),
    .ready_i,
    .data_o(data),
    .count_o(count)
  );

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;
  always_comb assume (rst_ni == !begin_q);

  logic push, pop;
  assign push = valid_i && ready;
  assign pop = valid && ready_i;

  // How many words are inside, and of the one that is followed: its place and data.
  logic [CountWidth-1:0] inside_q, ahead_q;
  logic followed_q, taking_q;
  logic [Width-1:0] watched_q;

  always_ff @(posedge clk_i) begin
    taking_q <= rst_ni;
    if (!rst_ni || clear_i) begin
      inside_q <= '0;
      followed_q <= 1'b0;
    end else begin
      inside_q <= inside_q + CountWidth'(push) - CountWidth'(pop);
      if (followed_q) begin
        if (pop) ahead_q <= ahead_q - CountWidth'(1);
        if (pop && ahead_q == '0) followed_q <= 1'b0;
      end else if (push && mark_i) begin
        followed_q <= 1'b1;
        ahead_q <= inside_q - CountWidth'(pop);
        watched_q <= data_i;
      end
    end
  end

  logic waits_q;
  logic [Width-1:0] waiting_q;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && valid && !ready_i && !clear_i;
    waiting_q <= data;
  end

  always_comb begin
    if (!begin_q) begin
      assert (inside_q <= CountWidth'(Depth));
      assert (count == inside_q);
      assert (valid == (inside_q != '0));
      assert (ready == (inside_q != CountWidth'(Depth) && taking_q));
      if (followed_q) assert (ahead_q < inside_q);
      if (followed_q && ahead_q == '0) assert (data == watched_q);
      if (waits_q) assert (valid && data == waiting_q);
      if (!valid) assert (data == '0);
    end
  end

endmodule

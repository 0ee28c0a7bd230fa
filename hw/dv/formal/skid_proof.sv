// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_skid loses, makes, changes and reorders no beat, keeps what waits, and forgets what passed.

module skid_proof #(
  parameter int unsigned Width = 8
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             clear_i,
  input logic             allow_i,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic             mark_i    // follow the beat that passes now
);

  logic ready, valid;
  logic [Width-1:0] data;

  latkem_skid #(
    .Width(Width)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .allow_i,
    .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o(valid),
    .ready_i,
    .data_o(data)
  );

  // Reset lasts two cycles: data have no reset, and are zero one edge later.
  logic [1:0] begin_q = 2'b11;
  always_ff @(posedge clk_i) begin_q <= {begin_q[0], 1'b0};
  always_comb assume (rst_ni == !begin_q[1]);

  logic push, pop;
  assign push = valid_i && ready;
  assign pop = valid && ready_i;

  // How many beats are inside, and of the one that is followed: its place and data.
  logic [1:0] inside_q, ahead_q;
  logic followed_q;
  logic [Width-1:0] watched_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      inside_q <= 2'd0;
      followed_q <= 1'b0;
    end else begin
      inside_q <= inside_q + 2'(push) - 2'(pop);
      if (followed_q) begin
        if (pop) ahead_q <= ahead_q - 2'd1;
        if (pop && ahead_q == 2'd0) followed_q <= 1'b0;
      end else if (push && mark_i) begin
        followed_q <= 1'b1;
        ahead_q <= inside_q - 2'(pop);
        watched_q <= data_i;
      end
    end
  end

  logic waits_q, allowed_q;
  logic [Width-1:0] waiting_q;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && valid && !ready_i && !clear_i;
    waiting_q <= data;
    allowed_q <= rst_ni && allow_i;
  end

  always_comb begin
    if (!begin_q[1]) begin
      assert (inside_q <= 2'd2);
      assert (valid == (inside_q != 2'd0));
      assert (ready == (inside_q < 2'd2 && allowed_q));
      if (followed_q) assert (ahead_q < inside_q);
      if (followed_q && ahead_q == 2'd0) assert (data == watched_q);
      if (waits_q) assert (valid && data == waiting_q);
      if (!valid) assert (data == '0);
    end
  end

endmodule

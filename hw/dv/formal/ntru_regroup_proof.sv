// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_ntru_regroup: whenever elements come, element i is in place i % 5 of group i / 5, each group
// comes once, in order, and behind the last element there are zeros. One place is followed.

module ntru_regroup_proof
  import latkem_ntru_pkg::*;
#(
  parameter int unsigned Elements = 11,
  parameter int unsigned Streams = 2,
  parameter int unsigned Width = 2,
  localparam int unsigned Groups = (Elements + GroupSize - 1) / GroupSize,
  localparam bit Skips = Elements % Streams != 0
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          clear_i,
  input logic                          begin_i,
  input logic                          valid_i,
  input logic [Streams-1:0][Width-1:0] elements_i,
  input logic [4:0]                    any_place_i
);

  logic skip, valid, last;
  group_t number;
  logic [GroupSize-1:0][Width-1:0] group;

  latkem_ntru_regroup #(
    .Width(Width),
    .Streams(Streams),
    .Elements(Elements)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .begin_i,
    .valid_i,
    .skip_i(skip),
    .elements_i,
    .group_valid_o(valid),
    .group_number_o(number),
    .group_last_o(last),
    .group_o(group)
  );

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;
  always_comb assume (rst_ni == !begin_q);

  // Elements that have come, groups that have left; the place that is followed, and what is there.
  logic runs_q;
  logic [4:0] came_q, came, place_q;
  logic [2:0] left_q;
  logic [Width-1:0] watched_q;

  assign skip = Skips && came_q == 5'd0;
  always_comb begin
    came = came_q;
    if (valid_i) came = came_q + 5'(Streams) - 5'(skip);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      runs_q <= 1'b0;
      came_q <= 5'd0;
      left_q <= 3'd0;
    end else if (begin_i) begin
      runs_q <= 1'b1;
      came_q <= 5'd0;
      left_q <= 3'd0;
      place_q <= any_place_i;
      watched_q <= '0;
    end else if (runs_q) begin
      came_q <= came;
      if (valid) left_q <= left_q + 3'd1;
      if (valid && last) runs_q <= 1'b0;
      for (int unsigned i = 0; i < Streams; i++) begin
        if (valid_i && !(skip && i == 0) && place_q == came_q + 5'(i) - 5'(skip)) begin
          watched_q <= elements_i[i];
        end
      end
    end
  end

  always_comb begin
    assume (!valid_i || (runs_q && !begin_i && came_q < 5'(Elements)));
    assume (any_place_i < 5'(GroupSize * Groups));
    assume (!begin_i || !runs_q);
    if (!begin_q) begin
      assert (!valid || runs_q);
      if (valid) begin
        assert (number == group_t'(left_q) && last == (left_q == 3'(Groups - 1)));
        assert (came_q >= 5'(Elements) || came_q >= 5'(GroupSize) * (5'(left_q) + 5'd1));
        for (int unsigned i = 0; i < GroupSize; i++) begin
          if (place_q == 5'(GroupSize) * 5'(left_q) + 5'(i)) assert (group[i] == watched_q);
        end
      end
    end
  end

endmodule

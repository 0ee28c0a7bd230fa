// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes groups of five of elements that come one or two at a time. The missing part of the last group is
// zero.

module latkem_ntru_regroup
  import latkem_ntru_pkg::*;
#(
  parameter int unsigned Width = 13,
  parameter int unsigned Streams = 2,
  parameter int unsigned Elements = 701
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        begin_i,       // the first elements come next
  input  logic        valid_i,
  input  logic        skip_i,        // the first one of them is none
  input  logic [Streams-1:0][Width-1:0] elements_i,
  output logic        group_valid_o, // a cycle later at the earliest
  output group_t      group_number_o,
  output logic        group_last_o,
  output logic [GroupSize-1:0][Width-1:0] group_o
);

  localparam int unsigned Places = GroupSize + Streams - 1;
  localparam group_t LastGroup = GroupWidth'((Elements + GroupSize - 1) / GroupSize - 1);

  logic [Places-1:0][Width-1:0] places_q;  // the last ones that came, the newest at the top
  logic [2:0] count_q, count_d, waiting;   // how many of them are in no group yet
  logic [9:0] left_q, left_d;              // elements that are still to come
  group_t number_q;
  logic full, fill, moves, running_q, running_d;

  assign full = count_q >= 3'(GroupSize);
  assign waiting = full ? count_q - 3'(GroupSize) : count_q;
  // Zeros come when all elements have and the last group is not full.
  assign fill = running_q && left_q == 10'd0 && !full;
  assign moves = valid_i || fill;

  always_comb begin
    count_d = waiting;
    left_d = left_q;
    running_d = running_q && !(full && number_q == LastGroup);
    if (moves) count_d = waiting + 3'(Streams) - {2'd0, skip_i && valid_i};
    if (valid_i) left_d = left_q - 10'(Streams) + {9'd0, skip_i};
    if (begin_i) begin
      count_d = 3'd0;
      left_d = 10'(Elements);
      running_d = 1'b1;
    end
    if (clear_i) running_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      count_q <= 3'd0;
      left_q <= 10'd0;
      number_q <= '0;
    end else begin
      running_q <= running_d;
      count_q <= clear_i ? 3'd0 : count_d;
      left_q <= left_d;
      if (begin_i) number_q <= '0;
      else if (full) number_q <= number_q + GroupWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || begin_i) places_q <= '0;
    else if (moves) begin
      places_q <= {elements_i & {(Streams * Width){valid_i}}, places_q[Places-1:Streams]};
    end
  end

  assign group_valid_o = running_q && full;
  assign group_number_o = number_q;
  assign group_last_o = number_q == LastGroup;
  assign group_o = (count_q == 3'(GroupSize)) ? places_q[Places-1-:GroupSize]
                                              : places_q[GroupSize-1:0];

endmodule

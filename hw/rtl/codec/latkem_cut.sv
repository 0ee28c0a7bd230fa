// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Cuts words of 64 bits into groups of some bytes. A group is cut out of a window of three words at
// a byte offset; a word that has been used up leaves the window, at most one a cycle, which keeps
// pace with one word in.

module latkem_cut #(
  parameter bit [15:0]   Sizes = 16'h1c30,  // bit n: groups of n bytes may be wanted, 1 to 13
  parameter int unsigned GroupBytes = 12    // of the longest, with an odd byte before it
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        begin_i,        // groups of another size come next
  input  logic [3:0]  begin_bytes_i,
  input  logic [3:0]  bytes_i,        // the size, from the next cycle on
  input  logic        wanted_i,       // a group is wanted in the next cycle
  input  logic        word_valid_i,
  output logic        word_ready_o,
  input  logic [63:0] word_i,
  output logic        group_valid_o,
  input  logic        take_i,         // the group, which is there
  // behind an odd byte, if there is one; bytes of others follow
  output logic [8*GroupBytes-1:0] group_o,
  output logic        empty_o
);

  // A word comes in at 3 if 2 cannot take it, and is cut from 0, 1 and 2.

  logic [63:0] word0_q, word1_q, word2_q, word3_q;
  logic [3:0] there_q, there_d;
  logic move0, move1, move2;  // the place takes what the next one holds
  logic push, drop;

  assign word_ready_o = !there_q[3];
  assign push = word_valid_i && word_ready_o;
  assign move0 = !there_q[0] || drop;
  assign move1 = !there_q[1] || move0;
  assign move2 = !there_q[2] || move1;

  always_comb begin
    there_d = there_q;
    if (move0) there_d[0] = there_q[1];
    if (move1) there_d[1] = there_q[2];
    if (move2) there_d[2] = there_q[3] || push;
    there_d[3] = !move2 && (there_q[3] || push);
    if (clear_i) there_d = 4'd0;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      word0_q <= '0;
      word1_q <= '0;
      word2_q <= '0;
    end else begin
      if (move0) word0_q <= word1_q;
      if (move1) word1_q <= word2_q;
      if (move2) word2_q <= there_q[3] ? word3_q : word_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!there_q[3]) word3_q <= word_i;
  end

  // The end of a group of d bytes that begins at `offset`: compared one by one, for each size, since
  // the sum comes too late.
  typedef struct packed {
    logic reaches8;
    logic beyond8;
    logic beyond16;
  } end_t;

  // bound - d, for the sizes from bound - 8 on and below bound.
  function automatic logic [3:0] short_of(logic [3:0] d, int unsigned bound);
    logic found;
    found = 1'b0;
    short_of = 4'd0;
    for (int unsigned n = bound - 8; n < bound; n++) begin
      if (Sizes[n] && (!found || d == 4'(n))) short_of = 4'(bound - n);
      found = found || Sizes[n];
    end
  endfunction

  function automatic end_t end_of(logic [2:0] offset, logic [3:0] d);
    logic [3:0] begins, narrow8, wide16;
    begins = {1'b0, offset};
    narrow8 = short_of(d, 8);
    wide16 = short_of(d, 16);
    end_of.reaches8 = d[3] || begins >= narrow8;
    end_of.beyond8 = d[3] ? !(Sizes[8] && d == 4'd8 && begins == 4'd0) : begins > narrow8;
    end_of.beyond16 = d[3] && begins > wide16;
  endfunction

  // The beginning of the next group, in bytes from word0_q; 8 and more: that word is used up.
  logic [3:0] offset_q, offset_d, after;
  end_t end_q, end_d;                       // where it ends
  logic whole_q, whole_d;                   // the window holds all of it
  assign drop = offset_q[3] || (take_i && end_q.reaches8);
  assign after = {1'b0, offset_q[2:0]} + bytes_i - {end_q.reaches8, 3'b000};

  always_comb begin
    offset_d = {1'b0, offset_q[2:0]};
    end_d = end_q;
    if (take_i) begin
      offset_d = after;
      end_d = end_of(after[2:0], bytes_i);
    end
    if (begin_i) end_d = end_of(3'd0, begin_bytes_i);  // words end where polynomials do
    if (clear_i) offset_d = 4'd0;
    whole_d = wanted_i && !offset_d[3] && there_d[0] && (there_d[1] || !end_d.beyond8)
        && (there_d[2] || !end_d.beyond16);
  end

  assign group_o = (8 * GroupBytes)'({word2_q, word1_q, word0_q} >> {offset_q[2:1], 4'b0000});

  always_ff @(posedge clk_i) end_q <= end_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q <= 4'd0;
      offset_q <= 4'd0;
      whole_q <= 1'b0;
    end else begin
      there_q <= there_d;
      offset_q <= offset_d;
      whole_q <= whole_d;
    end
  end

  assign group_valid_o = whole_q;
  assign empty_o = there_q == 4'd0;

`ifndef SYNTHESIS
  latkem_holds u_word_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(word_ready_o),
    .taken_i(word_valid_i),
    .what_i(1'b0)
  );

  latkem_holds u_group_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(group_valid_o),
    .taken_i(take_i),
    .what_i(1'b0)
  );
`endif

endmodule

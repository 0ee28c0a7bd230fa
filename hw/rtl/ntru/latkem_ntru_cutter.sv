// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the words of a request into groups, part by part. A group is what five coefficients take: 5 log
// q bits, 40 of a sample, 8 of packed trits; of a field to be sorted and of z it is one. Words come
// from the memory a cycle after they are fetched.
//
//   keygen  f, g, z
//   encaps  h, r, m
//   decaps  f, f3, 1/h, z, c

module latkem_ntru_cutter
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t Set = ntru_set(2'd3),
  localparam int unsigned CutBits = GroupSize * 32'(Set.log_q)  // of a group of coefficients
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        start_i,
  input  logic        keygen_i,
  input  logic        encaps_i,
  input  logic        decaps_i,
  output logic        wanted_o,      // a word is wanted in the next cycle,
  input  logic        fetch_i,       // and comes
  input  logic [63:0] word_i,
  output part_e       part_o,        // of the group, PartNone if there is none
  output logic        index_o,       // the part's number among those of its kind
  output logic [9:0]  group_o,       // its number in the part
  output logic        last_o,        // it is the part's last one
  output logic [64:0] data_o,        // zero above the group's bits
  output logic        done_o         // level: all parts are cut
);

  localparam int unsigned Degree = 32'(Set.n) - 1;
  localparam int unsigned Groups = all_groups(Set);
  localparam int unsigned Packed = packed_groups(Set);
  localparam int unsigned LastCoeffBits = 8 * coeff_bytes(Set) - CutBits * (Groups - 1);
  localparam int unsigned LastSampleBits = 8 * (Degree - GroupSize * (Packed - 1));

  // ---- Parts ----

  typedef struct packed {
    part_e      part;
    logic       index;
    logic       align;  // what follows begins at a new word
  } entry_t;

  logic [2:0] entry_q, entry_d;
  entry_t entry;

  always_comb begin
    entry = '{part: PartNone, index: 1'b0, align: 1'b0};
    unique case ({keygen_i, encaps_i, decaps_i, entry_q})
      {3'b100, 3'd0}: entry.part = PartSample;
      {3'b100, 3'd1}: entry = '{part: Set.hrss ? PartSample : PartFields, index: 1'b1, align: 1'b1};
      {3'b100, 3'd2}: entry.part = PartZ;
      {3'b010, 3'd0}: entry = '{part: PartCoeffs, index: 1'b1, align: 1'b1};
      {3'b010, 3'd1}: entry.part = PartSample;
      {3'b010, 3'd2}: entry = '{part: Set.hrss ? PartSample : PartFields, index: 1'b1, align: 1'b0};
      {3'b001, 3'd0}: entry.part = PartTrits;
      {3'b001, 3'd1}: entry = '{part: PartTrits, index: 1'b1, align: 1'b0};
      {3'b001, 3'd2}: entry.part = PartCoeffs;
      {3'b001, 3'd3}: entry = '{part: PartZ, index: 1'b0, align: 1'b1};
      {3'b001, 3'd4}: entry = '{part: PartCoeffs, index: 1'b1, align: 1'b0};
      default: ;
    endcase
  end

  logic [9:0] group_q, group_d, last_group;
  logic running_q, running_d, last;
  logic [6:0] bits;

  always_comb begin
    unique case (entry.part)
      PartCoeffs: begin
        last_group = 10'(Groups - 1);
        bits = last ? 7'(LastCoeffBits) : 7'(CutBits);
      end
      PartTrits: begin
        last_group = 10'(Packed - 1);
        bits = 7'd8;
      end
      PartSample: begin
        last_group = 10'(Packed - 1);
        bits = last ? 7'(LastSampleBits) : 7'd40;
      end
      PartFields: begin
        last_group = 10'(Degree - 1);
        bits = 7'd30;
      end
      default: begin
        last_group = 10'd3;
        bits = 7'd64;
      end
    endcase
  end

  assign last = group_q == last_group;

  // ---- The window: three words; a group lies in the first two ----

  logic [63:0] word0_q, word1_q, word2_q;
  logic [1:0] count_q, count_d, kept;
  logic arrives_q;                 // a word comes in this cycle
  logic [6:0] offset_q, offset_d;  // of the group's first bit; 64: the first word is used up
  logic [7:0] ends;
  logic [64:0] cut, mask;
  logic take, drop;

  assign ends = {1'b0, offset_q} + {1'b0, bits};
  assign take = running_q && !offset_q[6]
      && (count_q >= 2'd2 || (count_q == 2'd1 && ends <= 8'd64));
  assign drop = offset_q[6] || (take && ends >= 8'd64);
  assign kept = count_q - {1'b0, drop};

  always_comb begin
    offset_d = offset_q;
    if (take) begin
      offset_d = (ends >= 8'd64) ? 7'(ends - 8'd64) : ends[6:0];
      if (last && entry.align && offset_d[5:0] != 6'd0) offset_d = 7'd64;
    end else if (offset_q[6]) begin
      offset_d = 7'd0;
    end
    entry_d = entry_q;
    group_d = group_q;
    running_d = running_q && entry.part != PartNone;
    if (take && running_d) begin
      group_d = last ? 10'd0 : group_q + 10'd1;
      if (last) entry_d = entry_q + 3'd1;
    end
    count_d = kept + {1'b0, arrives_q};
    if (start_i) begin
      running_d = 1'b1;
      entry_d = 3'd0;
      group_d = 10'd0;
    end
    if (clear_i || start_i) begin
      offset_d = 7'd0;
      count_d = 2'd0;
    end
    if (clear_i) running_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      entry_q <= 3'd0;
      group_q <= 10'd0;
      offset_q <= 7'd0;
      count_q <= 2'd0;
      arrives_q <= 1'b0;
    end else begin
      running_q <= running_d;
      entry_q <= entry_d;
      group_q <= group_d;
      offset_q <= offset_d;
      count_q <= count_d;
      arrives_q <= fetch_i && !clear_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      word0_q <= '0;
      word1_q <= '0;
      word2_q <= '0;
    end else begin
      word0_q <= (kept == 2'd0) ? word_i : (drop ? word1_q : word0_q);
      word1_q <= (kept == 2'd1) ? word_i : (drop ? word2_q : word1_q);
      if (kept == 2'd2) word2_q <= word_i;
    end
  end

  // Words that are here, that come, and that leave.
  assign wanted_o = running_q && {1'b0, kept} + {2'd0, arrives_q} < 3'd3;

  // ---- The group ----

  part_e part_q;
  logic index_q;
  logic [9:0] number_q;
  logic last_q;
  logic [64:0] data_q;

  assign cut = 65'({word1_q, word0_q} >> offset_q[5:0]);
  assign mask = ~({65{1'b1}} << bits);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q <= PartNone;
      index_q <= 1'b0;
      number_q <= 10'd0;
      last_q <= 1'b0;
    end else begin
      part_q <= (take && !clear_i) ? entry.part : PartNone;
      index_q <= entry.index;
      number_q <= group_q;
      last_q <= last;
    end
  end

  always_ff @(posedge clk_i) begin
    data_q <= clear_i ? '0 : cut & mask;
  end

  assign part_o = part_q;
  assign index_o = index_q;
  assign group_o = number_q;
  assign last_o = last_q;
  assign data_o = data_q;
  assign done_o = !running_q && part_q == PartNone;

endmodule

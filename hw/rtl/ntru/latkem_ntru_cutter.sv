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

  function automatic entry_t entry_of(logic [2:0] operation, logic [2:0] number);
    entry_of = '{part: PartNone, index: 1'b0, align: 1'b0};
    unique case ({operation, number})
      {3'b100, 3'd0}: entry_of.part = PartSample;
      {3'b100, 3'd1}:
        entry_of = '{part: Set.hrss ? PartSample : PartFields, index: 1'b1, align: 1'b1};
      {3'b100, 3'd2}: entry_of.part = PartZ;
      {3'b010, 3'd0}: entry_of = '{part: PartCoeffs, index: 1'b1, align: 1'b1};
      {3'b010, 3'd1}: entry_of.part = PartSample;
      {3'b010, 3'd2}:
        entry_of = '{part: Set.hrss ? PartSample : PartFields, index: 1'b1, align: 1'b0};
      {3'b001, 3'd0}: entry_of.part = PartTrits;
      {3'b001, 3'd1}: entry_of = '{part: PartTrits, index: 1'b1, align: 1'b0};
      {3'b001, 3'd2}: entry_of.part = PartCoeffs;
      {3'b001, 3'd3}: entry_of = '{part: PartZ, index: 1'b0, align: 1'b1};
      {3'b001, 3'd4}: entry_of = '{part: PartCoeffs, index: 1'b1, align: 1'b0};
      default: ;
    endcase
  endfunction

  // The number of a part's last group; the bits of its groups.
  function automatic logic [9:0] last_of(part_e part);
    unique case (part)
      PartCoeffs: return 10'(Groups - 1);
      PartTrits, PartSample: return 10'(Packed - 1);
      PartFields: return 10'(Degree - 1);
      default: return 10'd3;
    endcase
  endfunction

  function automatic logic [6:0] bits_of(part_e part, logic last);
    unique case (part)
      PartCoeffs: return last ? 7'(LastCoeffBits) : 7'(CutBits);
      PartTrits: return 7'd8;
      PartSample: return last ? 7'(LastSampleBits) : 7'd40;
      PartFields: return 7'd30;
      default: return 7'd64;
    endcase
  endfunction

  // Registers describe the group that is cut next, so that whether it can be is known early. No part
  // has one group alone.
  logic [2:0] operation, number_q, number_next, number_d;
  entry_t entry;
  // Of these, the part alone.
  // verilator lint_off UNUSEDSIGNAL
  entry_t entry_first, entry_next;
  // verilator lint_on UNUSEDSIGNAL
  logic [9:0] group_q, group_next, group_d;
  logic last_q, last_next, last_d;
  logic [6:0] bits_q, bits_next, bits_d;
  logic running_q, running_d;

  assign operation = {keygen_i, encaps_i, decaps_i};
  assign entry = entry_of(operation, number_q);
  assign entry_first = entry_of(operation, 3'd0);

  always_comb begin
    number_next = last_q ? number_q + 3'd1 : number_q;
    group_next = last_q ? 10'd0 : group_q + 10'd1;
    entry_next = entry_of(operation, number_next);
    last_next = !last_q && group_q == last_of(entry.part) - 10'd1;
    bits_next = bits_of(entry_next.part, last_next);
  end

  // ---- The window: three words; a group lies in the first two ----

  logic [63:0] word0_q, word1_q, word2_q;
  logic [1:0] count_q, count_d, kept;
  logic arrives_q;                 // a word comes in this cycle
  logic [6:0] offset_q, offset_d;  // of the group's first bit; from 64 on the first word is used up
  logic [7:0] ends_q, ends_d;      // of its last bit, and one
  logic [64:0] cut, mask;
  logic take, drop;

  assign take = running_q && !offset_q[6]
      && (count_q >= 2'd2 || (count_q == 2'd1 && ends_q <= 8'd64));
  assign drop = offset_q[6] || (take && ends_q >= 8'd64);

  // As a table: synthesis would make a carry chain of a sum.
  always_comb begin
    unique case ({drop, count_q})
      {1'b0, 2'd1}, {1'b1, 2'd2}: kept = 2'd1;
      {1'b0, 2'd2}, {1'b1, 2'd3}: kept = 2'd2;
      {1'b0, 2'd3}:               kept = 2'd3;
      default:                    kept = 2'd0;
    endcase
  end

  always_comb begin
    offset_d = offset_q;
    ends_d = ends_q;
    if (take) begin
      offset_d = ends_q[7] ? 7'd64 : {1'b0, ends_q[5:0]};
      if (last_q && entry.align && ends_q[5:0] != 6'd0) offset_d[6] = 1'b1;
      ends_d = {2'd0, ends_q[5:0]} + {1'b0, bits_next};
    end else if (offset_q[6]) begin
      offset_d = 7'd0;
      ends_d = {1'b0, bits_q};
    end
    number_d = number_q;
    group_d = group_q;
    last_d = last_q;
    bits_d = bits_q;
    running_d = running_q && entry.part != PartNone;
    if (take) begin
      number_d = number_next;
      group_d = group_next;
      last_d = last_next;
      bits_d = bits_next;
    end
    unique case (kept)
      2'd0:    count_d = {1'b0, arrives_q};
      2'd1:    count_d = {arrives_q, !arrives_q};
      2'd2:    count_d = {1'b1, arrives_q};
      default: count_d = 2'd3;
    endcase
    if (start_i) begin
      running_d = 1'b1;
      number_d = 3'd0;
      group_d = 10'd0;
      last_d = 1'b0;
      bits_d = bits_of(entry_first.part, 1'b0);
    end
    if (clear_i || start_i) begin
      offset_d = 7'd0;
      ends_d = {1'b0, bits_d};
      count_d = 2'd0;
    end
    if (clear_i) running_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      number_q <= 3'd0;
      group_q <= 10'd0;
      last_q <= 1'b0;
      bits_q <= 7'd0;
      offset_q <= 7'd0;
      ends_q <= 8'd0;
      count_q <= 2'd0;
      arrives_q <= 1'b0;
    end else begin
      running_q <= running_d;
      number_q <= number_d;
      group_q <= group_d;
      last_q <= last_d;
      bits_q <= bits_d;
      offset_q <= offset_d;
      ends_q <= ends_d;
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
  assign wanted_o = running_q && kept != 2'd3 && !(kept == 2'd2 && arrives_q);

  // ---- The group ----

  part_e part_q;
  logic index_q;
  logic [9:0] place_q;
  logic end_q;
  logic [64:0] data_q;

  assign cut = 65'({word1_q, word0_q} >> offset_q[5:0]);
  assign mask = ~({65{1'b1}} << bits_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q <= PartNone;
      index_q <= 1'b0;
      place_q <= 10'd0;
      end_q <= 1'b0;
    end else begin
      part_q <= (take && !clear_i) ? entry.part : PartNone;
      index_q <= entry.index;
      place_q <= group_q;
      end_q <= last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    data_q <= clear_i ? '0 : cut & mask;
  end

  assign part_o = part_q;
  assign index_o = index_q;
  assign group_o = place_q;
  assign last_o = end_q;
  assign data_o = data_q;
  assign done_o = !running_q && part_q == PartNone;

endmodule

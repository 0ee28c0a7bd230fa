// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// ByteDecode_d and Decompress_d (FIPS 203 algorithm 6 and section 4.2.1): words of 64 bits in,
// groups of eight coefficients out. A group is d bytes, and latkem_cut cuts it out of the words.
//
// Decompress_d(y) = floor((3329 y + 2^(d-1)) / 2^d). With Y = 2^(11-d) y this is
// floor((3329 Y + 1024) / 2048) for every d, and since 3329 = 13 * 256 + 1 the low eight bits
// count for nothing: it is floor((13 Y + k) / 8), where k = floor(Y / 256) + 4. Values of 12 bits
// are taken mod q. The same two adders do either:
//
//   d < 12    s = 3 Y + Y[10] + 1     r = s + floor(Y / 4) + carry     result r[12:1]
//   d = 12    s = 2 y - 2 q           r = s, + 2 q if s < 0            result r[12:1]
//
// where `carry` is what Y mod 4 and k mod 4 = Y[9:8] give, and k - k mod 4 = 4 + 4 Y[10]. For
// d = 12 it is added to bit 0 of an even number, and lost.

module latkem_mlkem_decoder
  import latkem_mlkem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  decode_job_t job_i,
  input  logic        word_valid_i,
  output logic        word_ready_o,
  input  logic [63:0] word_i,
  output logic        load_valid_o,
  input  logic        load_next_v_i,  // in the next cycle a load to V, or C, is accepted
  input  logic        load_next_c_i,
  output logic        load_to_c_o,
  output logic [3:0]  load_slot_o,
  output logic [4:0]  load_index_o,
  output logic [95:0] load_data_o,
  output logic        out_of_range_o,  // pulse: an accepted group held a 12-bit value >= q
  output logic        done_o,          // pulse: the job's last group has been accepted
  output logic        idle_o
);

  // ---- Job ----

  logic busy_q, busy_d;
  decode_job_t job_q;
  logic [4:0] index_q, index_d;
  logic emit, last_group;

  assign last_group = index_q == 5'd31;
  assign job_ready_o = !busy_q;

  always_comb begin
    busy_d = busy_q;
    index_d = index_q;
    if (emit) begin
      index_d = index_q + 5'd1;
      if (last_group) busy_d = 1'b0;
    end
    if (job_valid_i && job_ready_o) busy_d = 1'b1;
    if (clear_i) begin
      busy_d = 1'b0;
      index_d = 5'd0;
    end
  end

  // ---- Groups ----

  // The pipeline below moves. Kept twice, so that the window does not wait for what moves the rest.
  (* keep *) logic advance_q, advance_window_q;
  logic group_valid, empty;
  logic [95:0] cut;

  assign emit = group_valid && advance_window_q;

  latkem_cut u_cut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .begin_i(job_valid_i && job_ready_o),
    .begin_bytes_i(job_i.d),
    .bytes_i(job_q.d),
    .wanted_i(busy_d),
    .word_valid_i,
    .word_ready_o,
    .word_i,
    .group_valid_o(group_valid),
    .take_i(emit),
    .group_o(cut),
    .empty_o(empty)
  );

  // ---- Pipeline: align, first sum, second sum ----

  typedef struct packed {
    logic        to_c;
    logic [3:0]  slot;
    logic [4:0]  index;
  } group_t;

  logic aligned_valid_q, first_valid_q, load_valid_q;
  logic aligned_d12_q, first_d12_q;
  group_t aligned_q, first_q, load_q;

  // The last stage is empty, or what it holds is accepted: known a cycle before.
  logic advance_d;

  always_comb begin
    advance_d = (advance_q ? first_q.to_c : load_q.to_c) ? load_next_c_i : load_next_v_i;
    if (!(advance_q ? first_valid_q : load_valid_q)) advance_d = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      advance_q <= 1'b1;
      advance_window_q <= 1'b1;
    end else begin
      advance_q <= advance_d || clear_i;
      advance_window_q <= advance_d || clear_i;
    end
  end

  // The beginnings of coefficients. `wide_q`: 10, 11, 11 behind an odd byte, 12. `narrow_q`: neither 4
  // nor 5, 4, 5, 5 behind an odd byte.
  logic [1:0] wide_q, wide_d, narrow_q, narrow_d;

  always_comb begin
    wide_d = wide_q;
    narrow_d = narrow_q;
    if (emit) begin
      if (wide_q[1] ^ wide_q[0]) wide_d = ~wide_q;
      if (narrow_q[1]) narrow_d[0] = ~narrow_q[0];
    end
    if (job_valid_i && job_ready_o) begin
      wide_d = 2'd0;
      narrow_d = 2'd0;
      unique case (job_i.d)
        4'd4:    narrow_d = 2'd1;
        4'd5:    narrow_d = 2'd2;
        4'd10:   wide_d = 2'd0;
        4'd11:   wide_d = 2'd1;
        default: wide_d = 2'd3;
      endcase
    end
  end

  // Y, or 2 y of 12 bits, in two parts.
  logic [7:0][6:0] high_q, high_d;
  logic [7:0][5:0] low_q, low_d;  // zero for 4 and 5 bits

  for (genvar j = 0; j < 8; j++) begin : gen_align
    logic [6:0] high_wide;
    always_comb begin
      unique case (wide_q)
        2'd0:    low_d[j] = {cut[10*j+:5], 1'b0};
        2'd1:    low_d[j] = cut[11*j+:6];
        2'd2:    low_d[j] = cut[11*j+8+:6];
        default: low_d[j] = {cut[12*j+:5], 1'b0};
      endcase
      unique case (wide_q)
        2'd0:    high_wide = {2'b00, cut[10*j+5+:5]};
        2'd1:    high_wide = {2'b00, cut[11*j+6+:5]};
        2'd2:    high_wide = {2'b00, cut[11*j+14+:5]};
        default: high_wide = cut[12*j+5+:7];
      endcase
      unique case (narrow_q)
        2'd1:    high_d[j] = {2'b00, cut[4*j+:4], 1'b0};
        2'd2:    high_d[j] = {2'b00, cut[5*j+:5]};
        2'd3:    high_d[j] = {2'b00, cut[5*j+8+:5]};
        default: high_d[j] = high_wide;
      endcase
    end
  end

  logic [7:0][13:0] s_q, s_d;
  logic [7:0][8:0] quarter_q, quarter_d;  // floor(Y / 4)
  logic [7:0] carry_q, carry_d;
  logic [7:0][11:0] load_data_q, load_data_d;
  logic [7:0] over;
  logic range_q;

  localparam logic [13:0] TwiceQ = 14'(2 * MlkemQ);

  for (genvar j = 0; j < 8; j++) begin : gen_sums
    logic [12:0] y, adjust;
    assign y = {high_q[j], low_q[j]};
    // A difference, for a + b + 1 is one adder if written as a - ~b.
    assign s_d[j] = {1'b0, y} - (aligned_d12_q ? TwiceQ : ~{2'b00, y[10:0], y[10]});
    assign quarter_d[j] = y[10:2];
    assign carry_d[j] = 3'(y[1:0]) + 3'(y[9:8]) >= 3'd4;
    assign over[j] = first_d12_q && !s_q[j][13];
    assign adjust = first_d12_q ? TwiceQ[12:0] & {13{s_q[j][13]}} : {4'd0, quarter_q[j]};
    assign load_data_d[j] = 12'(({s_q[j][12:0], 1'b1} + {adjust, carry_q[j]}) >> 2);
  end

  // After clear_i the window is empty and nothing stops the pipeline, so that it becomes zero too.
  always_ff @(posedge clk_i) begin
    if (advance_q) begin
      high_q <= high_d;
      s_q <= s_d;
      quarter_q <= quarter_d;
      carry_q <= carry_d;
      load_data_q <= load_data_d;
      range_q <= |over;
    end
  end

  always_ff @(posedge clk_i) begin
    if (advance_q && narrow_q != 2'd0) low_q <= '0;
    else if (advance_q) low_q <= low_d;
  end

  always_ff @(posedge clk_i) begin
    if (advance_q) begin
      aligned_q <= '{to_c: job_q.to_c, slot: job_q.slot, index: index_q};
      aligned_d12_q <= job_q.d == 4'd12;
      first_q <= aligned_q;
      first_d12_q <= aligned_d12_q;
      load_q <= first_q;
    end
    wide_q <= wide_d;
    narrow_q <= narrow_d;
    if (job_valid_i && job_ready_o) job_q <= job_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      index_q <= 5'd0;
      aligned_valid_q <= 1'b0;
      first_valid_q <= 1'b0;
      load_valid_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      index_q <= index_d;
      if (advance_q) begin
        aligned_valid_q <= emit;
        first_valid_q <= aligned_valid_q;
        load_valid_q <= first_valid_q;
      end
      if (clear_i) begin
        aligned_valid_q <= 1'b0;
        first_valid_q <= 1'b0;
        load_valid_q <= 1'b0;
      end
    end
  end

  assign load_valid_o = load_valid_q;
  assign load_to_c_o = load_q.to_c;
  assign load_slot_o = load_q.slot;
  assign load_index_o = load_q.index;
  assign load_data_o = load_data_q;
  assign out_of_range_o = load_valid_q && advance_q && range_q;
  assign done_o = load_valid_q && advance_q && load_q.index == 5'd31;
  assign idle_o = !busy_q && empty && !aligned_valid_q && !first_valid_q && !load_valid_q;

`ifndef SYNTHESIS
  latkem_holds u_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(job_ready_o),
    .taken_i(job_valid_i),
    .what_i(1'b0)
  );

  latkem_holds #(
    .Width($bits(group_t))
  ) u_load_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(load_valid_o),
    .taken_i(advance_q),
    .what_i(load_q)
  );
`endif

endmodule

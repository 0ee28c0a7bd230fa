// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// ByteDecode_d and Decompress_d (FIPS 203 algorithm 6 and section 4.2.1): words of 64 bits in,
// groups of eight coefficients out. A group is d bytes. It is cut out of a window of three words
// at a byte offset; a word that has been used up leaves the window, at most one a cycle, which
// keeps pace with one word in.
//
// Decompress_d(y) = floor((3329 y + 2^(d-1)) / 2^d). With y shifted left to 11 bits this is
// floor((3329 y + 2^10) / 2^11) for every d. Values of 12 bits are taken mod q.

// Records are passed whole, and of sums and products some bits count.
// verilator lint_off UNUSEDSIGNAL

module latkem_mlkem_decoder
  import latkem_pkg::*;
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
  input  logic        load_ready_i,
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
  assign job_ready_o = !busy_q || (emit && last_group);

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

  // ---- Window ----

  logic [2:0][63:0] window_q, window_d;
  logic [1:0] words_q, words_d, words_left;
  logic [3:0] offset_q, offset_d;  // of the next group, in bytes; from 8 on the first word is used
  logic [4:0] end_of_group, next_offset;
  logic free, drop, push;

  assign end_of_group = {1'b0, offset_q} + {1'b0, job_q.d};
  assign emit = busy_q && free && !offset_q[3] && end_of_group <= {words_q, 3'b000};
  assign next_offset = emit ? end_of_group : {1'b0, offset_q};
  assign drop = next_offset >= 5'd8;
  assign word_ready_o = words_q != 2'd3 || drop;
  assign push = word_valid_i && word_ready_o;
  assign words_left = words_q - {1'b0, drop};

  always_comb begin
    window_d = window_q;
    if (drop) window_d = {64'd0, window_q[2:1]};
    if (push && words_left == 2'd0) window_d[0] = word_i;
    if (push && words_left == 2'd1) window_d[1] = word_i;
    if (push && words_left == 2'd2) window_d[2] = word_i;
    words_d = words_left + {1'b0, push};
    offset_d = 4'(next_offset - {1'b0, drop, 3'b000});
    if (clear_i) begin
      window_d = '0;
      words_d = 2'd0;
      offset_d = 4'd0;
    end
  end

  // ---- Pipeline: cut out, align, decompress ----

  typedef struct packed {
    logic        to_c;
    logic [3:0]  slot;
    logic [4:0]  index;
    logic [3:0]  d;
  } group_t;

  logic cut_valid_q, aligned_valid_q, load_valid_q;
  logic cut_free, aligned_free, load_free;
  group_t cut_q, aligned_q, load_q;
  logic [95:0] cut_data_q;
  logic [7:0][11:0] aligned_data_q, aligned_data_d, load_data_q, load_data_d;
  logic range_q, range_d;

  assign load_free = !load_valid_q || load_ready_i;
  assign aligned_free = !aligned_valid_q || load_free;
  assign cut_free = !cut_valid_q || aligned_free;
  assign free = cut_free;

  logic [191:0] shifted;
  assign shifted = window_q >> {offset_q[2:0], 3'b000};

  // Coefficient j of a group: at the top of 11 bits for d < 12.
  for (genvar j = 0; j < 8; j++) begin : gen_align
    always_comb begin
      unique case (cut_q.d)
        4'd4:    aligned_data_d[j] = {1'b0, cut_data_q[4*j+:4], 7'd0};
        4'd5:    aligned_data_d[j] = {1'b0, cut_data_q[5*j+:5], 6'd0};
        4'd10:   aligned_data_d[j] = {1'b0, cut_data_q[10*j+:10], 1'b0};
        4'd11:   aligned_data_d[j] = {1'b0, cut_data_q[11*j+:11]};
        default: aligned_data_d[j] = cut_data_q[12*j+:12];
      endcase
    end
  end

  logic whole;  // d = 12
  assign whole = aligned_q.d == 4'd12;

  logic [7:0] over;
  for (genvar j = 0; j < 8; j++) begin : gen_decompress
    logic [11:0] y;
    logic [22:0] product;
    logic [12:0] reduced;
    assign y = aligned_data_q[j];
    assign product = {y[10:0], 11'd0} + {1'b0, y[10:0], 10'd0} + {3'd0, y[10:0], 8'd0}
        + {11'd0, y} + 23'd1024;
    assign reduced = {1'b0, y} - 13'(MlkemQ);
    assign over[j] = whole && !reduced[12];
    always_comb begin
      load_data_d[j] = whole ? (reduced[12] ? y : reduced[11:0]) : product[22:11];
    end
  end
  assign range_d = |over;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      cut_data_q <= '0;
      aligned_data_q <= '0;
      load_data_q <= '0;
    end else begin
      if (cut_free) cut_data_q <= shifted[95:0];
      if (aligned_free) aligned_data_q <= aligned_data_d;
      if (load_free) load_data_q <= load_data_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (cut_free) cut_q <= '{to_c: job_q.to_c, slot: job_q.slot, index: index_q, d: job_q.d};
    if (aligned_free) aligned_q <= cut_q;
    if (load_free) begin
      load_q <= aligned_q;
      range_q <= range_d;
    end
    if (job_valid_i && job_ready_o) job_q <= job_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      index_q <= 5'd0;
      window_q <= '0;
      words_q <= 2'd0;
      offset_q <= 4'd0;
      cut_valid_q <= 1'b0;
      aligned_valid_q <= 1'b0;
      load_valid_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      index_q <= index_d;
      window_q <= window_d;
      words_q <= words_d;
      offset_q <= offset_d;
      if (cut_free) cut_valid_q <= emit;
      if (aligned_free) aligned_valid_q <= cut_valid_q;
      if (load_free) load_valid_q <= aligned_valid_q;
      if (clear_i) begin
        cut_valid_q <= 1'b0;
        aligned_valid_q <= 1'b0;
        load_valid_q <= 1'b0;
      end
    end
  end

  assign load_valid_o = load_valid_q;
  assign load_to_c_o = load_q.to_c;
  assign load_slot_o = load_q.slot;
  assign load_index_o = load_q.index;
  assign load_data_o = load_data_q;
  assign out_of_range_o = load_valid_q && load_ready_i && range_q;
  assign done_o = load_valid_q && load_ready_i && load_q.index == 5'd31;
  assign idle_o = !busy_q && words_q == 2'd0 && !cut_valid_q && !aligned_valid_q && !load_valid_q;

endmodule

// verilator lint_on UNUSEDSIGNAL

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Rounds and packs coefficients: groups of eight are read from the polynomial unit and leave as words
// of 64 bits (latkem_join). A read is asked for only if there
// will be room when its group arrives, which is known, because the way there takes a fixed time.
//
// All roundings are a sum with bits cut out of it: see round_e.

// Records are passed whole, and of sums some bits count.
// verilator lint_off UNUSEDSIGNAL

module latkem_saber_encoder
  import latkem_saber_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  saber_set_t  params_i,  // constant from the cycle before a job on
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  encode_job_t job_i,
  output logic        read_valid_o,
  input  logic        read_ready_i,
  output logic        read_x_o,
  output logic        read_c_o,
  output slot_t       read_slot_o,
  output acc_t        read_acc_o,
  output logic [4:0]  read_index_o,
  input  logic [7:0][CoeffWidth-1:0] read_x_i,  // three cycles later
  input  logic [7:0][CoeffWidth-1:0] read_c_i,  // eleven cycles later
  output logic [4:0]  message_index_o,
  input  logic [7:0]  message_byte_i,  // of the index one cycle before
  output logic        word_valid_o,
  output logic        word_next_o,     // word_valid_o in the next cycle
  output logic [63:0] word_o,
  output logic        word_last_o,     // of the job
  output logic        idle_o
);

  // A register beside its users.
  saber_set_t params_q;
  always_ff @(posedge clk_i) params_q <= params_i;

  // ---- Reads ----

  logic busy_q, busy_d;
  encode_job_t job_q;
  logic [3:0] d_q, d_d;
  logic [4:0] index_q, index_d;
  logic [4:0] room_q, room_d, room_after;  // bytes in the buffer when a read of now arrives
  logic grant;

  always_comb begin
    unique case (job_i.rounding)
      RoundSecret: d_d = 4'd13;
      RoundRow:    d_d = 4'd10;
      RoundC:      d_d = {1'b0, params_q.et};
      default:    d_d = 4'd1;
    endcase
  end

  assign room_after = (room_q >= 5'd8) ? room_q - 5'd8 : room_q;
  assign read_valid_o = busy_q && room_after < 5'd8;
  assign grant = read_valid_o && read_ready_i;
  assign job_ready_o = !busy_q;

  always_comb begin
    busy_d = busy_q;
    index_d = index_q;
    room_d = room_after;
    if (grant) begin
      index_d = index_q + 5'd1;
      room_d = room_after + {1'b0, d_q};
      if (index_q == 5'd31) busy_d = 1'b0;
    end
    if (job_valid_i && job_ready_o) busy_d = 1'b1;
    if (clear_i) begin
      busy_d = 1'b0;
      index_d = 5'd0;
      room_d = 5'd0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      index_q <= 5'd0;
      room_q <= 5'd0;
    end else begin
      busy_q <= busy_d;
      index_q <= index_d;
      room_q <= room_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      job_q <= job_i;
      d_q <= d_d;
    end
  end

  assign read_x_o = job_q.rounding == RoundSecret || job_q.rounding == RoundMessage;
  assign read_c_o = job_q.rounding != RoundSecret;
  assign read_slot_o = job_q.slot;
  assign read_acc_o = job_q.acc;
  assign read_index_o = index_q;

  // ---- What travels with a group ----

  typedef struct packed {
    round_e     rounding;
    logic [3:0] d;
    logic [4:0] index;
  } group_t;

  // Cycles from a granted read to the data of X, of C, to their sum, and to its bits.
  localparam int unsigned AtX = 3;
  localparam int unsigned AtSum = 11;
  localparam int unsigned Stages = AtSum + 2;

  logic [Stages:1] valid_q;
  group_t [Stages:1] group_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= clear_i ? '0 : {valid_q[Stages-1:1], grant};
  end

  always_ff @(posedge clk_i) begin
    group_q[1] <= '{rounding: job_q.rounding, d: d_q, index: index_q};
    for (int i = 2; i <= Stages; i++) group_q[i] <= group_q[i-1];
  end

  group_t at_term, at_sum, at_pack, at_join;
  assign at_term = group_q[AtSum-1];
  assign at_sum = group_q[AtSum];
  assign at_pack = group_q[AtSum+1];
  assign at_join = group_q[Stages];

  assign message_index_o = group_q[AtSum-2].index;

  // ---- Eight coefficients ----

  localparam logic [9:0] H1 = 10'd4;
  logic [9:0] h2;  // 2^8 - 2^(9-eT) + 4

  always_comb begin
    unique case (params_q.et)
      3'd3:    h2 = 10'd196;
      3'd4:    h2 = 10'd228;
      default: h2 = 10'd252;
    endcase
  end

  logic [7:0][CoeffWidth-1:0] sum_q;

  for (genvar j = 0; j < 8; j++) begin : gen_coefficient
    logic [AtSum-AtX-2:0][CoeffWidth-1:0] raw_q;
    logic [CoeffWidth-1:0] raw, term_q, term_d;
    logic [9:0] subtrahend;

    always_ff @(posedge clk_i) begin
      raw_q[0] <= read_x_i[j];
      for (int i = 1; i < AtSum - AtX - 1; i++) raw_q[i] <= raw_q[i-1];
    end

    assign raw = raw_q[AtSum-AtX-2];

    // 2^(10-eT) c
    always_comb begin
      unique case (params_q.et)
        3'd3:    subtrahend = {raw[2:0], 7'd0};
        3'd4:    subtrahend = {raw[3:0], 6'd0};
        default: subtrahend = {raw[5:0], 4'd0};
      endcase
    end

    always_comb begin
      unique case (at_term.rounding)
        RoundSecret: term_d = raw;
        RoundRow:    term_d = {3'd0, H1};
        RoundC:      term_d = {3'd0, message_byte_i[j], 9'(H1)};
        default:    term_d = {3'd0, h2 - subtrahend};
      endcase
    end

    always_ff @(posedge clk_i) begin
      term_q <= term_d;
      sum_q[j] <= ((at_sum.rounding == RoundSecret) ? '0 : read_c_i[j]) + term_q;
    end
  end

  // ---- Packing ----

  logic [103:0] packed_d, packed_q;

  always_comb begin
    packed_d = '0;
    for (int j = 0; j < 8; j++) begin
      unique case (at_pack.d)
        4'd1:    packed_d[j] = sum_q[j][9];
        4'd3:    packed_d[3*j+:3] = sum_q[j][9:7];
        4'd4:    packed_d[4*j+:4] = sum_q[j][9:6];
        4'd6:    packed_d[6*j+:6] = sum_q[j][9:4];
        4'd10:   packed_d[10*j+:10] = sum_q[j][12:3];
        default: packed_d[13*j+:13] = sum_q[j];
      endcase
    end
  end

  // Without a group it is zero.
  always_ff @(posedge clk_i) begin
    if (clear_i || !valid_q[Stages-1]) packed_q <= '0;
    else packed_q <= packed_d;
  end

  logic empty;

  latkem_join #(
    .GroupBytes(13),
    .BufferBytes(20)
  ) u_join (
    .clk_i,
    .rst_ni,
    .clear_i,
    .group_valid_i(valid_q[Stages]),
    .bytes_i(at_join.d),
    .group_last_i(at_join.index == 5'd31),
    .group_i(packed_q),
    .word_valid_o,
    .word_next_o,
    .word_o,
    .word_last_o,
    .empty_o(empty)
  );

  assign idle_o = !busy_q && empty && valid_q == '0;

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
    .Width($bits(encode_job_t) + 5)
  ) u_read_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(read_valid_o),
    .taken_i(read_ready_i),
    .what_i({job_q, index_q})
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Compress_d and ByteEncode_d (FIPS 203 section 4.2.1 and algorithm 5): groups of eight
// coefficients are read from the polynomial unit and leave as words of 64 bits.
//
// A group becomes d bytes, which latkem_join puts together. A read is asked for only if there will
// be room when its group arrives, which is known, because the way there takes a fixed time.
//
// Compress_d(x) = floor(2^d x / q + 1/2) mod 2^d does not change when q is added to x. With
// p = 10321339 x, about 2^35 x / q, it is p[34:35-d] + p[34-d] for d in {1, 4, 5, 10, 11} and
// every x from -12690 to 12690, so that sums are not reduced before. The constant is taken apart,
// p = 2^7 * 80635 x + 59 x, so that one multiplier of 18 bits is enough; its product and what is
// added to it, floor(59 x / 2^7) and a half, come in the same cycle. Sums of 12 bits are reduced,
// and pass the same multiplier with the factor 2^16. They have no message.

// Records are passed whole, and of sums and products some bits count.
// verilator lint_off UNUSEDSIGNAL

module latkem_mlkem_encoder
  import latkem_poly_pkg::*;
  import latkem_mlkem_pkg::*;
#(
  parameter int unsigned ReadLatency = 2  // cycles from a granted read to its data
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  encode_job_t job_i,
  output logic        read_valid_o,
  input  logic        read_ready_i,
  output logic [3:0]  read_slot_o,
  output operand_e    read_operand_o,
  output logic [3:0]  read_operand_slot_o,
  output logic [4:0]  read_index_o,
  input  logic [95:0] read_x_i,
  input  logic [95:0] read_y_i,
  output logic [4:0]  message_index_o,
  input  logic [7:0]  message_byte_i,  // of the index one cycle before
  output logic        word_valid_o,
  output logic        word_next_o,     // word_valid_o in the next cycle
  output logic [63:0] word_o,
  output logic        word_last_o,     // of the job
  output logic        idle_o
);

  localparam logic signed [17:0] Reciprocal = 18'd80635;
  localparam logic signed [17:0] Unit = 18'd65536;

  // ---- Reads ----

  logic busy_q, busy_d;
  encode_job_t job_q;
  logic [4:0] index_q, index_d;
  logic [4:0] room_q, room_d, room_after;  // bytes in the buffer when a read of now arrives
  logic grant;

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
      room_d = room_after + {1'b0, job_q.d};
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
    if (job_valid_i && job_ready_o) job_q <= job_i;
  end

  assign read_slot_o = job_q.slot;
  assign read_operand_o = job_q.operand;
  assign read_operand_slot_o = job_q.operand_slot;
  assign read_index_o = index_q;

  // ---- What travels with a group ----

  typedef struct packed {
    logic [3:0] d;
    logic       negate;
    logic       message;
    logic [4:0] index;
  } group_t;

  // Stages: the read, then sum, message, product, rounding, packing.
  localparam int unsigned Stages = ReadLatency + 5;

  logic valid_q[Stages];
  group_t [Stages-1:0] group_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < Stages; i++) valid_q[i] <= 1'b0;
    end else begin
      valid_q[0] <= grant && !clear_i;
      for (int i = 1; i < Stages; i++) valid_q[i] <= valid_q[i-1] && !clear_i;
    end
  end

  always_ff @(posedge clk_i) begin
    group_q[0] <= '{d: job_q.d, negate: job_q.negate, message: job_q.message, index: index_q};
    for (int i = 1; i < Stages; i++) group_q[i] <= group_q[i-1];
  end

  group_t at_sum, at_message, at_product, at_round;
  assign at_sum = group_q[ReadLatency-1];
  assign at_message = group_q[ReadLatency];
  assign at_product = group_q[ReadLatency+1];
  assign at_round = group_q[ReadLatency+2];

  assign message_index_o = at_sum.index;

  // ---- Eight coefficients ----

  // Half a unit of the last place that is kept, at the position of p[23].
  function automatic logic [11:0] half(logic [3:0] d);
    unique case (d)
      4'd1:    half = 12'h400;
      4'd4:    half = 12'h080;
      4'd5:    half = 12'h040;
      4'd10:   half = 12'h002;
      default: half = 12'h001;
    endcase
  endfunction

  logic [11:0] half_positive, half_negative;  // 59 x < 0 takes one more from there

  assign half_positive = half(at_product.d);
  assign half_negative = half(at_product.d) - 12'd1;

  logic whole, whole_q;  // d = 12
  assign whole = at_message.d == 4'd12;

  logic signed [17:0] factor_q;
  always_ff @(posedge clk_i) begin
    whole_q <= whole;
    factor_q <= whole ? Unit : Reciprocal;
  end

  logic [7:0][11:0] rounded;  // at the top

  for (genvar j = 0; j < 8; j++) begin : gen_coefficient
    logic [11:0] x, y;
    logic [13:0] sum_q, sum_d;
    logic signed [14:0] second, full_q, full_d;
    logic [14:0] addend;
    logic signed [20:0] lower;  // 59 x
    logic [32:0] product_q, added_q, total_q;  // all from p[7] on

    assign rounded[j] = total_q[27:16];
    assign x = read_x_i[12*j+:12];
    assign y = read_y_i[12*j+:12];

    // y + x or y - x
    assign sum_d = 14'(({2'b00, y, 1'b1} + {{2'b00, x} ^ {14{at_sum.negate}}, at_sum.negate}) >> 1);

    // + Decompress_1 of the message's bit, or mod q
    always_comb begin
      if (whole) addend = at_message.negate ? 15'(MlkemQ) : -15'(MlkemQ);
      else addend = (at_message.message && message_byte_i[j]) ? 15'd1665 : 15'd0;
    end
    assign second = {sum_q[13], sum_q} + addend;
    assign full_d = (whole && (at_message.negate ? !sum_q[13] : second[14]))
                  ? {sum_q[13], sum_q} : second;

    assign lower = (21'(full_q) <<< 6) - (21'(full_q) + (21'(full_q) <<< 2));

    always_ff @(posedge clk_i) begin
      sum_q <= sum_d;
      full_q <= full_d;
      product_q <= full_q * factor_q;
      total_q <= product_q + added_q;
    end

    always_ff @(posedge clk_i) begin
      added_q <= {5'd0, lower[20] ? half_negative : half_positive, {2{lower[20]}}, lower[20:7]};
      if (whole_q) added_q <= '0;
    end
  end

  // ---- Packing ----

  // `wide_q`: 10, 11 or 12 bits. `narrow_q`: none of the following, 1, 4, 5 bits.
  logic [1:0] wide_q, wide_d, narrow_q, narrow_d;

  always_comb begin
    wide_d = 2'd0;
    narrow_d = 2'd0;
    unique case (at_round.d)
      4'd1:    narrow_d = 2'd1;
      4'd4:    narrow_d = 2'd2;
      4'd5:    narrow_d = 2'd3;
      4'd10:   wide_d = 2'd0;
      4'd11:   wide_d = 2'd1;
      default: wide_d = 2'd2;
    endcase
  end

  logic [95:0] packed_wide, packed_q;
  logic [39:0] packed_narrow;

  always_comb begin
    packed_wide = '0;
    unique case (wide_q)
      2'd0:    for (int j = 0; j < 8; j++) packed_wide[10*j+:10] = rounded[j][11:2];
      2'd1:    for (int j = 0; j < 8; j++) packed_wide[11*j+:11] = rounded[j][11:1];
      default: packed_wide = rounded;
    endcase
    packed_narrow = '0;
    unique case (narrow_q)
      2'd1:    for (int j = 0; j < 8; j++) packed_narrow[j] = rounded[j][11];
      2'd2:    for (int j = 0; j < 8; j++) packed_narrow[4*j+:4] = rounded[j][11:8];
      2'd3:    for (int j = 0; j < 8; j++) packed_narrow[5*j+:5] = rounded[j][11:7];
      default: packed_narrow = packed_wide[39:0];
    endcase
  end

  always_ff @(posedge clk_i) begin
    wide_q <= wide_d;
    narrow_q <= narrow_d;
  end

  // Without a group it is zero.
  always_ff @(posedge clk_i) begin
    if (clear_i || !valid_q[Stages-2]) packed_q[39:0] <= '0;
    else packed_q[39:0] <= packed_narrow;
    if (clear_i || !valid_q[Stages-2] || narrow_q != 2'd0) packed_q[95:40] <= '0;
    else packed_q[95:40] <= packed_wide[95:40];
  end

  group_t at_join;
  logic empty;

  assign at_join = group_q[Stages-1];

  latkem_join u_join (
    .clk_i,
    .rst_ni,
    .clear_i,
    .group_valid_i(valid_q[Stages-1]),
    .bytes_i(at_join.d),
    .group_last_i(at_join.index == 5'd31),
    .group_i(packed_q),
    .word_valid_o,
    .word_next_o,
    .word_o,
    .word_last_o,
    .empty_o(empty)
  );

  always_comb begin
    idle_o = !busy_q && empty;
    for (int i = 0; i < Stages; i++) idle_o &= !valid_q[i];
  end

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

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes trits and coefficients of the groups of a request (NTRU round 3, unpack_S3, sample_iid,
// unpack_Sq, unpack_Rq0): a group a cycle, two cycles later. Of h and c, which are multiples of x - 1,
// coefficient n - 1 is less the sum of the others; their last group waits for it.

module latkem_ntru_unpack
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t Set = ntru_set(2'd3),
  localparam int unsigned LogQ = 32'(Set.log_q),
  localparam type coeff_t = logic [LogQ-1:0]
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  part_e       part_i,
  input  logic        index_i,
  input  logic [9:0]  group_i,
  input  logic        last_i,
  input  logic [64:0] data_i,
  // trits of polynomial `index`
  output logic        trits_valid_o,
  output logic        trits_index_o,
  output group_t      trits_group_o,
  output logic        trits_last_o,
  output trit_group_t trits_o,
  // coefficients of polynomial `index`; 1 has its coefficient n - 1
  output logic        coeffs_valid_o,
  output logic        coeffs_index_o,
  output group_t      coeffs_group_o,
  output logic        coeffs_last_o,
  output coeff_t [GroupSize-1:0] coeffs_o,
  // fields to be sorted, with their tags
  output logic        field_valid_o,
  output logic [31:0] field_o,
  // z
  output logic        z_valid_o,
  output logic [1:0]  z_index_o,
  output logic [63:0] z_o,
  output logic        padding_o  // pulse: bits behind the last coefficient of c are not zero
);

  localparam int unsigned Degree = 32'(Set.n) - 1;
  localparam int unsigned LastLane = Degree % GroupSize;            // of coefficient n - 1
  localparam int unsigned Weight = (32'd1 << LogQ) / 8 - 2;         // of a sorted polynomial

  // ---- Trits ----

  typedef logic [255:0][2*GroupSize-1:0] digits_t;

  function automatic digits_t all_digits();
    for (int unsigned byte_ = 0; byte_ < 256; byte_++) begin
      int unsigned rest;
      rest = byte_;
      for (int unsigned i = 0; i < GroupSize; i++) begin
        all_digits[byte_][2*i+:2] = 2'(rest % 3);
        rest = rest / 3;
      end
    end
  endfunction

  localparam digits_t Digits = all_digits();

  // A byte modulo 3: the sum of its digits in base 4; the digit 3 is 0.
  function automatic trit_t byte_trit(logic [7:0] value);
    trit_t [3:0] digits;
    for (int unsigned i = 0; i < 4; i++) digits[i] = value[2*i+:2] & {2{value[2*i+:2] != 2'd3}};
    return trit_sum(trit_sum(digits[0], digits[1]), trit_sum(digits[2], digits[3]));
  endfunction

  trit_group_t trits_d, trits_q;
  logic trits_valid_q, trits_index_q, trits_last_q;
  group_t trits_group_q;
  logic [GroupSize-1:0] used;

  assign used = lanes_below(group_i[GroupWidth-1:0], Degree);

  always_comb begin
    for (int unsigned i = 0; i < GroupSize; i++) begin
      trits_d[i] = (part_i == PartTrits) ? Digits[data_i[7:0]][2*i+:2] : byte_trit(data_i[8*i+:8]);
      if (!used[i]) trits_d[i] = 2'd0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) trits_valid_q <= 1'b0;
    else trits_valid_q <= !clear_i && (part_i == PartTrits || part_i == PartSample);
  end

  always_ff @(posedge clk_i) begin
    trits_index_q <= index_i;
    trits_group_q <= group_i[GroupWidth-1:0];
    trits_last_q <= last_i;
    trits_q <= clear_i ? '0 : trits_d;
  end

  assign trits_valid_o = trits_valid_q;
  assign trits_index_o = trits_index_q;
  assign trits_group_o = trits_group_q;
  assign trits_last_o = trits_last_q;
  assign trits_o = trits_q;

  // ---- Coefficients ----

  logic takes, coeffs_valid_q, coeffs_index_q, coeffs_last_q;
  group_t coeffs_group_q;
  coeff_t [GroupSize-1:0] coeffs_q, coeffs_d;
  logic [2:1] summing_q;     // since the last group of h or c came, which stays in the register
  logic sum_valid_q;
  coeff_t low_q, high_q, sum_q;
  logic waits;

  assign takes = part_i == PartCoeffs;
  assign waits = takes && last_i && index_i;

  always_comb begin
    for (int unsigned i = 0; i < GroupSize; i++) begin
      coeffs_d[i] = data_i[LogQ*i+:LogQ];
      if (!used[i]) coeffs_d[i] = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      coeffs_valid_q <= 1'b0;
      summing_q <= 2'd0;
      sum_valid_q <= 1'b0;
    end else begin
      coeffs_valid_q <= !clear_i && ((takes && !waits) || summing_q[2]);
      summing_q <= clear_i ? 2'd0 : {summing_q[1], waits};
      sum_valid_q <= takes && !clear_i;
    end
  end

  // The sum is complete two cycles after its last group came.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      coeffs_q <= '0;
      low_q <= '0;
      high_q <= '0;
      sum_q <= '0;
    end else begin
      if (takes) begin
        coeffs_q <= coeffs_d;
        coeffs_group_q <= group_i[GroupWidth-1:0];
        coeffs_index_q <= index_i;
        coeffs_last_q <= last_i;
        low_q <= coeffs_d[0] + coeffs_d[1] + coeffs_d[2];
        high_q <= coeffs_d[3] + coeffs_d[4];
      end
      if (sum_valid_q) sum_q <= (coeffs_group_q == '0 ? '0 : sum_q) + low_q + high_q;
      if (summing_q[2]) coeffs_q[LastLane] <= -sum_q;
    end
  end

  assign coeffs_valid_o = coeffs_valid_q;
  assign coeffs_index_o = coeffs_index_q;
  assign coeffs_group_o = coeffs_group_q;
  assign coeffs_last_o = coeffs_last_q;
  assign coeffs_o = coeffs_q;

  // ---- Padding of c ----

  logic padding_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) padding_q <= 1'b0;
    else padding_q <= !clear_i && waits && (data_i >> (LogQ * LastLane)) != '0;
  end

  assign padding_o = padding_q;

  // ---- Fields and z ----

  logic field_valid_q, z_valid_q;
  logic [31:0] field_q;
  logic [1:0] z_index_q;
  logic [63:0] z_q;
  trit_t tag;

  always_comb begin
    tag = 2'd0;
    if (group_i < 10'(Weight)) tag = (group_i < 10'(Weight / 2)) ? 2'd1 : 2'd2;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      field_valid_q <= 1'b0;
      z_valid_q <= 1'b0;
    end else begin
      field_valid_q <= !clear_i && part_i == PartFields;
      z_valid_q <= !clear_i && part_i == PartZ;
    end
  end

  always_ff @(posedge clk_i) begin
    field_q <= clear_i ? '0 : {data_i[29:0], tag};
    z_q <= clear_i ? '0 : data_i[63:0];
    z_index_q <= group_i[1:0];
  end

  assign field_valid_o = field_valid_q;
  assign field_o = field_q;
  assign z_valid_o = z_valid_q;
  assign z_index_o = z_index_q;
  assign z_o = z_q;

endmodule

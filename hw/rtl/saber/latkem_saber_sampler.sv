// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// gen_A and gen_s of Saber: the words of a SHAKE128 stream in, coefficients out, which go to X as they are:
// 13 bits, and differences of counts of bits in two's complement. A group is eight coefficients of A, or of
// s where mu is 8 or 10, and 16 of s where it is 6. So a group has eight bytes or more, and words never
// wait. Words behind the last group are ignored. Sixteen coefficients are written at once, because X is
// shared with the decoder.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_saber_sampler
  import latkem_saber_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  saber_set_t  params_i,  // constant from the cycle before a stream on
  input  logic        valid_i,
  input  logic        first_i,   // the first word of a stream
  input  logic        secret_i,  // of s, else of A
  input  logic [63:0] word_i,
  output logic        x_next_o,  // x_we_o in the next cycle
  output logic        x_we_o,
  output slot_t       x_slot_o,
  output logic [3:0]  x_index_o,
  output logic [15:0][CoeffWidth-1:0] x_wdata_o,
  output logic        done_o,    // pulse: a polynomial's last coefficients are being written
  output slot_t       done_slot_o
);

  // The parameters in registers beside their users, mu decoded.
  logic [1:0] last_q;  // l - 1
  logic ten_q, eight_q, six_q;

  always_ff @(posedge clk_i) begin
    last_q <= 2'(params_i.l - 3'd1);
    ten_q <= params_i.mu == 4'd10;
    eight_q <= params_i.mu == 4'd8;
    six_q <= params_i.mu == 4'd6;
  end

  // ---- Groups ----

  logic active_q, active_d, secret_q, finish_q;
  logic [3:0] bytes_q, first_bytes;
  logic [4:0] index_q, index_d;
  logic [1:0] row_q, row_d, column_q, column_d;
  logic odd_q, odd_d;  // the group begins at an odd byte
  logic begins, group_valid, whole, last_group, last_column, last;
  logic unused_ready, unused_empty;
  logic [111:0] cut;

  assign begins = valid_i && first_i;
  always_comb begin
    first_bytes = 4'd13;
    if (secret_i) first_bytes = ten_q ? 4'd10 : eight_q ? 4'd8 : 4'd12;
  end

  latkem_cut #(
    .Sizes(16'h3500),
    .GroupBytes(14)
  ) u_cut (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i || finish_q),
    .begin_i(begins),
    .begin_bytes_i(first_bytes),
    .bytes_i(bytes_q),
    .wanted_i(active_d),
    .word_valid_i(valid_i && (active_q || first_i)),
    .word_ready_o(unused_ready),
    .word_i,
    .group_valid_o(group_valid),
    .take_i(group_valid),
    .group_o(cut),
    .empty_o(unused_empty)
  );

  assign whole = secret_q && six_q;  // 16 coefficients
  assign last_group = whole ? index_q[3:0] == 4'd15 : index_q == 5'd31;
  assign last_column = column_q == last_q;
  assign last = last_group && last_column && (secret_q || row_q == last_q);

  always_comb begin
    active_d = active_q;
    index_d = index_q;
    row_d = row_q;
    column_d = column_q;
    odd_d = odd_q;
    if (group_valid) begin
      index_d = last_group ? 5'd0 : index_q + 5'd1;
      odd_d = odd_q ^ !secret_q;
      if (last_group) begin
        column_d = last_column ? 2'd0 : column_q + 2'd1;
        if (last_column) row_d = row_q + 2'd1;
      end
      if (last) active_d = 1'b0;
    end
    if (begins) begin
      active_d = 1'b1;
      index_d = 5'd0;
      row_d = 2'd0;
      column_d = 2'd0;
      odd_d = 1'b0;
    end
    if (clear_i) active_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      finish_q <= 1'b0;
      secret_q <= 1'b0;
      bytes_q <= 4'd13;
      index_q <= 5'd0;
      row_q <= 2'd0;
      column_q <= 2'd0;
      odd_q <= 1'b0;
    end else begin
      active_q <= active_d;
      finish_q <= group_valid && last;
      index_q <= index_d;
      row_q <= row_d;
      column_q <= column_d;
      odd_q <= odd_d;
      if (begins) begin
        secret_q <= secret_i;
        bytes_q <= first_bytes;
      end
    end
  end

  // ---- Coefficients ----
  //
  // 1: the group from its first byte on. 2: coefficients

  typedef struct packed {
    logic       last;
    logic       secret;
    logic       whole;
    slot_t      slot;
    logic [4:0] index;
  } place_t;

  place_t place_q, place_q2;
  logic valid_q, we_q2;
  logic [103:0] group_q;
  logic [15:0][3:0] counts;
  logic [15:0][CoeffWidth-1:0] coefficients_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      we_q2 <= 1'b0;
    end else begin
      valid_q <= group_valid && !clear_i;
      we_q2 <= x_next_o;
    end
  end

  always_ff @(posedge clk_i) begin
    place_q.last <= last_group;
    place_q.secret <= secret_q;
    place_q.whole <= whole;
    place_q.slot <= secret_q ? SlotSecret + slot_t'(column_q) : {1'b0, row_q, column_q};
    place_q.index <= index_q;
    place_q2 <= place_q;
    group_q <= odd_q ? cut[111:8] : cut[103:0];
  end

  function automatic logic [2:0] ones(logic [4:0] bits);
    return 3'(bits[0]) + 3'(bits[1]) + 3'(bits[2]) + 3'(bits[3]) + 3'(bits[4]);
  endfunction

  // Of the mu bits of a coefficient, the ones in the lower half less those in the upper.
  for (genvar j = 0; j < 16; j++) begin : gen_count
    logic [4:0] lower, upper;
    if (j < 8) begin : gen_any
      always_comb begin
        unique case (1'b1)
          ten_q: begin
            lower = group_q[10*j+:5];
            upper = group_q[10*j+5+:5];
          end
          eight_q: begin
            lower = {1'b0, group_q[8*j+:4]};
            upper = {1'b0, group_q[8*j+4+:4]};
          end
          default: begin
            lower = {2'b00, group_q[6*j+:3]};
            upper = {2'b00, group_q[6*j+3+:3]};
          end
        endcase
      end
    end else begin : gen_six
      assign lower = {2'b00, group_q[6*j+:3]};
      assign upper = {2'b00, group_q[6*j+3+:3]};
    end
    assign counts[j] = {1'b0, ones(lower)} - {1'b0, ones(upper)};
  end

  // The lower eight wait for the upper. Data behind the last group are zero, or ignored.
  always_ff @(posedge clk_i) begin
    for (int j = 0; j < 16; j++) begin
      if (j >= 8 || place_q.whole || !place_q.index[0]) begin
        if (place_q.secret) begin
          coefficients_q[j] <= {{(CoeffWidth-4){counts[(place_q.whole || j < 8) ? j : j - 8][3]}},
                                counts[(place_q.whole || j < 8) ? j : j - 8]};
        end else begin
          coefficients_q[j] <= group_q[13*(j%8)+:13];
        end
      end
    end
    if (clear_i) coefficients_q[7:0] <= '0;
  end

  assign x_next_o = valid_q && (place_q.whole || place_q.index[0]) && !clear_i;
  assign x_we_o = we_q2;
  assign x_slot_o = place_q2.slot;
  assign x_index_o = place_q2.whole ? place_q2.index[3:0] : place_q2.index[4:1];
  assign x_wdata_o = coefficients_q;
  assign done_o = we_q2 && place_q2.last;
  assign done_slot_o = place_q2.slot;

`ifndef SYNTHESIS
  // Words never wait.
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (unused_ready || !valid_i);
  end
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// SampleNTT (FIPS 203 algorithm 7) after SHAKE128: words of 64 bits become candidates of 12 bits,
// 5, 5 and 6 of three words; those below q are packed eight to a write until there are 256.
// A block of 168 bytes is 21 words, so that no candidate straddles blocks.
//
// Cycles after a word: 1 candidates, 2 which are accepted, 3 the accepted ones side by side,
// 4 a write.

module latkem_mlkem_sampler
  import latkem_mlkem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        valid_i,
  input  logic        first_i,    // the first word of a polynomial
  input  logic        block_i,    // the first word of a block
  input  logic [3:0]  slot_i,
  input  logic [63:0] word_i,
  output logic        enough_o,   // 256 coefficients, of the words up to two cycles ago
  output logic        we_o,
  output logic [8:0]  waddr_o,
  output logic [95:0] wdata_o
);

  typedef logic [CoeffWidth-1:0] coeff_t;

  // 1: candidates
  logic [1:0] phase_q, phase;
  logic [7:0] rest_q;
  coeff_t [5:0] candidates_q;
  logic [5:0] there_q;
  logic valid_q1, first_q1;
  logic [3:0] slot_q1;

  assign phase = block_i ? 2'd0 : phase_q;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      unique case (phase)
        2'd0: begin
          candidates_q <= {12'd0, word_i[59:0]};
          rest_q <= {4'd0, word_i[63:60]};
        end
        2'd1: begin
          candidates_q <= {12'd0, word_i[55:0], rest_q[3:0]};
          rest_q <= word_i[63:56];
        end
        default: candidates_q <= {word_i, rest_q};
      endcase
    end
    there_q <= {phase == 2'd2, 5'b11111};
    first_q1 <= first_i;
    slot_q1 <= slot_i;
  end

  // 2: accepted
  coeff_t [5:0] candidates_q2;
  logic [5:0] accepted_d, accepted_q2;
  logic [2:0] count_d, count_q2;
  logic first_q2, valid_q2;
  logic [3:0] slot_q2;

  always_comb begin
    count_d = 3'd0;
    for (int i = 0; i < 6; i++) begin
      accepted_d[i] = valid_q1 && there_q[i] && candidates_q[i] < CoeffWidth'(MlkemQ);
      count_d = count_d + {2'd0, accepted_d[i]};
    end
  end

  always_ff @(posedge clk_i) begin
    candidates_q2 <= candidates_q;
    accepted_q2 <= accepted_d;
    count_q2 <= count_d;
    first_q2 <= first_q1;
    slot_q2 <= slot_q1;
  end

  // 3: side by side
  logic [2:0] position, count_q3;
  coeff_t [5:0] dense_d, dense_q3;
  logic first_q3, valid_q3;
  logic [3:0] slot_q3;

  always_comb begin
    position = 3'd0;
    dense_d = '0;
    for (int i = 0; i < 6; i++) begin
      for (int k = 0; k <= i; k++) begin
        if (accepted_q2[i] && position == 3'(k)) dense_d[k] |= candidates_q2[i];
      end
      position = position + {2'd0, accepted_q2[i]};
    end
  end

  // At most 255 before a polynomial's last block and 112 in it, or 336 of three blocks.
  logic [8:0] total_q, total_d;
  always_comb begin
    total_d = total_q;
    if (valid_q2) begin
      if (first_q2) total_d = {6'd0, count_q2};
      else total_d = total_q + {6'd0, count_q2};
    end
  end

  always_ff @(posedge clk_i) begin
    dense_q3 <= dense_d;
    count_q3 <= count_q2;
    first_q3 <= first_q2;
    slot_q3 <= slot_q2;
  end

  // Decided by the lowest bits: the whole sum comes too late.
  assign enough_o = total_q[8]
      || (total_q[7:3] == 5'h1f && {1'b0, total_q[2:0]} + {1'b0, count_q2} >= 4'd8);

  // 4: eight to a write
  coeff_t [12:0] joined;
  coeff_t [6:0] waiting_q;
  logic [2:0] fill_q, fill;
  logic [3:0] joined_count;
  logic [5:0] groups_q, groups, groups_d;  // 32: all are written
  logic write;

  assign fill = first_q3 ? 3'd0 : fill_q;
  assign groups = first_q3 ? 6'd0 : groups_q;
  assign joined_count = {1'b0, fill} + {1'b0, count_q3};
  assign write = valid_q3 && joined_count[3] && !groups[5];
  assign groups_d = groups + {5'd0, write};

  always_comb begin
    joined = (13 * CoeffWidth)'(dense_q3);
    if (fill[0]) joined <<= CoeffWidth;
    if (fill[1]) joined <<= 2 * CoeffWidth;
    if (fill[2]) joined <<= 4 * CoeffWidth;
    for (int i = 0; i < 7; i++) begin
      if (3'(i) < fill) joined[i] = waiting_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_q3) begin
      fill_q <= joined_count[2:0];
      groups_q <= groups_d;
      for (int i = 0; i < 7; i++) begin
        if (!joined_count[3]) waiting_q[i] <= joined[i];
        else waiting_q[i] <= (i < 5) ? joined[i+8] : '0;
      end
    end
    wdata_o <= joined[7:0];
    waddr_o <= {slot_q3, groups[4:0]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= 2'd0;
      valid_q1 <= 1'b0;
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
      total_q <= 9'd0;
      we_o <= 1'b0;
    end else begin
      if (valid_i) phase_q <= (phase == 2'd2) ? 2'd0 : phase + 2'd1;
      valid_q1 <= valid_i && !clear_i;
      valid_q2 <= valid_q1 && !clear_i;
      valid_q3 <= valid_q2 && !clear_i;
      total_q <= total_d;
      we_o <= write && !clear_i;
    end
  end

endmodule

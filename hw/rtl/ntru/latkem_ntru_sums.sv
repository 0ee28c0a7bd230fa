// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Sums over trits of HRSS as they come (NTRU round 3, sample_iid_plus and Lift): v(1) modulo 3 of the
// second polynomial, and of both whether v_0 v_1 + v_1 v_2 + ... is negative.

module latkem_ntru_sums
  import latkem_ntru_pkg::*;
(
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        valid_i,
  input  logic        index_i,
  input  group_t      group_i,
  input  trit_group_t trits_i,
  output trit_t       sum_o,       // of polynomial 1
  output logic [1:0]  negative_o   // of either
);

  typedef logic [10:0] sum_t;

  trit_t sum_q, last_q;
  sum_t [1:0] products_q;
  logic [3:0] more_q;              // of the group that came, with its sign
  logic valid_q, index_q, first_q;

  // Products of neighbours, the first one with the group before.
  logic [3:0] more;
  always_comb begin
    more = 4'd0;
    for (int unsigned i = 0; i < GroupSize; i++) begin
      trit_t product;
      product = trit_product((i == 0) ? (group_i == '0 ? 2'd0 : last_q) : trits_i[i-1], trits_i[i]);
      more = more + {{3{product[1]}}, product[0] | product[1]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      sum_q <= '0;
      last_q <= '0;
      more_q <= '0;
      valid_q <= 1'b0;
      products_q <= '0;
    end else begin
      if (valid_i) last_q <= trits_i[GroupSize-1];
      if (valid_i && index_i) sum_q <= trit_sum(group_i == '0 ? 2'd0 : sum_q, group_sum(trits_i));
      more_q <= more;
      valid_q <= valid_i;
      index_q <= index_i;
      first_q <= group_i == '0;
      for (int unsigned b = 0; b < 2; b++) begin
        if (valid_q && index_q == b[0]) begin
          products_q[b] <= (first_q ? '0 : products_q[b]) + {{7{more_q[3]}}, more_q};
        end
      end
    end
  end

  assign sum_o = sum_q;
  assign negative_o = {products_q[1][10], products_q[0][10]};

endmodule

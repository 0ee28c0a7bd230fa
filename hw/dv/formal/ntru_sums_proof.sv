// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_ntru_sums: the sum of products of neighbours, modulo 2^11, and that of trits modulo 3, over the
// groups of each polynomial that came since its first one; whatever comes between, and whenever. A sum
// of 699 products is from -699 to 699, so its sign is bit 10.

module ntru_sums_proof
  import latkem_ntru_pkg::*;
(
  input logic        clk_i,
  input logic        clear_i,
  input logic        valid_i,
  input logic        index_i,
  input group_t      group_i,
  input trit_group_t trits_i
);

  trit_t sum;
  logic [1:0] negative;

  latkem_ntru_sums u_dut (
    .clk_i,
    .clear_i,
    .valid_i,
    .index_i,
    .group_i,
    .trits_i,
    .sum_o(sum),
    .negative_o(negative)
  );

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;

  // Polynomials come one after the other, as they are cut: a group that is no first one follows its own,
  // and is one of 140.
  logic index_q;
  group_t next_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) next_q <= '0;
    else if (valid_i) begin
      index_q <= index_i;
      next_q <= group_i + group_t'(1);
    end
  end

  always_comb begin
    assume (!begin_q || clear_i);
    if (valid_i && group_i != '0) begin
      assume (group_i == next_q && index_i == index_q && group_i < group_t'(140));
    end
    for (int unsigned i = 0; i < GroupSize; i++) assume (trits_i[i] != 2'd3);
  end

  typedef logic signed [10:0] number_t;

  function automatic number_t product(trit_t a, trit_t b);
    if (a == 2'd0 || b == 2'd0) return '0;
    return (a == b) ? number_t'(1) : -number_t'(1);
  endfunction

  // Of a group, with the trit before it.
  trit_t before_q;
  number_t group_products;
  logic [4:0] group_trits;
  always_comb begin
    group_products = (group_i == '0) ? '0 : product(before_q, trits_i[0]);
    group_trits = 5'(trits_i[0]);
    for (int unsigned i = 1; i < GroupSize; i++) begin
      group_products = group_products + product(trits_i[i-1], trits_i[i]);
      group_trits = group_trits + 5'(trits_i[i]);
    end
  end

  // As numbers; a cycle later, when what came last is in the sum.
  number_t [1:0] products_q, products_q2;
  logic [1:0] trits_q;
  always_ff @(posedge clk_i) begin
    products_q2 <= products_q;
    if (clear_i) begin
      products_q <= '0;
      products_q2 <= '0;
      trits_q <= '0;
    end else if (valid_i) begin
      before_q <= trits_i[GroupSize-1];
      products_q[index_i] <= ((group_i == '0) ? '0 : products_q[index_i]) + group_products;
      if (index_i) trits_q <= 2'((5'((group_i == '0) ? '0 : trits_q) + group_trits) % 5'd3);
    end
  end

  always_comb begin
    if (!begin_q) begin
      assert (sum == trits_q);
      for (int unsigned b = 0; b < 2; b++) assert (negative[b] == products_q2[b][10]);
    end
  end

  // Invariants that make the above inductive.
  always_comb begin
    if (!begin_q) begin
      for (int unsigned b = 0; b < 2; b++) assert (u_dut.products_q[b] == products_q2[b]);
      assert (next_q <= group_t'(140) && trits_q != 2'd3);
      if (next_q != '0) assert (u_dut.last_q == before_q && before_q != 2'd3);
      if (u_dut.valid_q) begin
        assert (u_dut.index_q == index_q && next_q != '0);
        assert (u_dut.first_q == (next_q == group_t'(1)));
        assert (products_q[index_q] == (u_dut.first_q ? '0 : products_q2[index_q])
            + {{7{u_dut.more_q[3]}}, u_dut.more_q});
        assert (products_q[!index_q] == products_q2[!index_q]);
      end else begin
        assert (products_q == products_q2);
      end
    end
  end

endmodule

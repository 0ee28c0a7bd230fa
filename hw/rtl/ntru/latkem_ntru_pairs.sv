// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The sorter's first stage: cuts the words of a sort into runs of one or two, ascending.

module latkem_ntru_pairs #(
  parameter int unsigned Count = 676,
  parameter int unsigned Levels = 9    // 2^Levels runs
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        valid_i,
  input  logic [31:0] word_i,
  output logic        valid_o,
  output logic        run_end_o,   // the last word of its run
  output logic        sort_end_o,  // the last word of all
  output logic [31:0] word_o
);

  localparam int unsigned CountWidth = $clog2(Count);
  localparam int unsigned SumWidth = Levels + 1;

  // Run j ends at floor((j + 1) Count / 2^Levels): it has two words if the fractions carry.
  localparam logic [SumWidth-1:0] Fraction = SumWidth'(Count - (1 << Levels));

  logic [31:0] newer_q, older_q;
  logic newer_valid_q, older_valid_q;
  logic [CountWidth-1:0] count_q;    // of newer_q
  logic [SumWidth-1:0] fraction_q, sum;
  logic second_q;                    // newer_q is the second word of its run
  logic pair, all;                   // another word follows newer_q in its run; none in the sort
  logic older_pair_q, older_all_q;
  logic go, swap;

  assign sum = fraction_q + Fraction;
  assign pair = !second_q && sum[Levels];
  assign all = count_q == CountWidth'(Count - 1);

  // Of a pair the first word waits for the second.
  assign go = older_valid_q && (!older_pair_q || newer_valid_q);
  assign swap = older_pair_q && newer_valid_q && $signed(newer_q) < $signed(older_q);

  always_ff @(posedge clk_i) begin
    newer_q <= valid_i && !clear_i ? word_i : '0;
    if (clear_i) older_q <= '0;
    else if (!swap && (go || !older_valid_q)) older_q <= newer_q;
    word_o <= go && !clear_i ? (swap ? newer_q : older_q) : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      newer_valid_q <= 1'b0;
      older_valid_q <= 1'b0;
      older_pair_q <= 1'b0;
      older_all_q <= 1'b0;
      count_q <= '0;
      fraction_q <= '0;
      second_q <= 1'b0;
      valid_o <= 1'b0;
      run_end_o <= 1'b0;
      sort_end_o <= 1'b0;
    end else if (clear_i) begin
      newer_valid_q <= 1'b0;
      older_valid_q <= 1'b0;
      older_pair_q <= 1'b0;
      older_all_q <= 1'b0;
      count_q <= '0;
      fraction_q <= '0;
      second_q <= 1'b0;
      valid_o <= 1'b0;
      run_end_o <= 1'b0;
      sort_end_o <= 1'b0;
    end else begin
      newer_valid_q <= valid_i;
      if (newer_valid_q) begin
        count_q <= all ? '0 : count_q + 1'b1;
        second_q <= pair;
        if (!pair) fraction_q <= sum & ~SumWidth'(1 << Levels);
      end
      if (go || !older_valid_q) begin
        older_valid_q <= newer_valid_q;
        older_pair_q <= newer_valid_q && pair;
        older_all_q <= newer_valid_q && all;
      end
      valid_o <= go;
      run_end_o <= go && !older_pair_q;
      sort_end_o <= go && older_all_q;
    end
  end

endmodule

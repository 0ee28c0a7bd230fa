// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A queue of a few words in registers. Every output comes from a register, and a word may pass in
// every cycle each way. Places without a word are zero: no word stays when it has passed.

module latkem_fifo #(
  parameter int unsigned Width = 65,
  parameter int unsigned Depth = 8,
  localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,  // drops what is inside
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [Width-1:0]      data_i,
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [Width-1:0]      data_o,
  output logic [CountWidth-1:0] count_o
);

  logic [Depth-1:0][Width-1:0] words_q, words_d, kept;
  logic [CountWidth-1:0] count_q, count_d, place;
  logic ready_q, valid_q, push, pop;

  assign push = valid_i && ready_q;
  assign pop = valid_q && ready_i;

  // Words move towards place 0; what comes is put behind the last.
  assign place = count_q - CountWidth'(pop);
  assign count_d = clear_i ? '0 : place + CountWidth'(push);
  assign kept = pop ? words_q >> Width : words_q;

  always_comb begin
    for (int unsigned i = 0; i < Depth; i++) begin
      words_d[i] = kept[i] | (data_i & {Width{push && place == CountWidth'(i)}});
    end
    if (clear_i) words_d = '0;
  end

  // Words are reset too, because empty places must be zero.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      words_q <= '0;
      count_q <= '0;
      ready_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      words_q <= words_d;
      count_q <= count_d;
      ready_q <= count_d != CountWidth'(Depth);
      valid_q <= count_d != '0;
    end
  end

  assign ready_o = ready_q;
  assign valid_o = valid_q;
  assign data_o = words_q[0];
  assign count_o = count_q;

`ifndef SYNTHESIS
  latkem_holds u_ready_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(ready_o),
    .taken_i(valid_i),
    .what_i(1'b0)
  );

  latkem_holds #(
    .Width(Width)
  ) u_valid_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(valid_o),
    .taken_i(ready_i),
    .what_i(data_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (words_q >> Width * count_q == '0);
  end
`endif

endmodule

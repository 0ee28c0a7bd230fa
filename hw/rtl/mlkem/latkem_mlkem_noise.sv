// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// SamplePolyCBD (FIPS 203 algorithm 8): words of PRF's output become coefficients -eta to eta, 16
// at a time. eta = 2 makes 16 of each word; eta = 3 makes 32 of three words.

module latkem_mlkem_noise (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        valid_i,
  input  logic        first_i,   // the first word of a polynomial
  input  logic        three_i,   // eta is 3
  input  logic [3:0]  slot_i,
  input  logic [63:0] word_i,
  output logic        we_o,
  output logic [7:0]  waddr_o,
  output logic [47:0] wdata_o,
  output logic        done_o,    // pulse with the last write
  output logic [3:0]  done_slot_o
);

  logic [1:0] phase_q, phase_d, phase;  // words of a triple before this one
  logic [3:0] index_q, index_d;
  logic [63:0] rest_q;
  logic [95:0] bits_q;
  logic write_q, write_d;
  logic [7:0] addr_q;

  assign phase = first_i ? 2'd0 : phase_q;

  always_comb begin
    phase_d = phase_q;
    index_d = index_q;
    write_d = valid_i && (!three_i || phase != 2'd0);
    if (valid_i) begin
      phase_d = (phase == 2'd2) ? 2'd0 : phase + 2'd1;
      if (first_i) index_d = 4'd0;
    end
    if (write_d) index_d = (first_i ? 4'd0 : index_q) + 4'd1;
    if (clear_i) write_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= 2'd0;
      index_q <= 4'd0;
      write_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      index_q <= index_d;
      write_q <= write_d;
    end
  end

  // 16 pairs of two bits become pairs of three.
  logic [95:0] spread;
  for (genvar i = 0; i < 32; i++) begin : gen_spread
    assign spread[3*i+:3] = {1'b0, word_i[2*i+:2]};
  end

  always_ff @(posedge clk_i) begin
    addr_q <= {slot_i, first_i ? 4'd0 : index_q};
    if (clear_i) begin
      rest_q <= '0;
      bits_q <= '0;
    end else begin
      if (valid_i) rest_q <= (phase == 2'd1) ? {32'd0, word_i[63:32]} : word_i;
      bits_q <= '0;
      if (valid_i) begin
        if (!three_i) bits_q <= spread;
        else bits_q <= (phase == 2'd1) ? {word_i[31:0], rest_q} : {word_i, rest_q[31:0]};
      end
    end
  end

  // x - y for the numbers x and y of ones in the low and the high half of the index: a table, for
  // that is three lookups of six bits where sums and a difference would be carry chains.
  function automatic logic [63:0][2:0] differences();
    for (int i = 0; i < 64; i++) begin
      differences[i] = 3'(i & 1) + 3'(i >> 1 & 1) + 3'(i >> 2 & 1)
          - 3'(i >> 3 & 1) - 3'(i >> 4 & 1) - 3'(i >> 5 & 1);
    end
  endfunction

  localparam logic [63:0][2:0] Differences = differences();

  for (genvar i = 0; i < 16; i++) begin : gen_difference
    assign wdata_o[3*i+:3] = Differences[bits_q[6*i+:6]];
  end

  assign we_o = write_q;
  assign waddr_o = addr_q;
  assign done_o = write_q && addr_q[3:0] == 4'd15;
  assign done_slot_o = addr_q[7:4];

endmodule

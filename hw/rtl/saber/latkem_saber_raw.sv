// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// X, the memory of Saber's coefficients as they came: 32 slots in eight banks, with the map of
// latkem_poly_pkg. It is written by groups of 16 coefficients or half of one, and gives a word of each bank
// a cycle.

module latkem_saber_raw
  import latkem_poly_pkg::*;
  import latkem_saber_pkg::*;
(
  input  logic        clk_i,
  input  logic        wipe_i,       // all banks write zero at this address
  input  logic [8:0]  wipe_addr_i,
  // Coefficients 16 i to 16 i + 15, the lower or the upper eight of them or all
  input  logic [1:0]  we_i,
  input  slot_t       slot_i,
  input  logic [3:0]  index_i,
  input  logic [15:0][CoeffWidth-1:0] wdata_i,
  // Reads of banks {w0, 0} to {w0, 3}; the word of bank {w0, b} has place b ^ exchange_i.
  input  logic [3:0][8:0] raddr_i,
  input  logic [1:0]      exchange_i,
  output logic [3:0][1:0][1:0][CoeffWidth-1:0] seats_o  // [place][w0], three cycles later
);

  typedef logic [1:0][CoeffWidth-1:0] word_t;  // a pair of coefficients

  // ---- Writes ----

  word_t [7:0] rdata, wdata;
  logic [7:0] we;
  logic [8:0] waddr;
  logic [1:0] write_exchange;

  assign waddr = wipe_i ? wipe_addr_i : {slot_i, index_i};
  assign write_exchange = exchange_of(Step8And4, digits_of(Step8And4, {1'b0, index_i}), 1'b0);

  always_comb begin
    for (int b = 0; b < 8; b++) begin
      we[b] = wipe_i || we_i[1'(b>>1)^write_exchange[1]];
      wdata[b] = wipe_i ? '0 : wdata_i[2*{2'(b)^write_exchange, 1'(b/4)}+:2];
    end
  end

  // ---- Reads ----

  logic [3:0][8:0] raddr_q;
  logic [1:0] exchange_q;
  logic [3:0][1:0] select_q2;  // the bank with the words for each seat
  word_t [3:0][1:0] seats_q;   // [seat][w0]

  for (genvar b = 0; b < 8; b++) begin : gen_bank
    latkem_ram #(
      .Width(2 * CoeffWidth),
      .Depth(512)
    ) u_bank (
      .clk_i,
      .we_i(we[b]),
      .waddr_i(waddr),
      .wdata_i(wdata[b]),
      .raddr_i(raddr_q[b%4]),
      .rdata_o(rdata[b])
    );
  end

  always_ff @(posedge clk_i) begin
    raddr_q <= raddr_i;
    exchange_q <= exchange_i;
    for (int seat = 0; seat < 4; seat++) begin
      select_q2[seat] <= 2'(seat) ^ exchange_q;
      for (int w0 = 0; w0 < 2; w0++) begin
        seats_q[seat][w0] <= rdata[{1'(w0), select_q2[seat]}];
      end
    end
  end

  assign seats_o = seats_q;

endmodule

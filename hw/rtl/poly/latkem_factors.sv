// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The factors of one rank of butterflies of latkem_lane in a cycle, from a ROM: one for each
// butterfly (l, h, c), at 4 l + 2 h + c. Addresses 0 to 63 are the forward transform, {step, group},
// 64 to 127 the inverse one, halved, since each inverse layer halves, and negative, as
// latkem_butterfly wants it. With half the butterflies h is the lowest bit of the address, and
// butterfly (l, c) has its factor at 2 l + c.
//
// zeta(k) = Root^BitRev8(k). The transform is complete: eight layers, as in FIPS 203 algorithms 9
// and 10, but down to a distance of 1.

module latkem_factors
  import latkem_poly_pkg::*;
#(
  parameter  int unsigned Q = 12289,
  parameter  int unsigned Root = 3,     // a 512th root of unity
  parameter  bit          Rank = 1'b0,  // 0: the first butterfly of a step, 1: the second
  parameter  int unsigned Halves = 1,   // cycles of a group, 1 or 2
  localparam int unsigned W = $clog2(Q),
  localparam int unsigned Count = 8 / Halves
) (
  input  logic                    clk_i,
  input  logic [5+Halves:0]       addr_i,
  output logic [Count-1:0][W-1:0] factors_o
);

  // The factor of a layer of `blocks` blocks, for the block that holds word w.
  function automatic int unsigned factor(bit inverse, int unsigned blocks, int unsigned w);
    int unsigned block, z;
    block = w * blocks / 128;
    if (!inverse) return power_of(Root, bits_reversed(blocks + block, 8), Q);
    z = power_of(Root, bits_reversed(2 * blocks - 1 - block, 8), Q);
    return Q - (((z & 1) != 0) ? (z + Q) / 2 : z / 2);
  endfunction

  function automatic int unsigned entry(int unsigned addr, int unsigned i);
    bit inverse, finer;
    int unsigned step, w, l;
    logic [3:0] g;
    digits_t digits;
    inverse = addr >= 64;
    step = (addr >> 4) & 3;
    g = addr[3:0];
    l = i / 4;
    digits = digits_of(step_e'(step), {1'b0, g});
    w = 32 * 32'(digits.d3) + 8 * 32'(digits.d2) + 2 * 32'(digits.d1);
    // Of the two layers of a step the one with more blocks: the second forward, the first inverse.
    finer = Rank != inverse;
    // Between butterflies lie what latkem_lane says: place 2 c + h and w0 = l.
    if (step == 3) begin
      return factor(inverse, finer ? 128 : 64, w + 4 * (i & 1) + 2 * ((i >> 1) & 1) + l);
    end
    // Else l is the high bit of the step's digit.
    if (finer) w += (64 >> (2 * step)) * l;
    return factor(inverse, (finer ? 32'd2 : 32'd1) << (2 * step), w);
  endfunction

  typedef logic [128*Halves-1:0][Count-1:0][W-1:0] table_t;

  function automatic table_t entries();
    table_t result;
    for (int unsigned addr = 0; addr < 128; addr++) begin
      for (int unsigned i = 0; i < 8; i++) begin
        if (Halves == 1) result[addr][i] = W'(entry(addr, i));
        else result[2*addr+(i>>1)%2][2*(i/4)+i%2] = W'(entry(addr, i));
      end
    end
    return result;
  endfunction

  localparam table_t Entries = entries();

  (* rom_style = "block" *)
  logic [Count-1:0][W-1:0] rom[128*Halves];

  initial begin
    for (int unsigned addr = 0; addr < 128 * Halves; addr++) rom[addr] = Entries[addr];
  end

  always_ff @(posedge clk_i) factors_o <= rom[addr_i];

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The factors of one rank of butterflies in a cycle, from a ROM: four residues, which of them a
// butterfly takes is fixed by its place.
//
//   0 to 63     forward transform, {step, group}
//   64 to 127   inverse transform, {step, group}; halved, since each inverse layer halves, and
//               negative, as latkem_butterfly wants it
//   128 to 159  products, the gammas of words 4 i to 4 i + 3 (rank 1 alone)
//
// zeta(k) = Root^BitRev7(k); gamma of words 2 j and 2 j + 1 is zeta(64 + j) and its negative.
// FIPS 203 algorithms 9, 10, 12 and appendix A.

module latkem_zetas
  import latkem_poly_pkg::*;
#(
  parameter  int unsigned Q = 3329,
  parameter  int unsigned Root = 17,
  parameter  bit          Rank = 1'b0,  // 0: the first butterfly of a step, 1: the second
  localparam int unsigned W = $clog2(Q)
) (
  input  logic              clk_i,
  input  logic [7:0]        addr_i,
  output logic [3:0][W-1:0] zetas_o
);

  function automatic int unsigned zeta(int unsigned k);
    return power_of(Root, bits_reversed(k, 7), Q);
  endfunction

  // The factor of a layer of `blocks` blocks, for the block that holds word w.
  function automatic int unsigned factor(bit inverse, int unsigned blocks, int unsigned w);
    int unsigned block, z;
    block = w * blocks / 128;
    if (!inverse) return zeta(blocks + block);
    z = zeta(2 * blocks - 1 - block);
    return Q - (((z & 1) != 0) ? (z + Q) / 2 : z / 2);
  endfunction

  function automatic int unsigned entry(int unsigned addr, int unsigned i);
    bit inverse;
    int unsigned d3, d2, d1, place, step, blocks, z;
    logic [3:0] g;
    g = addr[3:0];
    if (addr >= 160) return 0;
    if (addr >= 128) begin
      if (!Rank) return 0;
      z = zeta(64 + 2 * (addr - 128) + i / 2);
      return ((i & 1) != 0) ? Q - z : z;
    end
    inverse = addr >= 64;
    step = (addr >> 4) & 3;
    // The butterflies of seats 0 and 2 (1 and 3) take even (odd) entries of rank 0; those of seats 0
    // and 1 (2 and 3) take entries 0 and 1 (2 and 3) of rank 1: see latkem_poly.
    d3 = 0;
    d2 = 0;
    d1 = 0;
    unique case (step)
      0: begin
        d2 = 32'(g[1:0]);
        d1 = 32'(g[3:2]);
      end
      1: begin
        d3 = 32'(g[1:0]);
        d1 = 32'(g[3:2]);
      end
      default: begin
        d3 = 32'(g[3:2]);
        d2 = 32'(g[1:0]);
      end
    endcase
    if (step == 3) begin
      // Place i; rank 1 only passes on.
      if (Rank) return Q - 1;
      return factor(inverse, 64, 32 * d3 + 8 * d2 + 2 * i);
    end
    // The layer by the high bit of the digit has one factor, that by the low bit one for each value
    // of the high bit. Forward: the high bit first.
    if (Rank == inverse) begin
      place = 0;
      blocks = 32'd1 << (2 * step);
    end else begin
      place = 2 * (Rank ? i / 2 : i & 1);
      blocks = 32'd2 << (2 * step);
    end
    unique case (step)
      0: d3 = place;
      1: d2 = place;
      default: d1 = place;
    endcase
    return factor(inverse, blocks, 32 * d3 + 8 * d2 + 2 * d1);
  endfunction

  typedef logic [255:0][3:0][W-1:0] table_t;

  function automatic table_t entries();
    table_t result;
    for (int unsigned addr = 0; addr < 256; addr++) begin
      for (int unsigned i = 0; i < 4; i++) result[addr][i] = W'(entry(addr, i));
    end
    return result;
  endfunction

  localparam table_t Entries = entries();

  (* rom_style = "block" *)
  logic [3:0][W-1:0] rom[256];

  initial begin
    for (int unsigned addr = 0; addr < 256; addr++) rom[addr] = Entries[addr];
  end

  always_ff @(posedge clk_i) zetas_o <= rom[addr_i];

endmodule

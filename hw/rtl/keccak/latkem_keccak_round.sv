// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// One round of Keccak-f[1600] (FIPS 202 section 3.2), in two parts: what is left when iota is done
// with the other step mappings. Lane x + 5 y is bits 64 (x + 5 y) and up.

module latkem_keccak_round (
  input  logic [4:0]    round_i,  // 0 to 23
  input  logic [1599:0] state_i,
  output logic [1599:0] state_o
);

  typedef logic [24:0][63:0] lanes_t;

  function automatic logic [63:0] rotate(logic [63:0] lane, int unsigned by);
    return (by == 0) ? lane : (lane << by) | (lane >> (64 - by));
  endfunction

  // FIPS 202 table 2, modulo 64, by lane.
  localparam int unsigned Offsets[25] = '{
    0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14
  };

  // FIPS 202 algorithm 5: bits 2^j - 1 of the round constants.
  function automatic logic [63:0] round_constant(logic [4:0] round);
    logic [6:0] bits;
    logic [63:0] constant;
    unique case (round)
      5'd0:    bits = 7'h01;
      5'd1:    bits = 7'h1a;
      5'd2:    bits = 7'h5e;
      5'd3:    bits = 7'h70;
      5'd4:    bits = 7'h1f;
      5'd5:    bits = 7'h21;
      5'd6:    bits = 7'h79;
      5'd7:    bits = 7'h55;
      5'd8:    bits = 7'h0e;
      5'd9:    bits = 7'h0c;
      5'd10:   bits = 7'h35;
      5'd11:   bits = 7'h26;
      5'd12:   bits = 7'h3f;
      5'd13:   bits = 7'h4f;
      5'd14:   bits = 7'h5d;
      5'd15:   bits = 7'h53;
      5'd16:   bits = 7'h52;
      5'd17:   bits = 7'h48;
      5'd18:   bits = 7'h16;
      5'd19:   bits = 7'h66;
      5'd20:   bits = 7'h79;
      5'd21:   bits = 7'h58;
      5'd22:   bits = 7'h21;
      default: bits = 7'h74;
    endcase
    constant = '0;
    for (int unsigned j = 0; j < 7; j++) constant[(1 << j) - 1] = bits[j];
    return constant;
  endfunction

  lanes_t a, b, d;
  logic [4:0][63:0] column, theta;

  assign a = state_i;

  always_comb begin
    for (int x = 0; x < 5; x++) begin
      column[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20];
    end
    for (int x = 0; x < 5; x++) begin
      theta[x] = column[(x+4)%5] ^ rotate(column[(x+1)%5], 1);
    end
    // rho and pi
    for (int x = 0; x < 5; x++) begin
      for (int y = 0; y < 5; y++) begin
        b[y+5*((2*x+3*y)%5)] = rotate(a[x+5*y] ^ theta[x], Offsets[x+5*y]);
      end
    end
    for (int x = 0; x < 5; x++) begin
      for (int y = 0; y < 5; y++) begin
        d[x+5*y] = b[x+5*y] ^ (~b[(x+1)%5+5*y] & b[(x+2)%5+5*y]);
      end
    end
    d[0] = d[0] ^ round_constant(round_i);
  end

  assign state_o = d;

endmodule

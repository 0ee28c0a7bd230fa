// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The part of a polynomial unit with a complete transform that exists for each modulus: the banks of V and
// C, two ranks of eight butterflies, and eight multipliers for products, coefficient by coefficient.
// latkem_saber_poly drives lanes of different moduli in lockstep: it has the order, the addresses, and the
// coefficients as they came, X.
//
// Cycles of a group of a transform, as in latkem_poly: 2 banks, 3 seats, 4 to 8 rank 1, 9 to 13 rank
// 2, and at the end of 13 the result is written. Of half a group of a product: 2 banks of C, 3 seats,
// 4 to 8 the multipliers, and at the end of 8 the result is written; its operand from V has been in
// the seats a cycle before.
//
// The last step of a forward transform joins coefficients 2 apart and 1 apart. For it seats are
// transposed: position (hi, lo; h, c), which is seat 2 hi + lo, word w0 = h and coefficient c, takes
// coefficient lo of word hi of seat 2 h + c. Results stay where they are made, so that the first
// step of an inverse transform needs no more, and the second one transposes back.
//
// With 8 butterflies a rank has four, and a group takes two cycles, h = 0 and then h = 1. Both read
// all banks of the group, and each writes the words w0 = h, which it makes.

module latkem_lane
  import latkem_poly_pkg::*;
#(
  parameter  int unsigned Q = 12289,
  parameter  int unsigned Root = 3,
  parameter  int unsigned XWidth = 13,     // of a coefficient as it came, less than 2 Q
  parameter  int unsigned VAddrWidth = 9,
  parameter  int unsigned CAddrWidth = 8,
  parameter  int unsigned Butterflies = 16,  // 8 or 16
  localparam int unsigned Halves = Butterflies == 8 ? 2 : 1,  // cycles of a group
  localparam int unsigned W = $clog2(Q)
) (
  input  logic        clk_i,
  // reads, for banks {w0, 0} to {w0, 3}; the place that comes to each seat
  input  logic [3:0][VAddrWidth-1:0] v_raddr_i,    // cycle 1
  input  logic [3:0][CAddrWidth-1:0] c_raddr_i,
  input  logic [3:0][1:0]            v_select_i,   // cycle 2
  input  logic [3:0][1:0]            c_select_i,
  input  logic [3:0][1:0][1:0][XWidth-1:0] x_i,    // cycle 2: in their seats
  input  logic        x_signed_i,                  // cycle 2: they are two's complements
  // transforms
  input  lane_source_e source_i,      // cycle 3
  input  logic        half_i,         // cycle 3: the h that is made, if not both are
  input  logic        before_1_i,     // cycle 3
  input  logic        after_1_i,      // cycle 6
  input  logic        before_2_i,     // cycle 8
  input  logic        after_2_i,      // cycle 11
  input  logic [5+Halves:0] factor_1_i,  // cycle 2
  input  logic [5+Halves:0] factor_2_i,  // cycle 7
  // products
  input  logic        hold_i,         // cycle 3 of the operand from V
  input  logic        upper_i,        // cycle 3: seats 2 and 3 of the operand
  input  logic        accumulate_i,   // cycle 3
  // writes, at the end of cycle 13 of a transform, 8 of a product
  input  logic [3:0][1:0]            write_select_i,  // the seat with the word for each bank
  input  logic [7:0]  v_we_i,
  input  logic [3:0][VAddrWidth-1:0] v_waddr_i,
  input  logic [7:0]  c_we_i,
  input  logic [3:0][CAddrWidth-1:0] c_waddr_i,
  input  logic        c_product_i,    // a product's words
  input  logic        c_turned_i,     // of which the first goes to odd banks
  input  logic        wipe_i,         // zeros
  // coefficients in seats 0 and 1 of C, cycle 3
  output logic [7:0][W-1:0] read_o
);

  typedef logic [1:0][W-1:0] word_t;  // a pair of coefficients
  typedef word_t [3:0][1:0] seats_t;  // [seat][w0]
  typedef logic [1:0][1:0][1:0][W-1:0] half_t;  // [l][h][c]

  localparam int unsigned Sides = 2 / Halves;  // values of h in a cycle
  typedef logic [1:0][Sides-1:0][1:0][W-1:0] made_t;

  // ---- Memories ----

  word_t [7:0] v_rdata, c_rdata, v_wdata, c_wdata;

  for (genvar b = 0; b < 8; b++) begin : gen_bank
    latkem_ram #(
      .Width(2 * W),
      .Depth(1 << VAddrWidth)
    ) u_v (
      .clk_i,
      .we_i(v_we_i[b]),
      .waddr_i(v_waddr_i[b%4]),
      .wdata_i(v_wdata[b]),
      .raddr_i(v_raddr_i[b%4]),
      .rdata_o(v_rdata[b])
    );

    latkem_ram #(
      .Width(2 * W),
      .Depth(1 << CAddrWidth)
    ) u_c (
      .clk_i,
      .we_i(c_we_i[b]),
      .waddr_i(c_waddr_i[b%4]),
      .wdata_i(c_wdata[b]),
      .raddr_i(c_raddr_i[b%4]),
      .rdata_o(c_rdata[b])
    );
  end

  // ---- Seats ----

  // A coefficient as it came: 0 to 2^XWidth - 1, or -2^(XWidth-1) to 2^(XWidth-1) - 1.
  localparam logic [XWidth+1:0] Modulus = (XWidth + 2)'(Q);
  localparam logic [XWidth+1:0] Negative = Modulus - (XWidth + 2)'(1 << XWidth);
  localparam bit Fits = Q >= (1 << XWidth);

  function automatic logic [W-1:0] residue(logic [XWidth-1:0] x, logic is_signed);
    logic [XWidth+1:0] moved;
    logic negative;
    negative = is_signed && x[XWidth-1];
    moved = {2'b00, x} + (negative ? Negative : -Modulus);
    return W'((negative || (!Fits && !moved[XWidth+1])) ? moved : {2'b00, x});
  endfunction

  seats_t v_seats_q, c_seats_q, x_seats_q;

  always_ff @(posedge clk_i) begin
    for (int seat = 0; seat < 4; seat++) begin
      for (int w0 = 0; w0 < 2; w0++) begin
        v_seats_q[seat][w0] <= v_rdata[{1'(w0), v_select_i[seat]}];
        c_seats_q[seat][w0] <= c_rdata[{1'(w0), c_select_i[seat]}];
        for (int c = 0; c < 2; c++) begin
          x_seats_q[seat][w0][c] <= residue(x_i[seat][w0][c], x_signed_i);
        end
      end
    end
  end

  assign read_o = {c_seats_q[1], c_seats_q[0]};

  // ---- Ranks ----
  //
  // Butterfly (l, h, c) of rank 1 joins seats l and l + 2 of w0 = h, coefficient c; of rank 2 seats
  // 2 l and 2 l + 1.

  seats_t seats;
  made_t sum_1, difference_1, sum_2, difference_2;
  logic [4*Sides-1:0][W-1:0] factors_1, factors_2;

  always_comb begin
    for (int seat = 0; seat < 4; seat++) begin
      for (int h = 0; h < 2; h++) begin
        for (int c = 0; c < 2; c++) begin
          unique case (source_i)
            LaneV:           seats[seat][h][c] = v_seats_q[seat][h][c];
            LaneVTransposed: seats[seat][h][c] = v_seats_q[2*h+c][seat/2][seat%2];
            LaneC:           seats[seat][h][c] = c_seats_q[seat][h][c];
            default:         seats[seat][h][c] = x_seats_q[seat][h][c];
          endcase
        end
      end
    end
  end

  latkem_factors #(
    .Q(Q),
    .Root(Root),
    .Rank(1'b0),
    .Halves(Halves)
  ) u_factors_1 (
    .clk_i,
    .addr_i(factor_1_i),
    .factors_o(factors_1)
  );

  latkem_factors #(
    .Q(Q),
    .Root(Root),
    .Rank(1'b1),
    .Halves(Halves)
  ) u_factors_2 (
    .clk_i,
    .addr_i(factor_2_i),
    .factors_o(factors_2)
  );

  if (Halves == 1) begin : gen_no_half
    logic unused_half;
    assign unused_half = half_i;
  end

  for (genvar l = 0; l < 2; l++) begin : gen_l
    for (genvar h = 0; h < Sides; h++) begin : gen_h
      for (genvar c = 0; c < 2; c++) begin : gen_c
        logic [W-1:0] a_1, b_1, a, b, unused_product_1, unused_product_2;

        if (Halves == 1) begin : gen_whole
          assign a_1 = seats[l][h][c];
          assign b_1 = seats[l+2][h][c];
        end else begin : gen_half
          assign a_1 = seats[l][half_i][c];
          assign b_1 = seats[l+2][half_i][c];
        end

        latkem_butterfly #(
          .Q(Q)
        ) u_rank_1 (
          .clk_i,
          .before_i(before_1_i),
          .after_i(after_1_i),
          .a_i(a_1),
          .b_i(b_1),
          .z_i(factors_1[2*(Sides*l+h)+c]),
          .less_i('0),
          .sum_o(sum_1[l][h][c]),
          .difference_o(difference_1[l][h][c]),
          .product_o(unused_product_1)
        );

        assign a = (l == 0) ? sum_1[0][h][c] : difference_1[0][h][c];
        assign b = (l == 0) ? sum_1[1][h][c] : difference_1[1][h][c];

        latkem_butterfly #(
          .Q(Q)
        ) u_rank_2 (
          .clk_i,
          .before_i(before_2_i),
          .after_i(after_2_i),
          .a_i(a),
          .b_i(b),
          .z_i(factors_2[2*(Sides*l+h)+c]),
          .less_i('0),
          .sum_o(sum_2[l][h][c]),
          .difference_o(difference_2[l][h][c]),
          .product_o(unused_product_2)
        );
      end
    end
  end

  // ---- Products ----
  //
  // Seats 0 and 1 of C hold two words of the accumulator, 2 and 3 those of the other operand.

  seats_t held_q;
  half_t products;

  always_ff @(posedge clk_i) begin
    if (hold_i) held_q <= v_seats_q;
  end

  for (genvar l = 0; l < 2; l++) begin : gen_product_l
    for (genvar h = 0; h < 2; h++) begin : gen_product_h
      for (genvar c = 0; c < 2; c++) begin : gen_product_c
        latkem_multiply_add #(
          .Q(Q)
        ) u_multiply_add (
          .clk_i,
          .a_i(upper_i ? held_q[l+2][h][c] : held_q[l][h][c]),
          .b_i(c_seats_q[l+2][h][c]),
          .c_i(accumulate_i ? c_seats_q[l][h][c] : '0),
          .sum_o(products[l][h][c])
        );
      end
    end
  end

  // ---- Writes ----

  word_t [3:0][Sides-1:0] results;

  always_comb begin
    for (int l = 0; l < 2; l++) begin
      results[2*l] = sum_2[l];
      results[2*l+1] = difference_2[l];
    end
    for (int b = 0; b < 8; b++) begin
      v_wdata[b] = results[write_select_i[b%4]][b/(4*Halves)];
      c_wdata[b] = c_product_i ? products[{1'(b) ^ c_turned_i}][b/4] : v_wdata[b];
      if (wipe_i) begin
        v_wdata[b] = '0;
        c_wdata[b] = '0;
      end
    end
  end

endmodule

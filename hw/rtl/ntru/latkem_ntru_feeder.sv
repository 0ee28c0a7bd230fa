// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The banks of polynomials, and what reads them group by group: as whole groups, one a cycle, or as
// elements, `Streams` at a time, as often as they are taken. Trits become coefficients.
//
// Elements of a product come twice: a pass over the digits begins with element 0; what is read beside
// a result begins with an element before it, because a result begins with its coefficient n - 1.

module latkem_ntru_feeder
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t   Set = ntru_set(2'd3),
  parameter int unsigned Streams = 2,
  localparam int unsigned LogQ = 32'(Set.log_q),
  localparam type coeff_t = logic [LogQ-1:0]
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        wipe_i,       // zeros are written at wipe_addr_i of all banks
  input  group_t      wipe_addr_i,
  // writing
  input  logic [1:0]  trits_we_i,   // F, G
  input  group_t      trits_group_i,
  input  trit_group_t trits_i,
  input  logic [1:0]  coeffs_we_i,  // A, V
  input  group_t      coeffs_group_i,
  input  coeff_t [GroupSize-1:0] coeffs_i,
  input  logic [1:0]  whole_i,      // level: all of F, of G is written
  input  logic [1:0]  negate_i,     // coefficients of F, of G with even index
  // reading
  input  logic        start_i,
  input  bank_e       bank_i,
  input  logic        raw_i,        // whole groups
  input  logic        down_i,       // from the last one down
  input  logic        beside_i,     // elements begin with one before the first
  input  logic [2:0]  further_i,    // passes after the first one
  output logic        group_valid_o,
  output group_t      group_number_o,
  output logic        group_last_o,
  output coeff_t [GroupSize-1:0] group_o,
  output logic        elements_valid_o,
  input  logic        elements_take_i,
  output logic        elements_last_o,   // of a pass
  output coeff_t [Streams-1:0] elements_o
);

  localparam int unsigned Degree = 32'(Set.n) - 1;
  localparam int unsigned Groups = all_groups(Set);
  localparam int unsigned LastPlace = Degree % GroupSize;  // of coefficient n - 1
  localparam group_t LastGroup = GroupWidth'(Groups - 1);

  // ---- Banks ----

  group_t raddr_q;
  trit_group_t trits[2];
  coeff_t [GroupSize-1:0] coeffs[2];

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    latkem_ram #(
      .Width(2 * GroupSize),
      .Depth(1 << GroupWidth)
    ) u_trits (
      .clk_i,
      .we_i(trits_we_i[b] || wipe_i),
      .waddr_i(wipe_i ? wipe_addr_i : trits_group_i),
      .wdata_i(wipe_i ? '0 : trits_i),
      .raddr_i(raddr_q),
      .rdata_o(trits[b])
    );
    latkem_ram #(
      .Width(LogQ * GroupSize),
      .Depth(1 << GroupWidth)
    ) u_coeffs (
      .clk_i,
      .we_i(coeffs_we_i[b] || wipe_i),
      .waddr_i(wipe_i ? wipe_addr_i : coeffs_group_i),
      .wdata_i(wipe_i ? '0 : coeffs_i),
      .raddr_i(raddr_q),
      .rdata_o(coeffs[b])
    );
  end

  // Groups of F and G below this one are there.
  group_t [1:0] written_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= '0;
    end else begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (clear_i) written_q[b] <= '0;
        else if (trits_we_i[b]) written_q[b] <= trits_group_i + GroupWidth'(1);
      end
    end
  end

  // ---- Reading ----

  logic reading_q, reading_d, raw_q, down_q;
  bank_e bank_q;
  logic [2:0] further_q, further_d;
  logic arrives_q;                          // a group comes from the banks,
  group_t number_q;                         // this one
  logic last_q;                             // the last one of a pass
  group_t raddr_d;
  logic ends, there, fetch, pop;
  logic [1:0] held;                         // groups in the places or on their way there

  assign ends = raddr_q == (down_q ? '0 : LastGroup);
  assign there = bank_q[1] || whole_i[bank_q[0]] || raddr_q < written_q[bank_q[0]];

  // Two places: the group that gives elements, and the next one.
  typedef struct packed {
    group_t number;
    logic   last;
    coeff_t [GroupSize-1:0] coeffs;
  } place_t;
  place_t place0_q, place1_q, arriving;
  logic [1:0] there_q, there_d;

  assign held = {(there_q[0] & there_q[1]) | ((there_q[0] | there_q[1]) & arrives_q),
                 there_q[0] ^ there_q[1] ^ arrives_q};
  assign fetch = reading_q && there && (!held[1] || (!held[0] && pop));

  always_comb begin
    reading_d = reading_q;
    raddr_d = raddr_q;
    further_d = further_q;
    if (fetch) begin
      raddr_d = down_q ? raddr_q - GroupWidth'(1) : raddr_q + GroupWidth'(1);
      if (ends) begin
        raddr_d = '0;
        further_d = further_q - 3'd1;
        reading_d = further_q != 3'd0;
      end
    end
    if (start_i) begin
      reading_d = 1'b1;
      raddr_d = down_i ? LastGroup : '0;
      further_d = further_i;
    end
    if (clear_i) reading_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q <= 1'b0;
      raddr_q <= '0;
      further_q <= 3'd0;
      raw_q <= 1'b0;
      down_q <= 1'b0;
      bank_q <= BankF;
      arrives_q <= 1'b0;
      number_q <= '0;
      last_q <= 1'b0;
    end else begin
      reading_q <= reading_d;
      raddr_q <= raddr_d;
      further_q <= further_d;
      if (start_i) begin
        raw_q <= raw_i;
        down_q <= down_i;
        bank_q <= bank_i;
      end
      arrives_q <= fetch && !start_i && !clear_i;
      number_q <= raddr_q;
      last_q <= ends;
    end
  end

  // The arriving elements: of trits 0, 1 and -1, with zeros from index n - 1 on.
  logic [GroupSize-1:0] used;
  logic odd;

  assign used = lanes_below(number_q, Degree);
  assign odd = number_q[0];  // the group begins with an odd index

  always_comb begin
    arriving.number = number_q;
    arriving.last = last_q;
    for (int unsigned i = 0; i < GroupSize; i++) begin
      trit_t trit;
      trit = trits[bank_q[0]][i] & {2{used[i]}};
      if (negate_i[bank_q[0]] && odd == i[0]) trit = trit_negated(trit);
      arriving.coeffs[i] = {{(LogQ - 1){trit[1]}}, trit[0] | trit[1]};
      if (bank_q[1]) arriving.coeffs[i] = coeffs[bank_q[0]][i];
    end
  end

  // ---- Places ----

  logic [2:0] at_q, at_d;  // of the first element in place 0
  logic [3:0] beyond;      // of the first one after those that are taken

  assign beyond = {1'b0, at_q} + 4'(Streams);
  assign elements_valid_o = !raw_q && there_q[0] && (beyond <= 4'(GroupSize) || there_q[1]);
  assign elements_last_o = place0_q.last && at_q == 3'(LastPlace);

  always_comb begin
    for (int unsigned i = 0; i < Streams; i++) begin
      if (32'(at_q) + i < GroupSize) elements_o[i] = place0_q.coeffs[at_q+3'(i)];
      else elements_o[i] = place1_q.coeffs[0];
    end
  end

  always_comb begin
    at_d = at_q;
    pop = raw_q && there_q[0];
    if (elements_take_i) begin
      at_d = beyond[2:0];
      if (elements_last_o) begin
        pop = 1'b1;
        at_d = 3'd0;
      end else if (beyond >= 4'(GroupSize)) begin
        pop = 1'b1;
        at_d = 3'(beyond - 4'(GroupSize));
      end
    end
    there_d[0] = pop ? (there_q[1] || arrives_q) : (there_q[0] || arrives_q);
    there_d[1] = pop ? (there_q[1] && arrives_q) : (there_q[1] || (there_q[0] && arrives_q));
    if (start_i) begin
      there_d = {1'b0, beside_i};
      at_d = beside_i ? 3'(GroupSize - 1) : 3'd0;
    end
    if (clear_i) there_d = 2'b00;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q <= 2'b00;
      at_q <= 3'd0;
    end else begin
      there_q <= there_d;
      at_q <= at_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      place0_q <= '0;
      place1_q <= '0;
    end else begin
      if (pop || !there_q[0]) place0_q <= there_q[1] ? place1_q : arriving;
      if (pop || !there_q[1]) place1_q <= arriving;
    end
  end

  assign group_valid_o = raw_q && there_q[0];
  assign group_number_o = place0_q.number;
  assign group_last_o = place0_q.last;
  assign group_o = place0_q.coeffs;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!elements_take_i || elements_valid_o);
  end
`endif

endmodule

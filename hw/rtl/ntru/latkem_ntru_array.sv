// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The Horner array: products in Z_q[x]/(x^n - 1). One operand, h, is in n cells; digits of the other, -1
// to 2 each, come lowest index first. With `Streams` digits a step there are as many sums: each becomes
// x^-Streams times itself, plus its digit times h. Cell c holds coefficient n - 1 - c.
//
// h comes in groups, low indices first, and moves by five cells with each; on each hop its bits turn
// by two places. So the loader turns the bits of early groups the other way beforehand. The same hop
// closed to a ring, with zeros for the bits that would come round, makes 4 x^-5 h of h.
//
// Signals to the cells go through two ranks of registers, the second one a copy for each block of
// cells. So all that is asked in a cycle happens two cycles later, in the order in which it is asked.

module latkem_ntru_array
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t   Set = ntru_set(2'd3),
  parameter int unsigned Streams = 2,
  localparam int unsigned LogQ = 32'(Set.log_q),
  localparam type coeff_t = logic [LogQ-1:0]
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,      // all registers become zero
  // h
  input  logic        load_i,       // a group comes, that of coefficient 0 first,
  input  logic        last_i,       // the last one
  input  coeff_t [GroupSize-1:0] coeffs_i,
  input  logic        turn_i,       // h becomes 4 x^-5 h
  // sums
  input  logic        zero_i,       // the sums become zero
  input  logic        step_i,       // digits come,
  input  logic        digits_i,     // or zeros
  input  digit_t [Streams-1:0] digit_i,
  // Elements of the product before a step, after so many passes: see latkem_ntru_plan.
  input  logic [2:0]  turns_i,
  output coeff_t [Streams-1:0] elements_o  // four cycles after step_i
);

  localparam int unsigned N = 32'(Set.n);
  localparam int unsigned Width = (LogQ + 1) / 2 * 2;  // bits that turn
  localparam int unsigned Groups = all_groups(Set);
  localparam int unsigned Block = 8;                   // cells that share a copy of the lines
  localparam int unsigned Blocks = (N + Block - 1) / Block;
  localparam int unsigned Turns = Width / 2;           // hops after which bits are where they were
  localparam int unsigned Full = (LogQ + 1) / 2 - 1;   // turns of a product of whole coefficients
  typedef logic [Width-1:0] turned_t;

  // ---- Loading: turned so that all are upright when the last group has come ----

  localparam logic [2:0] FirstBack = 3'((Groups - 1) % Turns);
  logic [2:0] back_q;  // places, in pairs of bits, to turn the next group back
  turned_t [GroupSize-1:0] loaded_d, loaded_q;

  function automatic turned_t turned_back(turned_t value, logic [2:0] pairs);
    return Width'({value, value} >> {pairs, 1'b0});
  endfunction

  always_comb begin
    for (int unsigned i = 0; i < GroupSize; i++) begin
      loaded_d[i] = turned_back(Width'(coeffs_i[i]), back_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) back_q <= FirstBack;
    else if (clear_i || (load_i && last_i)) back_q <= FirstBack;
    else if (load_i) back_q <= (back_q == 3'd0) ? 3'(Turns - 1) : back_q - 3'd1;
  end

  always_ff @(posedge clk_i) loaded_q <= (clear_i || !load_i) ? '0 : loaded_d;

  // ---- Lines ----

  typedef struct packed {
    logic move;   // h,
    logic turn;   // by a turn
    logic zero;
    logic step;
    logic [Streams-1:0][1:0] digits;
  } lines_t;

  lines_t lines_d, lines_q, spread;
  (* keep, dont_merge *) lines_t [Blocks-1:0] copies_q;
  logic digits_q;
  digit_t [Streams-1:0] digit_q;
  turned_t [GroupSize-1:0] entering_q;

  assign lines_d = '{move: load_i || turn_i, turn: turn_i, zero: zero_i, step: step_i, digits: '0};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lines_q <= '0;
      digits_q <= 1'b0;
    end else begin
      lines_q <= clear_i ? '0 : lines_d;
      digits_q <= digits_i && !clear_i;
    end
  end

  always_ff @(posedge clk_i) digit_q <= clear_i ? '0 : digit_i;

  // The sums of digits are made on the way: they are late in the first rank.
  always_comb begin
    spread = lines_q;
    for (int unsigned s = 0; s < Streams; s++) begin
      spread.digits[s] = digit_sum(digit_q[s]) & {2{digits_q}};
    end
  end

  for (genvar b = 0; b < Blocks; b++) begin : gen_copy
    always_ff @(posedge clk_i) copies_q[b] <= clear_i ? '0 : spread;
  end

  always_ff @(posedge clk_i) entering_q <= clear_i ? '0 : loaded_q;

  // ---- h: cells, and before them the places of lanes that enter a hop early ----

  localparam int unsigned LastGroup = N - GroupSize * (Groups - 1);  // its coefficients

  turned_t h[N];
  turned_t [GroupSize-1:0] early_q;

  function automatic turned_t turned(turned_t value);
    return {value[Width-3:0], value[Width-1:Width-2]};
  endfunction

  // Lane l of the last group is coefficient n - LastGroup + l: cell LastGroup - 1 - l. Lanes from
  // LastGroup on wait for a hop.
  always_ff @(posedge clk_i) begin
    if (clear_i) early_q <= '0;
    else if (copies_q[0].move) begin
      for (int unsigned l = LastGroup; l < GroupSize; l++) early_q[l] <= entering_q[l];
    end
  end

  for (genvar c = 0; c < N; c++) begin : gen_h
    turned_t value_q, from;
    logic turn;
    assign turn = copies_q[c/Block].turn;
    if (c >= GroupSize) begin : gen_inner
      assign from = turned(h[c-GroupSize]);
    end else if (c < LastGroup) begin : gen_first
      assign from = turn ? turned(h[N-GroupSize+c]) : entering_q[LastGroup-1-c];
    end else begin : gen_early
      assign from = turned(turn ? h[N-GroupSize+c] : early_q[LastGroup-1-c+GroupSize]);
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) value_q[Width-1:2] <= '0;
      else if (copies_q[c/Block].move) value_q[Width-1:2] <= from[Width-1:2];
    end
    // In a turn without the bits that come round.
    always_ff @(posedge clk_i) begin
      if (clear_i || turn) value_q[1:0] <= '0;
      else if (copies_q[c/Block].move) value_q[1:0] <= from[1:0];
    end
    assign h[c] = value_q;
  end

  // ---- Sums ----

  coeff_t sums[Streams][N];

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    for (genvar c = 0; c < N; c++) begin : gen_cell
      coeff_t value_q, previous, multiple, sum;
      logic negative, unused_carry;
      // Of copies that have lines of all streams, this one's.
      // verilator lint_off UNUSEDSIGNAL
      lines_t line;
      // verilator lint_on UNUSEDSIGNAL
      assign line = copies_q[c/Block];
      assign previous = sums[s][(c+N-Streams)%N];
      assign negative = line.digits[s] == 2'd3;
      always_comb begin
        unique case (line.digits[s])
          2'd0:    multiple = '0;
          2'd1:    multiple = h[c][LogQ-1:0];
          2'd2:    multiple = {h[c][LogQ-2:0], 1'b0};
          default: multiple = ~h[c][LogQ-1:0];
        endcase
      end
      // The lowest place carries one into a negative multiple.
      assign {sum, unused_carry} = {previous, negative} + {multiple, negative};
      always_ff @(posedge clk_i) begin
        if (clear_i || line.zero) value_q <= '0;
        else if (line.step) value_q <= sum;
      end
      assign sums[s][c] = value_q;
    end
  end

  // ---- Elements ----

  // After J turns cell 5 J - 1 of the first sum has what is read first. The second sum's part of an
  // element lies one place previous.
  function automatic int unsigned tap(int unsigned turns, int unsigned place);
    return (GroupSize * turns + 2 * N - 1 - place) % N;
  endfunction

  coeff_t [Streams-1:0] first_q, second_q, elements_q;

  for (genvar i = 0; i < Streams; i++) begin : gen_element
    coeff_t first, second;
    always_comb begin
      unique case (turns_i)
        3'd0:    first = sums[0][tap(0, i)];
        3'd1:    first = sums[0][tap(1, i)];
        3'd3:    first = sums[0][tap(3, i)];
        default: first = sums[0][tap(Full, i)];
      endcase
    end
    if (Streams == 2) begin : gen_second
      always_comb begin
        unique case (turns_i)
          3'd0:    second = sums[1][(tap(0, i) + 1) % N];
          3'd1:    second = sums[1][(tap(1, i) + 1) % N];
          3'd3:    second = sums[1][(tap(3, i) + 1) % N];
          default: second = sums[1][(tap(Full, i) + 1) % N];
        endcase
      end
    end else begin : gen_no_second
      assign second = '0;
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        first_q[i] <= '0;
        second_q[i] <= '0;
        elements_q[i] <= '0;
      end else begin
        first_q[i] <= first;
        second_q[i] <= second;
        elements_q[i] <= first_q[i] + second_q[i];
      end
    end
  end

  assign elements_o = elements_q;

endmodule

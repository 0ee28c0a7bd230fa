// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The Horner array: products in Z_q[x]/(x^n - 1). One operand, h, is in n cells; digits of the
// other, -2 to 2 each, come lowest index first. With `Streams` digits a step there are as many sums:
// each becomes x^-Streams times itself, plus its digit times h. Cell c holds coefficient n - 1 - c.
//
// h comes in groups, low indices first, and moves by five cells with each; on each hop its bits turn
// by two places. So the loader turns the bits of early groups the other way beforehand. The same hop
// closed to a ring makes 4 x^-5 h of h, but for the bits that come round, the lowest 2 j after j hops.
// The digits' lines are zero there: `one_i` and `two_i` are a line a bit.
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
  input  logic        load_i,       // a group comes
  input  group_t      group_i,      // its number
  input  coeff_t [GroupSize-1:0] coeffs_i,
  input  logic        turn_i,       // h becomes 4 x^-5 h
  // sums
  input  logic        zero_i,       // the sums become zero
  input  logic        step_i,       // digits come, or zeros
  input  coeff_t [Streams-1:0] one_i,  // of each bit: the digit is -1 or 1
  input  coeff_t [Streams-1:0] two_i,  // -2 or 2
  input  logic [Streams-1:0] negative_i,
  // Elements of the product before a step, after so many passes: see latkem_ntru_plan.
  input  logic [2:0]  turns_i,
  output coeff_t [Streams-1:0] elements_o  // four cycles after step_i
);

  localparam int unsigned N = 32'(Set.n);
  localparam int unsigned Width = (LogQ + 1) / 2 * 2;  // bits that turn
  localparam int unsigned Groups = all_groups(Set);
  localparam int unsigned Block = 64;                  // cells that share a copy of the lines
  localparam int unsigned Blocks = (N + Block - 1) / Block;
  localparam int unsigned Turns = Width / 2;           // hops after which bits are where they were
  localparam int unsigned Full = (LogQ + 1) / 2 - 1;   // turns of a product of whole coefficients
  typedef logic [Width-1:0] turned_t;

  // ---- Loading: turned so that all are upright when the last group has come ----

  logic [2:0] back_q, back_d;  // places, in pairs of bits, to turn back
  turned_t [GroupSize-1:0] loaded_d, loaded_q;

  function automatic turned_t turned_back(turned_t value, logic [2:0] pairs);
    return Width'({value, value} >> {pairs, 1'b0});
  endfunction

  always_comb begin
    back_d = (group_i == '0) ? 3'((Groups - 1) % Turns)
           : ((back_q == 3'd0) ? 3'(Turns - 1) : back_q - 3'd1);
    for (int unsigned i = 0; i < GroupSize; i++) begin
      loaded_d[i] = turned_back(Width'(coeffs_i[i]), back_d);
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) back_q <= back_d;
    loaded_q <= (clear_i || !load_i) ? '0 : loaded_d;
  end

  // ---- Lines ----

  typedef struct packed {
    logic move;   // h
    logic zero;
    logic step;
    coeff_t [Streams-1:0] one;
    coeff_t [Streams-1:0] two;
    logic [Streams-1:0] negative;
  } lines_t;

  lines_t lines_d, lines_q;
  (* keep, dont_merge *) lines_t [Blocks-1:0] copies_q;
  logic turn_q, turn_q2;
  turned_t [GroupSize-1:0] entering_q;

  assign lines_d = '{
    move: load_i || turn_i, zero: zero_i, step: step_i, one: one_i, two: two_i,
    negative: negative_i
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lines_q <= '0;
      turn_q <= 1'b0;
      turn_q2 <= 1'b0;
    end else begin
      lines_q <= clear_i ? '0 : lines_d;
      turn_q <= turn_i;
      turn_q2 <= turn_q;
    end
  end

  for (genvar b = 0; b < Blocks; b++) begin : gen_copy
    always_ff @(posedge clk_i) copies_q[b] <= clear_i ? '0 : lines_q;
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
    if (c >= GroupSize) begin : gen_inner
      assign from = turned(h[c-GroupSize]);
    end else if (c < LastGroup) begin : gen_first
      assign from = turn_q2 ? turned(h[N-GroupSize+c]) : entering_q[LastGroup-1-c];
    end else begin : gen_early
      assign from = turned(turn_q2 ? h[N-GroupSize+c] : early_q[LastGroup-1-c+GroupSize]);
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) value_q <= '0;
      else if (copies_q[c/Block].move) value_q <= from;
    end
    assign h[c] = value_q;
  end

  // ---- Sums ----

  coeff_t sums[Streams][N];

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    for (genvar c = 0; c < N; c++) begin : gen_cell
      coeff_t value_q, previous, multiple;
      // Of copies that have lines of all streams, this one's.
      // verilator lint_off UNUSEDSIGNAL
      lines_t line;
      // verilator lint_on UNUSEDSIGNAL
      assign line = copies_q[c/Block];
      assign previous = sums[s][(c+N-Streams)%N];
      assign multiple = (h[c][LogQ-1:0] & line.one[s]) | ({h[c][LogQ-2:0], 1'b0} & line.two[s]);
      always_ff @(posedge clk_i) begin
        if (clear_i || line.zero) value_q <= '0;
        else if (line.step) begin
          value_q <= previous + (multiple ^ {LogQ{line.negative[s]}}) + LogQ'(line.negative[s]);
        end
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

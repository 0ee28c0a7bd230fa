// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Inversion in F_2[x]/Phi by division steps (Bernstein, Yang, ePrint 2019/266), one a cycle. F is Phi and
// G the operand, both with their coefficients in reverse; a step with t = G_0 is
//
//   G <- (G + t F) / x,  W <- W + t x V,  V <- x V
//
// and where delta > 0 and t is 1, F takes G and V takes W. Modulo 2 that choice changes no other sum.
// After 2 (n - 1) - 1 steps V is the inverse in reverse. Time does not depend on the operand.

module latkem_ntru_inverse_2
  import latkem_ntru_pkg::*;
#(
  parameter int unsigned N = 701
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,       // what depends on an operand becomes zero
  // the operand, modulo Phi: groups from the last one down to the first, which begins the steps
  input  logic        load_valid_i,
  input  logic        load_last_i,
  input  logic [GroupSize-1:0] load_i,
  output logic        done_o,        // level: the inverse is there, until clear_i
  input  logic        take_i,        // a group of it, from the first one up,
  output logic [GroupSize-1:0] group_o  // which is here a cycle later
);

  localparam int unsigned Degree = N - 1;
  localparam int unsigned Steps = 2 * Degree - 1;
  localparam int unsigned Block = 64;  // cells that share a copy of the lines
  localparam int unsigned Blocks = (N + Block - 1) / Block;
  localparam int unsigned DeltaWidth = 11;

  typedef struct packed {
    logic load;
    logic step;
    logic take;
    logic t;     // of the next step
    logic swap;
  } lines_t;

  typedef enum logic [1:0] {
    StIdle,
    StSteps,
    StDone
  } state_e;

  state_e state_q, state_d;
  logic [DeltaWidth-1:0] left_q, left_d;
  logic [DeltaWidth-1:0] delta_q, delta_d;  // signed
  logic t_d, swap_d;
  (* keep, dont_merge *) lines_t [Blocks-1:0] copies_q;
  lines_t lines_d;
  logic f[N], g[N], v[N];

  // Lines are registers: what a step takes is known in the cycle before, from what G_0 becomes.
  always_comb begin
    state_d = state_q;
    left_d = left_q;
    delta_d = delta_q;
    t_d = g[0];
    if (copies_q[0].step) t_d = g[1] ^ (copies_q[0].t & f[1]);
    if (copies_q[0].step) begin
      delta_d = (copies_q[0].swap ? -delta_q : delta_q) + DeltaWidth'(1);
    end
    swap_d = t_d && !delta_d[DeltaWidth-1] && delta_d != '0;
    unique case (state_q)
      StIdle: begin
        if (load_valid_i && load_last_i) begin
          state_d = StSteps;
          left_d = DeltaWidth'(Steps + 1);
          delta_d = DeltaWidth'(1);
        end
      end
      StSteps: begin
        // The last group enters in the first cycle.
        left_d = left_q - DeltaWidth'(1);
        if (left_q == '0) state_d = StDone;
      end
      default: ;
    endcase
    lines_d = '{load: load_valid_i, step: state_q == StSteps && left_q <= DeltaWidth'(Steps)
                && left_q != '0, take: take_i, t: t_d, swap: swap_d};
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      left_q <= '0;
      delta_q <= '0;
    end else begin
      state_q <= state_d;
      left_q <= left_d;
      delta_q <= clear_i ? '0 : delta_d;
    end
  end

  logic [GroupSize-1:0] load_q;

  for (genvar b = 0; b < Blocks; b++) begin : gen_copy
    always_ff @(posedge clk_i) copies_q[b] <= clear_i ? '0 : lines_d;
  end

  always_ff @(posedge clk_i) load_q <= clear_i ? '0 : load_i;

  for (genvar i = 0; i < N; i++) begin : gen_cell
    logic f_q, g_q, v_q, w_q;
    logic g_above, f_above, g_loaded, v_below, v_taken;
    lines_t line;
    assign line = copies_q[i/Block];

    if (i + 1 < N) begin : gen_above
      assign g_above = g[i+1];
      assign f_above = f[i+1];
    end else begin : gen_top
      assign g_above = 1'b0;
      assign f_above = 1'b0;
    end
    if (i + GroupSize < Degree) begin : gen_inner
      assign g_loaded = g[i+GroupSize];
    end else if (i < Degree) begin : gen_entry
      assign g_loaded = load_q[Degree-1-i];
    end else begin : gen_zero
      assign g_loaded = 1'b0;
    end
    if (i > 0) begin : gen_below
      assign v_below = v[i-1];
    end else begin : gen_bottom
      assign v_below = 1'b0;
    end
    if (i >= GroupSize) begin : gen_taken
      assign v_taken = v[i-GroupSize];
    end else begin : gen_none
      assign v_taken = 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        f_q <= 1'b0;
        g_q <= 1'b0;
        v_q <= 1'b0;
        w_q <= 1'b0;
      end else if (line.load) begin
        f_q <= 1'b1;
        g_q <= g_loaded;
        v_q <= 1'b0;
        w_q <= i == 0;
      end else if (line.step) begin
        f_q <= line.swap ? g_q : f_q;
        g_q <= g_above ^ (line.t & f_above);
        v_q <= line.swap ? w_q : v_below;
        w_q <= w_q ^ (line.t & v_below);
      end else if (line.take) begin
        v_q <= v_taken;
      end
    end
    assign f[i] = f_q;
    assign g[i] = g_q;
    assign v[i] = v_q;
  end

  always_comb begin
    for (int unsigned l = 0; l < GroupSize; l++) group_o[l] = v[Degree-1-l];
  end

  assign done_o = state_q == StDone;

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Inversion in F_3[x]/Phi by division steps (Bernstein, Yang, ePrint 2019/266), folded: a step goes
// through memories of `Lanes` trits a word, a word a cycle. F is Phi and G the operand, both with their
// coefficients in reverse; a step with t = G_0 F_0 is
//
//   G <- (G - t F) / x,  W <- W - t x V,  V <- x V
//
// and where delta > 0 and G_0 is not 0, F takes G and V takes W. Then the sums should be t F - G and
// t x V - W but for a sign, which (G, W) may have. After 2 (n - 1) - 1 steps F_0 V is the inverse in
// reverse. Time does not depend on the operand.
//
// Index i lies at place i + Offset, so that groups of five do not straddle words.

module latkem_ntru_inverse_3
  import latkem_ntru_pkg::*;
#(
  parameter int unsigned N = 701,
  parameter int unsigned Lanes = 120  // a multiple of five, at most 160
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,        // what depends on an operand becomes zero, a word a cycle
  // the operand: groups from the first one up; the last one begins the steps
  input  logic        load_valid_i,
  input  logic        load_last_i,
  input  trit_group_t load_i,
  output logic        done_o,         // level: the inverse is there, until clear_i
  output logic        group_valid_o,  // its groups, from the first one up
  input  logic        group_take_i,
  output trit_group_t group_o
);

  localparam int unsigned Degree = N - 1;
  localparam int unsigned Steps = 2 * Degree - 1;
  localparam int unsigned Offset = (GroupSize - Degree % GroupSize) % GroupSize;
  localparam int unsigned Words = (N + Offset + Lanes - 1) / Lanes;
  localparam int unsigned WordGroups = Lanes / GroupSize;
  localparam int unsigned TopGroups = (Degree + Offset - Lanes * (Words - 1)) / GroupSize;
  localparam int unsigned AddrWidth = $clog2(Words);
  localparam int unsigned CountWidth = 11;

  if (Lanes % GroupSize != 0 || WordGroups > 32 || TopGroups == 0) begin : gen_no_words
    $error("latkem_ntru_inverse_3: Lanes makes no words");
  end

  typedef trit_t [Lanes-1:0] word_t;
  typedef logic [AddrWidth-1:0] addr_t;

  // ---- Words of F, G, V and W ----

  addr_t addr_q, addr_d, g_addr;
  logic we, g_we;
  word_t f, g, v, w, f_d, g_d, v_d, w_d;

  latkem_lutram #(
    .Width(3 * $bits(word_t)),
    .Depth(1 << AddrWidth),
    .Direct(1'b1)
  ) u_words (
    .clk_i,
    .we_i(we),
    .waddr_i(addr_q),
    .wdata_i({f_d, v_d, w_d}),
    .raddr_i(addr_q),
    .rdata_o({f, v, w})
  );

  latkem_lutram #(
    .Width($bits(word_t)),
    .Depth(1 << AddrWidth),
    .Direct(1'b1)
  ) u_g (
    .clk_i,
    .we_i(g_we),
    .waddr_i(g_addr),
    .wdata_i(g_d),
    .raddr_i(addr_q),
    .rdata_o(g)
  );

  // ---- Sequence ----

  typedef enum logic [2:0] {
    StLoad,
    StFirst,   // what the first step takes is read
    StSteps,
    StLast,    // the last word of G
    StFetch,   // a word of the inverse
    StSend,
    StSent
  } state_e;

  state_e state_q, state_d;
  logic [CountWidth-1:0] left_q, left_d, delta_q, delta_d;
  logic [4:0] count_q, count_d;     // groups of a word
  logic write_q, write_d;           // a word of G has been loaded
  logic last_q, last_d;             // the last one
  trit_t t_q, t_d, next_t_q, next_t_d, f0_q, f0_d;
  logic swap_q, swap_d, next_swap_q, next_swap_d;
  logic skip_q, skip_d;             // the groups of the upper word that hold nothing
  word_t moved_q, moved_d;          // groups that come in or go out; of a step, the last sum
  trit_t carry_q;
  logic cleared_q;                  // clear_i was high in the cycle before
  word_t difference, shifted;
  logic first_word, last_word;

  assign first_word = addr_q == '0;
  assign last_word = addr_q == AddrWidth'(Words - 1);

  // Phi: 1 at each index. As a table: of an address times the lanes, synthesis would make a multiplier.
  typedef word_t [(1<<AddrWidth)-1:0] words_t;

  function automatic words_t all_ones();
    all_ones = '0;
    for (int unsigned i = Offset; i <= Degree + Offset; i++) all_ones[i/Lanes][i%Lanes] = 2'd1;
  endfunction

  localparam words_t Ones = all_ones();

  // ---- A step, for a word ----

  always_comb begin
    shifted = {v[Lanes-2:0], first_word ? 2'd0 : carry_q};
    difference = '0;
    f_d = '0;
    v_d = '0;
    w_d = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      difference[i] = trit_sum(g[i], trit_product(trit_negated(t_q), f[i]));
      f_d[i] = swap_q ? g[i] : f[i];
      v_d[i] = swap_q ? w[i] : shifted[i];
      w_d[i] = trit_sum(w[i], trit_product(trit_negated(t_q), shifted[i]));
    end
    // G_w is written as the word above it is made.
    g_d = {first_word ? 2'd0 : difference[0], moved_q[Lanes-1:1]};
    g_addr = first_word ? AddrWidth'(Words - 1) : addr_q - AddrWidth'(1);
    we = state_q == StSteps;
    g_we = (state_q == StSteps && !(first_word && left_q == CountWidth'(Steps)))
        || state_q == StLast;
    if (state_q == StLoad) begin
      we = write_q;
      g_we = write_q;
      g_addr = addr_q;
      g_d = moved_q;
      f_d = Ones[addr_q];
      v_d = '0;
      w_d = '0;
      w_d[Offset] = {1'b0, first_word};
    end
    if (clear_i) begin
      we = 1'b1;
      g_we = 1'b1;
      g_addr = addr_q;
      f_d = '0;
      g_d = '0;
      v_d = '0;
      w_d = '0;
    end
  end

  // ---- What the next step takes, known from its first word ----

  trit_t next_g0;
  logic [CountWidth-1:0] turned;

  always_comb begin
    next_g0 = difference[Offset+1];
    f0_d = f0_q;
    next_t_d = next_t_q;
    next_swap_d = next_swap_q;
    delta_d = delta_q;
    t_d = t_q;
    swap_d = swap_q;
    turned = (swap_q ? -delta_q : delta_q) + CountWidth'(1);
    if (state_q == StFirst) begin
      delta_d = CountWidth'(1);
      t_d = g[Offset];
      swap_d = g[Offset] != 2'd0;
    end
    if (state_q == StSteps && first_word) begin
      f0_d = f_d[Offset];
      next_t_d = trit_product(next_g0, f_d[Offset]);
      delta_d = turned;
      next_swap_d = next_g0 != 2'd0 && !turned[CountWidth-1] && turned != '0;
    end
    if (state_q == StSteps && last_word) begin
      t_d = next_t_d;
      swap_d = next_swap_d;
    end
  end

  always_comb begin
    state_d = state_q;
    addr_d = addr_q;
    left_d = left_q;
    count_d = count_q;
    write_d = 1'b0;
    last_d = last_q;
    skip_d = skip_q;
    moved_d = moved_q;
    unique case (state_q)
      StLoad: begin
        if (load_valid_i) begin
          moved_d = {moved_q[Lanes-GroupSize-1:0], trit_t'(0), trit_t'(0), trit_t'(0), trit_t'(0),
                     trit_t'(0)};
          // The first of them lies highest.
          for (int unsigned i = 0; i < GroupSize; i++) moved_d[GroupSize-1-i] = load_i[i];
          count_d = count_q - 5'd1;
          if (count_q == 5'd0) begin
            count_d = 5'(WordGroups - 1);
            write_d = 1'b1;
            last_d = load_last_i;
          end
        end
        if (write_q) begin
          addr_d = addr_q - AddrWidth'(1);
          if (last_q) begin
            addr_d = '0;
            state_d = StFirst;
          end
        end
      end
      StFirst: begin
        state_d = StSteps;
        left_d = CountWidth'(Steps);
      end
      StSteps: begin
        moved_d = difference;
        addr_d = addr_q + AddrWidth'(1);
        if (last_word) begin
          addr_d = '0;
          left_d = left_q - CountWidth'(1);
          if (left_q == CountWidth'(1)) state_d = StLast;
        end
      end
      StLast: begin
        state_d = StFetch;
        addr_d = AddrWidth'(Words - 1);
        skip_d = TopGroups != WordGroups;
      end
      StFetch: begin
        moved_d = v;
        state_d = StSend;
        count_d = skip_q ? 5'(WordGroups - TopGroups - 1) : 5'(WordGroups - 1);
      end
      StSend: begin
        if (skip_q || group_take_i) begin
          moved_d = {moved_q[Lanes-GroupSize-1:0], trit_t'(0), trit_t'(0), trit_t'(0), trit_t'(0),
                     trit_t'(0)};
          count_d = count_q - 5'd1;
          if (count_q == 5'd0) begin
            if (skip_q) begin
              skip_d = 1'b0;
              count_d = 5'(TopGroups - 1);
            end else begin
              state_d = first_word ? StSent : StFetch;
              addr_d = addr_q - AddrWidth'(1);
            end
          end
        end
      end
      default: ;
    endcase
    if (clear_i) begin
      state_d = StLoad;
      addr_d = addr_q + AddrWidth'(1);
    end else if (cleared_q) begin
      addr_d = AddrWidth'(Words - 1);
      count_d = 5'(TopGroups - 1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StLoad;
      cleared_q <= 1'b1;
      addr_q <= '0;
      left_q <= '0;
      count_q <= '0;
      write_q <= 1'b0;
      last_q <= 1'b0;
      skip_q <= 1'b0;
    end else begin
      state_q <= state_d;
      cleared_q <= clear_i;
      addr_q <= addr_d;
      left_q <= left_d;
      count_q <= count_d;
      write_q <= write_d && !clear_i;
      last_q <= last_d;
      skip_q <= skip_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      moved_q <= '0;
      carry_q <= '0;
      t_q <= '0;
      swap_q <= 1'b0;
      next_t_q <= '0;
      next_swap_q <= 1'b0;
      delta_q <= '0;
      f0_q <= '0;
    end else begin
      moved_q <= moved_d;
      carry_q <= v[Lanes-1];
      t_q <= t_d;
      swap_q <= swap_d;
      next_t_q <= next_t_d;
      next_swap_q <= next_swap_d;
      delta_q <= delta_d;
      f0_q <= f0_d;
    end
  end

  assign done_o = state_q == StSend || state_q == StFetch || state_q == StSent;
  assign group_valid_o = state_q == StSend && !skip_q;

  always_comb begin
    for (int unsigned i = 0; i < GroupSize; i++) begin
      group_o[i] = trit_product(moved_q[Lanes-1-i], f0_q);
    end
  end

endmodule

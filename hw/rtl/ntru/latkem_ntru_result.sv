// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The operations on a product as it leaves the array (NTRU round 3; see read_e). Elements come
// `Streams` at a time: coefficient n - 1, which reduction modulo Phi subtracts from all, then
// coefficients 0 to n - 1.
//
// Lift in HRSS: with p_i = m_0 + ... + m_i + (i + 1) m(1) modulo 3, centred, coefficient i of Lift(m)
// is p_i - p_(i-1).

module latkem_ntru_result
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
  input  read_e       read_i,
  input  logic        checks_i,       // OpPhi: the result is r
  input  logic        valid_i,
  input  logic        head_i,         // the first elements of a product
  input  coeff_t [Streams-1:0] elements_i,
  // what is read beside them; three cycles after valid_i
  output logic        beside_take_o,
  input  coeff_t [Streams-1:0] beside_i,
  input  trit_t       sum_i,          // OpLiftTo: m(1). OpLiftFrom: f3(1)
  // results, with m of OpLiftFrom
  output logic        valid_o,
  output logic        head_o,         // the first of them is none
  output coeff_t [Streams-1:0] results_o,
  output trit_t [Streams-1:0] trits_o,
  output logic        bad_o           // since clear_i: m's weight or a coefficient of r is wrong
);

  localparam int unsigned Weight = (32'd1 << LogQ) / 8 - 2;

  // A coefficient from -q/2 on, modulo 3: the sum of its digits in base 4; the digit 3 is 0. Its upper
  // bit counts as less than nothing.
  function automatic trit_t coeff_trit(coeff_t value);
    logic [13:0] wide;
    trit_t [6:0] digits;
    wide = 14'($signed(value));
    for (int unsigned i = 0; i < 7; i++) digits[i] = wide[2*i+:2] & {2{wide[2*i+:2] != 2'd3}};
    // The uppermost digit is 0 or 3 for 0 or -1, or with its sign 2 for -2 and 1 for 1.
    if (wide[13]) digits[6] = trit_sum(digits[6], 2'd2);
    return trit_sum(trit_sum(trit_sum(digits[0], digits[1]), trit_sum(digits[2], digits[3])),
                    trit_sum(trit_sum(digits[4], digits[5]), digits[6]));
  endfunction

  function automatic coeff_t coeff_of(trit_t trit);
    return {{(LogQ - 1) {trit[1]}}, trit[0] | trit[1]};
  endfunction

  logic [5:1] valid_q, head_q;
  coeff_t [Streams-1:0] elements_q, elements_q2, elements_q3, elements_q4;
  coeff_t top_q, last_q4;                    // coefficient n - 1; the one before the elements at 4
  trit_t [Streams-1:0] trits_q2, trits_q3, trits_q4, trits_q5, trits_q6;
  trit_t top_trit_q, top_trit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      head_q <= '0;
    end else begin
      valid_q <= clear_i ? '0 : {valid_q[4:1], valid_i};
      head_q <= {head_q[4:1], head_i};
    end
  end

  // ---- Trits, modulo Phi ----

  assign top_trit = head_q[2] ? trits_q2[0] : top_trit_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      elements_q <= '0;
      elements_q2 <= '0;
      elements_q3 <= '0;
      elements_q4 <= '0;
      top_q <= '0;
      last_q4 <= '0;
      trits_q2 <= '0;
      trits_q3 <= '0;
      trits_q4 <= '0;
      top_trit_q <= '0;
    end else begin
      elements_q <= elements_i;
      elements_q2 <= elements_q;
      elements_q3 <= elements_q2;
      elements_q4 <= elements_q3;
      if (valid_i && head_i) top_q <= elements_i[0];
      if (valid_q[4]) last_q4 <= elements_q4[Streams-1];
      for (int unsigned i = 0; i < Streams; i++) begin
        trits_q2[i] <= coeff_trit(elements_q[i]);
        trits_q3[i] <= trit_sum(trits_q2[i], trit_negated(top_trit));
      end
      trits_q4 <= trits_q3;
      if (valid_q[2]) top_trit_q <= top_trit;
    end
  end

  // ---- Lift ----

  typedef logic [2:0] lifted_t;  // -2 to 2

  lifted_t [Streams-1:0] lifted_d, lifted_q4;
  coeff_t [Streams-1:0] beside_q4;
  trit_t prefix_q, a_sum_q;      // p of the coefficient before; a(1) of what OpTrits gave last

  function automatic lifted_t signed_trit(trit_t trit);
    return {trit[1], trit[1], trit[0] | trit[1]};
  endfunction

  trit_t step_sum;               // m(1), to be added for each coefficient
  trit_t [Streams-1:0] lift_trits, added;
  trit_t prefix, prefix_first, prefix_last;
  trit_t a_sum_d;

  assign beside_take_o = valid_q[3] && (read_i == OpLiftFrom || read_i == OpLiftTo);

  // f3(1) a(1) is m(1) before reduction modulo Phi, which takes n times coefficient n - 1 from it: in
  // HRSS n is -1 modulo 3.
  always_comb begin
    step_sum = sum_i;
    if (read_i == OpLiftFrom) step_sum = trit_sum(trit_product(sum_i, a_sum_q), top_trit_q);
    for (int unsigned i = 0; i < Streams; i++) begin
      lift_trits[i] = (read_i == OpLiftFrom) ? trits_q3[i] : trit_of(beside_i[i][1:0]);
      added[i] = trit_sum(lift_trits[i], step_sum);
      if (head_q[3] && i == 0) added[i] = 2'd0;
    end
  end

  // p of each coefficient after that of the one before it.
  assign prefix = head_q[3] ? 2'd0 : prefix_q;
  assign prefix_first = trit_sum(prefix, added[0]);
  assign prefix_last = (Streams == 2) ? trit_sum(prefix_first, added[Streams-1]) : prefix_first;

  always_comb begin
    for (int unsigned i = 0; i < Streams; i++) begin
      lifted_d[i] = signed_trit(lift_trits[i]);
      if (Set.hrss) begin
        lifted_d[i] = (i == 0) ? signed_trit(prefix_first) - signed_trit(prefix)
                               : signed_trit(prefix_last) - signed_trit(prefix_first);
      end
      if (read_i == OpLiftTo) lifted_d[i] = -lifted_d[i];
    end
    a_sum_d = head_q[3] ? 2'd0 : a_sum_q;
    for (int unsigned i = 0; i < Streams; i++) begin
      if (!head_q[3] || i != 0) a_sum_d = trit_sum(a_sum_d, trits_q3[i]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      lifted_q4 <= '0;
      beside_q4 <= '0;
      prefix_q <= '0;
      a_sum_q <= '0;
    end else begin
      beside_q4 <= beside_i;
      lifted_q4 <= lifted_d;
      if (valid_q[3]) begin
        prefix_q <= prefix_last;
        if (read_i == OpTrits) a_sum_q <= a_sum_d;
      end
    end
  end

  // ---- Results ----

  coeff_t [Streams-1:0] from, less, difference_q5, results_q6;
  logic zeroth_q4;               // the element before was coefficient n - 1, the head
  logic [6:6] valid_q6, head_q6;

  always_comb begin
    for (int unsigned i = 0; i < Streams; i++) begin
      coeff_t previous;
      logic zeroth;
      previous = (i == 0) ? last_q4 : elements_q4[i-1];
      zeroth = (i == 0) ? zeroth_q4 : head_q[4] && i == 1;
      from[i] = elements_q4[i];
      less[i] = '0;
      unique case (read_i)
        OpNewton: begin
          from[i] = zeroth ? LogQ'(2) : '0;
          less[i] = elements_q4[i];
        end
        OpG: begin
          if (Set.hrss) begin
            from[i] = previous;
            less[i] = elements_q4[i];
          end
        end
        OpPhi:   less[i] = top_q;
        OpTrits: from[i] = coeff_of(trits_q4[i]);
        OpLiftFrom: begin
          from[i] = beside_q4[i];
          less[i] = LogQ'($signed(lifted_q4[i]));
        end
        OpLiftTo: less[i] = LogQ'($signed(lifted_q4[i]));
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      difference_q5 <= '0;
      results_q6 <= '0;
      trits_q5 <= '0;
      trits_q6 <= '0;
    end else begin
      for (int unsigned i = 0; i < Streams; i++) begin
        difference_q5[i] <= from[i] - less[i];
        results_q6[i] <= difference_q5[i] + ({difference_q5[i][LogQ-2:0], 1'b0}
                                             & {LogQ{read_i == OpG}});
      end
      trits_q5 <= trits_q4;
      trits_q6 <= trits_q5;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zeroth_q4 <= 1'b0;
      valid_q6 <= '0;
      head_q6 <= '0;
    end else begin
      if (valid_q[4]) zeroth_q4 <= Streams == 1 && head_q[4];
      valid_q6 <= !clear_i && valid_q[5];
      head_q6 <= head_q[5];
    end
  end

  assign valid_o = valid_q6;
  assign head_o = head_q6;
  assign results_o = results_q6;
  always_comb begin
    for (int unsigned i = 0; i < Streams; i++) begin
      trits_o[i] = (read_i == OpLiftFrom) ? trits_q6[i] : trit_of(results_q6[i][1:0]);
    end
  end

  // ---- Checks of decapsulation ----

  logic [9:0] ones_q, twos_q;    // what m has more of each than it should, at the end zero
  logic wrong_q, weighed_q;
  logic [Streams-1:0] used;      // results that are none of the head

  always_comb begin
    used = {Streams{valid_q6}};
    if (head_q6) used[0] = 1'b0;
  end

  logic [9:0] ones_d, twos_d;
  logic wrong_d;

  always_comb begin
    ones_d = ones_q;
    twos_d = twos_q;
    wrong_d = wrong_q;
    for (int unsigned i = 0; i < Streams; i++) begin
      if (read_i == OpLiftFrom && used[i]) begin
        ones_d = ones_d + {9'd0, trits_q6[i][0]};
        twos_d = twos_d + {9'd0, trits_q6[i][1]};
      end
      // 0, 1 and -1 alone have upper bits that are equal, and the lowest one set if these are.
      if (checks_i && used[i] && !(results_q6[i] == '0 || results_q6[i] == LogQ'(1)
                                   || &results_q6[i])) begin
        wrong_d = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      ones_q <= '0;
      twos_q <= '0;
      wrong_q <= 1'b0;
      weighed_q <= 1'b0;
    end else begin
      ones_q <= ones_d;
      twos_q <= twos_d;
      wrong_q <= wrong_d;
      weighed_q <= !Set.hrss && (ones_q != 10'(Weight / 2) || twos_q != 10'(Weight / 2));
    end
  end

  assign bad_o = wrong_q || weighed_q;

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Jobs of the polynomial unit, where the words of a polynomial lie, and what one cycle does.
//
// Word w holds coefficients 2w and 2w + 1. Its digits are d3 = w[6:5], d2 = w[4:3], d1 = w[2:1] and
// w0 = w[0]. It lies in bank {w0, d3 ^ d2 ^ d1 ^ twist}, at address {d3, d2} of its slot; the
// twist is 2 for slots 8 to 15, else 0.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

package latkem_poly_pkg;

  // ---- Jobs of the polynomial unit ----
  //
  // Three groups of memory hold polynomials of 256 coefficients in slots: V vectors (16), C
  // accumulators (8), N noise (16, coefficients -3 to 3), and A the matrix (16).

  // A bit of its own for the inverse: a core without one has none of its logic.
  typedef enum logic [2:0] {
    PolyNttNoise   = 3'd0,  // V[dst] = NTT(N[src])
    PolyNttLoaded  = 3'd1,  // V[dst] = NTT(C[src])
    PolyMacMatrix  = 3'd2,  // C[dst] (+)= A[other] * V[src], src 0 to 7
    PolyMacVector  = 3'd3,  // C[dst] (+)= V[other] * V[src], other 8 to 15, src 0 to 7
    PolyNttInverse = 3'd4   // V[dst] = NTT^-1(C[src])
  } poly_op_e;

  typedef struct packed {
    poly_op_e   op;
    logic [3:0] src;
    logic [3:0] other;
    logic [3:0] dst;
    logic       first;  // a product is stored, not accumulated
  } poly_job_t;

  typedef enum logic [1:0] {
    OperandNone  = 2'd0,
    OperandC     = 2'd1,
    OperandNoise = 2'd2
  } operand_e;

  // ---- Words and steps ----

  // A step reads and writes eight words, or four (`StepLinear`). Named after the layers of FIPS 203
  // algorithm 9, by the distance of the coefficients that meet.
  typedef enum logic [2:0] {
    Step128And64 = 3'd0,  // over d3, both w0
    Step32And16  = 3'd1,  // over d2, both w0
    Step8And4    = 3'd2,  // over d1, both w0
    Step2        = 3'd3,  // over w0, all d1
    StepLinear   = 3'd4   // words 4 i to 4 i + 3
  } step_e;

  typedef struct packed {
    logic [1:0] d3;
    logic [1:0] d2;
    logic [1:0] d1;  // StepLinear: the high bit alone counts
  } digits_t;

  // Group g of a step. Its order lets a step begin while the last one is in the pipeline.
  function automatic digits_t digits_of(step_e step, logic [4:0] g);
    unique case (step)
      Step128And64: return '{d3: 2'd0, d2: g[1:0], d1: g[3:2]};
      Step32And16:  return '{d3: g[1:0], d2: 2'd0, d1: g[3:2]};
      StepLinear:   return '{d3: g[4:3], d2: g[2:1], d1: {g[0], 1'b0}};
      default:      return '{d3: g[3:2], d2: g[1:0], d1: 2'd0};
    endcase
  endfunction

  // The word in bank {w0, b} has place b ^ exchange in the group: its digit, or in StepLinear 0 and
  // 1 for the words asked for.
  function automatic logic [1:0] exchange_of(step_e step, digits_t digits, logic twist);
    logic [1:0] others;
    unique case (step)
      Step128And64: others = digits.d2 ^ digits.d1;
      Step32And16:  others = digits.d3 ^ digits.d1;
      StepLinear:   others = digits.d3 ^ digits.d2 ^ digits.d1;
      default:      others = digits.d3 ^ digits.d2;
    endcase
    return others ^ {twist, 1'b0};
  endfunction

  function automatic logic [3:0] address_of(step_e step, digits_t digits, logic [1:0] place);
    unique case (step)
      Step128And64: return {place, digits.d2};
      Step32And16:  return {digits.d3, place};
      default:      return {digits.d3, digits.d2};
    endcase
  endfunction

  // Inverse butterflies take the lower bit of a digit first: places 1 and 2 change seats.
  function automatic logic [1:0] seat_of(logic [1:0] place, logic turned);
    return turned ? {place[0], place[1]} : place;
  endfunction

  // The reads of a step of latkem_lane.
  typedef enum logic [1:0] {
    LaneX           = 2'd0,
    LaneV           = 2'd1,
    LaneVTransposed = 2'd2,
    LaneC           = 2'd3
  } lane_source_e;

  // ---- Factors ----

  // base^exponent mod q
  function automatic int unsigned power_of(int unsigned base, int unsigned exponent,
                                           int unsigned q);
    int unsigned square;
    power_of = 1;
    square = base;
    for (int unsigned i = 0; i < 9; i++) begin
      if (((exponent >> i) & 1) != 0) power_of = power_of * square % q;
      square = square * square % q;
    end
  endfunction

  function automatic int unsigned bits_reversed(int unsigned value, int unsigned bits);
    bits_reversed = 0;
    for (int unsigned i = 0; i < bits; i++) begin
      if (((value >> i) & 1) != 0) bits_reversed = bits_reversed | (1 << (bits - 1 - i));
    end
  endfunction

endpackage

// verilator lint_on UNUSEDSIGNAL

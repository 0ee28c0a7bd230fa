// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_poly_pkg: in every step and group each bank is asked for one word, that word lies there,
// and no two groups of a step take the same word. With as many words as there are, each is taken once.

module banks_proof
  import latkem_poly_pkg::*;
(
  input logic       clk_i,
  input logic [2:0] step_i,
  input logic       twist_i,
  input logic [4:0] group_i,
  input logic [1:0] bank_i,   // with either w0
  input logic [4:0] other_group_i,
  input logic [1:0] other_bank_i
);

  step_e step;
  assign step = step_e'(step_i);

  function automatic logic [1:0] place_of(step_e of, logic [4:0] group, logic [1:0] bank, logic twist);
    return bank ^ exchange_of(of, digits_of(of, group), twist);
  endfunction

  // The word that a group takes at a place, without w0.
  function automatic digits_t word_of(step_e of, logic [4:0] group, logic [1:0] place);
    digits_t digits;
    digits = digits_of(of, group);
    unique case (of)
      Step128And64: digits.d3 = place;
      Step32And16:  digits.d2 = place;
      StepLinear:   digits.d1 = {digits.d1[1], place[0]};
      default:      digits.d1 = place;
    endcase
    return digits;
  endfunction

  logic [1:0] place, other_place;
  digits_t word, other_word;
  logic taken, other_taken;  // StepLinear takes two of the four places

  // Registers, since the solver wants some.
  logic wrong_place_q = 1'b0, wrong_word_q = 1'b0;

  always_comb begin
    assume (step_i <= 3'd4);
    assume (step == StepLinear || (group_i < 5'd16 && other_group_i < 5'd16));
    place = place_of(step, group_i, bank_i, twist_i);
    other_place = place_of(step, other_group_i, other_bank_i, twist_i);
    word = word_of(step, group_i, place);
    other_word = word_of(step, other_group_i, other_place);
    taken = step != StepLinear || !place[1];
    other_taken = step != StepLinear || !other_place[1];
  end

  always_ff @(posedge clk_i) begin
    wrong_place_q <= taken && (bank_i != (word.d3 ^ word.d2 ^ word.d1 ^ {twist_i, 1'b0})
        || address_of(step, digits_of(step, group_i), place) != {word.d3, word.d2});
    wrong_word_q <= taken && other_taken && word == other_word
        && {group_i, bank_i} != {other_group_i, other_bank_i};
  end

  always_comb assert (!wrong_place_q && !wrong_word_q);

endmodule

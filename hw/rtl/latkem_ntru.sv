// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Core of NTRU: key generation, encapsulation, decapsulation of one parameter set over a pair of
// AXI4-Streams. hw/README.md describes requests, responses, timing and wiping.
//
// The request is cut into groups of five coefficients. Groups go into banks and into the array, which
// multiplies; what it makes goes back into the array, into a bank, or is packed. One plan says when.
// No time depends on data; which memory of its own a sorter reads does.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_ntru
  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_ntru_pkg::*;
#(
  parameter bit [2:0]  Ops  = 3'b111,   // bit 0 keygen, 1 encaps, 2 decaps
  parameter bit [15:0] Sets = 16'h8000, // bit i: the set at index i of `latkem list`; one of them
  parameter int unsigned Streams = 2,   // digits that are multiplied in a cycle, 1 or 2
  parameter int unsigned Rounds = 1     // of Keccak, a cycle; 1 or 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        zeroize_i,
  output logic        busy_o,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic [63:0] s_axis_tdata,
  input  logic        s_axis_tlast,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic [63:0] m_axis_tdata,
  output logic        m_axis_tlast
);

  if (Ops == 3'b000) begin : gen_no_operation
    $error("latkem_ntru: Ops names no operation");
  end
  if (!$onehot(Sets)) begin : gen_not_one_set
    $error("latkem_ntru: Sets names no parameter set or more than one");
  end
  if ((Sets & 16'h0fff) != 16'h0000) begin : gen_foreign_set
    $error("latkem_ntru: Sets names a parameter set of another core");
  end
  if (Streams != 1 && Streams != 2) begin : gen_no_array
    $error("latkem_ntru: Streams names no array");
  end
  if (Rounds != 1 && Rounds != 2) begin : gen_no_rounds
    $error("latkem_ntru: Rounds names no hash unit");
  end

  localparam ntru_set_t Set = ntru_set({Sets[14] | Sets[15], Sets[13] | Sets[15]});
  localparam int unsigned LogQ = 32'(Set.log_q);
  localparam int unsigned Degree = 32'(Set.n) - 1;
  localparam int unsigned Groups = all_groups(Set);
  localparam group_t LastPacked = GroupWidth'(packed_groups(Set) - 1);
  localparam int unsigned LastPlace = Degree % GroupSize;  // of coefficient n - 1
  localparam int unsigned EkWords = words_of(coeff_bytes(Set));
  localparam int unsigned DkWords = words_of(dk_bytes(Set));
  localparam int unsigned TritBytes = trit_bytes(Set);
  localparam word_addr_t AddrDk = WordAddrWidth'(EkWords);  // keygen: ek is at 0
  localparam word_addr_t AddrCt = WordAddrWidth'(DkWords);  // decaps: dk is at 0
  localparam bit Sorts = !Set.hrss && Ops[1:0] != 2'b00;
  typedef logic [LogQ-1:0] coeff_t;
  typedef coeff_t [GroupSize-1:0] coeff_group_t;

  // ---- Streams ----

  logic start, word_valid, word_ready, received, abort, finish, wiping, tidying;
  op_e op, next_op;
  logic [3:0] unused_next_set;
  logic [63:0] word;
  logic result_valid, reply_valid, reply_ready;
  logic [63:0] reply;

  latkem_front #(
    .Ops(Ops),
    .Sets(Sets)
  ) u_front (
    .clk_i,
    .rst_ni,
    .zeroize_i,
    .s_axis_tvalid,
    .s_axis_tready,
    .s_axis_tdata,
    .s_axis_tlast,
    .m_axis_tvalid,
    .m_axis_tready,
    .m_axis_tdata,
    .m_axis_tlast,
    .busy_o,
    .start_o(start),
    .op_o(op),
    .next_op_o(next_op),
    .next_set_o(unused_next_set),
    .request_words_i(ntru_request_words(Set, op)),
    .response_words_i(ntru_response_words(Set, op)),
    .word_valid_o(word_valid),
    .word_ready_i(word_ready),
    .word_o(word),
    .received_o(received),
    .abort_o(abort),
    .result_valid_i(result_valid),
    .result_status_i(StatusOk),
    .reply_valid_i(reply_valid),
    .reply_ready_o(reply_ready),
    .reply_i(reply),
    .finish_o(finish),
    .core_busy_i(wiping),
    .core_tidying_i(tidying)
  );

  // A core of one operation has constants here.
  logic keygen_q, encaps_q, decaps_q, clear;

  always_ff @(posedge clk_i) begin
    keygen_q <= Ops[0] && (Ops == 3'b001 || next_op == OpKeygen);
    encaps_q <= Ops[1] && (Ops == 3'b010 || next_op == OpEncaps);
    decaps_q <= Ops[2] && (Ops == 3'b100 || next_op == OpDecaps);
  end

  // ---- Request ----

  logic store_valid, store_ready, words_ready, fetch, cut_wanted, cut_done;
  logic spent_valid, spent_ready;
  word_addr_t store_addr, cut_raddr, spent_addr;
  logic [63:0] reply_rdata;
  part_e part;
  logic part_index;
  logic [9:0] part_group;
  logic part_last;
  logic [64:0] part_data;

  // z of decapsulation and ct are kept, for a hash.
  latkem_ntru_ring u_ring (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .keep_i(decaps_q ? CountWidth'(DkWords - 4) : '1),
    .word_valid_i(word_valid),
    .word_ready_o(word_ready),
    .store_valid_o(store_valid),
    .store_ready_i(store_ready),
    .store_addr_o(store_addr),
    .wanted_i(cut_wanted),
    .fetch_o(fetch),
    .raddr_o(cut_raddr),
    .wipe_valid_o(spent_valid),
    .wipe_ready_i(spent_ready),
    .wipe_addr_o(spent_addr)
  );

  latkem_ntru_cutter #(
    .Set(Set)
  ) u_cutter (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .keygen_i(keygen_q),
    .encaps_i(encaps_q),
    .decaps_i(decaps_q),
    .wanted_o(cut_wanted),
    .fetch_i(fetch),
    .word_i(reply_rdata),
    .part_o(part),
    .index_o(part_index),
    .group_o(part_group),
    .last_o(part_last),
    .data_o(part_data),
    .done_o(cut_done)
  );

  logic cut_trits, cut_trits_index, cut_trits_last, cut_coeffs, cut_coeffs_index, cut_coeffs_last;
  logic field_valid, z_valid, padding;
  group_t cut_trits_group, cut_coeffs_group;
  trit_group_t cut_trits_data;
  coeff_group_t cut_coeffs_data;
  logic [31:0] field;
  logic [1:0] z_index;
  logic [63:0] z;

  latkem_ntru_unpack #(
    .Set(Set)
  ) u_unpack (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .part_i(part),
    .index_i(part_index),
    .group_i(part_group),
    .last_i(part_last),
    .data_i(part_data),
    .trits_valid_o(cut_trits),
    .trits_index_o(cut_trits_index),
    .trits_group_o(cut_trits_group),
    .trits_last_o(cut_trits_last),
    .trits_o(cut_trits_data),
    .coeffs_valid_o(cut_coeffs),
    .coeffs_index_o(cut_coeffs_index),
    .coeffs_group_o(cut_coeffs_group),
    .coeffs_last_o(cut_coeffs_last),
    .coeffs_o(cut_coeffs_data),
    .field_valid_o(field_valid),
    .field_o(field),
    .z_valid_o(z_valid),
    .z_index_o(z_index),
    .z_o(z),
    .padding_o(padding)
  );

  trit_t trit_sum_second;
  logic [1:0] products_negative;

  if (Set.hrss) begin : gen_sums
    latkem_ntru_sums u_sums (
      .clk_i,
      .clear_i(clear || start),
      .valid_i(cut_trits),
      .index_i(cut_trits_index),
      .group_i(cut_trits_group),
      .trits_i(cut_trits_data),
      .sum_o(trit_sum_second),
      .negative_o(products_negative)
    );
  end else begin : gen_no_sums
    assign trit_sum_second = 2'd0;
    assign products_negative = 2'b00;
  end

  // ---- Sorting ----

  logic sorted_valid, sorted_group_valid, sorted_group_last;
  trit_t sorted_tag;
  group_t sorted_group;
  trit_group_t sorted_trits;
  logic poly_wipe, poly_wipe_all;
  logic [8:0] poly_wipe_addr;
  logic [9:0] sorted_q;  // how many have been

  if (Sorts) begin : gen_sorter
    latkem_ntru_sorter #(
      .Count(Degree)
    ) u_sorter (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .wipe_i(poly_wipe_all),
      .wipe_addr_i(poly_wipe_addr),
      .valid_i(field_valid),
      .word_i(field),
      .valid_o(sorted_valid),
      .tag_o(sorted_tag)
    );
    latkem_ntru_regroup #(
      .Width(2),
      .Streams(1),
      .Elements(Degree)
    ) u_sorted (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .begin_i(start),
      .valid_i(sorted_valid),
      .skip_i(1'b0),
      .elements_i(sorted_tag),
      .group_valid_o(sorted_group_valid),
      .group_number_o(sorted_group),
      .group_last_o(sorted_group_last),
      .group_o(sorted_trits)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) sorted_q <= 10'd0;
      else if (clear || start) sorted_q <= 10'd0;
      else if (sorted_valid) sorted_q <= sorted_q + 10'd1;
    end
  end else begin : gen_no_sorter
    assign sorted_valid = 1'b0;
    assign sorted_group_valid = 1'b0;
    assign sorted_group_last = 1'b0;
    assign sorted_group = '0;
    assign sorted_trits = '0;
    assign sorted_q = 10'd0;
  end

  // ---- The plan ----

  logic feed, feed_raw, feed_down, feed_beside;
  bank_e feed_bank;
  logic [2:0] feed_further, pass;
  logic elements_valid, elements_last, plan_take, beside_take, group_valid, group_last;
  logic to_load, to_inverse_2, to_inverse_3, to_pack, take_inverse_2, take_inverse_2_q,
      pack_inverse_3;
  group_t inverse_2_group, inverse_2_group_q, group_number;
  logic array_zero, array_step, array_digits, array_turn, array_load, array_load_last, array_load_q,
      array_last_q;
  stage_t stage;
  logic last_stage, read_begin, read_step, read_head, joining_z, z_done, plan_idle;
  logic result_group, result_last;
  logic inverted_2, inverted_3, inverse_3_packed_q;
  logic [1:0] whole_q;  // of f or r; of g, f3 or m

  latkem_ntru_plan #(
    .Set(Set),
    .Streams(Streams)
  ) u_plan (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .keygen_i(keygen_q),
    .encaps_i(encaps_q),
    .decaps_i(decaps_q),
    .loaded_i(array_load_q && array_last_q),
    .received_i(received && cut_done && whole_q == 2'b11),
    .trits_whole_i(whole_q[1]),
    .sorted_i(sorted_q),
    .inverted_2_i(inverted_2),
    .inverted_3_i(inverted_3),
    .packed_3_i(inverse_3_packed_q),
    .feed_o(feed),
    .feed_bank_o(feed_bank),
    .feed_raw_o(feed_raw),
    .feed_down_o(feed_down),
    .feed_beside_o(feed_beside),
    .feed_further_o(feed_further),
    .elements_valid_i(elements_valid),
    .elements_last_i(elements_last),
    .elements_take_o(plan_take),
    .group_last_i(group_valid && group_last),
    .to_load_o(to_load),
    .to_inverse_2_o(to_inverse_2),
    .to_inverse_3_o(to_inverse_3),
    .to_pack_o(to_pack),
    .take_inverse_2_o(take_inverse_2),
    .inverse_2_group_o(inverse_2_group),
    .pack_inverse_3_o(pack_inverse_3),
    .zero_o(array_zero),
    .step_o(array_step),
    .digits_o(array_digits),
    .turn_o(array_turn),
    .pass_o(pass),
    .stage_o(stage),
    .last_stage_o(last_stage),
    .read_begin_o(read_begin),
    .read_step_o(read_step),
    .read_head_o(read_head),
    .read_done_i(result_group && result_last),
    .z_o(joining_z),
    .z_done_i(z_done),
    .idle_o(plan_idle)
  );

  // ---- Banks ----

  logic [1:0] trits_we, coeffs_we;
  group_t trits_group, coeffs_group, result_number;
  trit_group_t trits_data;
  coeff_group_t coeffs_data, group_data, result_coeffs;
  coeff_t [Streams-1:0] elements;
  logic [GroupSize-1:0] inverse_2;

  always_comb begin
    trits_we = {cut_trits && cut_trits_index, cut_trits && !cut_trits_index};
    trits_group = cut_trits_group;
    trits_data = cut_trits_data;
    if (sorted_group_valid) begin
      trits_we[1] = 1'b1;
      trits_group = sorted_group;
      trits_data = sorted_trits;
    end
    coeffs_we = {cut_coeffs && cut_coeffs_index, cut_coeffs && !cut_coeffs_index};
    coeffs_group = cut_coeffs_group;
    coeffs_data = cut_coeffs_data;
    if (result_group && stage.store) begin
      coeffs_we = {stage.bank == BankV, stage.bank == BankA};
      coeffs_group = result_number;
      coeffs_data = result_coeffs;
    end
    if (take_inverse_2_q) begin
      coeffs_we = 2'b10;
      coeffs_group = inverse_2_group_q;
      for (int unsigned i = 0; i < GroupSize; i++) coeffs_data[i] = LogQ'(inverse_2[i]);
    end
  end

  // A group of the inverse modulo 2 comes a cycle after it is asked for.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_inverse_2_q <= 1'b0;
      inverse_2_group_q <= '0;
    end else begin
      take_inverse_2_q <= take_inverse_2 && !clear;
      inverse_2_group_q <= inverse_2_group;
    end
  end

  logic [1:0] wholes;
  assign wholes[0] = cut_trits && !cut_trits_index && cut_trits_last;
  assign wholes[1] = (cut_trits && cut_trits_index && cut_trits_last)
      || (sorted_group_valid && sorted_group_last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) whole_q <= 2'b00;
    else whole_q <= (clear || start) ? 2'b00 : whole_q | wholes;
  end

  latkem_ntru_feeder #(
    .Set(Set),
    .Streams(Streams)
  ) u_feeder (
    .clk_i,
    .rst_ni,
    .clear_i(clear || start),
    .wipe_i(poly_wipe),
    .wipe_addr_i(poly_wipe_addr[GroupWidth-1:0]),
    .trits_we_i(trits_we),
    .trits_group_i(trits_group),
    .trits_i(trits_data),
    .coeffs_we_i(coeffs_we),
    .coeffs_group_i(coeffs_group),
    .coeffs_i(coeffs_data),
    .whole_i(whole_q),
    .negate_i(products_negative & {2{keygen_q}}),
    .start_i(feed),
    .bank_i(feed_bank),
    .raw_i(feed_raw),
    .down_i(feed_down),
    .beside_i(feed_beside),
    .further_i(feed_further),
    .group_valid_o(group_valid),
    .group_number_o(group_number),
    .group_last_o(group_last),
    .group_o(group_data),
    .elements_valid_o(elements_valid),
    .elements_take_i(plan_take || beside_take),
    .elements_last_o(elements_last),
    .elements_o(elements)
  );

  trit_group_t group_trits;
  always_comb begin
    for (int unsigned i = 0; i < GroupSize; i++) group_trits[i] = trit_of(group_data[i][1:0]);
  end

  // ---- The array ----

  coeff_group_t array_coeffs, array_coeffs_q;
  digit_t [Streams-1:0] digit;
  coeff_t [Streams-1:0] products;

  always_comb begin
    array_load = cut_coeffs && cut_coeffs_index;
    array_load_last = cut_coeffs_last;
    array_coeffs = cut_coeffs_data;
    if (result_group && stage.load) begin
      array_load = 1'b1;
      array_load_last = result_last;
      array_coeffs = result_coeffs;
    end
    if (to_load && group_valid) begin
      array_load = 1'b1;
      array_load_last = group_last;
      array_coeffs = group_data;
    end
  end

  // Groups come from far: they wait for a cycle before their bits turn.
  latkem_ntru_slice #(
    .data_t(coeff_group_t)
  ) u_load (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .valid_i(array_load),
    .last_i(array_load_last),
    .data_i(array_coeffs),
    .valid_o(array_load_q),
    .last_o(array_last_q),
    .data_o(array_coeffs_q)
  );

  for (genvar i = 0; i < Streams; i++) begin : gen_recode
    latkem_ntru_recode #(
      .Set(Set)
    ) u_recode (
      .coeff_i(elements[i]),
      .pass_i(pass),
      .digit_o(digit[i])
    );
  end

  latkem_ntru_array #(
    .Set(Set),
    .Streams(Streams)
  ) u_array (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .load_i(array_load_q),
    .last_i(array_last_q),
    .coeffs_i(array_coeffs_q),
    .turn_i(array_turn),
    .zero_i(array_zero),
    .step_i(array_step),
    .digits_i(array_digits),
    .digit_i(digit),
    .turns_i(stage.further),
    .elements_o(products)
  );

  // ---- Results ----

  logic [4:1] read_q, head_q;
  logic results_valid, results_head, bad, padding_q;
  coeff_t [Streams-1:0] results;
  trit_t [Streams-1:0] result_trit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= '0;
      head_q <= '0;
      padding_q <= 1'b0;
    end else begin
      read_q <= clear ? '0 : {read_q[3:1], read_step};
      head_q <= {head_q[3:1], read_head};
      padding_q <= !clear && !start && (padding_q || padding);
    end
  end

  latkem_ntru_result #(
    .Set(Set),
    .Streams(Streams)
  ) u_result (
    .clk_i,
    .rst_ni,
    .clear_i(clear || start),
    .read_i(stage.read),
    .checks_i(stage.read == OpPhi && stage.pack),
    .valid_i(read_q[4]),
    .head_i(head_q[4]),
    .elements_i(products),
    .beside_take_o(beside_take),
    .beside_i(elements),
    .sum_i(trit_sum_second),
    .valid_o(results_valid),
    .head_o(results_head),
    .results_o(results),
    .trits_o(result_trit),
    .bad_o(bad)
  );

  typedef struct packed {
    trit_t  trit;
    coeff_t coeff;
  } result_t;
  result_t [Streams-1:0] result;
  result_t [GroupSize-1:0] result_data;
  trit_group_t result_trits;

  always_comb begin
    for (int unsigned i = 0; i < Streams; i++) begin
      result[i] = '{trit: result_trit[i], coeff: results[i]};
    end
    for (int unsigned i = 0; i < GroupSize; i++) begin
      result_coeffs[i] = result_data[i].coeff;
      result_trits[i] = result_data[i].trit;
    end
  end

  latkem_ntru_regroup #(
    .Width($bits(result_t)),
    .Streams(Streams),
    .Elements(32'(Set.n))
  ) u_regroup (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .begin_i(read_begin),
    .valid_i(results_valid),
    .skip_i(results_head),
    .elements_i(result),
    .group_valid_o(result_group),
    .group_number_o(result_number),
    .group_last_o(result_last),
    .group_o(result_data)
  );

  // ---- Inversion ----

  logic inverse_3_valid;
  trit_group_t inverse_3;

  if (Ops[0]) begin : gen_inverters
    // Modulo Phi: less coefficient n - 1, which lies in the group that comes first.
    logic top, top_q;
    logic [GroupSize-1:0] reduced;

    assign top = (group_number == GroupWidth'(Groups - 1)) ? group_data[LastPlace][0] : top_q;
    always_comb begin
      for (int unsigned i = 0; i < GroupSize; i++) reduced[i] = group_data[i][0] ^ top;
    end
    always_ff @(posedge clk_i) begin
      if (clear) top_q <= 1'b0;
      else if (group_valid) top_q <= top;
    end

    latkem_ntru_inverse_2 #(
      .N(32'(Set.n))
    ) u_inverse_2 (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .load_valid_i(to_inverse_2 && group_valid && group_number <= LastPacked),
      .load_last_i(group_last),
      .load_i(reduced),
      .done_o(inverted_2),
      .take_i(take_inverse_2),
      .group_o(inverse_2)
    );

    latkem_ntru_inverse_3 #(
      .N(32'(Set.n))
    ) u_inverse_3 (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .load_valid_i(to_inverse_3 && group_valid && group_number <= LastPacked),
      .load_last_i(group_number == LastPacked),
      .load_i(group_trits),
      .done_o(inverted_3),
      .group_valid_o(inverse_3_valid),
      .group_take_i(pack_inverse_3 && inverse_3_valid),
      .group_o(inverse_3)
    );
  end else begin : gen_no_inverters
    assign inverted_2 = 1'b0;
    assign inverted_3 = 1'b0;
    assign inverse_2 = '0;
    assign inverse_3_valid = 1'b0;
    assign inverse_3 = '0;
  end

  // ---- Packing of trits ----

  logic pack_begin, pack_valid, pack_flush, packer_idle;
  word_addr_t pack_addr, packed_addr;
  logic [2:0] pack_byte;
  trit_group_t pack_trits;
  logic packed_valid, packed_ready;
  logic [63:0] packed_word, seam;
  group_t inverse_3_group_q;

  always_comb begin
    // encaps: r and m. keygen: f, and f3 behind it. decaps: m, then r before it
    pack_begin = start || (read_begin && stage.pack);
    pack_addr = keygen_q ? AddrDk : AddrPacked;
    pack_byte = 3'd0;
    if (decaps_q && !last_stage) begin
      pack_addr = AddrPacked + WordAddrWidth'(TritBytes / 8);
      pack_byte = 3'(TritBytes % 8);
    end
  end

  always_comb begin
    pack_valid = 1'b0;
    pack_flush = 1'b0;
    pack_trits = result_trits;
    if (encaps_q) begin
      pack_valid = cut_trits || sorted_group_valid;
      pack_trits = sorted_group_valid ? sorted_trits : cut_trits_data;
      pack_flush = sorted_group_valid ? sorted_group_last : cut_trits_index && cut_trits_last;
    end
    if (decaps_q) begin
      pack_valid = result_group && stage.pack && result_number <= LastPacked;
      pack_flush = result_number == LastPacked;
    end
    if (keygen_q) begin
      pack_valid = (to_pack && group_valid && group_number <= LastPacked)
          || (pack_inverse_3 && inverse_3_valid);
      pack_trits = to_pack ? group_trits : inverse_3;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inverse_3_group_q <= '0;
      inverse_3_packed_q <= 1'b0;
    end else if (clear || start) begin
      inverse_3_group_q <= '0;
      inverse_3_packed_q <= 1'b0;
    end else if (pack_inverse_3 && inverse_3_valid) begin
      inverse_3_group_q <= inverse_3_group_q + GroupWidth'(1);
      if (inverse_3_group_q == LastPacked) inverse_3_packed_q <= 1'b1;
    end
  end

  latkem_ntru_packer u_packer (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .begin_i(pack_begin),
    .addr_i(pack_addr),
    .byte_i(pack_byte),
    .group_valid_i(pack_valid),
    .group_i(pack_trits),
    .group_flush_i(pack_flush),
    .word_valid_o(packed_valid),
    .word_ready_i(packed_ready),
    .word_addr_o(packed_addr),
    .word_o(packed_word),
    .seam_o(seam),
    .idle_o(packer_idle)
  );

  // ---- Packing of coefficients, and z behind them ----

  logic join_begin, join_q, join_last_q, joined_valid;
  coeff_group_t join_coeffs_q;
  word_addr_t join_addr, joined_addr;
  logic [5:0] join_fill;
  logic [63:0] join_begun, joined_word, hash_rdata;
  logic [2:0] z_read_q;        // words of z that have been asked for
  logic z_arrives_q, z_last_q, z_there, z_flush;
  logic [63:0] z_word;

  always_comb begin
    join_begin = read_begin && stage.join_;
    join_addr = '0;
    join_fill = 6'd0;
    join_begun = '0;
    if (keygen_q && last_stage) begin
      join_addr = AddrDk + WordAddrWidth'(2 * TritBytes / 8);
      join_fill = 6'(2 * TritBytes % 8 * 8);
      join_begun = seam;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      z_read_q <= 3'd0;
      z_arrives_q <= 1'b0;
      z_last_q <= 1'b0;
    end else begin
      z_read_q <= (clear || start) ? 3'd0 : z_read_q + 3'(joining_z && !z_read_q[2]);
      z_arrives_q <= joining_z && !z_read_q[2];
      z_last_q <= joining_z && z_read_q == 3'd3;
    end
  end

  assign z_done = z_read_q[2];

  // z is joined a cycle later: the joiner is far from the memory. Groups wait for a cycle as well.
  if (Ops[0]) begin : gen_z
    latkem_ntru_slice #(
      .data_t(logic [63:0])
    ) u_z (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .valid_i(z_arrives_q),
      .last_i(z_last_q && !clear),
      .data_i(hash_rdata),
      .valid_o(z_there),
      .last_o(z_flush),
      .data_o(z_word)
    );
  end else begin : gen_no_z
    assign z_there = 1'b0;
    assign z_flush = 1'b0;
    assign z_word = '0;
  end

  latkem_ntru_slice #(
    .data_t(coeff_group_t)
  ) u_join (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .valid_i(result_group && stage.join_),
    .last_i(result_last),
    .data_i(result_coeffs),
    .valid_o(join_q),
    .last_o(join_last_q),
    .data_o(join_coeffs_q)
  );

  latkem_ntru_joiner #(
    .Set(Set)
  ) u_joiner (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .begin_i(join_begin),
    .addr_i(join_addr),
    .fill_i(join_fill),
    .begun_i(join_begun),
    .coeffs_valid_i(join_q),
    .coeffs_last_i(join_last_q),
    .coeffs_i(join_coeffs_q),
    .word_valid_i(z_there),
    .word_i(z_word),
    .flush_i((keygen_q && last_stage) ? z_flush : join_q && join_last_q),
    .word_valid_o(joined_valid),
    .word_addr_o(joined_addr),
    .word_o(joined_word)
  );

  // ---- Words ----

  // The written results: z of the request, joined and packed words, and once the failures of a
  // decapsulation, compared with a word that is zero.
  logic write_next, write_q, compare_q, joined_q, packed_q;
  logic check, check_waits_q, checked_q;
  logic running_q, running_d;
  word_addr_t write_addr_d, write_addr_q;
  logic [63:0] write_data_d, write_data_q;

  assign check = check_waits_q && !z_valid && !joined_valid && !packed_valid;
  assign packed_ready = !z_valid && !joined_valid;
  assign write_next = z_valid || joined_valid || packed_valid || check;

  always_comb begin
    write_addr_d = AddrZero;
    write_data_d = {63'd0, bad || padding_q};
    if (z_valid) begin
      write_addr_d = (decaps_q ? AddrCt - WordAddrWidth'(4) : AddrZ) + WordAddrWidth'(z_index);
      write_data_d = z;
    end else if (joined_valid) begin
      write_addr_d = joined_addr;
      write_data_d = joined_word;
    end else if (packed_valid) begin
      write_addr_d = packed_addr;
      write_data_d = packed_word;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      compare_q <= 1'b0;
      joined_q <= 1'b0;
      packed_q <= 1'b0;
      check_waits_q <= 1'b0;
      checked_q <= 1'b0;
    end else begin
      write_q <= write_next && !clear;
      compare_q <= check;
      joined_q <= joined_valid && !clear;
      packed_q <= packed_valid && packed_ready && !clear;
      check_waits_q <= !clear && !check && (check_waits_q || (decaps_q && running_q && plan_idle
                                                              && !checked_q));
      checked_q <= !clear && (checked_q || check);
    end
  end

  always_ff @(posedge clk_i) begin
    write_addr_q <= write_addr_d;
    write_data_q <= (clear || !write_next) ? '0 : write_data_d;
  end

  // Up to where the response and packed trits are there.
  logic [WordAddrWidth:0] joined_avail_q, packed_avail_q;
  logic packed_last, flushed_q;
  logic packing_q;       // trits of r are being packed, or all have been

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      joined_avail_q <= '0;
      packed_avail_q <= '0;
      packing_q <= 1'b0;
      running_q <= 1'b0;
    end else begin
      running_q <= running_d;
      if (clear || start) joined_avail_q <= '0;
      else if (joined_q) joined_avail_q <= {1'b0, write_addr_q} + 10'd1;
      if (clear || pack_begin) packed_avail_q <= '0;
      else if (packed_last) packed_avail_q <= '1;
      else if (packed_q) packed_avail_q <= {1'b0, write_addr_q} + 10'd1;
      if (clear || start) packing_q <= encaps_q && !clear;
      else if (read_begin && stage.pack && last_stage) packing_q <= 1'b1;
    end
  end

  assign running_d = (running_q || start) && !clear;

  // The last word of r and m is in memory: nothing is left to pack.
  assign packed_last = flushed_q && packer_idle && !packed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flushed_q <= 1'b0;
    else if (clear || pack_begin) flushed_q <= 1'b0;
    else if (pack_valid && pack_flush) flushed_q <= 1'b1;
  end

  logic word_wipe_valid, word_wipe_ready, select, selected_q, written, digest_valid;
  word_addr_t word_wipe_addr, written_addr, reply_raddr, reply_raddr_q, digest_addr;
  word_addr_t hash_raddr, unit_raddr;
  logic [63:0] digest_data;
  logic unused_checked, unused_bad_dk, shared_q, key_q;
  word_addr_t unused_first_avail;
  logic [WordAddrWidth:0] unused_avail;
  logic [7:0] unused_message_byte;

  assign hash_raddr = keygen_q ? AddrZ + WordAddrWidth'(z_read_q[1:0]) : unit_raddr;
  assign word_wipe_ready = spent_ready;
  // As the memory has it while a word is offered: the ring then wipes none, which need not be found out.
  assign store_ready = spent_ready && !word_wipe_valid;

  latkem_words #(
    .Key(AddrKey)
  ) u_words (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .code_valid_i(write_q),
    .code_compare_i(compare_q),
    .code_first_i(1'b0),
    .code_addr_i(write_addr_q),
    .code_data_i(write_data_q),
    .digest_valid_i(digest_valid),
    .digest_addr_i(digest_addr),
    .digest_data_i(digest_data),
    .digest_check_i(1'b0),
    .store_valid_i(store_valid),
    .store_ready_o(words_ready),
    .store_addr_i(store_addr),
    .store_data_i(word),
    .store_follows_i(1'b0),
    .wipe_valid_i(word_wipe_valid || spent_valid),
    .wipe_ready_o(spent_ready),
    .wipe_addr_i(word_wipe_valid ? word_wipe_addr : spent_addr),
    .select_i(select),
    .select_reject_i(AddrReject),
    .select_to_i(AddrShared),
    .hash_raddr_i(hash_raddr),
    .hash_rdata_o(hash_rdata),
    .reply_raddr_i(cut_done ? reply_raddr : cut_raddr),
    .reply_rdata_o(reply_rdata),
    .message_index_i('0),
    .message_byte_o(unused_message_byte),
    .written_o(written),
    .written_addr_o(written_addr),
    .first_avail_o(unused_first_avail),
    .avail_o(unused_avail),
    .checked_o(unused_checked),
    .bad_dk_o(unused_bad_dk)
  );

  // ---- Hashing ----

  if (Ops != 3'b001) begin : gen_hash
    latkem_ntru_hash #(
      .Set(Set),
      .Rounds(Rounds)
    ) u_hash (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .start_i(start),
      .encaps_i(encaps_q),
      .decaps_i(decaps_q),
      .received_i(received && cut_done),
      .packed_i(packing_q),
      .avail_i(packed_avail_q),
      .ct_addr_i(AddrCt),
      .raddr_o(unit_raddr),
      .rdata_i(hash_rdata),
      .digest_next_i(!write_next),
      .digest_valid_o(digest_valid),
      .digest_addr_o(digest_addr),
      .digest_data_o(digest_data)
    );
  end else begin : gen_no_hash
    assign unit_raddr = '0;
    assign digest_valid = 1'b0;
    assign digest_addr = '0;
    assign digest_data = '0;
  end

  // ---- Result ----

  // H(r || m) is there: then the failures have been compared long ago.
  assign select = key_q && !selected_q;

  // Words of a digest follow each other; the selection reads where the response would.
  word_addr_t shared_last;
  assign shared_last = decaps_q ? AddrShared + WordAddrWidth'(3) : AddrShared;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_q <= 1'b0;
      selected_q <= 1'b0;
      shared_q <= 1'b0;
    end else begin
      key_q <= !clear && !start
          && (key_q || (written && written_addr == AddrKey + WordAddrWidth'(3)));
      selected_q <= !clear && !start && (selected_q || select);
      shared_q <= !clear && !start && (shared_q || (written && written_addr == shared_last));
    end
  end

  word_addr_t unused_sent;
  logic start_q;               // the response has time

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= 1'b0;
    else start_q <= start && !clear;
  end

  latkem_reply #(
    .CountBits(9)
  ) u_reply (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start_q),
    .keygen_i(1'b0),
    .encaps_i(keygen_q || encaps_q),
    .first_addr_i('0),
    .first_words_i(keygen_q ? 9'(EkWords + DkWords - 4) : 9'(EkWords)),
    .vector_words_i('0),
    .seed_addr_i('0),
    .hash_ek_addr_i('0),
    .shared_addr_i(keygen_q ? WordAddrWidth'(EkWords + DkWords - 4) : AddrShared),
    .seed_i(1'b0),
    .hash_ek_i(1'b0),
    .shared_i(keygen_q ? joined_avail_q == (WordAddrWidth + 1)'(EkWords + DkWords) : shared_q),
    .first_avail_i('0),
    .avail_i(joined_avail_q),
    .raddr_o(reply_raddr),
    .rdata_i(reply_rdata),
    .reply_valid_o(reply_valid),
    .reply_ready_i(reply_ready),
    .reply_o(reply),
    .sent_o(unused_sent)
  );

  assign result_valid = running_q && received;

  // ---- Wiping ----

  logic [3:0] wipe_slot;

  always_ff @(posedge clk_i) begin
    reply_raddr_q <= (start || reply_raddr < AddrDk) ? AddrDk : reply_raddr;
  end

  latkem_wipe #(
    .Scratch(AddrPacked),
    .Words(60)
  ) u_wipe (
    .clk_i,
    .rst_ni,
    .everything_i(zeroize_i || abort),
    .start_i(start),
    .finish_i(finish),
    .stores_s_i(keygen_q),
    .s_addr_i(AddrDk),
    .z_addr_i(decaps_q ? AddrCt - WordAddrWidth'(4) : AddrZ),
    .polynomials_i(running_q && plan_idle && cut_done),
    .sent_i(reply_raddr_q),
    .clear_o(clear),
    .busy_o(wiping),
    .tidying_o(tidying),
    .word_valid_o(word_wipe_valid),
    .word_ready_i(word_wipe_ready),
    .word_addr_o(word_wipe_addr),
    .poly_valid_o(poly_wipe),
    .poly_all_o(poly_wipe_all),
    .poly_addr_o(poly_wipe_addr),
    .slot_o(wipe_slot),
    .next_slot_i(wipe_slot + 4'd1),
    .last_slot_i(wipe_slot == 4'((Groups - 1) / 16))
  );

`ifndef SYNTHESIS
  latkem_at_most_one #(
    .Width(3)
  ) u_one_operation (
    .clk_i,
    .rst_ni,
    .selects_i({keygen_q, encaps_q, decaps_q})
  );

  latkem_at_most_one u_one_word (
    .clk_i,
    .rst_ni,
    .selects_i({z_valid, joined_valid})
  );

  latkem_at_most_one #(
    .Width(3)
  ) u_one_load (
    .clk_i,
    .rst_ni,
    .selects_i({cut_coeffs && cut_coeffs_index, result_group && stage.load,
                 to_load && group_valid})
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!store_valid || store_ready == words_ready);
  end
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

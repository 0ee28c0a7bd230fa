// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Core of Saber: key generation, encapsulation, decapsulation over a pair of AXI4-Streams.
// hw/README.md describes requests, responses, timing and wiping.
//
// Units run side by side: the hash unit and the decoder fill the polynomial unit's memory of
// coefficients as they come, the encoder drains its sums. Four plans give the units their jobs in a
// fixed order; `ready` says what has been made. Nothing depends on data.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_saber
  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_poly_pkg::*;
  import latkem_words_pkg::*;
  import latkem_saber_pkg::*;
#(
  parameter bit [2:0]  Ops  = 3'b111,   // bit 0 keygen, 1 encaps, 2 decaps
  parameter bit [15:0] Sets = 16'h0e00, // bit i: the set at index i of `latkem list`
  // 0: products by transforms. 1, 2, 4: by the schoolbook, so many coefficients a cycle
  parameter int unsigned Unroll = 0,
  parameter int unsigned Rounds = 1,    // of Keccak, a cycle; 1 or 2
  parameter int unsigned Butterflies = 16  // of each lane of the transforms; 8 or 16
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
    $error("latkem_saber: Ops names no operation");
  end
  if (Sets == 16'h0000) begin : gen_no_set
    $error("latkem_saber: Sets names no parameter set");
  end
  if ((Sets & 16'hf1ff) != 16'h0000) begin : gen_foreign_set
    $error("latkem_saber: Sets names a parameter set of another core");
  end
  if (Unroll == 3 || Unroll > 4) begin : gen_no_multiplier
    $error("latkem_saber: Unroll names no multiplier");
  end
  if (Rounds != 1 && Rounds != 2) begin : gen_no_rounds
    $error("latkem_saber: Rounds names no hash unit");
  end

  if ((Butterflies != 8 || Unroll != 0) && Butterflies != 16) begin : gen_no_butterflies
    $error("latkem_saber: Butterflies names no polynomial unit");
  end

  // ---- Streams ----

  logic start, word_valid, word_ready, received, abort, finish, wiping, tidying;
  op_e next_op, unused_op;
  logic [3:0] next_set;
  logic [63:0] word;
  logic [CountWidth-1:0] request_words, response_words;
  logic result_valid, reply_valid, reply_ready;
  status_e result_status;
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
    .op_o(unused_op),
    .next_op_o(next_op),
    .next_set_o(next_set),
    .request_words_i(request_words),
    .response_words_i(response_words),
    .word_valid_o(word_valid),
    .word_ready_i(word_ready),
    .word_o(word),
    .received_o(received),
    .abort_o(abort),
    .result_valid_i(result_valid),
    .result_status_i(result_status),
    .reply_valid_i(reply_valid),
    .reply_ready_o(reply_ready),
    .reply_i(reply),
    .finish_o(finish),
    .core_busy_i(wiping),
    .core_tidying_i(tidying)
  );

  // ---- The task ----

  saber_task_t current, current_d;

  // No reset: with one operation or one set these are constants, which a reset would keep synthesis from
  // folding.
  always_comb begin
    current_d.keygen = Ops[0] && (Ops == 3'b001 || next_op == OpKeygen);
    current_d.encaps = Ops[1] && (Ops == 3'b010 || next_op == OpEncaps);
    current_d.decaps = Ops[2] && (Ops == 3'b100 || next_op == OpDecaps);
    current_d.params = '0;
    for (int unsigned i = SaberFirst; i < SaberFirst + SaberSets; i++) begin
      if (Sets[i] && (Sets == 16'(1 << i) || next_set == 4'(i))) begin
        current_d.params = saber_set(2'(i - SaberFirst));
      end
    end
    current_d.layout = saber_layout(current_d.params.l, current_d.keygen, current_d.encaps);
  end

  always_ff @(posedge clk_i) current <= current_d;

  logic [2:0] last;
  saber_layout_t layout;
  assign last = current.params.l - 3'd1;
  assign layout = current.layout;

  // The choice of the next polynomial reads registers of its own: it lies far from the request's words.
  saber_task_t poly_task;

  if ($countones(Ops) > 1) begin : gen_poly_task
    (* keep, dont_merge *) logic keygen_q, decaps_q;

    always_ff @(posedge clk_i) begin
      keygen_q <= current_d.keygen;
      decaps_q <= current_d.decaps;
    end

    always_comb begin
      poly_task = current;
      poly_task.keygen = keygen_q;
      poly_task.decaps = decaps_q;
    end
  end else begin : gen_no_poly_task
    assign poly_task = current;
  end

  assign request_words = layout.request_words;
  assign response_words = layout.response_words;

  // ---- Request ----

  logic clear;
  logic store_valid, store_ready, store_follows;
  word_addr_t store_addr;
  logic decode_word_valid, decode_word_ready, decode_job_valid, decode_job_ready;
  decode_part_e decode_part;
  logic [1:0] decode_index;
  decode_job_t decode_job, decode_done_job;
  logic load_next, load_we, decode_done;
  slot_t load_slot;
  logic [4:0] load_index;
  logic [7:0][CoeffWidth-1:0] load_data;

  latkem_load u_load (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .keygen_i(current.keygen),
    .encaps_i(current.encaps),
    .decaps_i(current.decaps),
    .seeds_words_i(CountWidth'(12)),
    .secret_words_i(layout.secret_words),
    .vector_words_i(layout.vector_words),
    .ct_words_i(layout.ct_words),
    .last_i(last),
    .seeds_addr_i(AddrMessage),
    .message_addr_i(AddrRaw),
    .z_addr_i(layout.z),
    .word_valid_i(word_valid),
    .word_ready_o(word_ready),
    .store_valid_o(store_valid),
    .store_ready_i(store_ready),
    .store_addr_o(store_addr),
    .store_follows_o(store_follows),
    .decode_word_valid_o(decode_word_valid),
    .decode_word_ready_i(decode_word_ready),
    .decode_job_valid_o(decode_job_valid),
    .decode_job_ready_i(decode_job_ready),
    .decode_part_o(decode_part),
    .decode_index_o(decode_index)
  );

  always_comb begin
    decode_job = '{d: 4'd10, slot: SlotB + slot_t'(decode_index)};
    if (current.decaps) begin
      unique case (decode_part)
        PartSecret: decode_job = '{d: 4'd13, slot: SlotKey + slot_t'(decode_index)};
        PartCt:     decode_job.slot = SlotCt + slot_t'(decode_index);
        PartLast:   decode_job = '{d: {1'b0, current.params.et}, slot: SlotC};
        default: ;
      endcase
    end
  end

  // Key generation decodes nothing.
  if (Ops != 3'b001) begin : gen_decoder
    latkem_saber_decoder u_decoder (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .job_valid_i(decode_job_valid),
      .job_ready_o(decode_job_ready),
      .job_i(decode_job),
      .word_valid_i(decode_word_valid),
      .word_ready_o(decode_word_ready),
      .word_i(word),
      .load_next_i(load_next),
      .load_we_o(load_we),
      .load_slot_o(load_slot),
      .load_index_o(load_index),
      .load_data_o(load_data),
      .done_o(decode_done),
      .done_job_o(decode_done_job)
    );
  end else begin : gen_no_decoder
    assign decode_job_ready = 1'b0;
    assign decode_word_ready = 1'b0;
    assign load_we = 1'b0;
    assign load_slot = '0;
    assign load_index = '0;
    assign load_data = '0;
    assign decode_done = 1'b0;
    assign decode_done_job = '0;
  end

  // ---- Hashing ----

  logic code_word_next;  // the encoder's words go first
  saber_ready_t ready;
  logic hash_job_valid, hash_job_ready;
  hash_job_t hash_job;
  word_addr_t hash_raddr;
  logic [63:0] hash_rdata;
  logic [WordAddrWidth:0] avail;
  logic digest_valid;
  word_addr_t digest_addr;
  logic [63:0] digest_data;
  logic sample_next, sample_we, sample_done;
  slot_t sample_slot, sample_done_slot;
  logic [3:0] sample_index;
  logic [15:0][CoeffWidth-1:0] sample_data;

  latkem_saber_hash_plan u_hash_plan (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .task_i(current),
    .ready_i(ready),
    .job_valid_o(hash_job_valid),
    .job_ready_i(hash_job_ready),
    .job_o(hash_job)
  );

  latkem_saber_hash #(
    .Rounds(Rounds)
  ) u_hash (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .params_i(current.params),
    .job_valid_i(hash_job_valid),
    .job_ready_o(hash_job_ready),
    .job_i(hash_job),
    .avail_i(avail),
    .raddr_o(hash_raddr),
    .rdata_i(hash_rdata),
    .digest_next_i(!code_word_next),
    .digest_valid_o(digest_valid),
    .digest_addr_o(digest_addr),
    .digest_data_o(digest_data),
    .x_next_o(sample_next),
    .x_we_o(sample_we),
    .x_slot_o(sample_slot),
    .x_index_o(sample_index),
    .x_wdata_o(sample_data),
    .done_o(sample_done),
    .done_slot_o(sample_done_slot)
  );

  // ---- Polynomials ----

  logic transform_valid, transform_ready, transform_done;
  transform_job_t transform_job, transform_done_job;
  logic product_valid, product_ready, product_done;
  product_job_t product_job, product_done_job;
  logic poly_plan_idle, poly_idle, poly_wipe, poly_wipe_all;
  logic [8:0] poly_wipe_addr;
  logic code_read_valid, code_read_ready, code_read_x, code_read_c;
  slot_t code_read_slot;
  acc_t code_read_acc;
  logic [4:0] code_read_index;
  logic [7:0][CoeffWidth-1:0] read_x, read_c;

  // The decoder's coefficients wait for those of the hash unit.
  assign load_next = !sample_next;

  latkem_saber_poly_plan u_poly_plan (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .task_i(poly_task),
    .ready_i(ready),
    .transform_valid_o(transform_valid),
    .transform_ready_i(transform_ready),
    .transform_o(transform_job),
    .product_valid_o(product_valid),
    .product_ready_i(product_ready),
    .product_o(product_job),
    .idle_o(poly_plan_idle)
  );

  if (Unroll == 0) begin : gen_transforms
    latkem_saber_poly #(
      .Butterflies(Butterflies)
    ) u_poly (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .wipe_i(poly_wipe),
      .wipe_addr_i(poly_wipe_all ? poly_wipe_addr : {2'b11, poly_wipe_addr[6:0]}),
      .wipe_c_addr_i(poly_wipe_addr[7:0]),
      .transform_valid_i(transform_valid),
      .transform_ready_o(transform_ready),
      .transform_i(transform_job),
      .product_valid_i(product_valid),
      .product_ready_o(product_ready),
      .product_i(product_job),
      .transform_done_o(transform_done),
      .transform_done_job_o(transform_done_job),
      .product_done_o(product_done),
      .product_done_job_o(product_done_job),
      .x_we_i({sample_we || (load_we && load_index[0]), sample_we || (load_we && !load_index[0])}),
      .x_slot_i(sample_we ? sample_slot : load_slot),
      .x_index_i(sample_we ? sample_index : load_index[4:1]),
      .x_wdata_i(sample_we ? sample_data : {load_data, load_data}),
      .read_ready_o(code_read_ready),
      .read_x_i(code_read_x),
      .read_c_i(code_read_c),
      .read_slot_i(code_read_slot),
      .read_acc_i(code_read_acc),
      .read_index_i(code_read_index),
      .read_x_o(read_x),
      .read_c_o(read_c),
      .idle_o(poly_idle)
    );
  end else begin : gen_schoolbook
    latkem_saber_schoolbook #(
      .Unroll(Unroll)
    ) u_poly (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .wipe_i(poly_wipe),
      .wipe_addr_i(poly_wipe_all ? poly_wipe_addr : {2'b11, poly_wipe_addr[6:0]}),
      .wipe_c_addr_i(poly_wipe_addr[7:0]),
      .transform_valid_i(transform_valid),
      .transform_ready_o(transform_ready),
      .transform_i(transform_job),
      .product_valid_i(product_valid),
      .product_ready_o(product_ready),
      .product_i(product_job),
      .transform_done_o(transform_done),
      .transform_done_job_o(transform_done_job),
      .product_done_o(product_done),
      .product_done_job_o(product_done_job),
      .x_we_i({sample_we || (load_we && load_index[0]), sample_we || (load_we && !load_index[0])}),
      .x_slot_i(sample_we ? sample_slot : load_slot),
      .x_index_i(sample_we ? sample_index : load_index[4:1]),
      .x_wdata_i(sample_we ? sample_data : {load_data, load_data}),
      .read_ready_o(code_read_ready),
      .read_x_i(code_read_x),
      .read_c_i(code_read_c),
      .read_slot_i(code_read_slot),
      .read_acc_i(code_read_acc),
      .read_index_i(code_read_index),
      .read_x_o(read_x),
      .read_c_o(read_c),
      .idle_o(poly_idle)
    );
  end

  // ---- Encoding ----

  logic code_job_valid, code_job_ready, code_there, code_idle, unused_encoder_idle;
  encode_job_t code_job;
  code_part_e code_part;
  logic [1:0] code_index;
  logic code_word_valid, code_word_last, code_compare, code_first;
  logic [63:0] code_word;
  word_addr_t code_addr;
  logic [4:0] message_index;
  logic [7:0] message_byte;

  latkem_code_plan u_code_plan (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .encaps_i(current.encaps),
    .decaps_i(current.decaps),
    .last_i(last),
    .message_addr_i(AddrMessage),
    .ct_addr_i(layout.ct_b),
    .last_addr_i(layout.ct_c),
    .part_o(code_part),
    .index_o(code_index),
    .there_i(code_there),
    .job_valid_o(code_job_valid),
    .job_ready_i(code_job_ready),
    .idle_o(code_idle),
    .word_valid_i(code_word_valid),
    .word_last_i(code_word_last),
    .word_addr_o(code_addr),
    .word_compare_o(code_compare),
    .word_first_o(code_first)
  );

  // The objects that a job reads and sends: of an operation that a core has not, nothing.
  always_comb begin
    code_job = '{rounding: RoundRow, slot: SlotSecret + slot_t'(code_index),
                 acc: acc_t'(code_index)};
    code_there = ready.inverted[{1'b0, code_index}];
    unique case (code_part)
      CodeFirst: begin
        if (current.keygen) begin
          code_job.rounding = RoundSecret;
          code_there = ready.raw[SlotSecret+slot_t'(code_index)];
        end else if (current.decaps) begin
          code_job = '{rounding: RoundMessage, slot: SlotC, acc: AccW};
          code_there = ready.inverted[AccW[2:0]] && ready.c;
        end
      end
      CodeLast: begin
        if (!current.keygen) begin
          code_job.rounding = RoundC;
          code_job.acc = AccV;
          code_there = ready.inverted[AccV[2:0]];
        end
      end
      default: ;
    endcase
  end

  latkem_saber_encoder u_encoder (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .params_i(current.params),
    .job_valid_i(code_job_valid),
    .job_ready_o(code_job_ready),
    .job_i(code_job),
    .read_valid_o(code_read_valid),
    .read_ready_i(code_read_ready),
    .read_x_o(code_read_x),
    .read_c_o(code_read_c),
    .read_slot_o(code_read_slot),
    .read_acc_o(code_read_acc),
    .read_index_o(code_read_index),
    .read_x_i(read_x),
    .read_c_i(read_c),
    .message_index_o(message_index),
    .message_byte_i(message_byte),
    .word_valid_o(code_word_valid),
    .word_next_o(code_word_next),
    .word_o(code_word),
    .word_last_o(code_word_last),
    .idle_o(unused_encoder_idle)
  );

  // ---- Words ----

  logic word_wipe_valid, word_wipe_ready, select, written;
  logic unused_checked, unused_bad_dk;
  word_addr_t word_wipe_addr, reply_raddr, written_addr, first_avail, sent;
  logic [63:0] reply_rdata;

  latkem_words #(
    .Message(AddrMessage),
    .Key(AddrSeeds)
  ) u_words (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .code_valid_i(code_word_valid),
    .code_compare_i(code_compare),
    .code_first_i(code_first),
    .code_addr_i(code_addr),
    .code_data_i(code_word),
    .digest_valid_i(digest_valid),
    .digest_addr_i(digest_addr),
    .digest_data_i(digest_data),
    .digest_check_i(1'b0),
    .store_valid_i(store_valid),
    .store_ready_o(store_ready),
    .store_addr_i(store_addr),
    .store_data_i(word),
    .store_follows_i(store_follows),
    .wipe_valid_i(word_wipe_valid),
    .wipe_ready_o(word_wipe_ready),
    .wipe_addr_i(word_wipe_addr),
    .select_i(select),
    .select_reject_i(layout.z),
    .select_to_i(AddrKey),
    .hash_raddr_i(hash_raddr),
    .hash_rdata_o(hash_rdata),
    .reply_raddr_i(reply_raddr),
    .reply_rdata_o(reply_rdata),
    .message_index_i(message_index),
    .message_byte_o(message_byte),
    .written_o(written),
    .written_addr_o(written_addr),
    .first_avail_o(first_avail),
    .avail_o(avail),
    .checked_o(unused_checked),
    .bad_dk_o(unused_bad_dk)
  );

  latkem_reply u_reply (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .keygen_i(current.keygen),
    .encaps_i(current.encaps),
    .first_addr_i(layout.ct_b),
    .first_words_i(8'(layout.first_words)),
    .vector_words_i(8'(layout.vector_words)),
    .seed_addr_i(layout.seed_a),
    .hash_ek_addr_i(layout.hash_ek),
    .shared_addr_i(AddrShared),
    .seed_i(ready.seed_a),
    .hash_ek_i(ready.hash_ek_begun),
    .shared_i(ready.shared_begun),
    .first_avail_i(first_avail),
    .avail_i(avail),
    .raddr_o(reply_raddr),
    .rdata_i(reply_rdata),
    .reply_valid_o(reply_valid),
    .reply_ready_i(reply_ready),
    .reply_o(reply),
    .sent_o(sent)
  );

  // ---- What has been made ----

  saber_ready_t ready_q, ready_d;
  logic running_q, running_d;

  function automatic logic written_at(word_addr_t addr, word_addr_t of);
    return addr[WordAddrWidth-1:2] == of[WordAddrWidth-1:2];
  endfunction

  always_comb begin
    ready_d = ready_q;
    running_d = running_q;
    ready_d.received = received;
    if (sample_done) ready_d.raw[sample_done_slot] = 1'b1;
    if (decode_done) begin
      ready_d.raw[decode_done_job.slot] = 1'b1;
      if (decode_done_job.d == {1'b0, current.params.et}) ready_d.c = 1'b1;
    end
    if (transform_done) begin
      if (transform_done_job.op == PolyNttInverse) begin
        ready_d.inverted[transform_done_job.slot[2:0]] = 1'b1;
      end else begin
        ready_d.transformed[transform_done_job.slot] = 1'b1;
      end
    end
    if (product_done && product_done_job.last) ready_d.sums[product_done_job.dst[2:0]] = 1'b1;
    if (written && written_addr[1:0] == 2'd3) begin
      if (written_at(written_addr, AddrMessage)) ready_d.message = 1'b1;
      if (written_at(written_addr, AddrRaw)) ready_d.secret = 1'b1;
      if (written_at(written_addr, AddrKey)) ready_d.selected = 1'b1;
      if (written_at(written_addr, AddrHashCt)) ready_d.hash_ct = 1'b1;
      if (written_at(written_addr, layout.seed_a)) ready_d.seed_a = 1'b1;
    end
    if (written && written_addr[1:0] == 2'd0) begin
      if (written_addr == AddrMessage) ready_d.message_begun = 1'b1;
      if (written_addr == AddrNoise) ready_d.expanded = 1'b1;
      if (written_addr == AddrHashCt) ready_d.hash_ct_begun = 1'b1;
      if (written_addr == AddrShared) ready_d.shared_begun = 1'b1;
      if (written_addr == layout.hash_ek) ready_d.hash_ek_begun = 1'b1;
    end
    if (start) running_d = 1'b1;
    if (clear) begin
      ready_d = '0;
      running_d = 1'b0;
    end
  end

  // The plan is idle until the cycle after `start`, so that `running_q` comes one later.
  logic encoded, encoded_q, encoded_q2, selection_q;

  assign encoded = running_q && code_idle;
  assign select = encoded_q2 && !selection_q && current.decaps && ready_q.hash_ct;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= '0;
      running_q <= 1'b0;
      encoded_q <= 1'b0;
      encoded_q2 <= 1'b0;
      selection_q <= 1'b0;
    end else begin
      ready_q <= ready_d;
      running_q <= running_d;
      encoded_q <= encoded && !clear;
      encoded_q2 <= encoded_q && !clear;
      selection_q <= (selection_q || select) && !clear;
    end
  end

  assign ready = ready_q;

  // ---- Result ----

  assign result_status = StatusOk;
  assign result_valid = running_q && received;

  // ---- Wiping ----

  logic [3:0] wipe_slot;

  latkem_wipe #(
    .Scratch(AddrMessage)
  ) u_wipe (
    .clk_i,
    .rst_ni,
    .everything_i(zeroize_i || abort),
    .start_i(start),
    .finish_i(finish),
    .stores_s_i(current.keygen),
    .s_addr_i(layout.ct_b),
    .z_addr_i(layout.z),
    .polynomials_i(encoded && poly_plan_idle && poly_idle),
    .sent_i(sent),
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
    .next_slot_i(next_slot(current, wipe_slot)),
    .last_slot_i(is_last_slot(current, wipe_slot))
  );

`ifndef SYNTHESIS
  latkem_at_most_one #(
    .Width(3)
  ) u_one_operation (
    .clk_i,
    .rst_ni,
    .selects_i({current.keygen, current.encaps, current.decaps})
  );

  // The units take the parameters into registers in the cycle of the start.
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!start || !(hash_job_valid || code_job_valid));
  end

  latkem_at_most_one u_one_write_x (
    .clk_i,
    .rst_ni,
    .selects_i({sample_we, load_we})
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Core of ML-KEM (FIPS 203) and Kyber round 3: key generation, encapsulation, decapsulation over a
// pair of AXI4-Streams. hw/README.md describes requests, responses, timing and wiping.
//
// Units run side by side: the hash unit feeds noise and matrix entries into the polynomial unit's
// memories; the decoder fills and the encoder drains them. Three plans give the units their jobs in
// a fixed order; `ready` says what has been made.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_mlkem
  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_poly_pkg::*;
  import latkem_words_pkg::*;
  import latkem_mlkem_pkg::*;
#(
  parameter bit [2:0]  Ops  = 3'b111,   // bit 0 keygen, 1 encaps, 2 decaps
  parameter bit [15:0] Sets = 16'h0007, // bit i: the set at index i of `latkem list`
  parameter int unsigned Rounds = 1,    // of Keccak, a cycle; 1 or 2
  parameter int unsigned Butterflies = 16  // of the polynomial unit; 8 or 16
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
    $error("latkem_mlkem: Ops names no operation");
  end
  if (Sets == 16'h0000) begin : gen_no_set
    $error("latkem_mlkem: Sets names no parameter set");
  end
  if ((Sets & 16'hffc0) != 16'h0000) begin : gen_foreign_set
    $error("latkem_mlkem: Sets names a parameter set of another core");
  end
  if (Rounds != 1 && Rounds != 2) begin : gen_no_rounds
    $error("latkem_mlkem: Rounds names no hash unit");
  end
  if (Butterflies != 8 && Butterflies != 16) begin : gen_no_butterflies
    $error("latkem_mlkem: Butterflies names no polynomial unit");
  end

  // ---- Streams ----

  logic start, word_valid, word_ready, received, abort, finish, wiping, tidying;
  op_e op, next_op;
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
    .op_o(op),
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

  mlkem_task_t current, current_d;

  // No reset: with one operation or one set these are constants, which a reset would keep synthesis from
  // folding.
  always_comb begin
    current_d.keygen = Ops[0] && (Ops == 3'b001 || next_op == OpKeygen);
    current_d.encaps = Ops[1] && (Ops == 3'b010 || next_op == OpEncaps);
    current_d.decaps = Ops[2] && (Ops == 3'b100 || next_op == OpDecaps);
    current_d.params = '0;
    for (int unsigned i = 0; i < MlkemSets; i++) begin
      if (Sets[i] && (Sets == 16'(1 << i) || next_set == 4'(i))) begin
        current_d.params = mlkem_set(3'(i));
      end
    end
  end

  always_ff @(posedge clk_i) current <= current_d;

  assign request_words = mlkem_request_words(current.params.k, op);
  assign response_words = mlkem_response_words(current.params.k, op);

  // ---- Request ----

  logic clear;
  logic unused_decoder_idle, unused_hash_idle, unused_encoder_idle;
  logic store_valid, store_ready, store_follows;
  word_addr_t store_addr;
  logic decode_word_valid, decode_word_ready, decode_job_valid, decode_job_ready;
  decode_part_e decode_part;
  logic [1:0] decode_index;
  decode_job_t decode_job;
  logic load_valid, load_next_v, load_next_c, load_to_c, out_of_range, decode_done;
  logic [3:0] load_slot;
  logic [4:0] load_index;
  logic [95:0] load_data;

  latkem_load u_load (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .keygen_i(current.keygen),
    .encaps_i(current.encaps),
    .decaps_i(current.decaps),
    .seeds_words_i(CountWidth'(8)),
    .secret_words_i(mlkem_vector_words(current.params.k)),
    .vector_words_i(mlkem_vector_words(current.params.k)),
    .ct_words_i(mlkem_ct_words(current.params.k)),
    .last_i(current.params.k - 3'd1),
    .seeds_addr_i(AddrMessage),
    .message_addr_i(current.params.kyber ? AddrRaw : AddrMessage),
    .z_addr_i(addr_z(current.params.k)),
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
    decode_job = '{d: 4'd12, to_c: 1'b0, slot: SlotT + {2'd0, decode_index}};
    if (current.decaps) begin
      unique case (decode_part)
        PartSecret: decode_job.slot = slot_s(current.params.k) + {2'd0, decode_index};
        PartCt:     decode_job = '{d: current.params.du, to_c: 1'b1, slot: {2'd0, decode_index}};
        PartLast:   decode_job = '{d: current.params.dv, to_c: 1'b1, slot: SlotLoadedV};
        default: ;
      endcase
    end
  end

  // Key generation decodes nothing.
  if (Ops != 3'b001) begin : gen_decoder
    latkem_mlkem_decoder u_decoder (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .job_valid_i(decode_job_valid),
      .job_ready_o(decode_job_ready),
      .job_i(decode_job),
      .word_valid_i(decode_word_valid),
      .word_ready_o(decode_word_ready),
      .word_i(word),
      .load_valid_o(load_valid),
      .load_next_v_i(load_next_v),
      .load_next_c_i(load_next_c),
      .load_to_c_o(load_to_c),
      .load_slot_o(load_slot),
      .load_index_o(load_index),
      .load_data_o(load_data),
      .out_of_range_o(out_of_range),
      .done_o(decode_done),
      .idle_o(unused_decoder_idle)
    );
  end else begin : gen_no_decoder
    assign decode_job_ready = 1'b0;
    assign decode_word_ready = 1'b0;
    assign load_valid = 1'b0;
    assign load_to_c = 1'b0;
    assign load_slot = '0;
    assign load_index = '0;
    assign load_data = '0;
    assign out_of_range = 1'b0;
    assign decode_done = 1'b0;
    assign unused_decoder_idle = 1'b1;
  end

  // ---- Hashing ----

  logic code_word_next;  // the encoder's words go first
  mlkem_ready_t ready;
  logic hash_job_valid, hash_job_ready;
  hash_job_t hash_job;
  word_addr_t hash_raddr;
  logic [63:0] hash_rdata;
  logic [WordAddrWidth:0] avail;
  logic digest_valid, digest_check;
  word_addr_t digest_addr;
  logic [63:0] digest_data;
  logic a_we, a_done, n_we, n_done;
  logic [8:0] a_waddr;
  logic [95:0] a_wdata;
  logic [3:0] a_done_slot, n_done_slot;
  logic [7:0] n_waddr;
  logic [47:0] n_wdata;

  latkem_mlkem_hash_plan u_hash_plan (
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

  latkem_mlkem_hash #(
    .Rounds(Rounds)
  ) u_hash (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .job_valid_i(hash_job_valid),
    .job_ready_o(hash_job_ready),
    .job_i(hash_job),
    .avail_i(avail),
    .raddr_o(hash_raddr),
    .rdata_i(hash_rdata),
    .checkable_i(ready.hash_ek),
    .digest_next_i(!code_word_next),
    .digest_valid_o(digest_valid),
    .digest_addr_o(digest_addr),
    .digest_check_o(digest_check),
    .digest_data_o(digest_data),
    .a_we_o(a_we),
    .a_waddr_o(a_waddr),
    .a_wdata_o(a_wdata),
    .a_done_o(a_done),
    .a_done_slot_o(a_done_slot),
    .n_we_o(n_we),
    .n_waddr_o(n_waddr),
    .n_wdata_o(n_wdata),
    .n_done_o(n_done),
    .n_done_slot_o(n_done_slot),
    .idle_o(unused_hash_idle)
  );

  // ---- Polynomials ----

  logic poly_job_valid, poly_job_ready, poly_done, poly_plan_idle, poly_idle;
  poly_job_t poly_job, poly_done_job;
  logic poly_wipe;
  logic [7:0] poly_wipe_addr;
  logic code_read_valid, code_read_ready;
  logic [3:0] code_read_slot, code_read_operand_slot;
  operand_e code_read_operand;
  logic [4:0] code_read_index;
  logic [95:0] read_x, read_y;

  latkem_mlkem_poly_plan u_poly_plan (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .task_i(current),
    .ready_i(ready),
    .job_valid_o(poly_job_valid),
    .job_ready_i(poly_job_ready),
    .job_o(poly_job),
    .idle_o(poly_plan_idle)
  );

  latkem_poly #(
    .Q(MlkemQ),
    .Root(MlkemRoot),
    .Butterflies(Butterflies)
  ) u_poly (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .wipe_i(poly_wipe),
    .wipe_addr_i(poly_wipe_addr),
    .job_valid_i(poly_job_valid),
    .job_ready_o(poly_job_ready),
    .job_i(poly_job),
    .done_o(poly_done),
    .done_job_o(poly_done_job),
    .a_we_i(a_we),
    .a_waddr_i(a_waddr),
    .a_wdata_i(a_wdata),
    .n_we_i(n_we),
    .n_waddr_i(n_waddr),
    .n_wdata_i(n_wdata),
    .load_valid_i(load_valid),
    .load_next_v_o(load_next_v),
    .load_next_c_o(load_next_c),
    .load_to_c_i(load_to_c),
    .load_slot_i(load_slot),
    .load_index_i(load_index),
    .load_data_i(load_data),
    .read_valid_i(code_read_valid),
    .read_ready_o(code_read_ready),
    .read_slot_i(code_read_slot),
    .read_operand_i(code_read_operand),
    .read_operand_slot_i(code_read_operand_slot),
    .read_index_i(code_read_index),
    .read_x_o(read_x),
    .read_y_o(read_y),
    .idle_o(poly_idle)
  );

  // ---- Encoding ----

  logic code_job_valid, code_job_ready, code_idle;
  encode_job_t code_job;
  logic code_word_valid, code_word_last, code_compare, code_first;
  logic [63:0] code_word;
  word_addr_t code_addr;
  logic [4:0] message_index;
  logic [7:0] message_byte;

  code_part_e code_part;
  logic [1:0] code_index;
  logic code_there;

  latkem_code_plan u_code_plan (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .encaps_i(current.encaps),
    .decaps_i(current.decaps),
    .last_i(current.params.k - 3'd1),
    .message_addr_i(AddrMessage),
    .ct_addr_i(addr_ct(current.params.k)),
    .last_addr_i(addr_ct_v(current.params.k)),
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
  logic [3:0] code_row, code_d;

  // Apart, so that it is a constant of a core that only makes keys.
  always_comb begin
    code_d = 4'd12;
    if (!current.keygen) begin
      unique case (code_part)
        CodeFirst: code_d = 4'd1;
        CodeLast:  code_d = current.params.dv;
        default:   code_d = current.params.du;
      endcase
    end
  end

  assign code_row = SlotRow + {2'd0, code_index};

  always_comb begin
    code_job = '0;
    code_job.d = code_d;
    code_there = 1'b0;
    unique case (code_part)
      CodeFirst: begin
        if (current.keygen) begin
          code_there = ready.vectors[{2'd0, code_index}];
          code_job.slot = {2'd0, code_index};
        end else if (current.decaps) begin
          // v is the last polynomial that is loaded, after s, t and u.
          code_there = ready.vectors[slot_s(current.params.k)]
              && ready.loaded == 4'(mlkem_linear(current.params.k, 3, 1));
          code_job.slot = slot_s(current.params.k);
          code_job.operand = OperandC;
          code_job.operand_slot = SlotLoadedV;
          code_job.negate = 1'b1;
        end
      end
      CodeRow: begin
        code_job.slot = code_row;
        if (current.keygen) begin
          code_there = ready.vectors[code_row] && ready.sums[{1'b0, code_index}];
          code_job.operand = OperandC;
          code_job.operand_slot = {2'd0, code_index};
        end else begin
          code_there = ready.vectors[code_row] && ready.noise[code_row];
          code_job.operand = OperandNoise;
          code_job.operand_slot = code_row;
        end
      end
      CodeLast: begin
        if (!current.keygen) begin
          code_there = ready.vectors[SlotV] && ready.noise[SlotNoiseV];
          code_job.slot = SlotV;
          code_job.operand = OperandNoise;
          code_job.operand_slot = SlotNoiseV;
          code_job.message = 1'b1;
        end
      end
      default: ;
    endcase
  end

  latkem_mlkem_encoder #(
    .ReadLatency(3)
  ) u_encoder (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .job_valid_i(code_job_valid),
    .job_ready_o(code_job_ready),
    .job_i(code_job),
    .read_valid_o(code_read_valid),
    .read_ready_i(code_read_ready),
    .read_slot_o(code_read_slot),
    .read_operand_o(code_read_operand),
    .read_operand_slot_o(code_read_operand_slot),
    .read_index_o(code_read_index),
    .read_x_i(read_x),
    .read_y_i(read_y),
    .message_index_o(message_index),
    .message_byte_i(message_byte),
    .word_valid_o(code_word_valid),
    .word_next_o(code_word_next),
    .word_o(code_word),
    .word_last_o(code_word_last),
    .idle_o(unused_encoder_idle)
  );

  // ---- Words ----

  logic word_wipe_valid, word_wipe_ready, select, written, checked, bad_dk;
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
    .digest_check_i(digest_check),
    .store_valid_i(store_valid),
    .store_ready_o(store_ready),
    .store_addr_i(store_addr),
    .store_data_i(word),
    .store_follows_i(store_follows),
    .wipe_valid_i(word_wipe_valid),
    .wipe_ready_o(word_wipe_ready),
    .wipe_addr_i(word_wipe_addr),
    .select_i(select),
    .select_reject_i(current.params.kyber ? addr_z(current.params.k) : AddrReject),
    .select_to_i(current.params.kyber ? AddrReject : AddrShared),
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
    .checked_o(checked),
    .bad_dk_o(bad_dk)
  );

  logic shared;  // ss is there
  always_comb begin
    if (current.params.kyber) shared = ready.shared_begun;
    else shared = current.decaps ? ready.selected : ready.expanded;
  end

  latkem_reply u_reply (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .start_i(start),
    .keygen_i(current.keygen),
    .encaps_i(current.encaps),
    .first_addr_i(addr_ct(current.params.k)),
    .first_words_i(8'(current.keygen ? mlkem_vector_words(current.params.k)
                                     : mlkem_ct_words(current.params.k))),
    .vector_words_i(8'(addr_rho(current.params.k))),
    .seed_addr_i(AddrSeeds),
    .hash_ek_addr_i(addr_hash_ek(current.params.k)),
    .shared_addr_i((current.encaps && !current.params.kyber) ? AddrSeeds : AddrShared),
    .seed_i(ready.expanded),
    .hash_ek_i(ready.hash_ek_begun),
    .shared_i(shared),
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

  mlkem_ready_t ready_q, ready_d;
  logic running_q, running_d, bad_ek_q, bad_ek_d, checked_q, checked_d;
  logic poly_last_product;

  // Products come in the order of the second operand's index, which ends at k - 1.
  assign poly_last_product = {1'b0, poly_done_job.src[1:0]} == current.params.k - 3'd1;

  always_comb begin
    ready_d = ready_q;
    running_d = running_q;
    bad_ek_d = bad_ek_q | (out_of_range & current.encaps & ~current.params.kyber);
    checked_d = checked_q | checked;
    ready_d.received = received;
    if (a_done) ready_d.matrix[a_done_slot] = 1'b1;
    if (n_done) ready_d.noise[n_done_slot] = 1'b1;
    if (decode_done) ready_d.loaded = ready_q.loaded + 4'd1;
    if (poly_done) begin
      unique case (poly_done_job.op)
        PolyMacMatrix, PolyMacVector: begin
          if (poly_last_product) ready_d.sums[poly_done_job.dst[2:0]] = 1'b1;
        end
        default: ready_d.vectors[poly_done_job.dst] = 1'b1;
      endcase
    end
    if (written && written_addr[1:0] == 2'd3) begin
      if (written_addr[8:2] == AddrMessage[8:2]) begin
        ready_d.seed = 1'b1;
        ready_d.message = 1'b1;
        // Decapsulation: slots of u will be those of u'.
        if (current.decaps) ready_d.vectors = '0;
      end
      if (written_addr[8:2] == AddrReject[8:2]) ready_d.reject = 1'b1;
      if (written_addr[8:2] == AddrHashCt[8:2]) ready_d.hash_ct = 1'b1;
      if (written_addr[8:2] == AddrShared[8:2]) ready_d.shared = 1'b1;
      if (written_addr[8:2] == 7'(addr_rho(current.params.k) >> 2)) ready_d.rho = 1'b1;
      if (written_addr[8:2] == 7'(addr_hash_ek(current.params.k) >> 2)) ready_d.hash_ek = 1'b1;
    end
    if (written && written_addr[1:0] == 2'd0) begin
      if (written_addr == AddrMessage) ready_d.message_begun = 1'b1;
      if (written_addr == AddrNoise) ready_d.expanded = 1'b1;
      if (written_addr == AddrHashCt) ready_d.hash_ct_begun = 1'b1;
      if (written_addr == AddrShared) ready_d.shared_begun = 1'b1;
      if (written_addr == addr_hash_ek(current.params.k)) ready_d.hash_ek_begun = 1'b1;
    end
    ready_d.selected = current.params.kyber ? ready_d.reject : ready_d.shared;
    if (start) running_d = 1'b1;
    if (clear) begin
      ready_d = '0;
      running_d = 1'b0;
      bad_ek_d = 1'b0;
      checked_d = 1'b0;
    end
  end

  // The plan is idle until the cycle after `start`, so that `running_q` comes one later.
  logic encoded, encoded_q, encoded_q2, selection_q;

  assign encoded = running_q && code_idle;
  assign select = encoded_q2 && !selection_q && current.decaps &&
      (current.params.kyber ? ready_q.hash_ct : ready_q.reject);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= '0;
      running_q <= 1'b0;
      bad_ek_q <= 1'b0;
      checked_q <= 1'b0;
      encoded_q <= 1'b0;
      encoded_q2 <= 1'b0;
      selection_q <= 1'b0;
    end else begin
      ready_q <= ready_d;
      running_q <= running_d;
      bad_ek_q <= bad_ek_d;
      checked_q <= checked_d;
      encoded_q <= encoded && !clear;
      encoded_q2 <= encoded_q && !clear;
      selection_q <= (selection_q || select) && !clear;
    end
  end

  assign ready = ready_q;

  // ---- Result ----

  logic failed;

  always_comb begin
    result_status = StatusOk;
    if (bad_ek_q) result_status = StatusBadEk;
    if (checked_q && bad_dk) result_status = StatusBadDk;
    result_valid = running_q && received;
    if (current.encaps && ready_q.loaded != 4'(current.params.k)) result_valid = 1'b0;
    if (current.decaps && !current.params.kyber && !checked_q) result_valid = 1'b0;
  end

  assign failed = result_status != StatusOk;

  // ---- Wiping ----

  logic unused_wipe_all;
  logic [8:0] wipe_addr;
  logic [3:0] wipe_slot;

  latkem_wipe #(
    .Scratch(AddrMessage)
  ) u_wipe (
    .clk_i,
    .rst_ni,
    .everything_i(zeroize_i || abort || (finish && failed)),
    .start_i(start),
    .finish_i(finish),
    .stores_s_i(current.keygen),
    .s_addr_i(addr_ct(current.params.k)),
    .z_addr_i(addr_z(current.params.k)),
    .polynomials_i(encoded && poly_plan_idle && poly_idle),
    .sent_i(sent),
    .clear_o(clear),
    .busy_o(wiping),
    .tidying_o(tidying),
    .word_valid_o(word_wipe_valid),
    .word_ready_i(word_wipe_ready),
    .word_addr_o(word_wipe_addr),
    .poly_valid_o(poly_wipe),
    .poly_all_o(unused_wipe_all),
    .poly_addr_o(wipe_addr),
    .slot_o(wipe_slot),
    .next_slot_i(next_slot(current, wipe_slot)),
    .last_slot_i(is_last_slot(current, wipe_slot))
  );

  assign poly_wipe_addr = wipe_addr[7:0];

`ifndef SYNTHESIS
  latkem_at_most_one #(
    .Width(3)
  ) u_one_operation (
    .clk_i,
    .rst_ni,
    .selects_i({current.keygen, current.encaps, current.decaps})
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

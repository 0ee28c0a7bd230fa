// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The hash unit (FIPS 202), job by job, a permutation in 24 cycles, or in 12, and the next one at
// once. The feeder writes a job's next block while the last one is permuted. The engine runs the
// permutations. The output of a permutation is sent a word a cycle, while the next one runs: to the
// memory of words, or to what consumes the job's output, which says how much of it it wants.
//
// Jobs of one sink, `Retry`, take as many blocks as the consumer says at first, and more if these
// are not enough. That is known only when the next job's first permutation ends; one of 12 cycles
// waits for it. Until then the words of the output are written back into the block, lanes 0 to 20,
// beside lanes 21 to 24 of the state. If more is needed, that permutation is forgotten, the state
// comes back out of the block for one block more, and the next job begins again. So a job that
// follows one of them must be one too, or wait; and no block is filled before that is known. A block
// of theirs is 21 words.

module latkem_hash
  import latkem_hash_pkg::*;
#(
  parameter sink_t Retry = 2'd3,
  parameter bit    Retries = 1'b1, // there is such a sink
  // Messages end inside a word: with the job's `tail_bytes` zero, the lowest last_bytes_i bytes of the word
  // at second_addr come behind the first piece.
  parameter bit    Partial = 1'b0,
  parameter int unsigned Rounds = 1  // of a permutation, a cycle; 1 or 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,     // forget all jobs, overwrite all registers
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  hash_job_t   job_i,
  // Partial: of the job that is taken, until the next one is
  // verilator lint_off UNUSEDSIGNAL
  input  logic [2:0]  last_bytes_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [WordAddrWidth:0] avail_i,  // job.follows: words of the first piece below are there
  output word_addr_t  raddr_o,     // memory of words: what is read appears one cycle later
  input  logic [63:0] rdata_i,
  input  logic        checkable_i,  // what a digest is compared with is there
  input  logic        digest_next_i,  // a word of a digest is accepted in the next cycle
  output logic        digest_valid_o,
  output word_addr_t  digest_addr_o,
  output logic        digest_check_o,  // as the job says
  output logic [63:0] digest_data_o,
  // what consumes the output
  output sink_t       begun_o,         // the sink of the job that may begin,
  input  logic        further_i,       // which wants a second block
  input  logic        third_i,         // and a third
  output sink_t       current_o,       // the sink of the job that sends blocks,
  input  logic        more_i,          // which wants one more than the next two
  output logic        opening_o,       // the next block is the first of its job
  input  logic [3:1][4:0] words_i,     // how many words of it each sink wants
  output logic        sample_valid_o,  // a word leaves, of any sink
  output sink_t       sample_sink_o,
  output logic        sample_first_o,  // the first one of a job
  output logic        sample_block_o,  // the first one of a block
  output logic [3:0]  sample_slot_o,
  output logic [63:0] sample_o,
  input  logic        enough_i,        // Retry: the words up to two cycles ago are
  output logic        complete_o,      // pulse: a job of Retry has had all its words
  output logic [3:0]  complete_slot_o,
  output logic        idle_o
);

  function automatic logic [4:0] rate_words(hash_e hash);
    unique case (hash)
      HashSha3_512: return 5'd9;
      HashShake128: return 5'd21;
      default:      return 5'd17;
    endcase
  endfunction

  // ---- Feeder ----

  logic feeding_q, feeding_d;            // job_q has blocks that are not in the block register yet
  hash_job_t job_q, job_d;
  logic started_q, started_d;            // a block of job_q has been taken
  logic [7:0] word_q, word_d;            // words of the message that have been asked for
  logic [4:0] lane_q, lane_d;            // where the word that is asked for now goes
  logic read_q, read_d, tail_q, tail_d;  // a word of the message, or the tail, arrives
  logic [4:0] read_lane_q;
  logic full_q, full_d, end_q, end_d;    // the word now put in its lane ends the block; is the tail
  logic ready_q, ready_d, last_block_q, last_block_d;  // the block is complete; the message is
  logic take, save;                      // see action_t
  logic replay;                          // job_q has been taken, and begins again

  logic undecided_q, undecided_d;        // whether an entry needs another block
  logic may_fill, room, second;
  logic [7:0] total_words, second_word;
  word_addr_t addr;
  logic ask;

  assign total_words = job_q.first_words + {5'd0, job_q.second_words};
  assign second = word_q >= job_q.first_words;
  assign second_word = word_q - job_q.first_words;
  assign addr = second ? job_q.second_addr + {1'b0, second_word}
                       : job_q.first_addr + {1'b0, word_q};

  assign may_fill = feeding_q && !undecided_q && !ready_q;
  assign room = lane_q != rate_words(job_q.hash);

  // The tail: what the job has of it, or bytes of the word that is read, and the suffix behind them.
  logic [63:0] tail_word;
  if (Partial) begin : gen_partial
    assign ask = may_fill && room && !(tail_q || end_q || last_block_q)
        && (!job_q.follows || {1'b0, addr} < avail_i);
    always_comb begin
      tail_word = rdata_i & ~({64{1'b1}} << {last_bytes_i, 3'b000});
      tail_word |= 64'h06 << {last_bytes_i, 3'b000};
    end
  end else begin : gen_whole
    logic present;
    // Of the first piece, and so not `addr`: which piece it is is known later.
    assign present = !job_q.follows || second
        || {1'b0, job_q.first_addr + {1'b0, word_q}} < avail_i;
    assign ask = may_fill && room && !(tail_q || end_q || last_block_q)
        && (word_q == total_words || present);
    always_comb begin
      tail_word = 64'd0;
      tail_word[7:0] = (job_q.hash == HashSha3_256 || job_q.hash == HashSha3_512) ? 8'h06 : 8'h1f;
      if (job_q.tail_bytes == 2'd1) tail_word = {40'd0, tail_word[15:0], job_q.tail[7:0]};
      if (job_q.tail_bytes == 2'd2) tail_word = {32'd0, tail_word[15:0], job_q.tail};
    end
  end

  always_comb begin
    feeding_d = feeding_q;
    job_d = job_q;
    started_d = started_q;
    word_d = word_q;
    lane_d = lane_q;
    read_d = 1'b0;
    tail_d = 1'b0;
    end_d = tail_q;
    full_d = tail_q || (read_q && read_lane_q == rate_words(job_q.hash) - 5'd1);
    ready_d = ready_q;
    last_block_d = last_block_q;
    if (ask) begin
      lane_d = lane_q + 5'd1;
      if (word_q == total_words) begin
        tail_d = 1'b1;
      end else begin
        read_d = 1'b1;
        word_d = word_q + 8'd1;
      end
    end
    if (full_q) ready_d = 1'b1;
    if (end_q) last_block_d = 1'b1;
    if (take) begin
      ready_d = 1'b0;
      lane_d = 5'd0;
      started_d = 1'b1;
      if (last_block_q) begin
        feeding_d = 1'b0;
        last_block_d = 1'b0;
      end
    end
    if (job_valid_i && job_ready_o) begin
      feeding_d = 1'b1;
      job_d = job_i;
      started_d = 1'b0;
      word_d = 8'd0;
      lane_d = 5'd0;
    end
    if (save && !take) begin
      word_d = 8'd0;
      lane_d = 5'd0;
      read_d = 1'b0;
      tail_d = 1'b0;
      full_d = 1'b0;
      end_d = 1'b0;
      ready_d = 1'b0;
      last_block_d = 1'b0;
    end
    if (replay) begin
      feeding_d = 1'b1;
      started_d = 1'b0;
      word_d = 8'd0;
    end
    if (clear_i) begin
      feeding_d = 1'b0;
      ready_d = 1'b0;
      last_block_d = 1'b0;
      read_d = 1'b0;
      tail_d = 1'b0;
      full_d = 1'b0;
      end_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      feeding_q <= 1'b0;
      job_q <= '0;
      started_q <= 1'b0;
      word_q <= 8'd0;
      lane_q <= 5'd0;
      read_q <= 1'b0;
      tail_q <= 1'b0;
      read_lane_q <= 5'd0;
      full_q <= 1'b0;
      end_q <= 1'b0;
      ready_q <= 1'b0;
      last_block_q <= 1'b0;
    end else begin
      feeding_q <= feeding_d;
      job_q <= job_d;
      started_q <= started_d;
      word_q <= word_d;
      lane_q <= lane_d;
      read_q <= read_d;
      tail_q <= tail_d;
      read_lane_q <= lane_q;
      full_q <= full_d;
      end_q <= end_d;
      ready_q <= ready_d;
      last_block_q <= last_block_d;
    end
  end

  assign raddr_o = addr;
  // The job that an undecided entry would push back needs the place.
  assign job_ready_o = !feeding_q && !undecided_q && !replay;

  // ---- Engine ----

  typedef enum logic [1:0] {
    StIdle,
    StAbsorb,   // blocks of the message are still to come
    StSqueeze
  } state_e;

  state_e state_q, state_d;
  // The job with blocks in permutation: the sink of its output.
  typedef struct packed {
    sink_t      sink;
    word_addr_t digest_addr;
    logic [3:0] digest_words;
    logic       check;
    logic [3:0] slot;
  } current_t;
  current_t current_q, current_d;
  logic opening_q, opening_d;         // the present permutation gives the job's first block
  logic further_q, further_d;         // another block of output comes after this permutation's
  logic third_q, third_d;             // and another after that
  logic [3:0] entry_slot_q, entry_slot_d;  // of the undecided entry
  // What the engine does in a cycle. It is decided in the cycle before, because it drives the whole state.
  // Of a block that is ready, started_q is what started_d is: no job begins or begins again then.
  typedef struct packed {
    logic step;     // of Keccak: a round, the beginning of a permutation, and so on
    logic begins;
    logic keep;
    logic absorb;
    logic capture;
    logic take;     // the engine takes the block
    logic finish;   // the permutation is the job's last
    logic save;     // the block register is needed: begin with it again later
  } action_t;
  action_t action_q, action_d;

  // The undecided entry, after its last word: decided; as too short; as complete.
  logic verdict_q, short_q, short_d, complete_q;
  logic keccak_next_last;
  logic [2:0] keccak_ends;
  logic out_free_d;              // the output register takes a block in the next cycle
  logic out_ends_d;              // what it has leaves before

  assign take = action_q.take;
  assign save = action_q.save;
  assign replay = short_q && state_q != StIdle;

  always_comb begin
    action_d = '0;
    if (short_d) begin
      // One block more of the undecided entry, from the state in the block.
      action_d.begins = 1'b1;
      action_d.absorb = 1'b1;
    end else begin
      unique case (state_d)
        StIdle: action_d.take = ready_d && !started_q;
        StAbsorb: begin
          action_d.step = !keccak_next_last;
          action_d.take = keccak_next_last && ready_d;
          action_d.keep = action_d.take;
        end
        StSqueeze: begin
          action_d.capture = keccak_next_last && out_free_d;
          action_d.finish = action_d.capture && !further_d;
          action_d.keep = action_d.capture && further_d;
          action_d.save = Retries && action_d.finish && current_d.sink == Retry;
          action_d.take = action_d.finish && ready_d && !started_q;
          action_d.step = !keccak_next_last || (action_d.finish && !action_d.take);
        end
        default: ;
      endcase
      action_d.begins = action_d.take || action_d.keep;
      action_d.absorb = action_d.take;
    end
    if (clear_i) action_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) action_q <= '0;
    else action_q <= action_d;
  end

  always_comb begin
    state_d = state_q;
    current_d = current_q;
    opening_d = opening_q;
    further_d = further_q;
    third_d = third_q;
    undecided_d = Retries && undecided_q && !verdict_q;
    entry_slot_d = entry_slot_q;
    if (short_q) begin
      state_d = StSqueeze;
      current_d.sink = Retry;
      current_d.slot = entry_slot_q;
      opening_d = 1'b0;
      further_d = 1'b0;
    end
    if (action_q.capture) begin
      opening_d = 1'b0;
      further_d = third_q;
      third_d = more_i;
    end
    if (action_q.finish) state_d = StIdle;
    if (save) begin
      undecided_d = 1'b1;
      entry_slot_d = current_q.slot;
    end
    if (take) begin
      state_d = last_block_q ? StSqueeze : StAbsorb;
      current_d = '{
        sink: job_q.sink, digest_addr: job_q.digest_addr, digest_words: job_q.digest_words,
        check: job_q.check, slot: job_q.slot
      };
      opening_d = 1'b1;
      further_d = further_i;
      third_d = third_i;
    end
    if (clear_i) begin
      state_d = StIdle;
      undecided_d = 1'b0;
    end
  end

  always_comb begin
    keccak_ends = 3'b000;
    if (take && last_block_q) begin
      unique case (job_q.hash)
        HashSha3_512: keccak_ends = 3'b001;
        HashShake128: keccak_ends = 3'b100;
        default:      keccak_ends = 3'b010;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      current_q <= '0;
      opening_q <= 1'b0;
      further_q <= 1'b0;
      third_q <= 1'b0;
      undecided_q <= 1'b0;
      entry_slot_q <= 4'd0;
    end else begin
      state_q <= state_d;
      current_q <= current_d;
      opening_q <= opening_d;
      further_q <= further_d;
      third_q <= third_d;
      undecided_q <= undecided_d;
      entry_slot_q <= entry_slot_d;
    end
  end

  // ---- Output ----

  logic [4:0] left_q, left_d, index_q, index_d;   // words still to send, sent
  sink_t sink_q, sink_d;
  logic [3:0] slot_q, slot_d;
  logic first_q, first_d, save_q, save_d;         // the job's first block; keep the state
  word_addr_t digest_addr_q, digest_addr_d;
  logic check_q, check_d;
  logic digest_q, digest_d;                       // a word goes into memory
  logic samples_q, samples_d;                     // a word goes to a sampler
  logic shift_q;                                  // either
  // Neither: shift_q for the thousand registers of the output. Were it shift_q, synthesis would take a gate that
  // drives them for the counters here, too.
  logic hold_q;
  logic [63:0] out;
  logic [3:1] verdict_delay_q;

  assign digest_d = left_d != 5'd0 && sink_d == SinkDigest && digest_next_i
      && (!check_d || checkable_i);
  assign samples_d = left_d != 5'd0 && sink_d != SinkDigest;
  // At least four words are captured now; a sampler's last word leaves in the next cycle.
  assign out_ends_d = !action_q.capture
      && (left_q == 5'd0 || (left_q == 5'd1 && shift_q) || (left_q == 5'd2 && samples_q));
  if (Retries && Rounds != 1) begin : gen_wait
    // In 12 cycles an undecided entry's words have not left.
    assign out_free_d = out_ends_d && (!undecided_q || verdict_delay_q[2]);
  end else begin : gen_no_wait
    assign out_free_d = out_ends_d;
  end

  always_comb begin
    left_d = left_q;
    index_d = index_q;
    sink_d = sink_q;
    slot_d = slot_q;
    first_d = first_q;
    save_d = save_q;
    digest_addr_d = digest_addr_q;
    check_d = check_q;
    if (shift_q) begin
      left_d = left_q - 5'd1;
      index_d = index_q + 5'd1;
      digest_addr_d = digest_addr_q + 9'd1;
    end
    if (action_q.capture) begin
      index_d = 5'd0;
      sink_d = current_q.sink;
      slot_d = current_q.slot;
      first_d = opening_q;
      save_d = Retries && current_q.sink == Retry && !further_q;
      digest_addr_d = current_q.digest_addr;
      check_d = current_q.check;
      unique case (current_q.sink)
        2'd3:    left_d = words_i[3];
        2'd1:    left_d = words_i[1];
        2'd2:    left_d = words_i[2];
        default: left_d = {1'b0, current_q.digest_words};
      endcase
    end
    if (clear_i) left_d = 5'd0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= 5'd0;
      digest_q <= 1'b0;
      samples_q <= 1'b0;
      shift_q <= 1'b0;
      hold_q <= 1'b1;
      index_q <= 5'd0;
      sink_q <= SinkDigest;
      slot_q <= 4'd0;
      first_q <= 1'b0;
      save_q <= 1'b0;
      digest_addr_q <= '0;
      check_q <= 1'b0;
      verdict_delay_q <= '0;
      short_q <= 1'b0;
      complete_q <= 1'b0;
    end else begin
      left_q <= left_d;
      digest_q <= digest_d;
      samples_q <= samples_d;
      shift_q <= digest_d || samples_d;
      hold_q <= !(digest_d || samples_d);
      index_q <= index_d;
      sink_q <= sink_d;
      slot_q <= slot_d;
      first_q <= first_d;
      save_q <= save_d;
      digest_addr_q <= digest_addr_d;
      check_q <= check_d;
      verdict_delay_q <= clear_i ? 3'b000
          : {verdict_delay_q[2:1], shift_q && save_q && left_q == 5'd1};
      short_q <= short_d;
      complete_q <= !clear_i && verdict_delay_q[2] && enough_i;
    end
  end

  assign verdict_q = verdict_delay_q[3];
  assign short_d = !clear_i && verdict_delay_q[2] && !enough_i;
  assign begun_o = job_q.sink;
  assign current_o = current_q.sink;
  assign opening_o = opening_q;
  assign sample_valid_o = shift_q;
  assign sample_sink_o = sink_q;
  assign sample_first_o = first_q && index_q == 5'd0;
  assign sample_block_o = index_q == 5'd0;
  assign sample_slot_o = slot_q;
  assign sample_o = out;
  assign complete_o = complete_q;
  assign complete_slot_o = entry_slot_q;
  assign digest_valid_o = digest_q;
  assign digest_addr_o = digest_addr_q;
  assign digest_check_o = check_q;
  assign digest_data_o = out;

  // ---- Units ----

  // The word for a lane of the block, a cycle after it arrived.
  logic lane_we_q, lane_we_d;
  logic [4:0] lane_put_q, lane_put_d;
  logic [63:0] lane_data_q, lane_data_d;

  always_comb begin
    lane_we_d = read_q || tail_q;
    lane_put_d = read_lane_q;
    lane_data_d = tail_q ? tail_word : rdata_i;
    if (undecided_q) begin
      lane_we_d = samples_q;  // the entry's words, which nothing holds up
      lane_put_d = index_q;
      lane_data_d = out;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lane_we_q <= 1'b0;
    else lane_we_q <= lane_we_d && !clear_i;
  end

  always_ff @(posedge clk_i) begin
    lane_put_q <= lane_put_d;
    lane_data_q <= clear_i ? '0 : lane_data_d;
  end

  latkem_keccak #(
    .Rounds(Rounds)
  ) u_keccak (
    .clk_i,
    .rst_ni,
    .clear_i,
    .step_i(action_q.step),
    .begin_i(action_q.begins),
    .keep_i(action_q.keep),
    .absorb_i(action_q.absorb),
    .capture_i(action_q.capture),
    .next_last_o(keccak_next_last),
    .lane_we_i(lane_we_q),
    .lane_i(lane_put_q),
    .lane_data_i(lane_data_q),
    .ends_i(keccak_ends),
    .save_i(save),
    .drop_i(take || verdict_q),
    .hold_i(hold_q),
    .out_o(out)
  );

  assign idle_o = !feeding_q && state_q == StIdle && left_q == 5'd0 && !undecided_q;

`ifndef SYNTHESIS
  // A job is taken when none is fed, and a block when it is complete.
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(job_valid_i && job_ready_o) || (!feeding_q && !undecided_q));
    if (rst_ni) assert (!take || ready_q);
  end

  latkem_at_most_one u_one_output (
    .clk_i,
    .rst_ni,
    .selects_i({digest_q, samples_q})
  );
`endif

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The work of the array, stage by stage (NTRU round 3; `stage` below). A stage is a product, then its
// read-out, which may load the next operand on the way.
//
// A pass over n digits takes n steps, or with two streams (n + 1) / 2; then steps with zeros (in the first,
// h becomes 4 x^-5 h), until the sums are turned by five places more. A read-out takes n + 1 elements,
// since coefficient n - 1 comes first.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_ntru_plan
  import latkem_ntru_pkg::*;
#(
  parameter ntru_set_t   Set = ntru_set(2'd3),
  parameter int unsigned Streams = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        start_i,
  input  logic        keygen_i,
  input  logic        encaps_i,
  input  logic        decaps_i,
  // what is there
  input  logic        loaded_i,       // pulse: the last group of an operand enters the array
  input  logic        received_i,     // level: the request is cut, and f and g are in their banks
  input  logic        trits_whole_i,  // level: m is in its bank,
  input  logic [9:0]  sorted_i,       // or so many of its trits have been sorted
  input  logic        inverted_2_i,   // level
  input  logic        inverted_3_i,   // level
  input  logic        packed_3_i,     // level: all groups of the inverse modulo 3 have been packed
  // feeder
  output logic        feed_o,         // pulse: read a bank,
  output bank_e       feed_bank_o,
  output logic        feed_raw_o,
  output logic        feed_down_o,
  output logic        feed_beside_o,
  output logic [2:0]  feed_further_o,
  input  logic        elements_valid_i,
  input  logic        elements_last_i,
  output logic        elements_take_o,
  input  logic        group_last_i,   // pulse: the last of the groups that are read
  // where whole groups that are read go
  output logic        to_load_o,
  output logic        to_inverse_2_o,
  output logic        to_inverse_3_o,
  output logic        to_pack_o,
  output logic        take_inverse_2_o,  // a group goes into bank V,
  output group_t      inverse_2_group_o, // this one
  output logic        pack_inverse_3_o,  // level: groups go to the packer
  // array
  output logic        zero_o,
  output logic        step_o,
  output logic        digits_o,       // with the digits of the elements
  output logic        turn_o,
  output logic [2:0]  pass_o,
  // results: of the stage that is read, a cycle after it began
  output stage_t      stage_o,
  output logic        last_stage_o,
  output logic        read_begin_o,   // pulse: results come next
  output logic        read_step_o,    // a step of the array with elements that count
  output logic        read_head_o,    // the first one
  input  logic        read_done_i,    // pulse: the last group of results
  // packing
  output logic        z_o,            // level: z is joined; ends with done_i
  input  logic        z_done_i,
  output logic        idle_o
);

  localparam int unsigned N = 32'(Set.n);
  localparam int unsigned Groups = all_groups(Set);
  localparam int unsigned Full = (32'(Set.log_q) + 1) / 2 - 1;
  localparam int unsigned ZeroSteps = (Streams == 2) ? 2 : 5;
  localparam int unsigned ReadSteps = (N + 1) / Streams;
  // A bank is read that is written: results keep so far behind that a group is there when they need it.
  localparam int unsigned Behind = 16;

  // ---- Stages ----

  localparam logic [3:0] LastKeygen = 4'd12;
  localparam logic [3:0] LastDecaps = 4'd2;

  logic [3:0] number_q, number_d;
  stage_t stage;
  logic last_stage;

  always_comb begin
    stage = '0;
    last_stage = 1'b1;
    if (encaps_i) begin
      stage.digits = BankF;
      stage.read = OpLiftTo;
      stage.beside = BankG;
      stage.join_ = 1'b1;
    end
    if (decaps_i) begin
      last_stage = number_q == LastDecaps;
      unique case (number_q)
        4'd0: begin
          stage.digits = BankF;
          stage.read = OpTrits;
          stage.load = 1'b1;
        end
        4'd1: begin
          stage.digits = BankG;
          stage.read = OpLiftFrom;
          stage.beside = BankV;
          stage.load = 1'b1;
          stage.pack = 1'b1;
        end
        default: begin
          stage.digits = BankA;
          stage.further = 3'(Full);
          stage.read = OpPhi;
          stage.pack = 1'b1;
        end
      endcase
    end
    if (keygen_i) begin
      last_stage = number_q == LastKeygen;
      unique case (number_q)
        4'd0: begin
          stage.digits = BankF;
          stage.read = OpG;
          stage.store = 1'b1;
          stage.bank = BankA;
        end
        // Newton: v <- v (2 - v a), modulo 2^2, 2^4, 2^8, 2^16
        4'd1, 4'd3, 4'd5, 4'd7: begin
          stage.digits = BankV;
          stage.read = OpNewton;
          stage.load = 1'b1;
        end
        4'd2, 4'd4, 4'd6: begin
          stage.digits = BankV;
          stage.read = OpPlain;
          stage.store = 1'b1;
          stage.bank = BankV;
          stage.reload = 1'b1;
          stage.from = BankA;
        end
        4'd8: begin
          stage.digits = BankV;
          stage.read = OpPlain;
          stage.load = 1'b1;
          stage.store = 1'b1;
          stage.bank = BankV;
        end
        // h = v G G, 1/h = v f f
        4'd9: begin
          stage.digits = BankG;
          stage.read = OpG;
          stage.load = 1'b1;
        end
        4'd10: begin
          stage.digits = BankG;
          stage.read = OpG;
          stage.join_ = 1'b1;
          stage.reload = 1'b1;
          stage.from = BankV;
        end
        4'd11: begin
          stage.digits = BankF;
          stage.read = OpPlain;
          stage.load = 1'b1;
        end
        default: begin
          stage.digits = BankF;
          stage.read = OpPhi;
          stage.join_ = 1'b1;
        end
      endcase
      if (number_q == 4'd5 || number_q == 4'd6) stage.further = 3'd1;
      if (number_q == 4'd7 || number_q == 4'd8) stage.further = 3'd3;
    end
  end

  // ---- Sequence ----

  typedef enum logic [3:0] {
    StIdle,
    StOperand,   // the first operand comes
    StGive3,     // keygen: f goes to the inverter modulo 3,
    StGiveG,     // and g into the array
    StGive2,     // G f goes to the inverter modulo 2,
    StGivePack,  // f to the packer,
    StGiveA,     // and G f into the array
    StTake2,     // its inverse goes into its bank
    StPack3,     // the inverse modulo 3 is packed
    StStart,
    StMultiply,
    StTurn,
    StRead,
    StFinish,    // results are on their way
    StZ
  } state_e;

  state_e state_q, state_d;
  logic [9:0] count_q, count_d;  // steps, elements or groups
  logic [2:0] pass_q, pass_d;
  logic asked_q, asked_d;        // what the state waits for has begun
  logic read_done_q, read_done_d, load_done_q, load_done_d;
  logic may_read;

  assign may_read = stage.read != OpLiftTo || trits_whole_i
      || (!Set.hrss && count_q * 10'(Streams) + 10'(Behind) <= sorted_i);

  always_comb begin
    state_d = state_q;
    number_d = number_q;
    count_d = count_q;
    pass_d = pass_q;
    asked_d = asked_q;
    feed_o = 1'b0;
    feed_bank_o = BankF;
    feed_raw_o = 1'b0;
    feed_down_o = 1'b0;
    feed_beside_o = 1'b0;
    feed_further_o = 3'd0;
    elements_take_o = 1'b0;
    to_load_o = 1'b0;
    to_inverse_2_o = 1'b0;
    to_inverse_3_o = 1'b0;
    to_pack_o = 1'b0;
    take_inverse_2_o = 1'b0;
    pack_inverse_3_o = 1'b0;
    zero_o = 1'b0;
    step_o = 1'b0;
    digits_o = 1'b0;
    turn_o = 1'b0;
    read_begin_o = 1'b0;
    read_step_o = 1'b0;
    read_head_o = 1'b0;
    z_o = 1'b0;
    read_done_d = read_done_q || read_done_i;
    load_done_d = load_done_q || loaded_i;
    unique case (state_q)
      StOperand: begin
        if (keygen_i ? received_i : load_done_q) state_d = keygen_i ? StGive3 : StStart;
      end
      StGive3: begin
        feed_o = !asked_q;
        feed_raw_o = 1'b1;
        to_inverse_3_o = asked_q;
        asked_d = 1'b1;
        if (asked_q && group_last_i) state_d = StGiveG;
      end
      StGiveG: begin
        feed_o = !asked_q;
        feed_bank_o = BankG;
        feed_raw_o = 1'b1;
        to_load_o = asked_q;
        asked_d = 1'b1;
        if (load_done_q) state_d = StStart;
      end
      StStart: begin
        zero_o = 1'b1;
        feed_o = 1'b1;
        feed_bank_o = stage.digits;
        feed_further_o = stage.further;
        pass_d = 3'd0;
        state_d = StMultiply;
      end
      StMultiply: begin
        digits_o = elements_valid_i;
        step_o = elements_valid_i;
        elements_take_o = elements_valid_i;
        if (elements_valid_i && elements_last_i) begin
          state_d = (pass_q == stage.further) ? StRead : StTurn;
        end
      end
      StTurn: begin
        step_o = 1'b1;
        turn_o = count_q == 10'd0;
        count_d = count_q + 10'd1;
        if (count_q == 10'(ZeroSteps - 1)) begin
          pass_d = pass_q + 3'd1;
          state_d = StMultiply;
        end
      end
      StRead: begin
        asked_d = 1'b1;
        if (!asked_q) begin
          read_begin_o = 1'b1;
          feed_o = stage.reload || stage.read == OpLiftTo || stage.read == OpLiftFrom;
          feed_bank_o = stage.reload ? stage.from : stage.beside;
          feed_raw_o = stage.reload;
          feed_beside_o = !stage.reload;
          load_done_d = 1'b0;
          read_done_d = 1'b0;
        end else if (may_read) begin
          step_o = 1'b1;
          read_step_o = 1'b1;
          read_head_o = count_q == 10'd0;
          count_d = count_q + 10'd1;
          if (count_q == 10'(ReadSteps - 1)) state_d = StFinish;
        end
      end
      StFinish: begin
        if (read_done_q && (load_done_q || !(stage.load || stage.reload))) begin
          if (!last_stage) number_d = number_q + 4'd1;
          state_d = StStart;
          if (keygen_i && number_q == 4'd0) state_d = StGive2;
          if (keygen_i && number_q == 4'd10) state_d = StPack3;
          if (last_stage) state_d = keygen_i ? StZ : StIdle;
        end
      end
      StGive2: begin
        feed_o = !asked_q;
        feed_bank_o = BankA;
        feed_raw_o = 1'b1;
        feed_down_o = 1'b1;
        to_inverse_2_o = asked_q;
        asked_d = 1'b1;
        if (asked_q && group_last_i) state_d = StGivePack;
      end
      StGivePack: begin
        feed_o = !asked_q;
        feed_raw_o = 1'b1;
        to_pack_o = asked_q;
        asked_d = 1'b1;
        if (asked_q && group_last_i) state_d = StGiveA;
      end
      StGiveA: begin
        feed_o = !asked_q;
        feed_bank_o = BankA;
        feed_raw_o = 1'b1;
        to_load_o = asked_q;
        if (!asked_q) load_done_d = 1'b0;
        asked_d = 1'b1;
        if (asked_q && load_done_q) state_d = StTake2;
      end
      StTake2: begin
        take_inverse_2_o = inverted_2_i;
        if (inverted_2_i) begin
          count_d = count_q + 10'd1;
          if (count_q == 10'(Groups - 1)) state_d = StStart;
        end
      end
      StPack3: begin
        pack_inverse_3_o = inverted_3_i;
        if (packed_3_i) state_d = StStart;
      end
      StZ: begin
        z_o = 1'b1;
        if (z_done_i) state_d = StIdle;
      end
      default: ;
    endcase
    // Elements that go into the array while results are read do so until they are.
    if ((state_q == StRead || state_q == StFinish) && stage.reload) to_load_o = 1'b1;
    if (start_i) begin
      state_d = StOperand;
      number_d = 4'd0;
      load_done_d = 1'b0;
    end
    if (state_d != state_q) begin
      count_d = 10'd0;
      asked_d = 1'b0;
    end
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      number_q <= 4'd0;
      count_q <= 10'd0;
      pass_q <= 3'd0;
      asked_q <= 1'b0;
      read_done_q <= 1'b0;
      load_done_q <= 1'b0;
    end else begin
      state_q <= state_d;
      number_q <= number_d;
      count_q <= count_d;
      pass_q <= pass_d;
      asked_q <= asked_d;
      read_done_q <= read_done_d;
      load_done_q <= load_done_d;
    end
  end

  always_ff @(posedge clk_i) begin
    stage_o <= stage;
    last_stage_o <= last_stage;
  end

  assign pass_o = pass_q;
  assign inverse_2_group_o = count_q[GroupWidth-1:0];
  assign idle_o = state_q == StIdle;

endmodule

// verilator lint_on UNUSEDSIGNAL

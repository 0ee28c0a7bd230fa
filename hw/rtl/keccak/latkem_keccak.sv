// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600], one or two rounds a cycle, with a register for the block to be absorbed next and
// one for the output. When one permutation ends, the next begins in the same cycle:
//
//   state <= (keep_i ? rounds(state) : 0) ^ (absorb_i ? block : 0)
//
// The caller says when: `step_i` for every cycle of rounds but the last, `begin_i` for the beginning
// of a permutation, alone when idle or together with the last rounds. `capture_i` goes with the last
// rounds and takes their result into the output register, lanes 0 to 20; without `hold_i` it moves
// down by a lane.

module latkem_keccak #(
  parameter int unsigned Rounds = 1  // a cycle; 1 or 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,     // all registers become zero
  input  logic        step_i,
  input  logic        begin_i,
  input  logic        keep_i,
  input  logic        absorb_i,
  input  logic        capture_i,
  output logic        next_last_o,  // in the next cycle a permutation's last rounds are to come
  // block
  input  logic        lane_we_i,
  input  logic [4:0]  lane_i,
  input  logic [63:0] lane_data_i,
  input  logic [2:0]  ends_i,      // absorbing, flip the last bit of a rate of 72, 136, 168 bytes
  input  logic        save_i,      // with capture_i: lanes 21 to 24 of the result go into the block
  input  logic        drop_i,      // the block becomes zero
  // output
  input  logic        hold_i,
  output logic [63:0] out_o
);

  logic [24:0][63:0] state_q, state_d, block_q;
  // Kept, so that the state and the output register share it.
  (* keep *) logic [24:0][63:0] result;
  logic [20:0][63:0] out_q;
  logic [4:0] round_q;
  logic last_q, last_d;

  logic [24:0][63:0] first;
  latkem_keccak_round u_round (
    .round_i(round_q),
    .state_i(state_q),
    .state_o(first)
  );

  if (Rounds == 2) begin : gen_second
    latkem_keccak_round u_second (
      .round_i({round_q[4:1], 1'b1}),
      .state_i(first),
      .state_o(result)
    );
  end else begin : gen_no_second
    assign result = first;
  end

  logic [24:0][63:0] absorbed;
  always_comb begin
    absorbed = block_q;
    absorbed[8][63] = block_q[8][63] ^ ends_i[0];
    absorbed[16][63] = block_q[16][63] ^ ends_i[1];
    absorbed[20][63] = block_q[20][63] ^ ends_i[2];
  end

  logic use_result, use_block;
  assign use_result = step_i || (begin_i && keep_i);
  assign use_block = begin_i && absorb_i;
  assign state_d = (result & {1600{use_result}}) ^ (absorbed & {1600{use_block}});

  always_ff @(posedge clk_i) begin
    if (clear_i) state_q <= '0;
    else if (step_i || begin_i) state_q <= state_d;
  end

  always_comb begin
    last_d = last_q;
    if (clear_i || begin_i) last_d = 1'b0;
    else if (step_i) last_d = round_q == 5'(24 - 2 * Rounds);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      round_q <= 5'd0;
      last_q <= 1'b0;
    end else begin
      if (clear_i || begin_i) round_q <= 5'd0;
      else if (step_i) round_q <= round_q + 5'(Rounds);
      last_q <= last_d;
    end
  end

  assign next_last_o = last_d;

  for (genvar i = 0; i < 21; i++) begin : gen_block
    always_ff @(posedge clk_i) begin
      if (clear_i || drop_i) block_q[i] <= '0;
      else if (lane_we_i && lane_i == 5'(i)) block_q[i] <= lane_data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || (drop_i && !save_i)) block_q[24:21] <= '0;
    else if (save_i) block_q[24:21] <= result[24:21];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) out_q <= '0;
    else if (capture_i) out_q <= result[20:0];
    else if (!hold_i) out_q <= {64'd0, out_q[20:1]};
  end

  assign out_o = out_q[0];

`ifndef SYNTHESIS
  latkem_at_most_one u_one_action (
    .clk_i,
    .rst_ni,
    .selects_i({step_i, begin_i})
  );
`endif

endmodule

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// Unpacks coefficients of 3, 4, 6, 10 or 13 bits: words of 64 bits in, groups of eight coefficients
// out, as they are, for X.

module latkem_saber_decoder
  import latkem_saber_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  decode_job_t job_i,
  input  logic        word_valid_i,
  output logic        word_ready_o,
  input  logic [63:0] word_i,
  input  logic        load_next_i,  // in the next cycle a group is accepted
  output logic        load_we_o,
  output slot_t       load_slot_o,
  output logic [4:0]  load_index_o,
  output logic [7:0][CoeffWidth-1:0] load_data_o,
  output logic        done_o,       // pulse: a job's last group has been accepted
  output decode_job_t done_job_o
);

  // ---- Job ----

  logic busy_q, busy_d, odd_q, odd_d;
  decode_job_t job_q;
  logic [4:0] index_q, index_d;
  logic group_valid, emit, advance_q, advance_d, unused_empty;
  logic [111:0] cut;

  assign emit = group_valid && advance_q;
  assign job_ready_o = !busy_q;

  always_comb begin
    busy_d = busy_q;
    index_d = index_q;
    odd_d = odd_q;
    if (emit) begin
      index_d = index_q + 5'd1;
      odd_d = odd_q ^ job_q.d[0];
      if (index_q == 5'd31) busy_d = 1'b0;
    end
    if (job_valid_i && job_ready_o) busy_d = 1'b1;
    if (clear_i) begin
      busy_d = 1'b0;
      index_d = 5'd0;
      odd_d = 1'b0;
    end
  end

  latkem_cut #(
    .Sizes(16'h2458),
    .GroupBytes(14)
  ) u_cut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .begin_i(job_valid_i && job_ready_o),
    .begin_bytes_i(job_i.d),
    .bytes_i(job_q.d),
    .wanted_i(busy_d),
    .word_valid_i,
    .word_ready_o,
    .word_i,
    .group_valid_o(group_valid),
    .take_i(emit),
    .group_o(cut),
    .empty_o(unused_empty)
  );

  // ---- The group ----

  logic load_valid_q;
  decode_job_t load_job_q;
  logic [4:0] load_index_q;
  logic [7:0][CoeffWidth-1:0] load_data_q, load_data_d;

  // The group of the next cycle is none, or is accepted.
  assign advance_d = load_next_i || !(advance_q ? group_valid : load_valid_q);

  always_comb begin
    for (int j = 0; j < 8; j++) begin
      unique case (job_q.d)
        4'd3:    load_data_d[j] = {10'd0, odd_q ? cut[3*j+8+:3] : cut[3*j+:3]};
        4'd4:    load_data_d[j] = {9'd0, cut[4*j+:4]};
        4'd6:    load_data_d[j] = {7'd0, cut[6*j+:6]};
        4'd10:   load_data_d[j] = {3'd0, cut[10*j+:10]};
        default: load_data_d[j] = odd_q ? cut[13*j+8+:13] : cut[13*j+:13];
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      index_q <= 5'd0;
      odd_q <= 1'b0;
      advance_q <= 1'b1;
      load_valid_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      index_q <= index_d;
      odd_q <= odd_d;
      advance_q <= advance_d || clear_i;
      if (advance_q) load_valid_q <= emit;
      if (clear_i) load_valid_q <= 1'b0;
    end
  end

  // After clear_i the window is empty and nothing stops it, so that this becomes zero too.
  always_ff @(posedge clk_i) begin
    if (advance_q) begin
      load_job_q <= job_q;
      load_index_q <= index_q;
      load_data_q <= load_data_d;
    end
    if (job_valid_i && job_ready_o) job_q <= job_i;
  end

  assign load_we_o = load_valid_q && advance_q;
  assign load_slot_o = load_job_q.slot;
  assign load_index_o = load_index_q;
  assign load_data_o = load_data_q;
  assign done_o = load_we_o && load_index_q == 5'd31;
  assign done_job_o = load_job_q;

`ifndef SYNTHESIS
  latkem_holds u_job_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(job_ready_o),
    .taken_i(job_valid_i),
    .what_i(1'b0)
  );

  latkem_holds #(
    .Width($bits(decode_job_t) + 5)
  ) u_load_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(load_valid_q),
    .taken_i(advance_q),
    .what_i({load_job_q, load_index_q})
  );
`endif

endmodule

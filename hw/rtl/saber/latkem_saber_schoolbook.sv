// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The polynomial unit of Saber by the schoolbook, with the ports of latkem_saber_poly. Memories:
// the coefficients as they came, X, those of s again, S, and sums modulo 2^13, C.
//
// There are no transforms: a forward one copies X to S from slot 24 on, the others are done at
// once. In a product s is in registers, and the coefficients of X[slot] come from the highest
// to the lowest, Unroll a step. Each of these goes to an array of 256 cells of its own (Horner):
// an array becomes x^Unroll times itself plus the coefficient times s. The product is the sum of
// the arrays k, each times x^(Unroll-1-k). A product negates what the arrays held before, for
// x^256 is -1. So each second product of a sum is subtracted, and products of one sum follow each
// other without a pause. When the sum is complete, or another one's product comes, what the arrays
// hold is added to C, 16 coefficients a cycle. The next product's s is fetched meanwhile. Nothing
// depends on data.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_saber_schoolbook
  import latkem_poly_pkg::*;
  import latkem_saber_pkg::*;
#(
  parameter int unsigned Unroll = 1  // 1, 2 or 4
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           clear_i,
  // While no job is under way: all banks write zero at these addresses, of X, and of C and S.
  input  logic           wipe_i,
  input  logic [8:0]     wipe_addr_i,
  input  logic [7:0]     wipe_c_addr_i,
  input  logic           transform_valid_i,
  output logic           transform_ready_o,
  input  transform_job_t transform_i,
  input  logic           product_valid_i,
  output logic           product_ready_o,
  input  product_job_t   product_i,
  // Pulses: what the job made may be read by a job that is offered, or a read that is granted, two
  // cycles later. Products have one when their sum goes to C, the last of them for all.
  output logic           transform_done_o,
  output transform_job_t transform_done_job_o,
  output logic           product_done_o,
  output product_job_t   product_done_job_o,
  // Coefficients 16 i to 16 i + 15 of X, the lower or the upper eight of them or all
  input  logic [1:0]     x_we_i,
  input  slot_t          x_slot_i,
  input  logic [3:0]     x_index_i,
  input  logic [15:0][CoeffWidth-1:0] x_wdata_i,
  // Coefficients 8 i to 8 i + 7 of X, three cycles later, and of C modulo q, eleven cycles later;
  // `read_c_i`, `read_x_i`: of which
  output logic           read_ready_o,
  input  logic           read_x_i,
  input  logic           read_c_i,
  input  slot_t          read_slot_i,
  input  acc_t           read_acc_i,
  input  logic [4:0]     read_index_i,
  output logic [7:0][CoeffWidth-1:0] read_x_o,
  output logic [7:0][CoeffWidth-1:0] read_c_o,
  output logic           idle_o
);

  typedef logic [15:0][CoeffWidth-1:0] group_t;

  localparam int unsigned StepWidth = $clog2(256 / Unroll);
  localparam int unsigned PlaceWidth = StepWidth - 4;  // of a step in a group of coefficients

  // ---- Transforms ----

  typedef struct packed {
    logic           last;
    logic           store;
    logic [3:0]     index;
    transform_job_t job;
  } copy_t;

  logic copying_q, copying_d, copies, copy_next, fetch;
  transform_job_t copy_job_q;
  logic [3:0] copy_index_q, copy_index_d;
  copy_t copy;
  // [i]: i cycles after X is read
  logic [3:1] copy_valid_q;
  copy_t copy_q[1:3];

  assign copies = copy_job_q.op == PolyNttLoaded && copy_job_q.slot >= SlotSecret;
  assign copy_next = copying_q && !fetch;
  assign copy = '{last: !copies || copy_index_q == 4'd15, store: copies, index: copy_index_q,
                  job: copy_job_q};
  assign transform_ready_o = !copying_q || (copy_next && copy.last);
  assign transform_done_o = copy_valid_q[3] && copy_q[3].last;
  assign transform_done_job_o = copy_q[3].job;

  always_comb begin
    copying_d = copying_q;
    copy_index_d = copy_index_q;
    if (copy_next) begin
      copying_d = !copy.last;
      copy_index_d = copy.last ? 4'd0 : copy_index_q + 4'd1;
    end
    if (transform_valid_i && transform_ready_o) copying_d = 1'b1;
    if (clear_i) begin
      copying_d = 1'b0;
      copy_index_d = 4'd0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      copying_q <= 1'b0;
      copy_index_q <= 4'd0;
      copy_valid_q <= '0;
    end else begin
      copying_q <= copying_d;
      copy_index_q <= copy_index_d;
      copy_valid_q <= clear_i ? '0 : {copy_valid_q[2:1], copy_next};
    end
  end

  always_ff @(posedge clk_i) begin
    if (transform_valid_i && transform_ready_o) copy_job_q <= transform_i;
    copy_q[1] <= copy;
    for (int i = 2; i <= 3; i++) copy_q[i] <= copy_q[i-1];
  end

  // ---- X ----

  logic [StepWidth-1:0] step_q;
  slot_t stream_slot_q, x_slot;
  logic [3:0] x_group;
  logic [1:0] x_exchange;
  group_t x_seats;

  always_comb begin
    x_slot = fetch ? stream_slot_q : copy_job_q.slot;
    x_group = fetch ? ~step_q[StepWidth-1-:4] : copy_index_q;
    x_exchange = exchange_of(Step8And4, digits_of(Step8And4, {1'b0, x_group}), 1'b0);
    if (!fetch && !copying_q) begin
      x_slot = read_slot_i;
      x_group = read_index_i[4:1];
      x_exchange = exchange_of(StepLinear, digits_of(StepLinear, read_index_i), 1'b0);
    end
  end

  latkem_saber_raw u_raw (
    .clk_i,
    .wipe_i,
    .wipe_addr_i,
    .we_i(x_we_i),
    .slot_i(x_slot_i),
    .index_i(x_index_i),
    .wdata_i(x_wdata_i),
    .raddr_i({4{x_slot, x_group}}),
    .exchange_i(x_exchange),
    .seats_o(x_seats)
  );

  assign read_x_o = x_seats[7:0];

  // ---- Jobs ----
  //
  // A product waits while s of it is fetched from S. It goes when the last one has made its last
  // step. The arrays hold a run: one sum's products, one after the other.

  typedef enum logic [1:0] {
    ComingNone,
    ComingFetched,  // its groups are being read
    ComingWhole,
    ComingTaken     // its product goes, and will take it
  } coming_e;

  // Stages of a step: 0 reads X, 3 has its group, 4 its coefficients, 5 these with their signs, 6
  // their multiples, and at the end of 6 the cells add them.
  localparam int unsigned Last = 6;

  typedef struct packed {
    logic                  fetch;
    logic                  first;
    logic                  negative;
    logic [PlaceWidth-1:0] place;
  } step_t;

  logic waiting_q, waiting_d, go, streaming_q, streaming_d, last_step;
  product_job_t waiting_job_q;
  coming_e coming_q, coming_d;
  logic [3:0] coming_index_q, coming_index_d;
  logic [2:1] coming_read_q;       // [i]: i cycles after S is read
  logic [2:1] coming_last_q;
  logic [StepWidth-1:0] step_d;
  logic negative_q;                // the product is subtracted
  logic run_q, run_d;              // the arrays hold a run,
  logic run_odd_q, run_first_q;    // its number of products, and the first of them is its sum's
  product_job_t run_job_q;         // its last product
  logic same_run, store_begin, storing_q, storing_d;
  logic [3:0] store_index_q, store_index_d;
  logic [Last:1] step_valid_q;
  step_t step_now;
  step_t stage_q[1:Last-1];

  assign same_run = run_q && !run_job_q.last && run_job_q.dst == waiting_job_q.dst;
  assign last_step = streaming_q && step_q == '1;
  assign go = waiting_q && coming_q == ComingWhole && (!streaming_q || last_step)
      && (!run_q || same_run);
  assign product_ready_o = !waiting_q || go;
  assign fetch = streaming_q && step_q[PlaceWidth-1:0] == '0;
  assign step_now = '{fetch: fetch, first: step_q == '0, negative: negative_q,
                      place: step_q[PlaceWidth-1:0]};
  // The last step of all is made in the next cycle, and seen in the one after it.
  assign store_begin = run_q && !storing_q && !streaming_q && step_valid_q[Last-2:1] == '0
      && (run_job_q.last || (waiting_q && !same_run));

  always_comb begin
    waiting_d = waiting_q;
    streaming_d = streaming_q;
    step_d = streaming_q ? step_q + StepWidth'(1) : step_q;
    coming_d = coming_q;
    coming_index_d = coming_index_q;
    run_d = run_q;
    storing_d = storing_q;
    store_index_d = storing_q ? store_index_q + 4'd1 : store_index_q;
    if (last_step) streaming_d = 1'b0;
    unique case (coming_q)
      ComingNone: if (waiting_q) coming_d = ComingFetched;
      ComingFetched: begin
        coming_index_d = coming_index_q + 4'd1;
        if (coming_last_q[2]) coming_d = ComingWhole;
      end
      ComingWhole: if (go) coming_d = ComingTaken;
      default: if (step_valid_q[Last-1] && stage_q[Last-1].first) coming_d = ComingNone;
    endcase
    if (coming_d != ComingFetched) coming_index_d = 4'd0;
    if (store_begin) storing_d = 1'b1;
    if (storing_q && store_index_q == 4'd15) storing_d = 1'b0;
    // The next run's first step follows when the last group has been read.
    if (storing_q && store_index_q == 4'(15 - Last)) run_d = 1'b0;
    if (go) begin
      waiting_d = 1'b0;
      streaming_d = 1'b1;
      run_d = 1'b1;
    end
    if (product_valid_i && product_ready_o) waiting_d = 1'b1;
    if (clear_i) begin
      waiting_d = 1'b0;
      streaming_d = 1'b0;
      step_d = '0;
      coming_d = ComingNone;
      coming_index_d = 4'd0;
      run_d = 1'b0;
      storing_d = 1'b0;
      store_index_d = 4'd0;
    end
  end

  logic coming_read;
  logic coming_done_q;  // all its groups are on their way
  assign coming_read = coming_q == ComingFetched && !coming_done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= 1'b0;
      streaming_q <= 1'b0;
      step_q <= '0;
      coming_q <= ComingNone;
      coming_index_q <= 4'd0;
      coming_done_q <= 1'b0;
      coming_read_q <= '0;
      coming_last_q <= '0;
      run_q <= 1'b0;
      storing_q <= 1'b0;
      store_index_q <= 4'd0;
      step_valid_q <= '0;
    end else begin
      waiting_q <= waiting_d;
      streaming_q <= streaming_d;
      step_q <= step_d;
      coming_q <= coming_d;
      coming_index_q <= coming_index_d;
      coming_done_q <= coming_d == ComingFetched && (coming_done_q || coming_index_q == 4'd15);
      coming_read_q <= clear_i ? '0 : {coming_read_q[1], coming_read};
      coming_last_q <= clear_i ? '0 : {coming_last_q[1], coming_read && coming_index_q == 4'd15};
      run_q <= run_d;
      storing_q <= storing_d;
      store_index_q <= store_index_d;
      step_valid_q <= clear_i ? '0 : {step_valid_q[Last-1:1], streaming_q};
    end
  end

  always_ff @(posedge clk_i) begin
    if (product_valid_i && product_ready_o) waiting_job_q <= product_i;
    if (go) begin
      stream_slot_q <= waiting_job_q.slot;
      run_job_q <= waiting_job_q;
      negative_q <= same_run && run_odd_q;
      run_odd_q <= !(same_run && run_odd_q);
      if (!same_run) run_first_q <= waiting_job_q.first;
    end
    stage_q[1] <= step_now;
    for (int i = 2; i < int'(Last); i++) stage_q[i] <= stage_q[i-1];
  end

  // ---- S and s ----

  logic forget_q, take;
  logic [6:0] s_raddr_q;
  small_t [15:0] s_wdata, s_rdata;
  small_t [255:0] coming_s_q, s_q;

  always_comb begin
    for (int j = 0; j < 16; j++) s_wdata[j] = wipe_i ? '0 : small_of(x_seats[j][3:0]);
  end

  latkem_ram #(
    .Width($bits(s_wdata)),
    .Depth(128)
  ) u_s (
    .clk_i,
    .we_i(wipe_i || (copy_valid_q[3] && copy_q[3].store)),
    .waddr_i(wipe_i ? wipe_c_addr_i[6:0] : {copy_q[3].job.slot[2:0], copy_q[3].index}),
    .wdata_i(s_wdata),
    .raddr_i(s_raddr_q),
    .rdata_o(s_rdata)
  );

  assign take = step_valid_q[Last-1] && stage_q[Last-1].first;

  always_ff @(posedge clk_i) begin
    forget_q <= clear_i || wipe_i;
    s_raddr_q <= {waiting_job_q.other[2:0], coming_index_q};
    if (coming_read_q[2]) coming_s_q <= {s_rdata, coming_s_q[255:16]};
    if (take) s_q <= coming_s_q;
    if (forget_q) begin
      coming_s_q <= '0;
      s_q <= '0;
    end
  end

  // ---- Coefficients ----

  group_t group_q4;
  multiples_t multiples_q6[Unroll];

  always_ff @(posedge clk_i) begin
    if (stage_q[3].fetch) group_q4 <= x_seats;
  end

  for (genvar k = 0; k < int'(Unroll); k++) begin : gen_coefficient
    logic [CoeffWidth-1:0] chosen, a_q5;

    assign chosen = group_q4[4'(15-k)-4'(stage_q[4].place)*4'(Unroll)];

    always_ff @(posedge clk_i) begin
      a_q5 <= (chosen ^ {CoeffWidth{stage_q[4].negative}}) + CoeffWidth'(stage_q[4].negative);
      multiples_q6[k].one <= a_q5;
      multiples_q6[k].three <= a_q5 + (a_q5 << 1);
      multiples_q6[k].five <= a_q5 + (a_q5 << 2);
    end
  end

  // ---- Arrays ----
  //
  // Cell j has coefficient j. It takes what cell j - Unroll had, negated where that is another lap.

  logic clear_sums_q;
  logic [3:0] store_index_q1;
  group_t [Unroll-1:0] arrays_q2;  // a group of each, times x^(Unroll-1-k)

  always_ff @(posedge clk_i) begin
    clear_sums_q <= clear_i || wipe_i || (storing_q && store_index_q == 4'd15);
    store_index_q1 <= store_index_q;
  end

  for (genvar k = 0; k < int'(Unroll); k++) begin : gen_array
    localparam int Shift = int'(Unroll) - 1 - k;
    logic [CoeffWidth-1:0] sums[256], shifted[256];

    for (genvar j = 0; j < 256; j++) begin : gen_cell
      logic [CoeffWidth-1:0] held;

      if (j < int'(Unroll)) begin : gen_lap
        assign held = -sums[256+j-int'(Unroll)];
      end else begin : gen_next
        assign held = sums[j-int'(Unroll)];
      end

      if (j < Shift) begin : gen_shifted_lap
        assign shifted[j] = -sums[256+j-Shift];
      end else begin : gen_shifted
        assign shifted[j] = sums[j-Shift];
      end

      latkem_saber_cell u_cell (
        .clk_i,
        .clear_i(clear_sums_q),
        .step_i(step_valid_q[Last]),
        .small_i(s_q[j]),
        .multiples_i(multiples_q6[k]),
        .held_i(held),
        .sum_o(sums[j])
      );
    end

    always_ff @(posedge clk_i) begin
      for (int j = 0; j < 16; j++) arrays_q2[k][j] <= shifted[{store_index_q1, 4'(j)}];
    end
  end

  // ---- Sums ----
  //
  // 1: a group of the arrays is read. 2: these are added. 3: C is added. 4: C is written.

  logic [4:1] store_valid_q;
  logic [3:0] store_group_q[1:4];
  product_job_t store_job_q;
  logic store_first_q, store_negative_q;
  group_t total_d, total_q3, sum_d, sum_q4, c_rdata;
  logic [6:0] c_raddr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) store_valid_q <= '0;
    else store_valid_q <= clear_i ? '0 : {store_valid_q[3:1], storing_q};
  end

  always_comb begin
    for (int j = 0; j < 16; j++) begin
      total_d[j] = '0;
      for (int k = 0; k < int'(Unroll); k++) total_d[j] = total_d[j] + arrays_q2[k][j];
      sum_d[j] = (store_first_q ? '0 : c_rdata[j])
          + (total_q3[j] ^ {CoeffWidth{store_negative_q}}) + CoeffWidth'(store_negative_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (store_begin) begin
      store_job_q <= run_job_q;
      store_first_q <= run_first_q;
      store_negative_q <= !run_odd_q;
    end
    store_group_q[1] <= store_index_q;
    for (int i = 2; i <= 4; i++) store_group_q[i] <= store_group_q[i-1];
    total_q3 <= total_d;
    sum_q4 <= sum_d;
    c_raddr_q <= store_valid_q[1] ? {store_job_q.dst[2:0], store_group_q[1]}
                                  : {read_acc_i[2:0], read_index_i[4:1]};
  end

  latkem_ram #(
    .Width($bits(group_t)),
    .Depth(128)
  ) u_c (
    .clk_i,
    .we_i(wipe_i || store_valid_q[4]),
    .waddr_i(wipe_i ? wipe_c_addr_i[6:0] : {store_job_q.dst[2:0], store_group_q[4]}),
    .wdata_i(wipe_i ? '0 : sum_q4),
    .raddr_i(c_raddr_q),
    .rdata_o(c_rdata)
  );

  assign product_done_o = store_valid_q[3] && store_group_q[3] == 4'd15;
  assign product_done_job_o = store_job_q;

  // The way of latkem_saber_poly to its sums is as long.
  localparam int unsigned Delay = 9;
  logic [2:1] read_upper_q;
  logic [7:0][CoeffWidth-1:0] read_c_q[Delay];

  always_ff @(posedge clk_i) begin
    read_upper_q <= {read_upper_q[1], read_index_i[0]};
    read_c_q[0] <= read_upper_q[2] ? c_rdata[15:8] : c_rdata[7:0];
    for (int i = 1; i < int'(Delay); i++) read_c_q[i] <= read_c_q[i-1];
  end

  assign read_c_o = read_c_q[Delay-1];
  assign read_ready_o = !(read_c_i && store_valid_q[1]) && !(read_x_i && (fetch || copying_q));
  assign idle_o = !copying_q && copy_valid_q == '0 && !waiting_q && !run_q && !storing_q
      && store_valid_q == '0;

`ifndef SYNTHESIS
  latkem_holds u_product_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(!waiting_q),
    .taken_i(product_valid_i),
    .what_i(1'b0)
  );

  latkem_at_most_one u_one_run (
    .clk_i,
    .rst_ni,
    .selects_i({step_valid_q[Last], clear_sums_q && !clear_i && !wipe_i && !forget_q})
  );

  latkem_at_most_one u_one_s (
    .clk_i,
    .rst_ni,
    .selects_i({coming_read_q[2], take})
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

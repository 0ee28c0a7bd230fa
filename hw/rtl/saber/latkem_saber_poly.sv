// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The polynomial unit of Saber: the coefficients as they came, X, and two lanes in lockstep, modulo
// 7681 and 12289. A sum of products in Z[x] is known from its residues (latkem_saber_crt).
//
// Transforms go as in latkem_poly, 16 groups of 16 coefficients a step. A forward one reads X first,
// then stays in V, and ends in V or C; an inverse one reads C first, goes through V, and ends in C.
// A group of a product fetches 16 coefficients from V, and takes two cycles of C for them, eight
// coefficients of the other operand and of the sum each. It goes first where both read V, in half of
// the cycles at most: a transform that is in its first step goes meanwhile. It leaves half of the
// cycles to an inverse transform that reads C. If both would write C, it waits.
//
// With 8 butterflies a lane a group of a transform takes two cycles (latkem_lane), and products stay
// as they are.
//
// Cycles are counted from the one in which a group issues, or half a group reads C.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_saber_poly
  import latkem_poly_pkg::*;
  import latkem_saber_pkg::*;
#(
  parameter int unsigned Butterflies = 16  // of a lane; 8 or 16
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           clear_i,
  // While no job is under way: all banks write zero at these addresses, of X and V, and of C.
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
  // cycles later.
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

  localparam int unsigned Halves = Butterflies == 8 ? 2 : 1;  // cycles of a transform's group

  // ---- Transforms ----

  typedef struct packed {
    logic           last;
    transform_job_t job;
    step_e          step;
    digits_t        digits;
    logic           from_x;
    logic           from_v;
    logic           from_c;
    logic           to_c;
  } control_t;

  logic fetch, c_taken, c_wanted;  // see below: of groups that issue in as many cycles
  logic next_valid, next_last, issue_idle, inverse, first_step, last_step;
  transform_job_t next_job;
  logic [4+Halves:0] next_number;  // of the group, and of the half
  logic [5:0] next_group;
  control_t next;

  latkem_poly_issue #(
    .job_t(transform_job_t),
    .Halves(Halves)
  ) u_issue (
    .clk_i,
    .rst_ni,
    .clear_i,
    .job_valid_i(transform_valid_i),
    .job_ready_o(transform_ready_o),
    .job_i(transform_i),
    .first_taken_i(c_taken),
    .later_taken_i(fetch),
    .first_next_o(c_wanted),
    .valid_o(next_valid),
    .job_o(next_job),
    .group_o(next_number),
    .last_o(next_last),
    .idle_o(issue_idle)
  );

  assign next_group = next_number[4+Halves-:6];

  always_comb begin
    inverse = next_job.op == PolyNttInverse;
    first_step = next_group[5:4] == 2'd0;
    last_step = next_group[5:4] == 2'd3;
    next.last = next_last;
    next.job = next_job;
    next.step = step_e'({1'b0, inverse ? ~next_group[5:4] : next_group[5:4]});
    next.digits = digits_of(next.step, {1'b0, next_group[3:0]});
    next.from_x = first_step && !inverse;
    next.from_c = first_step && inverse;
    next.from_v = !first_step;
    next.to_c = last_step && (inverse || next_job.slot >= SlotSecret);
  end

  // [Issue + i]: i cycles after it issues
  localparam int unsigned Issue = 1;
  localparam int unsigned Depth = 13;
  logic [Issue+Depth:0] valid_q;
  control_t [Issue+Depth:0] stage_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else valid_q <= {valid_q[Issue+Depth-1:0], next_valid};
  end

  always_ff @(posedge clk_i) begin
    stage_q[0] <= next;
    for (int i = 1; i <= Issue + Depth; i++) stage_q[i] <= stage_q[i-1];
  end

  logic [Issue+Depth:0] side;  // the h that the group at each stage makes, if not both
  if (Halves == 2) begin : gen_side
    logic [Issue+Depth:0] side_q;
    always_ff @(posedge clk_i) side_q <= {side_q[Issue+Depth-1:0], next_number[0]};
    assign side = side_q;
  end else begin : gen_both_sides
    assign side = '0;
  end

  function automatic logic is_inverse(control_t control);
    return control.job.op == PolyNttInverse;
  endfunction

  // Its operands from V are transposed.
  function automatic logic is_transposed(control_t control);
    return control.step == (is_inverse(control) ? Step8And4 : Step2);
  endfunction

  assign transform_done_o = valid_q[Issue+Depth-2] && stage_q[Issue+Depth-2].last;
  assign transform_done_job_o = stage_q[Issue+Depth-2].job;

  // ---- Products ----

  // Half a group of one.
  typedef struct packed {
    logic         upper;
    logic [3:0]   group;
    product_job_t job;
  } half_t;

  localparam int unsigned ProductDepth = 8;
  logic fetching_q, fetching_d;     // groups of fetch_job_q are still to be fetched
  product_job_t fetch_job_q;
  logic [3:0] fetch_group_q, fetch_group_d;
  logic fetch_last;
  logic [3:0] fetched_q;            // [0]: a group reads V in this cycle; [i]: i cycles ago
  half_t coming_half_q, fetched_half_q, half_d;
  logic [ProductDepth:0] half_valid_q;
  half_t [ProductDepth:0] half_q;

  // With `fetch` a group goes on its way to V as what `next` says does to issue.
  logic [3:1] fetch_q;

  assign c_taken = fetch_q[1] || fetch_q[2];
  assign fetch = fetching_q && !fetch_q[1] && !(c_wanted && (fetch_q[2] || fetch_q[3]))
      && !(valid_q[2] && stage_q[2].to_c) && !(valid_q[3] && stage_q[3].to_c);
  assign fetch_last = fetch && fetch_group_q == 4'd15;
  assign product_ready_o = !fetching_q || fetch_last;

  always_comb begin
    fetching_d = fetching_q && !fetch_last;
    fetch_group_d = fetch ? fetch_group_q + 4'd1 : fetch_group_q;
    if (product_valid_i && product_ready_o) fetching_d = 1'b1;
    if (clear_i) begin
      fetching_d = 1'b0;
      fetch_group_d = 4'd0;
    end
    half_d = half_q[0];
    half_d.upper = 1'b1;
    if (fetched_q[0]) half_d = fetched_half_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetching_q <= 1'b0;
      fetch_group_q <= 4'd0;
      fetch_q <= '0;
      fetched_q <= '0;
      half_valid_q <= '0;
    end else begin
      fetching_q <= fetching_d;
      fetch_group_q <= fetch_group_d;
      fetch_q <= clear_i ? '0 : {fetch_q[2:1], fetch};
      fetched_q <= clear_i ? '0 : {fetched_q[2:0], fetch_q[1]};
      half_valid_q <= clear_i ? '0
          : {half_valid_q[ProductDepth-1:0], fetched_q[0] || (half_valid_q[0] && !half_q[0].upper)};
    end
  end

  always_ff @(posedge clk_i) begin
    if (product_valid_i && product_ready_o) fetch_job_q <= product_i;
    coming_half_q <= '{upper: 1'b0, group: fetch_group_q, job: fetch_job_q};
    fetched_half_q <= coming_half_q;
    half_q[0] <= half_d;
    for (int i = 1; i <= ProductDepth; i++) half_q[i] <= half_q[i-1];
  end

  assign product_done_o = half_valid_q[4] && half_q[4].upper && half_q[4].group == 4'd15;
  assign product_done_job_o = half_q[4].job;

  function automatic digits_t half_digits(half_t half);
    return digits_of(StepLinear, {half.group, half.upper});
  endfunction

  assign idle_o = issue_idle && valid_q == '0 && !fetching_q && fetch_q == '0
      && !fetched_q[0] && half_valid_q == '0;

  // ---- Reads ----

  control_t issue, coming;  // what issues in this cycle, and in the next
  logic reads_v, reads_c, reads_x;

  assign issue = stage_q[Issue];
  assign coming = stage_q[Issue-1];
  assign reads_v = valid_q[Issue] && issue.from_v;
  assign reads_c = (valid_q[Issue] && issue.from_c) || half_valid_q[0];
  assign reads_x = valid_q[Issue-1] && coming.from_x;
  assign read_ready_o = !(read_c_i && reads_c) && !(read_x_i && reads_x);

  logic [3:0][8:0] v_raddr_q, v_raddr_d, x_raddr;
  logic [3:0][7:0] c_raddr_q, c_raddr_d;
  logic [1:0] v_exchange_q, v_exchange_d, c_exchange_q, c_exchange_d, x_exchange;
  logic v_turned_q, c_turned_q;
  digits_t fetch_digits, read_digits, half_0_digits;

  assign fetch_digits = digits_of(Step8And4, {1'b0, fetched_half_q.group});
  assign half_0_digits = half_digits(half_q[0]);
  assign read_digits = digits_of(StepLinear, read_index_i);

  always_comb begin
    // V: a group of a transform, or the operand of a product
    v_exchange_d = exchange_of(issue.step, issue.digits, 1'b0);
    for (int b = 0; b < 4; b++) begin
      v_raddr_d[b] = {issue.job.slot,
                      address_of(issue.step, issue.digits, 2'(b) ^ v_exchange_d)};
    end
    if (!reads_v) begin
      v_exchange_d = exchange_of(Step8And4, fetch_digits, 1'b0);
      for (int b = 0; b < 4; b++) v_raddr_d[b] = {fetched_half_q.job.slot, fetched_half_q.group};
    end
    // C: a group of a transform, a product's sum and operand side by side, or what is read
    c_exchange_d = exchange_of(issue.step, issue.digits, 1'b0);
    for (int b = 0; b < 4; b++) begin
      c_raddr_d[b] = {1'b0, issue.job.slot[2:0],
                      address_of(issue.step, issue.digits, 2'(b) ^ c_exchange_d)};
    end
    if (half_valid_q[0]) begin
      c_exchange_d = exchange_of(StepLinear, half_0_digits, 1'b0);
      for (int b = 0; b < 4; b++) begin
        // Seats 2 and 3 hold the other operand; its slots are twisted.
        c_raddr_d[b] = {(1'(b >> 1) ^ c_exchange_d[1]) ? half_q[0].job.other : half_q[0].job.dst,
                        half_q[0].group};
      end
    end else if (!reads_c) begin
      c_exchange_d = exchange_of(StepLinear, read_digits, 1'b0);
      for (int b = 0; b < 4; b++) c_raddr_d[b] = {read_acc_i, read_index_i[4:1]};
    end
    // X, a cycle before
    x_exchange = exchange_of(Step128And64, coming.digits, 1'b0);
    for (int b = 0; b < 4; b++) begin
      x_raddr[b] = {coming.job.slot,
                    address_of(Step128And64, coming.digits, 2'(b) ^ x_exchange)};
    end
    if (!reads_x) begin
      x_exchange = exchange_of(StepLinear, read_digits, 1'b0);
      for (int b = 0; b < 4; b++) x_raddr[b] = {read_slot_i, read_index_i[4:1]};
    end
  end

  // The place that comes to each seat.
  logic [3:0][1:0] v_select_q2, c_select_q2;

  always_ff @(posedge clk_i) begin
    v_raddr_q <= v_raddr_d;
    c_raddr_q <= c_raddr_d;
    v_exchange_q <= v_exchange_d;
    c_exchange_q <= c_exchange_d;
    v_turned_q <= reads_v && (is_inverse(issue) != is_transposed(issue));
    c_turned_q <= valid_q[Issue] && issue.from_c;
    for (int seat = 0; seat < 4; seat++) begin
      v_select_q2[seat] <= seat_of(2'(seat), v_turned_q) ^ v_exchange_q;
      c_select_q2[seat] <= seat_of(2'(seat), c_turned_q) ^ c_exchange_q;
    end
  end

  // ---- X ----

  logic [3:0][1:0][1:0][CoeffWidth-1:0] x_seats;  // [seat][w0]

  latkem_saber_raw u_raw (
    .clk_i,
    .wipe_i,
    .wipe_addr_i,
    .we_i(x_we_i),
    .slot_i(x_slot_i),
    .index_i(x_index_i),
    .wdata_i(x_wdata_i),
    .raddr_i(x_raddr),
    .exchange_i(x_exchange),
    .seats_o(x_seats)
  );

  assign read_x_o = {x_seats[1], x_seats[0]};

  // ---- Writes ----

  control_t done;
  half_t half_done;
  logic [1:0] done_exchange, half_exchange, next_exchange;
  logic [3:0][1:0] write_select_q;  // the seat with the word for each bank
  logic writes_v, writes_c;
  logic [7:0] makes_v, makes_c;     // the banks that take what a transform's group makes
  logic [7:0] v_we, c_we;
  logic [3:0][8:0] v_waddr;
  logic [3:0][7:0] c_waddr;

  // Slots of C from 8 on are twisted.
  function automatic logic [1:0] write_exchange_of(control_t control);
    return exchange_of(control.step, control.digits, control.to_c && !is_inverse(control));
  endfunction

  assign done = stage_q[Issue+Depth];
  assign half_done = half_q[ProductDepth];
  assign done_exchange = write_exchange_of(done);
  assign half_exchange = exchange_of(StepLinear, half_digits(half_done), 1'b0);
  assign next_exchange = write_exchange_of(stage_q[Issue+Depth-1]);
  assign writes_c = valid_q[Issue+Depth] && done.to_c;
  assign writes_v = valid_q[Issue+Depth] && !done.to_c;

  if (Halves == 1) begin : gen_made
    assign makes_v = {8{writes_v}};
    assign makes_c = {8{writes_c}};
  end else begin : gen_half_made
    logic [7:0] made;
    assign made = {{4{side[Issue+Depth]}}, {4{!side[Issue+Depth]}}};
    assign makes_v = made & {8{writes_v}};
    assign makes_c = made & {8{writes_c}};
  end

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < 4; b++) begin
      write_select_q[b] <= seat_of(2'(b) ^ next_exchange, is_inverse(stage_q[Issue+Depth-1]));
    end
  end

  always_comb begin
    for (int b = 0; b < 4; b++) begin
      v_waddr[b] = {done.job.slot, address_of(done.step, done.digits, 2'(b) ^ done_exchange)};
      c_waddr[b] = {!is_inverse(done), v_waddr[b][6:0]};
      if (half_valid_q[ProductDepth]) c_waddr[b] = {half_done.job.dst, half_done.group};
      if (wipe_i) begin
        v_waddr[b] = wipe_addr_i;
        c_waddr[b] = wipe_c_addr_i;
      end
    end
    for (int b = 0; b < 8; b++) begin
      v_we[b] = wipe_i || makes_v[b];
      // In half a group of a product only places 0 and 1 are meant.
      c_we[b] = wipe_i || makes_c[b]
          || (half_valid_q[ProductDepth] && !(1'(b >> 1) ^ half_exchange[1]));
    end
  end

  // ---- Lanes ----

  function automatic logic [6:0] factor_address(control_t control);
    logic [3:0] group;
    unique case (control.step)
      Step128And64: group = {control.digits.d1, control.digits.d2};
      Step32And16:  group = {control.digits.d1, control.digits.d3};
      default:      group = {control.digits.d3, control.digits.d2};
    endcase
    return {is_inverse(control), control.step[1:0], group};
  endfunction

  logic [1:0][5+Halves:0] factors;  // of the ranks
  if (Halves == 1) begin : gen_factors
    assign factors[0] = factor_address(stage_q[Issue+2]);
    assign factors[1] = factor_address(stage_q[Issue+7]);
  end else begin : gen_half_factors
    assign factors[0] = {factor_address(stage_q[Issue+2]), side[Issue+2]};
    assign factors[1] = {factor_address(stage_q[Issue+7]), side[Issue+7]};
  end

  lane_source_e source;

  always_comb begin
    source = LaneV;
    if (is_transposed(stage_q[Issue+2])) source = LaneVTransposed;
    if (stage_q[Issue+2].from_x) source = LaneX;
    if (stage_q[Issue+2].from_c) source = LaneC;
  end

  logic [1:0][7:0][$clog2(ModulusB)-1:0] residues;  // of what is read

  for (genvar i = 0; i < 2; i++) begin : gen_lane
    localparam int unsigned Q = (i == 0) ? ModulusA : ModulusB;
    logic [7:0][$clog2(Q)-1:0] read;

    // They select every coefficient of a lane, so each lane has registers of its own.
    (* keep, dont_merge *) lane_source_e source_q;
    (* keep, dont_merge *) logic before_1_q;
    logic side_1;

    always_ff @(posedge clk_i) begin
      source_q <= source;
      before_1_q <= is_inverse(stage_q[Issue+2]);
    end

    if (Halves == 2) begin : gen_side_1
      (* keep, dont_merge *) logic side_1_q;
      always_ff @(posedge clk_i) side_1_q <= side[Issue+2];
      assign side_1 = side_1_q;
    end else begin : gen_no_side_1
      assign side_1 = 1'b0;
    end

    latkem_lane #(
      .Q(Q),
      .Root((i == 0) ? RootA : RootB),
      .Butterflies(Butterflies)
    ) u_lane (
      .clk_i,
      .v_raddr_i(v_raddr_q),
      .c_raddr_i(c_raddr_q),
      .v_select_i(v_select_q2),
      .c_select_i(c_select_q2),
      .x_i(x_seats),
      .x_signed_i(stage_q[Issue+2].job.slot >= SlotSecret),
      .source_i(source_q),
      .half_i(side_1),
      .before_1_i(before_1_q),
      .after_1_i(!is_inverse(stage_q[Issue+6])),
      .before_2_i(is_inverse(stage_q[Issue+8])),
      .after_2_i(!is_inverse(stage_q[Issue+11])),
      .factor_1_i(factors[0]),
      .factor_2_i(factors[1]),
      .hold_i(fetched_q[3]),
      .upper_i(half_q[3].upper),
      .accumulate_i(!half_q[3].job.first),
      .write_select_i(write_select_q),
      .v_we_i(v_we),
      .v_waddr_i(v_waddr),
      .c_we_i(c_we),
      .c_waddr_i(c_waddr),
      .c_product_i(half_valid_q[ProductDepth]),
      .c_turned_i(half_exchange[0]),
      .wipe_i,
      .read_o(read)
    );

    for (genvar j = 0; j < 8; j++) begin : gen_read
      assign residues[i][j] = $clog2(ModulusB)'(read[j]);
    end
  end

  for (genvar j = 0; j < 8; j++) begin : gen_crt
    latkem_saber_crt u_crt (
      .clk_i,
      .a_i(residues[0][j][$clog2(ModulusA)-1:0]),
      .b_i(residues[1][j]),
      .x_o(read_c_o[j])
    );
  end

`ifndef SYNTHESIS
  latkem_at_most_one u_one_read_v (
    .clk_i,
    .rst_ni,
    .selects_i({reads_v, fetched_q[0]})
  );

  latkem_at_most_one u_one_read_c (
    .clk_i,
    .rst_ni,
    .selects_i({valid_q[Issue] && issue.from_c, half_valid_q[0]})
  );

  latkem_at_most_one u_one_write_c (
    .clk_i,
    .rst_ni,
    .selects_i({writes_c, half_valid_q[ProductDepth]})
  );

  latkem_at_most_one u_one_half (
    .clk_i,
    .rst_ni,
    .selects_i({fetched_q[0], half_valid_q[0] && !half_q[0].upper})
  );

  latkem_holds u_product_holds (
    .clk_i,
    .rst_ni,
    .clear_i,
    .offered_i(product_ready_o && !fetching_q),
    .taken_i(product_valid_i),
    .what_i(1'b0)
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

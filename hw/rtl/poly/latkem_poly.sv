// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The polynomial unit: transforms modulo q, products in the transform's domain, and the memories
// of polynomials. FIPS 203 algorithms 9 to 12.
//
// Memories: V vectors, C accumulators, N noise, of eight banks each (latkem_poly_pkg), and A the
// matrix, four pairs of coefficients a word. A transform reads eight words a cycle, that is 16
// coefficients, in four steps of 16 cycles; each step goes through two ranks of eight butterflies,
// two layers. The first step of a forward transform reads N or C, the last of an inverse one
// writes V; between them a transform stays in V, an inverse one in C. A product takes four words,
// that is four pairs, a cycle: rank 1 multiplies a0 b0 and a1 b1, rank 2 gamma (a1 b1) and
// (a0 + a1)(b0 + b1).
//
// With 8 butterflies a rank has four, and a group takes two cycles: w0 = 0 and then w0 = 1, in
// Step2 places 0 and 1 and then 2 and 3. Both cycles read all banks of the group, and each writes
// the words that it makes.
//
// Cycles of one group, counted from the one in which it issues: 1 addresses, 2 banks, 3 exchange
// into seats, 4 to 8 rank 1, 9 to 13 rank 2, and at the end of 13 the result is written.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_poly
  import latkem_poly_pkg::*;
#(
  parameter  int unsigned Q = 3329,
  parameter  int unsigned Root = 17,  // a 256th root of unity
  parameter  int unsigned Butterflies = 16,  // 8 or 16
  localparam int unsigned W = $clog2(Q)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  // While no job is under way: all banks write zero at this address.
  input  logic        wipe_i,
  input  logic [7:0]  wipe_addr_i,
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  poly_job_t   job_i,
  // Pulse: what the job made may be read by what issues, or is granted, from the next cycle on.
  output logic        done_o,
  output poly_job_t   done_job_o,
  // Writes that never stall: coefficients 8 i to 8 i + 7 of the matrix, 16 i to 16 i + 15 of noise
  input  logic        a_we_i,
  input  logic [8:0]  a_waddr_i,
  input  logic [8*W-1:0] a_wdata_i,
  input  logic        n_we_i,
  input  logic [7:0]  n_waddr_i,
  input  logic [47:0] n_wdata_i,
  // Coefficients 8 i to 8 i + 7 from the decoder
  input  logic        load_valid_i,
  output logic        load_next_v_o,  // in the next cycle a load to V, or C, is accepted
  output logic        load_next_c_o,
  input  logic        load_to_c_i,
  input  logic [3:0]  load_slot_i,
  input  logic [4:0]  load_index_i,
  input  logic [8*W-1:0] load_data_i,
  // Coefficients 8 i to 8 i + 7 to the encoder, three cycles later
  input  logic        read_valid_i,
  output logic        read_ready_o,
  input  logic [3:0]  read_slot_i,
  input  operand_e    read_operand_i,
  input  logic [3:0]  read_operand_slot_i,
  input  logic [4:0]  read_index_i,
  output logic [8*W-1:0] read_x_o,
  output logic [8*W-1:0] read_y_o,
  output logic        idle_o
);

  typedef logic [1:0][W-1:0] word_t;    // a pair of coefficients
  typedef word_t [3:0][1:0] seats_t;             // [seat][w0]

  localparam int unsigned Halves = Butterflies == 8 ? 2 : 1;  // cycles of a group
  localparam int unsigned Sides = 2 / Halves;        // values of w0 in one of them

  // ---- Issue ----

  logic unused_first_next;
  logic next_valid, next_last, issue_idle;  // what issues in the next cycle
  poly_job_t next_job;
  logic [4+Halves:0] next_group;
  logic issue_valid, issue_last;
  poly_job_t issue_job;
  logic [5:0] issue_group;

  latkem_poly_issue #(
    .Halves(Halves)
  ) u_issue (
    .clk_i,
    .rst_ni,
    .clear_i,
    .job_valid_i,
    .job_ready_o,
    .job_i,
    .first_taken_i(1'b0),
    .later_taken_i(1'b0),
    .first_next_o(unused_first_next),
    .valid_o(next_valid),
    .job_o(next_job),
    .group_o(next_group),
    .last_o(next_last),
    .idle_o(issue_idle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) issue_valid <= 1'b0;
    else issue_valid <= next_valid && !clear_i;
  end

  always_ff @(posedge clk_i) begin
    issue_job <= next_job;
    issue_group <= next_group[4+Halves-:6];
    issue_last <= next_last;
  end

  // The work of a group, and its target.
  typedef struct packed {
    logic      valid;
    logic      last;
    poly_job_t job;
    step_e     step;
    digits_t   digits;
    logic      from_n;   // a transform's step reads N, C or V
    logic      from_c;
    logic      from_v;
    logic      to_v;
  } control_t;

  logic product, inverse, first_step, last_step;
  control_t issue;

  always_comb begin
    product = issue_job.op == PolyMacMatrix || issue_job.op == PolyMacVector;
    inverse = issue_job.op == PolyNttInverse;
    first_step = issue_group[5:4] == 2'd0;
    last_step = issue_group[5:4] == 2'd3;
    issue.valid = issue_valid;
    issue.last = issue_last;
    issue.job = issue_job;
    if (product) issue.step = StepLinear;
    else issue.step = step_e'({1'b0, inverse ? ~issue_group[5:4] : issue_group[5:4]});
    issue.digits = digits_of(issue.step, product ? issue_group[4:0] : {1'b0, issue_group[3:0]});
    issue.from_n = issue_job.op == PolyNttNoise && first_step;
    issue.from_c = inverse || (issue_job.op == PolyNttLoaded && first_step);
    issue.from_v = !product && !issue.from_n && !issue.from_c;
    issue.to_v = !product && (!inverse || last_step);
  end

  localparam int unsigned Depth = 13;
  control_t control_q[Depth+1];  // [i]: i cycles after issue; [0] is not a register

  logic [Depth:1] valid_q;

  always_comb begin
    control_q[0] = issue;
  end

  for (genvar i = 1; i <= Depth; i++) begin : gen_control
    control_t stage_q;
    always_ff @(posedge clk_i) stage_q <= control_q[i-1];
    always_comb begin
      control_q[i] = stage_q;
      control_q[i].valid = valid_q[i];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else valid_q <= {valid_q[Depth-1:1], issue_valid};
  end

  logic [Depth:0] half;  // of the group at each stage
  if (Halves == 2) begin : gen_half
    logic [Depth:0] half_q;
    always_ff @(posedge clk_i) half_q <= {half_q[Depth-1:0], next_group[0]};
    assign half = half_q;
  end else begin : gen_whole
    assign half = '0;
  end

  assign done_o = valid_q[Depth-1] && control_q[Depth-1].last;
  assign done_job_o = control_q[Depth-1].job;
  assign idle_o = issue_idle && !issue_valid && valid_q == '0;

  // ---- Addresses of reads ----

  logic issue_reads_v, issue_reads_c, issue_reads_n, read_grant;
  digits_t read_digits;

  assign issue_reads_n = issue_valid && issue.from_n;
  assign issue_reads_c = issue_valid && (issue.from_c || product);
  assign issue_reads_v = issue_valid && !issue.from_n && !issue.from_c;
  assign read_ready_o = !issue_reads_v && !(read_operand_i == OperandC && issue_reads_c)
      && !(read_operand_i == OperandNoise && issue_reads_n);
  assign read_grant = read_valid_i && read_ready_o;
  assign read_digits = digits_of(StepLinear, read_index_i);

  // The slot that a transform reads: the source in its first step, then where it stays.
  logic [3:0] transform_slot;
  assign transform_slot = (inverse || first_step || product) ? issue_job.src : issue_job.dst;

  logic [3:0][7:0] v_addr_q, c_addr_q, n_addr_q;     // for banks {w0, 0} to {w0, 3}
  logic [1:0] v_exchange_q, c_exchange_q, n_exchange_q;
  logic [3:0][7:0] v_addr_d, c_addr_d, n_addr_d;
  logic [1:0] v_exchange_d, c_exchange_d, n_exchange_d;

  always_comb begin
    // V: a group, or two vectors of a product side by side, or the encoder's
    v_exchange_d = exchange_of(issue.step, issue.digits, transform_slot[3]);
    for (int b = 0; b < 4; b++) begin
      v_addr_d[b] = {transform_slot, address_of(issue.step, issue.digits, 2'(b) ^ v_exchange_d)};
      // Seats 2 and 3 of a product hold the other vector.
      if (product && (1'(b >> 1) ^ v_exchange_d[1])) v_addr_d[b][7:4] = issue_job.other;
    end
    if (!issue_reads_v) begin
      v_exchange_d = exchange_of(StepLinear, read_digits, read_slot_i[3]);
      for (int b = 0; b < 4; b++) v_addr_d[b] = {read_slot_i, read_index_i[4:1]};
    end
    // C: a group, the accumulator of a product, or the encoder's
    c_exchange_d = exchange_of(issue.step, issue.digits, 1'b0);
    for (int b = 0; b < 4; b++) begin
      c_addr_d[b] = {product ? issue_job.dst : issue_job.src,
                     address_of(issue.step, issue.digits, 2'(b) ^ c_exchange_d)};
    end
    if (!issue_reads_c) begin
      c_exchange_d = exchange_of(StepLinear, read_digits, 1'b0);
      for (int b = 0; b < 4; b++) c_addr_d[b] = {read_operand_slot_i, read_index_i[4:1]};
    end
    // N: the first step of a transform, or the encoder's
    n_exchange_d = exchange_of(Step128And64, issue.digits, 1'b0);
    for (int b = 0; b < 4; b++) begin
      n_addr_d[b] = {issue_job.src,
                     address_of(Step128And64, issue.digits, 2'(b) ^ n_exchange_d)};
    end
    if (!issue_reads_n) begin
      n_exchange_d = exchange_of(StepLinear, read_digits, 1'b0);
      for (int b = 0; b < 4; b++) n_addr_d[b] = {read_operand_slot_i, read_index_i[4:1]};
    end
  end

  // The place that comes to each seat.
  logic [3:0][1:0] v_select_q2, c_select_q2, n_select_q2;

  logic turned_1;  // the seats of an inverse transform, which reads C alone
  assign turned_1 = valid_q[1] && is_turned(control_q[1]);

  always_ff @(posedge clk_i) begin
    v_addr_q <= v_addr_d;
    c_addr_q <= c_addr_d;
    n_addr_q <= n_addr_d;
    v_exchange_q <= v_exchange_d;
    c_exchange_q <= c_exchange_d;
    n_exchange_q <= n_exchange_d;
    for (int seat = 0; seat < 4; seat++) begin
      v_select_q2[seat] <= 2'(seat) ^ v_exchange_q;
      c_select_q2[seat] <= seat_of(2'(seat), turned_1) ^ c_exchange_q;
      n_select_q2[seat] <= 2'(seat) ^ n_exchange_q;
    end
  end

  function automatic logic is_turned(control_t control);
    return control.job.op == PolyNttInverse && control.step != Step2;
  endfunction

  // ---- Memories ----

  logic [7:0] v_we, c_we, n_we;
  logic [3:0][7:0] v_waddr, c_waddr;
  logic [7:0] n_waddr;
  word_t [7:0] v_wdata, c_wdata, v_rdata, c_rdata;
  logic [7:0][5:0] n_wdata, n_rdata;
  logic [8:0] a_raddr;
  logic [8*W-1:0] a_rdata, a_q3;

  for (genvar b = 0; b < 8; b++) begin : gen_bank
    latkem_ram #(
      .Width(2 * W),
      .Depth(256)
    ) u_v (
      .clk_i,
      .we_i(v_we[b]),
      .waddr_i(v_waddr[b%4]),
      .wdata_i(v_wdata[b]),
      .raddr_i(v_addr_q[b%4]),
      .rdata_o(v_rdata[b])
    );

    latkem_ram #(
      .Width(2 * W),
      .Depth(128)
    ) u_c (
      .clk_i,
      .we_i(c_we[b]),
      .waddr_i(c_waddr[b%4][6:0]),
      .wdata_i(c_wdata[b]),
      .raddr_i(c_addr_q[b%4][6:0]),
      .rdata_o(c_rdata[b])
    );

    latkem_lutram #(
      .Width(6),
      .Depth(256)
    ) u_n (
      .clk_i,
      .we_i(n_we[b]),
      .waddr_i(n_waddr),
      .wdata_i(n_wdata[b]),
      .raddr_i(n_addr_q[b%4]),
      .rdata_o(n_rdata[b])
    );
  end

  assign a_raddr = {control_q[1].job.other, control_q[1].digits.d3, control_q[1].digits.d2,
                    control_q[1].digits.d1[1]};

  latkem_ram #(
    .Width(8 * W),
    .Depth(512)
  ) u_a (
    .clk_i,
    .we_i(a_we_i),
    .waddr_i(a_waddr_i),
    .wdata_i(a_wdata_i),
    .raddr_i(a_raddr),
    .rdata_o(a_rdata)
  );

  // Zero but for a product with the matrix.
  always_ff @(posedge clk_i) begin
    a_q3 <= (control_q[2].job.op == PolyMacMatrix) ? a_rdata : '0;
  end

  // ---- From banks into seats ----
  //
  // Seats 2 and 3 are zero but where rank 1 takes them, so that it need not choose.

  // -3 to 3 mod q
  function automatic logic [W-1:0] residue(logic [2:0] noise);
    unique case (noise)
      3'b111:  return W'(Q - 1);
      3'b110:  return W'(Q - 2);
      3'b101:  return W'(Q - 3);
      default: return W'(noise[1:0]);
    endcase
  endfunction

  seats_t v_seats_q, c_seats_q, n_seats_q;
  logic [3:0][1:0][5:0] noise;
  logic v_upper_2;

  assign v_upper_2 = control_q[2].from_v || control_q[2].job.op == PolyMacVector;

  always_comb begin
    for (int seat = 0; seat < 4; seat++) begin
      for (int w0 = 0; w0 < 2; w0++) noise[seat][w0] = n_rdata[{1'(w0), n_select_q2[seat]}];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int seat = 0; seat < 4; seat++) begin
      for (int w0 = 0; w0 < 2; w0++) begin
        v_seats_q[seat][w0] <= v_rdata[{1'(w0), v_select_q2[seat]}];
        c_seats_q[seat][w0] <= c_rdata[{1'(w0), c_select_q2[seat]}];
        for (int c = 0; c < 2; c++) n_seats_q[seat][w0][c] <= residue(noise[seat][w0][3*c+:3]);
        if (seat >= 2 && !v_upper_2) v_seats_q[seat][w0] <= '0;
        if (seat >= 2 && !control_q[2].from_c) c_seats_q[seat][w0] <= '0;
        if (seat >= 2 && !control_q[2].from_n) n_seats_q[seat][w0] <= '0;
      end
    end
  end

  operand_e operand_q[3];
  always_ff @(posedge clk_i) begin
    operand_q[0] <= read_grant ? read_operand_i : OperandNone;
    operand_q[1] <= operand_q[0];
    operand_q[2] <= operand_q[1];
  end

  always_comb begin
    read_x_o = {v_seats_q[1], v_seats_q[0]};
    unique case (operand_q[2])
      OperandC:     read_y_o = {c_seats_q[1], c_seats_q[0]};
      OperandNoise: read_y_o = {n_seats_q[1], n_seats_q[0]};
      default:      read_y_o = '0;
    endcase
  end

  // ---- Rank 1 ----
  //
  // Butterfly (l, h, c) joins seats l and l + 2 of w0 = h, coefficient c. In Step2 it joins both
  // words of place l + 2 h. In a product it multiplies coefficients c of pair 2 l + h.

  typedef logic [1:0][1:0][1:0][W-1:0] group_t;  // [l][h][c]
  typedef word_t [3:0][Sides-1:0] ranked_t;     // seats
  typedef logic [1:0][Sides-1:0][1:0][W-1:0] lanes_t;  // of the h that are made at once

  logic step2_3, product_3, before_3, after_6;
  ranked_t rank1_seats;
  logic [3:0][W-1:0] zetas_1, zetas_2;
  group_t a_3, b_3, z_3;
  lanes_t sum_1, difference_1, product_1, a_1, b_1, z_1, vector_1;

  assign step2_3 = control_q[3].step == Step2;
  assign product_3 = control_q[3].step == StepLinear;
  assign before_3 = control_q[3].job.op == PolyNttInverse;
  assign after_6 = control_q[6].job.op != PolyNttInverse;

  // Seats 0 and 1 also serve the encoder, hence are masked here.
  logic v_lower_3, c_lower_q3, n_lower_3;
  word_t [1:0][1:0] lower;
  word_t [3:2][1:0] upper;

  assign v_lower_3 = control_q[3].from_v;
  assign n_lower_3 = control_q[3].from_n;
  always_ff @(posedge clk_i) begin
    c_lower_q3 <= control_q[2].from_c
        || (control_q[2].step == StepLinear && !control_q[2].job.first);
  end

  always_comb begin
    for (int seat = 0; seat < 2; seat++) begin
      lower[seat] = (v_lower_3 ? v_seats_q[seat] : '0) | (c_lower_q3 ? c_seats_q[seat] : '0)
          | (n_lower_3 ? n_seats_q[seat] : '0);
    end
    for (int seat = 2; seat < 4; seat++) begin
      upper[seat] = v_seats_q[seat] | c_seats_q[seat] | n_seats_q[seat];
    end
  end

  function automatic logic [7:0] zeta_address(control_t control);
    logic [3:0] group;
    unique case (control.step)
      Step128And64: group = {control.digits.d1, control.digits.d2};
      Step32And16:  group = {control.digits.d1, control.digits.d3};
      default:      group = {control.digits.d3, control.digits.d2};
    endcase
    if (control.step == StepLinear) begin
      return {3'b100, control.digits.d3, control.digits.d2, control.digits.d1[1]};
    end
    return {1'b0, control.job.op == PolyNttInverse, control.step[1:0], group};
  endfunction

  latkem_zetas #(
    .Q(Q),
    .Root(Root),
    .Rank(1'b0)
  ) u_zetas_1 (
    .clk_i,
    .addr_i(zeta_address(control_q[2])),
    .zetas_o(zetas_1)
  );

  for (genvar l = 0; l < 2; l++) begin : gen_group_l
    for (genvar h = 0; h < 2; h++) begin : gen_group_h
      for (genvar c = 0; c < 2; c++) begin : gen_group_c
        always_comb begin
          a_3[l][h][c] = (h == 1 && step2_3) ? upper[l+2][0][c] : lower[l][h][c];
          b_3[l][h][c] = (h == 0 && step2_3) ? lower[l][1][c] : upper[l+2][h][c];
          b_3[l][h][c] = b_3[l][h][c] | a_q3[W*(4*l+2*h+c)+:W];
          z_3[l][h][c] = product_3 ? v_seats_q[l][h][c] : zetas_1[2*h+l];
        end
      end
    end
  end

  // The lanes take both values of w0 at once, or one after the other.
  for (genvar l = 0; l < 2; l++) begin : gen_lanes
    if (Halves == 1) begin : gen_both
      assign a_1[l] = a_3[l];
      assign b_1[l] = b_3[l];
      assign z_1[l] = z_3[l];
      assign vector_1[l] = v_seats_q[l];
    end else begin : gen_one
      assign a_1[l] = a_3[l][half[3]];
      assign b_1[l] = b_3[l][half[3]];
      assign z_1[l] = z_3[l][half[3]];
      assign vector_1[l] = v_seats_q[l][half[3]];
    end
  end

  for (genvar l = 0; l < 2; l++) begin : gen_l1
    for (genvar h = 0; h < Sides; h++) begin : gen_h1
      for (genvar c = 0; c < 2; c++) begin : gen_c1
        latkem_butterfly #(
          .Q(Q)
        ) u_butterfly (
          .clk_i,
          .before_i(before_3),
          .after_i(after_6),
          .a_i(a_1[l][h][c]),
          .b_i(b_1[l][h][c]),
          .less_i('0),
          .z_i(z_1[l][h][c]),
          .sum_o(sum_1[l][h][c]),
          .difference_o(difference_1[l][h][c]),
          .product_o(product_1[l][h][c])
        );
      end
    end
  end

  // ---- Rank 2 ----
  //
  // Butterfly (l, h, c) joins seats 2 l and 2 l + 1 of w0 = h. In a product, of pair 2 l + h, c = 0
  // makes c0 = a0 b0 + gamma a1 b1 and c = 1 makes c1 = (a0 + a1)(b0 + b1) - a0 b0 - a1 b1, added to
  // the accumulator.

  logic product_8, before_8, after_11, step2_8;
  word_t [1:0][Sides-1:0] sums_8;  // [l][h]: b0 + b1, a0 + a1 of each pair
  lanes_t sum_2, difference_2;
  ranked_t rank2_seats;

  assign product_8 = control_q[8].step == StepLinear;
  assign before_8 = control_q[8].job.op == PolyNttInverse && !step2_8;
  assign after_11 = control_q[11].job.op != PolyNttInverse && control_q[11].step != Step2;
  assign step2_8 = control_q[8].step == Step2;

  if (Halves == 1) begin : gen_seats
    always_comb begin
      for (int l = 0; l < 2; l++) begin
        for (int h = 0; h < 2; h++) begin
          for (int c = 0; c < 2; c++) begin
            rank1_seats[l][h][c] = sum_1[l][h][c];
            rank1_seats[l+2][h][c] = difference_1[l][h][c];
          end
        end
      end
      if (step2_8) begin
        for (int l = 0; l < 2; l++) begin
          for (int h = 0; h < 2; h++) begin
            for (int c = 0; c < 2; c++) begin
              rank1_seats[l+2*h][0][c] = sum_1[l][h][c];
              rank1_seats[l+2*h][1][c] = difference_1[l][h][c];
            end
          end
        end
      end
    end
  end else begin : gen_half_seats
    // In Step2 butterfly l of rank 2 takes both places' word w0 = l, which is where they are.
    always_comb begin
      for (int l = 0; l < 2; l++) begin
        rank1_seats[l] = sum_1[l];
        rank1_seats[l+2] = difference_1[l];
      end
    end
  end

  for (genvar l = 0; l < 2; l++) begin : gen_sums_l
    for (genvar h = 0; h < Sides; h++) begin : gen_sums_h
      latkem_delayed_sum #(
        .Q(Q)
      ) u_vector (
        .clk_i,
        .x_i(vector_1[l][h][0]),
        .y_i(vector_1[l][h][1]),
        .sum_o(sums_8[l][h][1])
      );

      latkem_delayed_sum #(
        .Q(Q)
      ) u_other (
        .clk_i,
        .x_i(b_1[l][h][0]),
        .y_i(b_1[l][h][1]),
        .sum_o(sums_8[l][h][0])
      );
    end
  end

  latkem_zetas #(
    .Q(Q),
    .Root(Root),
    .Rank(1'b1)
  ) u_zetas_2 (
    .clk_i,
    .addr_i(zeta_address(control_q[7])),
    .zetas_o(zetas_2)
  );

  logic [1:0][Sides-1:0][W-1:0] zetas_8;
  for (genvar l = 0; l < 2; l++) begin : gen_zetas
    if (Halves == 1) begin : gen_both
      assign zetas_8[l] = zetas_2[2*l+:2];
    end else begin : gen_one
      assign zetas_8[l] = zetas_2[{1'(l), half[8]}];
    end
  end

  for (genvar l = 0; l < 2; l++) begin : gen_l2
    for (genvar h = 0; h < Sides; h++) begin : gen_h2
      for (genvar c = 0; c < 2; c++) begin : gen_c2
        logic [W-1:0] a, b, z, less_q9, less_q10;
        always_comb begin
          a = rank1_seats[2*l][h][c];
          b = rank1_seats[2*l+1][h][c];
          z = zetas_8[l][h];
          if (product_8) begin
            if (c == 0) begin
              a = sum_1[l][h][0];
              b = product_1[l][h][1];
            end else begin
              a = difference_1[l][h][1];
              b = sums_8[l][h][0];
              z = sums_8[l][h][1];
            end
          end
        end
        always_ff @(posedge clk_i) begin
          less_q9 <= (c == 1 && product_8) ? product_1[l][h][0] : '0;
          less_q10 <= less_q9;
        end
        logic [W-1:0] unused_product;
        latkem_butterfly #(
          .Q(Q)
        ) u_butterfly (
          .clk_i,
          .before_i(before_8),
          .after_i(after_11),
          .a_i(a),
          .b_i(b),
          .less_i(less_q10),
          .z_i(z),
          .sum_o(sum_2[l][h][c]),
          .difference_o(difference_2[l][h][c]),
          .product_o(unused_product)
        );
      end
    end
  end

  always_comb begin
    for (int l = 0; l < 2; l++) begin
      for (int h = 0; h < Sides; h++) begin
        for (int c = 0; c < 2; c++) begin
          rank2_seats[2*l][h][c] = sum_2[l][h][c];
          rank2_seats[2*l+1][h][c] = difference_2[l][h][c];
        end
      end
    end
  end

  // ---- Writes ----
  //
  // A product's pairs 2 l + h are in seats 2 l, so that its places 0 and 1 are turned.

  control_t done;
  function automatic logic [1:0] write_exchange_of(control_t control);
    return exchange_of(control.step, control.digits, control.to_v && control.job.dst[3]);
  endfunction

  logic done_product, writes_v_q, writes_v_d, writes_c_q, writes_c_d;
  logic [1:0] done_exchange, load_exchange, v_write_exchange, c_write_exchange, next_exchange;
  digits_t load_digits;
  logic load_v, load_c, c_linear;
  logic [3:0][1:0] write_select_q;  // the seat with the word for each bank
  word_t [7:0] results;

  assign done = control_q[Depth];
  assign done_product = done.step == StepLinear;
  assign done_exchange = write_exchange_of(done);

  assign load_v = load_valid_i && !load_to_c_i && !writes_v_q;
  assign load_c = load_valid_i && load_to_c_i && !writes_c_q;
  assign load_digits = digits_of(StepLinear, load_index_i);
  assign load_exchange = exchange_of(StepLinear, load_digits, load_slot_i[3] && !load_to_c_i);

  assign next_exchange = write_exchange_of(control_q[Depth-1]);

  assign writes_v_d = !clear_i && control_q[Depth-1].valid && control_q[Depth-1].to_v;
  assign writes_c_d = !clear_i && control_q[Depth-1].valid && !control_q[Depth-1].to_v;
  assign load_next_v_o = !writes_v_d;
  assign load_next_c_o = !writes_c_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      writes_v_q <= 1'b0;
      writes_c_q <= 1'b0;
    end else begin
      writes_v_q <= writes_v_d;
      writes_c_q <= writes_c_d;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < 4; b++) begin
      write_select_q[b] <= seat_of(2'(b) ^ next_exchange, is_turned(control_q[Depth-1])
          || control_q[Depth-1].step == StepLinear);
    end
  end

  logic [7:0] writes_v, writes_c;  // banks that take a result
  if (Halves == 1) begin : gen_results
    always_comb begin
      for (int b = 0; b < 8; b++) results[b] = rank2_seats[write_select_q[b%4]][b/4];
    end
    assign writes_v = {8{writes_v_q}};
    assign writes_c = {8{writes_c_q}};
  end else begin : gen_half_results
    logic [7:0] made;  // in this half
    assign writes_v = made & {8{writes_v_q}};
    assign writes_c = made & {8{writes_c_q}};
    always_comb begin
      for (int b = 0; b < 8; b++) begin
        if (done.step == Step2) begin
          results[b] = rank2_seats[{1'(b/4), write_select_q[b%4][0]}][0];
          made[b] = write_select_q[b%4][1] == half[Depth];
        end else begin
          results[b] = rank2_seats[write_select_q[b%4]][0];
          made[b] = 1'(b / 4) == half[Depth];
        end
      end
    end
  end

  // The word of a load that goes to a bank, if any does.
  function automatic word_t load_word(logic [8*W-1:0] data, logic place, logic w0);
    return data[2*W*{place, w0}+:2*W];
  endfunction

  assign v_write_exchange = writes_v_q ? done_exchange : load_exchange;
  assign c_write_exchange = writes_c_q ? done_exchange : load_exchange;
  assign c_linear = !writes_c_q || done_product;

  // The slot that a group writes: an inverse transform stays in its source until its last step.
  logic [3:0] c_slot;
  assign c_slot = (done.job.op == PolyNttInverse) ? done.job.src : done.job.dst;

  always_comb begin
    for (int b = 0; b < 4; b++) begin
      v_waddr[b] = {done.job.dst, address_of(done.step, done.digits, 2'(b) ^ done_exchange)};
      c_waddr[b] = {c_slot, address_of(done.step, done.digits, 2'(b) ^ done_exchange)};
      if (!writes_v_q) v_waddr[b] = {load_slot_i, load_index_i[4:1]};
      if (!writes_c_q) c_waddr[b] = {load_slot_i, load_index_i[4:1]};
      if (wipe_i) begin
        v_waddr[b] = wipe_addr_i;
        c_waddr[b] = wipe_addr_i;
      end
    end
    for (int b = 0; b < 8; b++) begin
      // In a linear group only places 0 and 1 are meant.
      v_we[b] = wipe_i || writes_v[b] || (load_v && !(1'(b >> 1) ^ v_write_exchange[1]));
      c_we[b] = wipe_i || ((writes_c[b] || load_c)
          && !(c_linear && (1'(b >> 1) ^ c_write_exchange[1])));
      v_wdata[b] = writes_v_q ? results[b]
                            : load_word(load_data_i, 1'(b) ^ load_exchange[0], 1'(b / 4));
      c_wdata[b] = writes_c_q ? results[b]
                            : load_word(load_data_i, 1'(b) ^ load_exchange[0], 1'(b / 4));
      if (wipe_i) begin
        v_wdata[b] = '0;
        c_wdata[b] = '0;
      end
    end
  end

  // Noise, a cycle late: words 8 i to 8 i + 7 are one group of Step8And4.
  logic n_we_q;
  logic [7:0] n_waddr_q;
  logic [47:0] n_wdata_q;
  logic [1:0] n_write_exchange;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) n_we_q <= 1'b0;
    else n_we_q <= n_we_i || wipe_i;
  end

  always_ff @(posedge clk_i) begin
    n_waddr_q <= wipe_i ? wipe_addr_i : n_waddr_i;
    n_wdata_q <= wipe_i ? '0 : n_wdata_i;
  end

  assign n_write_exchange = n_waddr_q[3:2] ^ n_waddr_q[1:0];

  always_comb begin
    n_we = {8{n_we_q}};
    n_waddr = n_waddr_q;
    for (int b = 0; b < 8; b++) begin
      // Word 2 d1 + w0, d1 = place
      n_wdata[b] = n_wdata_q[6*{2'(b)^n_write_exchange, 1'(b/4)}+:6];
    end
  end

`ifndef SYNTHESIS
  latkem_at_most_one u_one_read_v (
    .clk_i,
    .rst_ni,
    .selects_i({issue_reads_v, read_grant})
  );

  latkem_at_most_one u_one_read_c (
    .clk_i,
    .rst_ni,
    .selects_i({issue_reads_c, read_grant && read_operand_i == OperandC})
  );

  latkem_at_most_one u_one_read_n (
    .clk_i,
    .rst_ni,
    .selects_i({issue_reads_n, read_grant && read_operand_i == OperandNoise})
  );

  latkem_at_most_one u_one_write_v (
    .clk_i,
    .rst_ni,
    .selects_i({writes_v_q, load_v})
  );

  latkem_at_most_one u_one_write_c (
    .clk_i,
    .rst_ni,
    .selects_i({writes_c_q, load_c})
  );

  // Values that an OR puts together.
  latkem_at_most_one #(
    .Width(3)
  ) u_one_lower (
    .clk_i,
    .rst_ni,
    .selects_i({v_lower_3, c_lower_q3, n_lower_3})
  );

  logic [3:0] upper_q3;
  always_ff @(posedge clk_i) begin
    upper_q3 <= {v_upper_2, control_q[2].from_c, control_q[2].from_n,
                 control_q[2].job.op == PolyMacMatrix};
  end

  latkem_at_most_one #(
    .Width(4)
  ) u_one_upper (
    .clk_i,
    .rst_ni,
    .selects_i(upper_q3)
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

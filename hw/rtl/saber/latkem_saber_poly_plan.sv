// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The order of the transforms and of the products of an operation. A job is offered as soon as what
// it reads is there.
//
// Transforms wait in four queues. The first one with a first job that may go goes:
//
//   inverses  v of decapsulation, v', the rows of A s or A s'
//   secrets   s or s'
//   vectors   s of decapsulation, b, b'
//   matrix    A by rows
//
// So m' is made early, and the products with s' begin early. If l = 2 everything waits for m', and
// A but its first entry waits for the inverse before it.
//
// Each sum has its products in order. The first sum with a next product that may go sends it:
//
//   v of decapsulation, b' s; v', b s'; the rows of A s', in key generation of s times A transposed

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

module latkem_saber_poly_plan
  import latkem_poly_pkg::*;
  import latkem_saber_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           clear_i,
  input  logic           start_i,
  input  saber_task_t    task_i,
  input  saber_ready_t   ready_i,
  output logic           transform_valid_o,
  input  logic           transform_ready_i,
  output transform_job_t transform_o,
  output logic           product_valid_o,
  input  logic           product_ready_i,
  output product_job_t   product_o,
  output logic           idle_o
);

  logic [1:0] last;
  assign last = 2'(task_i.params.l - 3'd1);

  // ---- Transforms ----

  typedef enum logic [1:0] {
    BackIdle,
    BackKey,     // v of decapsulation
    BackVector,  // v'
    BackRows
  } back_e;

  typedef enum logic [1:0] {
    VecIdle,
    VecKey,  // s of decapsulation
    VecB,
    VecCt    // b'
  } vector_e;

  back_e back_q, back_d;
  vector_e vector_q, vector_d;
  logic secrets_q, secrets_d, matrix_q, matrix_d;
  logic [1:0] back_row_q, back_row_d, element_q, element_d, secret_q, secret_d;
  logic [1:0] row_q, row_d, column_q, column_d, back_after;
  slot_t back_slot, vector_slot, secret_slot, matrix_slot;
  logic back_may, vector_may, secret_may, matrix_may, goes;

  always_comb begin
    back_slot = SlotSecret + slot_t'(back_row_q);
    if (!task_i.keygen && back_q == BackVector) back_slot = SlotSecret + slot_t'(AccV);
    if (task_i.decaps && back_q == BackKey) back_slot = SlotSecret + slot_t'(AccW);
    vector_slot = SlotB + slot_t'(element_q);
    if (task_i.decaps && vector_q == VecKey) vector_slot = SlotKey + slot_t'(element_q);
    if (task_i.decaps && vector_q == VecCt) vector_slot = SlotCt + slot_t'(element_q);
    secret_slot = SlotSecret + slot_t'(secret_q);
    matrix_slot = {1'b0, row_q, column_q};
    // A row late: the last rows of A are what everything waits for.
    back_after = (back_q == BackVector) ? 2'd0 : back_row_q + 2'd1;
    back_may = back_q != BackIdle && ready_i.sums[back_slot[2:0]]
        && (back_q == BackKey || !matrix_q || row_q > back_after);
    vector_may = !task_i.keygen && vector_q != VecIdle && ready_i.raw[vector_slot];
    secret_may = secrets_q && ready_i.raw[secret_slot];
    matrix_may = matrix_q && ready_i.raw[matrix_slot]
        && !(back_q == BackKey && task_i.params.l == 3'd2 && column_q != 2'd0);
    transform_o.op = back_may ? PolyNttInverse : PolyNttLoaded;
    if (back_may) transform_o.slot = back_slot;
    else if (secret_may) transform_o.slot = secret_slot;
    else if (vector_may) transform_o.slot = vector_slot;
    else transform_o.slot = matrix_slot;
    transform_valid_o = back_may || secret_may || vector_may || matrix_may;
    goes = transform_valid_o && transform_ready_i;
  end

  always_comb begin
    back_d = back_q;
    back_row_d = back_row_q;
    vector_d = vector_q;
    element_d = element_q;
    secrets_d = secrets_q;
    secret_d = secret_q;
    matrix_d = matrix_q;
    row_d = row_q;
    column_d = column_q;
    if (goes && back_may) begin
      unique case (back_q)
        BackKey:    back_d = BackVector;
        BackVector: back_d = BackRows;
        default: begin
          back_row_d = back_row_q + 2'd1;
          if (back_row_q == last) back_d = BackIdle;
        end
      endcase
    end else if (goes && secret_may) begin
      secret_d = secret_q + 2'd1;
      secrets_d = secret_q != last;
    end else if (goes && vector_may) begin
      element_d = (element_q == last) ? 2'd0 : element_q + 2'd1;
      if (element_q == last) begin
        unique case (vector_q)
          VecKey:  vector_d = VecB;
          VecB:    vector_d = task_i.decaps ? VecCt : VecIdle;
          default: vector_d = VecIdle;
        endcase
      end
    end else if (goes) begin
      column_d = (column_q == last) ? 2'd0 : column_q + 2'd1;
      if (column_q == last) begin
        row_d = row_q + 2'd1;
        matrix_d = row_q != last;
      end
    end
    if (start_i) begin
      back_row_d = 2'd0;
      element_d = 2'd0;
      secret_d = 2'd0;
      row_d = 2'd0;
      column_d = 2'd0;
      secrets_d = 1'b1;
      matrix_d = 1'b1;
      if (task_i.keygen) begin
        back_d = BackRows;
        vector_d = VecIdle;
      end else begin
        back_d = task_i.decaps ? BackKey : BackVector;
        vector_d = task_i.decaps ? VecKey : VecB;
      end
    end
    if (clear_i) begin
      back_d = BackIdle;
      vector_d = VecIdle;
      secrets_d = 1'b0;
      matrix_d = 1'b0;
    end
  end

  // ---- Products ----

  // Sums by their slot of C.
  localparam int unsigned Sums = 6;
  logic [Sums-1:0] open_q, open_d, may;  // products are left; the next one may go
  logic [Sums-1:0][1:0] place_q, place_d;  // the next one
  acc_t dst;
  slot_t [Sums-1:0] operand;
  slot_t [Sums-1:0] other;  // V's slot of that transform; C has the lower bits

  always_comb begin
    for (int i = 0; i < int'(Sums); i++) begin
      operand[i] = task_i.keygen ? {1'b0, place_q[i], 2'(i)} : {1'b0, 2'(i), place_q[i]};
      other[i] = SlotSecret + slot_t'(place_q[i]);
      if (acc_t'(i) == AccV) operand[i] = SlotB + slot_t'(place_q[i]);
      if (acc_t'(i) == AccW) begin
        operand[i] = SlotCt + slot_t'(place_q[i]);
        other[i] = SlotKey + slot_t'(place_q[i]);
      end
      may[i] = open_q[i] && ready_i.transformed[operand[i]] && ready_i.transformed[other[i]];
    end
    dst = AccW;
    for (int i = 3; i >= 0; i--) begin
      if (may[i]) dst = acc_t'(i);
    end
    if (may[AccV[2:0]]) dst = AccV;
    if (may[AccW[2:0]]) dst = AccW;
    product_valid_o = may != '0;
    product_o.slot = operand[dst[2:0]];
    product_o.other = {1'b1, other[dst[2:0]][2:0]};
    product_o.dst = dst;
    product_o.first = place_q[dst[2:0]] == 2'd0;
    product_o.last = place_q[dst[2:0]] == last;
  end

  always_comb begin
    open_d = open_q;
    place_d = place_q;
    if (product_valid_o && product_ready_i) begin
      place_d[dst[2:0]] = place_q[dst[2:0]] + 2'd1;
      if (product_o.last) open_d[dst[2:0]] = 1'b0;
    end
    if (start_i) begin
      place_d = '0;
      for (int i = 0; i < 4; i++) open_d[i] = 2'(i) <= last;
      open_d[AccV[2:0]] = !task_i.keygen;
      open_d[AccW[2:0]] = task_i.decaps;
    end
    if (clear_i) open_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      back_q <= BackIdle;
      back_row_q <= 2'd0;
      vector_q <= VecIdle;
      element_q <= 2'd0;
      secrets_q <= 1'b0;
      secret_q <= 2'd0;
      matrix_q <= 1'b0;
      row_q <= 2'd0;
      column_q <= 2'd0;
      open_q <= '0;
      place_q <= '0;
    end else begin
      back_q <= back_d;
      back_row_q <= back_row_d;
      vector_q <= vector_d;
      element_q <= element_d;
      secrets_q <= secrets_d;
      secret_q <= secret_d;
      matrix_q <= matrix_d;
      row_q <= row_d;
      column_q <= column_d;
      open_q <= open_d;
      place_q <= place_d;
    end
  end

  // The last inverse goes last.
  assign idle_o = back_q == BackIdle;

`ifndef SYNTHESIS
  // Which job waits may change.
  latkem_holds u_transform_holds (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i || start_i),
    .offered_i(transform_valid_o),
    .taken_i(transform_ready_i),
    .what_i(1'b0)
  );

  latkem_holds u_product_holds (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i || start_i),
    .offered_i(product_valid_o),
    .taken_i(product_ready_i),
    .what_i(1'b0)
  );
`endif

endmodule

// verilator lint_on UNUSEDSIGNAL

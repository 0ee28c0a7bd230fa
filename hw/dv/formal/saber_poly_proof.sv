// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_saber_poly: at each memory, of all that reads or writes it, one does in a cycle, whatever
// jobs come when. The assertions are its own.

module saber_poly_proof
  import latkem_poly_pkg::*;
  import latkem_saber_pkg::*;
#(
  parameter int unsigned Butterflies = 16
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           clear_i,
  input logic           transform_valid_i,
  input transform_job_t transform_i,
  input logic           product_valid_i,
  input product_job_t   product_i
);

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;
  always_comb begin
    assume (rst_ni == !begin_q);
    assume (transform_i.op == PolyNttLoaded || transform_i.op == PolyNttInverse);
  end

  logic transform_ready, product_ready, transform_done, product_done, read_ready, idle;
  transform_job_t transform_done_job;
  product_job_t product_done_job;
  logic [7:0][CoeffWidth-1:0] read_x, read_c;

  latkem_saber_poly #(
    .Butterflies(Butterflies)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .wipe_i(1'b0),
    .wipe_addr_i('0),
    .wipe_c_addr_i('0),
    .transform_valid_i,
    .transform_ready_o(transform_ready),
    .transform_i,
    .product_valid_i,
    .product_ready_o(product_ready),
    .product_i,
    .transform_done_o(transform_done),
    .transform_done_job_o(transform_done_job),
    .product_done_o(product_done),
    .product_done_job_o(product_done_job),
    .x_we_i('0),
    .x_slot_i('0),
    .x_index_i('0),
    .x_wdata_i('0),
    .read_ready_o(read_ready),
    .read_x_i(1'b0),
    .read_c_i(1'b0),
    .read_slot_i('0),
    .read_acc_i('0),
    .read_index_i('0),
    .read_x_o(read_x),
    .read_c_o(read_c),
    .idle_o(idle)
  );

endmodule

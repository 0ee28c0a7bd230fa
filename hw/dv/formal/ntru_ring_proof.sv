// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// latkem_ntru_ring: no word is stored where one lies that has not been overwritten, each word is
// fetched once, where it lies, in order, and overwritten after that unless it is kept. One place of
// the memory is followed.

module ntru_ring_proof
  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_ntru_pkg::*;
(
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  clear_i,
  input logic                  start_i,
  input logic [CountWidth-1:0] keep_i,
  input logic                  word_valid_i,
  input logic                  store_ready_i,
  input logic                  wanted_i,
  input logic                  wipe_ready_i,
  input word_addr_t            any_place_i
);

  logic word_ready, store_valid, fetch, wipe_valid;
  word_addr_t store_addr, raddr, wipe_addr;

  latkem_ntru_ring u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .start_i,
    .keep_i,
    .word_valid_i,
    .word_ready_o(word_ready),
    .store_valid_o(store_valid),
    .store_ready_i,
    .store_addr_o(store_addr),
    .wanted_i,
    .fetch_o(fetch),
    .raddr_o(raddr),
    .wipe_valid_o(wipe_valid),
    .wipe_ready_i,
    .wipe_addr_o(wipe_addr)
  );

  logic begin_q = 1'b1;
  always_ff @(posedge clk_i) begin_q <= 1'b0;
  always_comb assume (rst_ni == !begin_q);

  logic stores, wipes;
  assign stores = store_valid && store_ready_i;
  assign wipes = wipe_valid && wipe_ready_i;

  // The content of the place: whether a word, which one, and whether it has been fetched.
  word_addr_t place_q;
  logic [CountWidth-1:0] keep_q, stored_q, fetched_q, wiped_q, word_q;
  logic holds_q, spent_q;

  always_ff @(posedge clk_i) begin
    keep_q <= keep_i;
    if (!rst_ni || clear_i) begin
      place_q <= any_place_i;
      stored_q <= '0;
      fetched_q <= '0;
      wiped_q <= '0;
      holds_q <= 1'b0;
    end else begin
      stored_q <= stored_q + CountWidth'(stores);
      fetched_q <= fetched_q + CountWidth'(fetch);
      wiped_q <= wiped_q + CountWidth'(wipes);
      if (fetch && raddr == place_q) spent_q <= 1'b1;
      if (wipes && wipe_addr == place_q) holds_q <= 1'b0;
      if (stores && store_addr == place_q) begin
        holds_q <= 1'b1;
        spent_q <= 1'b0;
        word_q <= stored_q;
      end
    end
  end

  // Counts do not go round: requests are shorter. The kept words do not change during one.
  always_comb begin
    assume (any_place_i < word_addr_t'(RingWords));
    assume (stored_q < CountWidth'(2000));
    assume (begin_q || keep_i == keep_q);
    if (!begin_q) begin
      assert ((word_valid_i && word_ready) == stores && !(start_i && stores));
      assert (!(store_valid && wipe_valid));
      if (stores && store_addr == place_q) assert (!holds_q);
      if (fetch) assert (wanted_i);
      if (fetch && raddr == place_q) assert (holds_q && !spent_q && word_q == fetched_q);
      if (wipes && wipe_addr == place_q) assert (holds_q && spent_q && word_q == wiped_q);
      if (wipes) assert (wiped_q != keep_i);
    end
  end

  // Invariants that make the above inductive: which words lie where.
  logic [CountWidth-1:0] lying, fetched, at;  // words; of them fetched; from the oldest to the place
  function automatic logic [CountWidth-1:0] further(word_addr_t addr, logic [CountWidth-1:0] by);
    logic [CountWidth-1:0] sum;
    sum = CountWidth'(addr) + by;
    return (sum >= CountWidth'(RingWords)) ? sum - CountWidth'(RingWords) : sum;
  endfunction

  always_comb begin
    lying = stored_q - wiped_q;
    fetched = fetched_q - wiped_q;
    at = CountWidth'(place_q) - CountWidth'(wipe_addr);
    if (place_q < wipe_addr) at = at + CountWidth'(RingWords);
    if (!begin_q) begin
      assert (u_dut.stored_q.count == stored_q && u_dut.fetched_q.count == fetched_q);
      assert (u_dut.wiped_q.count == wiped_q);
      assert (lying <= CountWidth'(RingWords) && fetched <= lying);
      assert (wiped_q <= stored_q && stored_q <= CountWidth'(2000));
      assert (place_q < word_addr_t'(RingWords) && wipe_addr < word_addr_t'(RingWords));
      assert (CountWidth'(store_addr) == further(wipe_addr, lying));
      assert (CountWidth'(raddr) == further(wipe_addr, fetched));
      assert (holds_q == (at < lying));
      if (holds_q) assert (spent_q == (at < fetched) && word_q == wiped_q + at);
    end
  end

endmodule

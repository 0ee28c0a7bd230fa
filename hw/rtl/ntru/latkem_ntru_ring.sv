// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The request's words on their way through the memory of words: stored as they come, fetched once in
// their order, then overwritten while nothing else is written. They take the first words of the memory
// in turn, and wait where a word lies that has not been overwritten.

module latkem_ntru_ring
  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_ntru_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        start_i,       // no word passes, whether one could or not
  input  logic [CountWidth-1:0] keep_i,  // words of this number and above are not overwritten
  // request
  input  logic        word_valid_i,
  output logic        word_ready_o,
  output logic        store_valid_o,
  input  logic        store_ready_i,
  output word_addr_t  store_addr_o,
  // fetching
  input  logic        wanted_i,
  output logic        fetch_o,       // a word is fetched,
  output word_addr_t  raddr_o,       // from here
  // overwriting
  output logic        wipe_valid_o,
  input  logic        wipe_ready_i,
  output word_addr_t  wipe_addr_o
);

  typedef struct packed {
    logic [CountWidth-1:0] count;
    word_addr_t            addr;
  } place_t;

  function automatic place_t after(place_t place);
    after.count = place.count + CountWidth'(1);
    after.addr = place.addr + WordAddrWidth'(1);
    if (place.addr == WordAddrWidth'(RingWords - 1)) after.addr = '0;
  endfunction

  place_t stored_q, fetched_q, wiped_q;
  logic room, stores, wipes;

  assign room = !start_i && stored_q.count - wiped_q.count != CountWidth'(RingWords);
  assign word_ready_o = room && store_ready_i;
  assign store_valid_o = word_valid_i && room;
  assign stores = word_valid_i && word_ready_o;
  assign fetch_o = wanted_i && fetched_q.count != stored_q.count;

  assign wipe_valid_o = !store_valid_o && wiped_q.count != fetched_q.count
      && wiped_q.count != keep_i;
  assign wipes = wipe_valid_o && wipe_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stored_q <= '0;
      fetched_q <= '0;
      wiped_q <= '0;
    end else if (clear_i) begin
      stored_q <= '0;
      fetched_q <= '0;
      wiped_q <= '0;
    end else begin
      if (stores) stored_q <= after(stored_q);
      if (fetch_o) fetched_q <= after(fetched_q);
      if (wipes) wiped_q <= after(wiped_q);
    end
  end

  assign store_addr_o = stored_q.addr;
  assign raddr_o = fetched_q.addr;
  assign wipe_addr_o = wiped_q.addr;

endmodule

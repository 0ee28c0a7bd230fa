// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The plan of a core of ML-KEM and Kyber: where things lie, and what is ready.
//
// Memory of words, 64 bits each, with E = 48 k:
//
//   0        ek: t of E words, rho of 4 (key generation: t alone, rho lies with G's output)
//   E +  4   H(ek), 4 words
//   E +  8   z, 4 words
//   E + 12   ct; in key generation s of E words
//   448      m (key generation: d); then four words for Kyber's m before it is hashed
//   456      G's output: K or rho, then r or sigma
//   464      the key of implicit rejection; in Kyber the key before the last hash
//   468      H(ct) of Kyber
//   472      ss
//
// Slots of vectors: y or s 0 to 3; u or e 4 to 7; t from 8; s of decapsulation from 8 + k. The slot
// of t's first polynomial later holds v, that of s's first holds v - u s.
// Accumulators: rows 0 to 3 (before that u as it was loaded), 4 v, 5 v as it was loaded, 6 s u.
// Noise: s or y 0 to 3; e or e1 4 to 7; e2 8. Matrix: row i, column j in slot 4 i + j.

package latkem_mlkem_pkg;

  import latkem_pkg::*;

  localparam word_addr_t AddrMessage = 9'd448;
  localparam word_addr_t AddrRaw     = 9'd452;
  localparam word_addr_t AddrSeeds   = 9'd456;
  localparam word_addr_t AddrNoise   = 9'd460;
  localparam word_addr_t AddrReject  = 9'd464;
  localparam word_addr_t AddrHashCt  = 9'd468;
  localparam word_addr_t AddrShared  = 9'd472;

  localparam logic [3:0] SlotRow     = 4'd4;  // V: u or e; N: e or e1
  localparam logic [3:0] SlotT       = 4'd8;  // V
  localparam logic [3:0] SlotV       = 4'd8;  // V, when t has been used
  localparam logic [3:0] SlotNoiseV  = 4'd8;  // N
  localparam logic [3:0] SlotAccV    = 4'd4;  // C
  localparam logic [3:0] SlotLoadedV = 4'd5;  // C
  localparam logic [3:0] SlotAccW    = 4'd6;  // C

  // What an operation is about; constant while it runs.
  typedef struct packed {
    logic       keygen;
    logic       encaps;
    logic       decaps;
    mlkem_set_t params;
  } mlkem_task_t;

  // What has been made so far.
  typedef struct packed {
    logic [15:0] matrix;    // slots of A
    logic [8:0]  noise;     // slots of N
    logic [15:0] vectors;   // slots of V that a transform wrote
    logic [7:0]  sums;      // slots of C whose last product is in
    logic [3:0]  loaded;    // how many polynomials the decoder has stored
    logic        seed;      // d is loaded
    logic        rho;       // decaps: rho is loaded
    logic        received;  // the whole request is loaded
    logic        hash_ek_begun;  // its first word; the others follow in the next cycles
    logic        hash_ek;
    logic        message_begun;  // its first word
    logic        message;   // encaps: m is in its place. decaps: m' is
    logic        expanded;  // G's output up to the first word of r or sigma; the others follow
    logic        reject;    // the key of implicit rejection
    logic        hash_ct_begun;  // its first word
    logic        hash_ct;
    logic        selected;  // K' or the key of implicit rejection, whichever it is to be
    logic        shared_begun;   // ss's first word
    logic        shared;
  } mlkem_ready_t;

  function automatic word_addr_t addr_rho(logic [2:0] k);
    return WordAddrWidth'(mlkem_vector_words(k));
  endfunction

  function automatic word_addr_t addr_hash_ek(logic [2:0] k);
    return WordAddrWidth'(mlkem_ek_words(k));
  endfunction

  function automatic word_addr_t addr_z(logic [2:0] k);
    return WordAddrWidth'(mlkem_linear(k, 48, 8));
  endfunction

  function automatic word_addr_t addr_ct(logic [2:0] k);
    return WordAddrWidth'(mlkem_linear(k, 48, 12));
  endfunction

  // The last polynomial of ct.
  function automatic word_addr_t addr_ct_v(logic [2:0] k);
    if (k == 3'd4) return WordAddrWidth'(48 * 4 + 12 + 44 * 4);
    return WordAddrWidth'(mlkem_linear(k, 48 + 40, 12));
  endfunction

  // Slot of the first polynomial of s in decapsulation.
  function automatic logic [3:0] slot_s(logic [2:0] k);
    return SlotT + 4'(k);
  endfunction

endpackage

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A core of Saber: its sets as rows (checked against spec/sets.json), the jobs of its units, where
// things lie, and what is ready.
//
// Memory of words, 64 bits each, with E = 40 l:
//
//   0        pk: b of E words, seed_A of 4
//   E +  4   H(pk), 4 words
//   E +  8   z, 4 words
//   E + 12   ct; in key generation s of 52 l words
//   448      m (key generation: a0); then four words for what m is the hash of (seed_s)
//   456      G's output: K, then r
//   464      K or z, whichever is hashed last
//   468      H(ct)
//   472      ss
//
// Slots of X, coefficients as they came, and of V, their transforms: row i, column j of A in slot
// 4 i + j, b from 16, b' from 20, s from 24, s of decapsulation from 28. X's slot of that s's first
// polynomial later holds c. Transforms of the two kinds of s end in C, from 8 and from 12.
// Accumulators in C: rows 0 to 3, 4 v', 5 v. Their inverse transforms go through V from 24.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

package latkem_saber_pkg;

  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_poly_pkg::*;

  // ---- Saber: q = 2^13, p = 2^10, n = 256 ----

  localparam int unsigned SaberSets = 3;       // indices 9 to 11 of `latkem list`
  localparam int unsigned SaberFirst = 9;
  localparam int unsigned CoeffWidth = 13;

  // Products are made modulo both: sums have at most 26 bits, with their sign.
  localparam int unsigned ModulusA = 7681;
  localparam int unsigned RootA = 62;          // 512th roots of unity
  localparam int unsigned ModulusB = 12289;
  localparam int unsigned RootB = 3;

  // A parameter set: the rank, the binomial distribution's parameter, and bits of c.
  typedef struct packed {
    logic [2:0] l;
    logic [3:0] mu;
    logic [2:0] et;
  } saber_set_t;

  function automatic saber_set_t saber_set(logic [1:0] index);
    unique case (index)
      2'd0:    saber_set = '{l: 3'd2, mu: 4'd10, et: 3'd3};
      2'd1:    saber_set = '{l: 3'd3, mu: 4'd8, et: 3'd4};
      default: saber_set = '{l: 3'd4, mu: 4'd6, et: 3'd6};
    endcase
  endfunction

  // a l + b, chosen from its three values: a product of l would be slow.
  function automatic logic [CountWidth-1:0] saber_linear(logic [2:0] l, int unsigned a,
                                                         int unsigned b);
    unique case (l)
      3'd2:    return CountWidth'(2 * a + b);
      3'd3:    return CountWidth'(3 * a + b);
      default: return CountWidth'(4 * a + b);
    endcase
  endfunction

  // ---- Sinks of the hash unit, beside SinkDigest ----

  localparam sink_t SinkSecret = 2'd1;  // 32 mu l bytes: the polynomials of s
  localparam sink_t SinkMatrix = 2'd2;  // 416 l^2 bytes: those of A, row by row

  // ---- Jobs of the polynomial unit ----

  typedef logic [4:0] slot_t;  // of X and V
  typedef logic [3:0] acc_t;   // of C

  // PolyNttLoaded: V[slot] = NTT(X[slot]), from slot 24 on C[slot - 16]. PolyNttInverse:
  // C[slot - 24] = NTT^-1(C[slot - 24]).
  typedef struct packed {
    poly_op_e op;
    slot_t    slot;
  } transform_job_t;

  // C[dst] (+)= V[slot] * C[other], other 8 to 15, dst 0 to 7
  typedef struct packed {
    slot_t slot;
    acc_t  other;
    acc_t  dst;
    logic  first;  // the product is stored, not accumulated
    logic  last;   // the sum is complete
  } product_job_t;

  // ---- Products by the schoolbook ----

  // A coefficient of s, -5 to 5: a sign, and which multiple it takes. Zero is all zeros.
  typedef struct packed {
    logic       negative;
    logic [2:0] code;  // 4 to 7: 1 to 4 times; 1: 5 times; 0: none
  } small_t;

  // Of a coefficient that is multiplied; twice and four times it are wires.
  typedef struct packed {
    logic [CoeffWidth-1:0] one;
    logic [CoeffWidth-1:0] three;
    logic [CoeffWidth-1:0] five;
  } multiples_t;

  // Of the lower bits of a two's complement; what is out of range takes a multiple all the same.
  function automatic small_t small_of(logic [3:0] value);
    logic [3:0] magnitude;
    magnitude = (value ^ {4{value[3]}}) + 4'(value[3]);
    small_of.negative = value[3];
    unique case (magnitude)
      4'd0:    small_of.code = 3'd0;
      4'd1:    small_of.code = 3'd4;
      4'd2:    small_of.code = 3'd5;
      4'd3:    small_of.code = 3'd6;
      4'd4:    small_of.code = 3'd7;
      default: small_of.code = 3'd1;
    endcase
  endfunction

  // ---- Coding jobs ----

  // The encoder's output for a polynomial, d bits a coefficient:
  typedef enum logic [1:0] {
    RoundSecret  = 2'd0,  // X[slot] as it is, d = 13
    RoundRow     = 2'd1,  // C[acc] + h1, its bits 3 to 12, d = 10
    RoundC       = 2'd2,  // C[acc] + h1 - 2^9 m, the upper d = eT of its bits 0 to 9
    RoundMessage = 2'd3   // C[acc] + h2 - 2^(10-eT) X[slot], its bit 9, d = 1
  } round_e;

  typedef struct packed {
    round_e rounding;
    slot_t slot;
    acc_t  acc;
  } encode_job_t;

  // The decoder stores polynomials of d bits a coefficient as they are.
  typedef struct packed {
    logic [3:0] d;  // 3, 4, 6, 10 or 13
    slot_t      slot;
  } decode_job_t;

  // ---- Where things lie ----

  localparam word_addr_t AddrMessage = 9'd448;
  localparam word_addr_t AddrRaw     = 9'd452;
  localparam word_addr_t AddrSeeds   = 9'd456;
  localparam word_addr_t AddrNoise   = 9'd460;
  localparam word_addr_t AddrKey     = 9'd464;
  localparam word_addr_t AddrHashCt  = 9'd468;
  localparam word_addr_t AddrShared  = 9'd472;

  localparam slot_t SlotB      = 5'd16;
  localparam slot_t SlotCt     = 5'd20;
  localparam slot_t SlotSecret = 5'd24;
  localparam slot_t SlotKey    = 5'd28;  // s of decapsulation
  localparam slot_t SlotC      = 5'd28;  // X, when that s has been transformed

  localparam acc_t AccSecret = 4'd8;
  localparam acc_t AccKey    = 4'd12;
  localparam acc_t AccV      = 4'd4;
  localparam acc_t AccW      = 4'd5;

  // Of an operation and its set: lengths in words of 64 bits, and where things lie. A polynomial of d
  // bits a coefficient is 4 d words. The core keeps them in registers: what is decoded from l where it
  // is used comes late.
  typedef struct packed {
    logic [CountWidth-1:0] request_words;   // that follow the command word
    logic [CountWidth-1:0] response_words;  // that follow the header, with StatusOk
    logic [CountWidth-1:0] secret_words;    // s
    logic [CountWidth-1:0] vector_words;    // b
    logic [CountWidth-1:0] ct_words;        // b', and c of 3, 4 or 6 bits
    logic [CountWidth-1:0] first_words;     // s or ct, with which the response begins
    word_addr_t            seed_a;
    word_addr_t            hash_ek;
    word_addr_t            z;
    word_addr_t            ct_b;            // ct, first b'; in key generation s
    word_addr_t            ct_c;            // c
  } saber_layout_t;

  function automatic saber_layout_t saber_layout(logic [2:0] l, logic keygen, logic encaps);
    logic [CountWidth-1:0] dk, ek;
    ek = saber_linear(l, 40, 4);
    dk = saber_linear(l, 92, 12);
    saber_layout.secret_words = saber_linear(l, 52, 0);
    saber_layout.vector_words = saber_linear(l, 40, 0);
    unique case (l)
      3'd2:    saber_layout.ct_words = CountWidth'(2 * 40 + 12);
      3'd3:    saber_layout.ct_words = CountWidth'(3 * 40 + 16);
      default: saber_layout.ct_words = CountWidth'(4 * 40 + 24);
    endcase
    saber_layout.first_words = keygen ? saber_layout.secret_words : saber_layout.ct_words;
    if (keygen) begin
      saber_layout.request_words = CountWidth'(12);
      saber_layout.response_words = dk;
    end else if (encaps) begin
      saber_layout.request_words = ek + CountWidth'(4);
      saber_layout.response_words = saber_layout.ct_words + CountWidth'(4);
    end else begin
      saber_layout.request_words = dk + saber_layout.ct_words;
      saber_layout.response_words = CountWidth'(4);
    end
    saber_layout.seed_a = WordAddrWidth'(saber_layout.vector_words);
    saber_layout.hash_ek = WordAddrWidth'(ek);
    saber_layout.z = WordAddrWidth'(saber_linear(l, 40, 8));
    saber_layout.ct_b = WordAddrWidth'(saber_linear(l, 40, 12));
    saber_layout.ct_c = WordAddrWidth'(saber_linear(l, 80, 12));
  endfunction

  // The parameters of an operation; constant while it runs.
  typedef struct packed {
    logic          keygen;
    logic          encaps;
    logic          decaps;
    saber_set_t    params;
    saber_layout_t layout;
  } saber_task_t;

  // The results made so far.
  typedef struct packed {
    logic [31:0] raw;         // slots of X
    logic [31:0] transformed; // slots of V, from 24 on those of C
    logic [7:0]  sums;        // slots of C whose last product is in
    logic [7:0]  inverted;    // and whose inverse transform is done
    logic        c;           // decaps: c is loaded
    logic        received;    // the whole request is loaded
    logic        seed_a;      // decaps: it is loaded. keygen: its first word is there
    logic        hash_ek_begun;  // its first word; the others follow in the next cycles
    logic        message_begun;  // its first word
    logic        message;     // encaps: m is in its place. decaps: m' is
    logic        expanded;    // G's output up to the first word of r; the others follow
    logic        secret;      // keygen: seed_s is loaded
    logic        seed;        // keygen: a0 is loaded
    logic        hash_ct_begun;  // its first word
    logic        hash_ct;
    logic        selected;    // K or z, the selected one
    logic        shared_begun;   // ss's first word
  } saber_ready_t;

  // The slots of C that held secrets, in order: sums, then the other operands. X and V have secrets
  // from slot 24 on, where the lower bits are those of one of these.
  function automatic logic [3:0] next_slot(saber_task_t task_, logic [3:0] slot);
    logic end_of_vector;
    end_of_vector = {1'b0, slot[1:0]} == task_.params.l - 3'd1;
    next_slot = slot + 4'd1;
    if (slot[3:2] == 2'd0 && end_of_vector) next_slot = task_.keygen ? AccSecret : AccV;
    if (slot == (task_.decaps ? AccW : AccV)) next_slot = AccSecret;
    if (slot[3:2] == 2'd2 && end_of_vector) next_slot = AccKey;
  endfunction

  function automatic logic is_last_slot(saber_task_t task_, logic [3:0] slot);
    return {1'b0, slot[1:0]} == task_.params.l - 3'd1
        && slot[3:2] == (task_.decaps ? 2'd3 : 2'd2);
  endfunction

endpackage

// verilator lint_on UNUSEDSIGNAL

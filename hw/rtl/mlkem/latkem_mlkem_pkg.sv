// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A core of ML-KEM and Kyber: its sets as rows (checked against spec/sets.json), the jobs of its
// codecs, where things lie, and what is ready.
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

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

package latkem_mlkem_pkg;

  import latkem_pkg::*;
  import latkem_hash_pkg::*;
  import latkem_poly_pkg::*;

  // ---- ML-KEM and Kyber: q = 3329, n = 256 ----

  localparam int unsigned MlkemQ = 3329;
  localparam int unsigned MlkemRoot = 17;
  localparam int unsigned CoeffWidth = 12;
  localparam int unsigned MlkemSets = 6;  // indices 0 to 5 of `latkem list`

  // A parameter set, FIPS 203 table 2. `kyber` selects round 3 in place of FIPS 203.
  typedef struct packed {
    logic       kyber;
    logic [2:0] k;
    logic [1:0] eta1;
    logic [3:0] du;
    logic [3:0] dv;
  } mlkem_set_t;

  function automatic mlkem_set_t mlkem_set(logic [2:0] index);
    unique case (index)
      3'd0:    mlkem_set = '{kyber: 1'b0, k: 3'd2, eta1: 2'd3, du: 4'd10, dv: 4'd4};
      3'd1:    mlkem_set = '{kyber: 1'b0, k: 3'd3, eta1: 2'd2, du: 4'd10, dv: 4'd4};
      3'd2:    mlkem_set = '{kyber: 1'b0, k: 3'd4, eta1: 2'd2, du: 4'd11, dv: 4'd5};
      3'd3:    mlkem_set = '{kyber: 1'b1, k: 3'd2, eta1: 2'd3, du: 4'd10, dv: 4'd4};
      3'd4:    mlkem_set = '{kyber: 1'b1, k: 3'd3, eta1: 2'd2, du: 4'd10, dv: 4'd4};
      default: mlkem_set = '{kyber: 1'b1, k: 3'd4, eta1: 2'd2, du: 4'd11, dv: 4'd5};
    endcase
  endfunction

  // a k + b, chosen from its three values: a product of k would be slow.
  function automatic logic [CountWidth-1:0] mlkem_linear(logic [2:0] k, int unsigned a,
                                                         int unsigned b);
    unique case (k)
      3'd2:    return CountWidth'(2 * a + b);
      3'd3:    return CountWidth'(3 * a + b);
      default: return CountWidth'(4 * a + b);
    endcase
  endfunction

  // Lengths in words of 64 bits: a polynomial of d bits a coefficient is 4 d words.
  function automatic logic [CountWidth-1:0] mlkem_vector_words(logic [2:0] k);
    return mlkem_linear(k, 48, 0);
  endfunction

  function automatic logic [CountWidth-1:0] mlkem_ek_words(logic [2:0] k);
    return mlkem_linear(k, 48, 4);
  endfunction

  function automatic logic [CountWidth-1:0] mlkem_dk_words(logic [2:0] k);
    return mlkem_linear(k, 96, 12);
  endfunction

  // k polynomials of du bits and one of dv: 10 and 4, but 11 and 5 where k = 4.
  function automatic logic [CountWidth-1:0] mlkem_ct_words(logic [2:0] k);
    return (k == 3'd4) ? CountWidth'(4 * (44 + 5)) : mlkem_linear(k, 40, 16);
  endfunction

  // Words that follow the command word in a request.
  function automatic logic [CountWidth-1:0] mlkem_request_words(logic [2:0] k, op_e op);
    unique case (op)
      OpKeygen: return CountWidth'(8);
      OpEncaps: return mlkem_ek_words(k) + CountWidth'(4);
      OpDecaps: return mlkem_dk_words(k) + mlkem_ct_words(k);
      default:  return '0;
    endcase
  endfunction

  // Words that follow the header of a response with StatusOk.
  function automatic logic [CountWidth-1:0] mlkem_response_words(logic [2:0] k, op_e op);
    unique case (op)
      OpKeygen: return mlkem_dk_words(k);
      OpEncaps: return mlkem_ct_words(k) + CountWidth'(4);
      OpDecaps: return CountWidth'(4);
      default:  return '0;
    endcase
  endfunction

  // ---- Sinks of the hash unit, beside SinkDigest ----

  localparam sink_t SinkCbd2 = 2'd1;    // 128 bytes to a slot of noise, eta = 2
  localparam sink_t SinkCbd3 = 2'd2;    // 192 bytes to a slot of noise, eta = 3
  localparam sink_t SinkMatrix = 2'd3;  // rejection sampling to a slot of the matrix

  // ---- Coding jobs ----

  // The encoder sends Encode_d(Compress_d(c)) with c = operand + V[slot], or operand - V[slot],
  // plus the message's Decompress_1 where `message` is set. d = 12 is not compressed.
  typedef struct packed {
    logic [3:0] d;  // 1, 4, 5, 10, 11 or 12
    logic [3:0] slot;
    operand_e   operand;
    logic [3:0] operand_slot;
    logic       negate;
    logic       message;
  } encode_job_t;

  // The decoder stores Decompress_d(Decode_d(words)), or Decode_12(words) mod q.
  typedef struct packed {
    logic [3:0] d;     // 4, 5, 10, 11 or 12
    logic       to_c;  // to C, else to V
    logic [3:0] slot;
  } decode_job_t;

  // ---- Where things lie ----

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

  // The parameters of an operation; constant while it runs.
  typedef struct packed {
    logic       keygen;
    logic       encaps;
    logic       decaps;
    mlkem_set_t params;
  } mlkem_task_t;

  // The results made so far.
  typedef struct packed {
    logic [15:0] matrix;    // slots of A
    logic [8:0]  noise;     // slots of N
    logic [15:0] vectors;   // slots of V that a transform wrote
    logic [7:0]  sums;      // slots of C that have their last product
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
    logic        selected;  // K' or the key of implicit rejection, the selected one
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

  // The slots that held secrets, of all groups of memory together, in order: those of vectors and
  // rows, v or e2, and s.
  function automatic logic [3:0] next_slot(mlkem_task_t task_, logic [3:0] slot);
    logic [2:0] k;
    k = task_.params.k;
    next_slot = slot + 4'd1;
    if (slot < 4'd4) begin
      if (slot == 4'(k) - 4'd1) next_slot = SlotRow;
    end else if (slot < 4'd8) begin
      if (slot == 4'(k) + 4'd3 && !(task_.decaps && slot < SlotAccW)) next_slot = SlotV;
      if (task_.decaps && k == 3'd2 && slot == SlotAccW) next_slot = SlotV;
    end else begin
      if (slot == SlotV) next_slot = slot_s(k);
    end
  endfunction

  function automatic logic is_last_slot(mlkem_task_t task_, logic [3:0] slot);
    logic [2:0] k;
    k = task_.params.k;
    if (slot < 4'd4) return 1'b0;
    if (slot < 4'd8) return task_.keygen && slot == 4'(k) + 4'd3;
    return !task_.decaps || slot == slot_s(k) + 4'(k) - 4'd1;
  endfunction

endpackage

// verilator lint_on UNUSEDSIGNAL

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// A core of NTRU: its sets as rows (checked against spec/sets.json), trits and groups, the stages of
// the array, and where things lie. A core has one set, so lengths are constants.
//
// Memory of words, 64 bits each. The request runs through words 0 to 447, and again from 0 on where
// it is longer; what has been cut is overwritten. Then:
//
//   0        ek (keygen) or ct (encaps); in keygen dk behind it. In decaps ct lies behind dk, z in
//            the four words before it
//   448      pack_S3(r) || pack_S3(m)
//   492      zero
//   496      H(r || m), 500 H(z || ct), 504 ss, 508 z of keygen

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

package latkem_ntru_pkg;

  import latkem_pkg::*;
  import latkem_hash_pkg::*;

  // ---- A set, by its number from index 12 of `latkem list` on ----

  typedef struct packed {
    logic [9:0] n;
    logic [3:0] log_q;
    logic       hrss;
  } ntru_set_t;

  function automatic ntru_set_t ntru_set(logic [1:0] index);
    unique case (index)
      2'd0:    ntru_set = '{n: 10'd509, log_q: 4'd11, hrss: 1'b0};
      2'd1:    ntru_set = '{n: 10'd677, log_q: 4'd11, hrss: 1'b0};
      2'd2:    ntru_set = '{n: 10'd821, log_q: 4'd12, hrss: 1'b0};
      default: ntru_set = '{n: 10'd701, log_q: 4'd13, hrss: 1'b1};
    endcase
  endfunction

  // Lengths in bytes: a polynomial of S_3, one of R/q, and what key generation or encapsulation draws.
  function automatic int unsigned trit_bytes(ntru_set_t set);
    return (32'(set.n) + 3) / 5;
  endfunction

  function automatic int unsigned coeff_bytes(ntru_set_t set);
    return (32'(set.log_q) * (32'(set.n) - 1) + 7) / 8;
  endfunction

  function automatic int unsigned sample_bytes(ntru_set_t set);
    int unsigned degree;
    degree = 32'(set.n) - 1;
    return set.hrss ? 2 * degree : degree + 30 * degree / 8;
  endfunction

  function automatic int unsigned dk_bytes(ntru_set_t set);
    return 2 * trit_bytes(set) + coeff_bytes(set) + 32;
  endfunction

  function automatic int unsigned words_of(int unsigned bytes);
    return (bytes + 7) / 8;
  endfunction

  // Words that follow the command word in a request.
  function automatic logic [CountWidth-1:0] ntru_request_words(ntru_set_t set, op_e op);
    unique case (op)
      OpKeygen: return CountWidth'(words_of(sample_bytes(set)) + 4);
      OpEncaps: return CountWidth'(words_of(coeff_bytes(set)) + words_of(sample_bytes(set)));
      OpDecaps: return CountWidth'(words_of(dk_bytes(set)) + words_of(coeff_bytes(set)));
      default:  return '0;
    endcase
  endfunction

  // Words that follow the header of a response with StatusOk.
  function automatic logic [CountWidth-1:0] ntru_response_words(ntru_set_t set, op_e op);
    unique case (op)
      OpKeygen: return CountWidth'(words_of(coeff_bytes(set)) + words_of(dk_bytes(set)));
      OpEncaps: return CountWidth'(words_of(coeff_bytes(set)) + 4);
      OpDecaps: return CountWidth'(4);
      default:  return '0;
    endcase
  endfunction

  // ---- Trits and groups ----

  // Coefficients move in groups of five: pack_S3 makes a byte of each. Group g has those of index 5 g
  // to 5 g + 4, the lowest first.
  localparam int unsigned GroupSize = 5;
  localparam int unsigned GroupWidth = 8;  // of a group's number
  typedef logic [GroupWidth-1:0] group_t;

  // Groups of n coefficients, and of the n - 1 that are packed.
  function automatic int unsigned all_groups(ntru_set_t set);
    return (32'(set.n) + 4) / 5;
  endfunction

  function automatic int unsigned packed_groups(ntru_set_t set);
    return (32'(set.n) + 3) / 5;
  endfunction

  // 0, 1, and 2 for -1.
  typedef logic [1:0] trit_t;
  typedef trit_t [GroupSize-1:0] trit_group_t;

  function automatic trit_t trit_negated(trit_t a);
    return {a[0], a[1]};
  endfunction

  function automatic trit_t trit_product(trit_t a, trit_t b);
    return {(a[0] & b[1]) | (a[1] & b[0]), (a[0] & b[0]) | (a[1] & b[1])};
  endfunction

  function automatic trit_t trit_sum(trit_t a, trit_t b);
    logic zero_a, zero_b;
    zero_a = a == 2'd0;
    zero_b = b == 2'd0;
    return {(a[1] & zero_b) | (zero_a & b[1]) | (a[0] & b[0]),
            (a[0] & zero_b) | (zero_a & b[0]) | (a[1] & b[1])};
  endfunction

  function automatic trit_t group_sum(trit_group_t group);
    trit_t low, high;
    low = trit_sum(group[0], group[1]);
    high = trit_sum(group[2], group[3]);
    return trit_sum(trit_sum(low, high), group[4]);
  endfunction

  // A trit of the two lowest bits of a coefficient that is 0, 1 or -1.
  function automatic trit_t trit_of(logic [1:0] low);
    return {low[1], low[0] & ~low[1]};
  endfunction

  // Lanes of a group with an index below `bound`.
  function automatic logic [GroupSize-1:0] lanes_below(group_t group, int unsigned bound);
    for (int unsigned i = 0; i < GroupSize; i++) begin
      lanes_below[i] = 32'(group) < bound / GroupSize
          || (32'(group) == bound / GroupSize && i < bound % GroupSize);
    end
  endfunction

  // ---- Digits ----

  // A digit in base 4, -1 to 2: two bits of a coefficient, and what the bits below them carry. Their sum
  // modulo 4 is the digit, but that 3 is -1, which carries.
  typedef struct packed {
    logic [1:0] bits;
    logic       carry;
  } digit_t;

  function automatic logic [1:0] digit_sum(digit_t digit);
    return {digit.bits[1] ^ (digit.bits[0] & digit.carry), digit.bits[0] ^ digit.carry};
  endfunction

  // ---- Parts of a request ----

  typedef enum logic [2:0] {
    PartNone   = 3'd0,
    PartCoeffs = 3'd1,  // log q bits each
    PartTrits  = 3'd2,  // pack_S3
    PartSample = 3'd3,  // a byte each, modulo 3
    PartFields = 3'd4,  // 30 bits each, to be sorted
    PartZ      = 3'd5   // four words
  } part_e;

  // ---- Polynomials ----

  // Banks of memory: trits f or r; g, f3 or m. Coefficients 1/h or G f; c or the inverse of G f.
  typedef enum logic [1:0] {
    BankF = 2'd0,
    BankG = 2'd1,
    BankA = 2'd2,
    BankV = 2'd3
  } bank_e;

  // ---- Stages of the array: a product, then its read-out, which may load the next operand ----

  // The result for coefficient c_k of a product:
  typedef enum logic [2:0] {
    OpPlain    = 3'd0,  // c_k
    OpNewton   = 3'd1,  // 2 - c
    OpG        = 3'd2,  // 3 c, in HRSS 3 (x - 1) c
    OpPhi      = 3'd3,  // c mod Phi
    OpTrits    = 3'd4,  // c modulo 3 and Phi
    OpLiftFrom = 3'd5,  // m is that; from the bank: the ciphertext less Lift(m)
    OpLiftTo   = 3'd6   // m from the bank: c + Lift(m)
  } read_e;

  typedef struct packed {
    bank_e      digits;   // the operand that streams
    logic [2:0] further;  // passes over its digits after the first one
    read_e      read;
    bank_e      beside;   // OpLiftFrom, OpLiftTo: what is read beside the product
    logic       load;     // the result is the next operand
    logic       store;    // or goes into `bank`
    bank_e      bank;
    logic       reload;   // the next operand comes from `from`
    bank_e      from;
    logic       join_;    // the result is packed as coefficients,
    logic       pack;     // or as trits
  } stage_t;

  // ---- Where things lie ----

  localparam int unsigned RingWords = 448;
  localparam word_addr_t AddrPacked = 9'd448;
  localparam word_addr_t AddrZero   = 9'd492;
  localparam word_addr_t AddrKey    = 9'd496;
  localparam word_addr_t AddrReject = 9'd500;
  localparam word_addr_t AddrShared = 9'd504;
  localparam word_addr_t AddrZ      = 9'd508;

endpackage

// verilator lint_on UNUSEDSIGNAL

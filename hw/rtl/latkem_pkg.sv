// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// What all cores share: the operations and statuses of the stream protocol, the parameter sets
// as rows (checked against spec/sets.json), and the jobs that the sequencer gives to the units.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

package latkem_pkg;

  // ---- The stream protocol ----

  typedef enum logic [3:0] {
    OpNone   = 4'd0,
    OpKeygen = 4'd1,
    OpEncaps = 4'd2,
    OpDecaps = 4'd3
  } op_e;

  typedef enum logic [7:0] {
    StatusOk         = 8'd0,
    StatusBadCommand = 8'd1,
    StatusBadLength  = 8'd2,
    StatusBadEk      = 8'd3,
    StatusBadDk      = 8'd4
  } status_e;

  // Words of 64 bits in one object of the largest request and response: 593 and 397 words.
  localparam int unsigned CountWidth = 10;

  // ---- ML-KEM and Kyber: q = 3329, n = 256 ----

  localparam int unsigned MlkemQ = 3329;
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

  // Words that follow the header of a response whose status is StatusOk.
  function automatic logic [CountWidth-1:0] mlkem_response_words(logic [2:0] k, op_e op);
    unique case (op)
      OpKeygen: return mlkem_dk_words(k);
      OpEncaps: return mlkem_ct_words(k) + CountWidth'(4);
      OpDecaps: return CountWidth'(4);
      default:  return '0;
    endcase
  endfunction

  // ---- Memory of words: what a hash reads and writes, and what a response is sent from ----

  localparam int unsigned WordAddrWidth = 9;  // 512 words of 64 bits
  typedef logic [WordAddrWidth-1:0] word_addr_t;

  // ---- Hash jobs ----

  typedef enum logic [1:0] {
    HashSha3_256 = 2'd0,  // rate 136, suffix 06
    HashSha3_512 = 2'd1,  // rate  72, suffix 06
    HashShake128 = 2'd2,  // rate 168, suffix 1F
    HashShake256 = 2'd3   // rate 136, suffix 1F
  } hash_e;

  typedef enum logic [1:0] {
    SinkDigest = 2'd0,  // words to the memory of words
    SinkCbd2   = 2'd1,  // 128 bytes to a slot of noise, eta = 2
    SinkCbd3   = 2'd2,  // 192 bytes to a slot of noise, eta = 3
    SinkMatrix = 2'd3   // rejection sampling to a slot of the matrix
  } sink_e;

  // The message is `first_words` words of the memory from `first_addr`, `second_words` words
  // from `second_addr`, then `tail_bytes` (0 to 2) bytes of `tail`, lowest first.
  typedef struct packed {
    hash_e                 hash;
    sink_e                 sink;
    logic                  follows;       // words of the first piece may not be there yet
    word_addr_t            first_addr;
    logic [7:0]            first_words;
    word_addr_t            second_addr;
    logic [2:0]            second_words;
    logic [1:0]            tail_bytes;
    logic [15:0]           tail;
    word_addr_t            digest_addr;   // SinkDigest: where the first word goes
    logic [3:0]            digest_words;  // SinkDigest: 4 or 8
    logic                  check;         // SinkDigest: compared with what lies there
    logic [3:0]            slot;          // other sinks: which polynomial
  } hash_job_t;

  // ---- Jobs of the polynomial unit ----
  //
  // Three groups of memory hold polynomials of 256 coefficients in slots: V vectors (16), C
  // accumulators (8), N noise (16, coefficients -3 to 3), and A the matrix (16).

  typedef enum logic [2:0] {
    PolyNttNoise   = 3'd0,  // V[dst] = NTT(N[src])
    PolyNttLoaded  = 3'd1,  // V[dst] = NTT(C[src])
    PolyNttInverse = 3'd2,  // V[dst] = NTT^-1(C[src])
    PolyMacMatrix  = 3'd3,  // C[dst] (+)= A[other] * V[src], src 0 to 7
    PolyMacVector  = 3'd4   // C[dst] (+)= V[other] * V[src], other 8 to 15, src 0 to 7
  } poly_op_e;

  typedef struct packed {
    poly_op_e   op;
    logic [3:0] src;
    logic [3:0] other;
    logic [3:0] dst;
    logic       first;  // a product is stored, not accumulated
  } poly_job_t;

  typedef enum logic [1:0] {
    OperandNone  = 2'd0,
    OperandC     = 2'd1,
    OperandNoise = 2'd2
  } operand_e;

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

endpackage

// verilator lint_on UNUSEDSIGNAL

// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The memory of words of a core, and the jobs of the hash unit.

// Records are passed whole; each user takes the fields it needs.
// verilator lint_off UNUSEDSIGNAL

package latkem_hash_pkg;

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

  // The sink of a job's output: the memory of words, or the core's unit behind this one.
  typedef logic [1:0] sink_t;
  localparam sink_t SinkDigest = 2'd0;

  // The message is `first_words` words of the memory from `first_addr`, `second_words` words
  // from `second_addr`, then `tail_bytes` (0 to 2) bytes of `tail`, lowest first.
  typedef struct packed {
    hash_e                 hash;
    sink_t                 sink;
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

endpackage

// verilator lint_on UNUSEDSIGNAL

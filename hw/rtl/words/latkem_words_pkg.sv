// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a request that are decoded, and what the encoder sends.

package latkem_words_pkg;

  typedef enum logic [1:0] {
    PartSecret = 2'd0,  // s of decapsulation
    PartVector = 2'd1,  // t, or b of Saber
    PartCt     = 2'd2,  // the vector of ct
    PartLast   = 2'd3   // its last polynomial
  } decode_part_e;

  typedef enum logic [1:0] {
    CodeNone  = 2'd0,
    CodeFirst = 2'd1,  // s, or m' of decapsulation
    CodeRow   = 2'd2,  // t, b or the vector of ct
    CodeLast  = 2'd3   // the last polynomial of ct
  } code_part_e;

endpackage

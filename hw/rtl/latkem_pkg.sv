// Copyright latkem contributors.
// SPDX-License-Identifier: Apache-2.0
//
// The stream protocol of every core: its operations, statuses and lengths.

package latkem_pkg;

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

  // Of a number of words in a request or response. The longest has 593, with its command.
  localparam int unsigned CountWidth = 10;

endpackage

// SPDX-License-Identifier: MIT
// The barrier of TTL_PAPERS: two trees and a latch.
//
// A PE holds one of two strobes. When every PE holds `strobe_set`, the latch is set; when every PE holds
// `strobe_clear`, it is cleared. To arrive, a PE changes over to the other strobe; it may go on when the latch has
// followed. The latch cannot change twice before a PE has seen it: for that the PE itself would have to change its
// strobes. A PE that holds both strobes, as an unplugged cable does, is no member: both trees look through it.
`default_nettype none

module papers_barrier #(
    parameter PES = 4
) (
    input wire clock,
    input wire reset,

    input wire [PES-1:0] strobe_set,
    input wire [PES-1:0] strobe_clear,

    output wire turn,    // the latch changes at the end of this clock
    output reg  ready_q  // the latch
);
    wire all_set = &strobe_set;
    wire all_clear = &strobe_clear;

    // Both trees at once mean that there is no member: then nothing changes.
    assign turn = ready_q ? all_clear & ~all_set : all_set & ~all_clear;

    always @(posedge clock)
        if (reset) ready_q <= 1'b0;
        else if (turn) ready_q <= ~ready_q;
endmodule

`default_nettype wire

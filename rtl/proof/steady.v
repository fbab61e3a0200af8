// SPDX-License-Identifier: MIT
// The lines of one port, as seen from it: a word counts as a whole or not at all, and every word counts.
`default_nettype none

module steady #(
    parameter STEADY = 8
) (
    input wire clock,

    input wire       change,
    input wire [7:0] wanted,
    input wire [7:0] follow,

    output wire torn,    // what counts is neither the present word nor the one before
    output wire unheard  // all lines have shown a word for STEADY clocks, and it does not count
);
    wire [7:0] word, before, lines, taken;
    wire kept;
    port #(
        .STEADY(STEADY)
    ) from (
        .clock(clock), .change(change), .wanted(wanted), .follow(follow),
        .word(word), .before(before), .lines(lines), .kept(kept)
    );
    papers_steady #(
        .STEADY(STEADY)
    ) dut (
        .clock(clock), .lines(lines), .taken_q(taken)
    );

    // The words that the port held when the lines left it that are compared now, three registers later.
    reg [7:0] word_then[0:2], before_then[0:2];
    reg kept_then[0:2];
    integer k;
    always @(posedge clock) begin
        word_then[0] <= word;
        before_then[0] <= before;
        kept_then[0] <= kept;
        for (k = 1; k < 3; k = k + 1) begin
            word_then[k] <= word_then[k-1];
            before_then[k] <= before_then[k-1];
            kept_then[k] <= kept_then[k-1];
        end
    end
    assign torn = taken != word_then[2] && taken != before_then[2];
    assign unheard = kept_then[2] && taken != word_then[2];
endmodule

`default_nettype wire

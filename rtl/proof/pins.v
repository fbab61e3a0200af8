// SPDX-License-Identifier: MIT
// TTL_PAPERS at the pins of printer ports, as seen from a member there: any of the PEs, which never holds both strobes.
// The others do anything.
//
// The records here are the knowledge of that PE: the word that its port holds, and what came back.
`default_nettype none

module pins #(
    parameter PES    = 2,
    parameter STEADY = 3
) (
    input wire clock,

    input wire [  PES-1:0] change,
    input wire [PES*8-1:0] wanted,
    input wire [PES*8-1:0] follow,
    input wire [      4:0] some_pe,

    output wire early,   // the latch changes although the member keeps its strobes
    output wire dropped  // an interrupt is over although the member has not acknowledged it
);
    reg picked;
    reg [4:0] a;
    initial picked = 0;
    always @(posedge clock) begin
        picked <= 1;
        if (!picked) a <= some_pe % PES;
    end

    wire [PES*8-1:0] words, lines;
    wire [PES*5-1:0] to_pe;
    genvar g;
    generate
        for (g = 0; g < PES; g = g + 1) begin : ports
            wire [7:0] before;
            wire kept;
            wire both = wanted[g*8+4] & wanted[g*8+5];
            port #(
                .STEADY(STEADY)
            ) from (
                .clock(clock), .change(picked & change[g] & ~(both & (a == g))),
                .wanted(wanted[g*8+:8]), .follow(follow[g*8+:8]),
                .word(words[g*8+:8]), .before(before), .lines(lines[g*8+:8]), .kept(kept)
            );
        end
    endgenerate
    papers_pins #(
        .PES(PES), .STEADY(STEADY)
    ) dut (
        .clock(clock), .from_pe(lines), .to_pe(to_pe)
    );

    // A word is back at the port after it has followed, come through three registers, counted, and moved the latch.
    localparam BACK = (STEADY - 1) + 3 + STEADY + 2;
    wire [7:0] word = words[a*8+:8];
    wire latch = to_pe[a*5+4];
    wire interrupt = word[6], select = word[7];
    reg [7:0] word_was;
    reg [4:0] reads_latch, reads_pending;
    reg cleared, set, shown;
    wire keeps = word == word_was && !select;
    always @(posedge clock) begin
        word_was <= word;
        if (!keeps) begin
            reads_latch <= 0;
            cleared <= 0;
            set <= 0;
        end else if (reads_latch < BACK) reads_latch <= reads_latch + 1;
        else begin
            if (!latch) cleared <= 1;
            if (latch) set <= 1;
        end
        if (!select || interrupt) begin
            reads_pending <= 0;
            shown <= 0;
        end else if (reads_pending < BACK) reads_pending <= reads_pending + 1;
        else if (latch) shown <= 1;
    end
    assign early = keeps && ((cleared && latch && !word[4]) || (set && !latch && !word[5]));
    assign dropped = shown && select && !interrupt && !latch;
endmodule

`default_nettype wire

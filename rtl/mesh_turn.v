// SPDX-License-Identifier: MIT
// One output of a router: which input may use it. Ports are numbered as in mesh_router.v.
//
// A packet has the output to itself from its header to its last word. Between packets the inputs have it in turn: the
// one that had it last comes last.
`default_nettype none

module mesh_turn (
    input wire clock,
    input wire reset,

    input  wire [4:0] ask,    // the inputs with a header for this output
    input  wire [4:0] open,   // the inputs whose packet goes on after the word that waits
    input  wire       moves,  // a word goes through the output at the end of this clock
    output wire [4:0] grant,  // the input that has the output, or none

    output reg       locked_q,  // in the middle of a packet
    output reg [4:1] after_q    // the inputs after the one that had the output last
);
    // 4'b1110 if that was input 1, since `after_q` is then inputs 2 to 4.
    wire [4:0] last = ~{after_q, 1'b0} & {1'b1, after_q};

    wire [4:0] later = ask & {after_q, 1'b0};
    wire [4:0] chosen = |later ? later & -later : ask & -ask;
    assign grant = locked_q ? last : chosen;

    always @(posedge clock)
        if (reset) begin
            locked_q <= 1'b0;
            after_q <= 4'b0000;
        end else if (moves) begin
            locked_q <= |(grant & open);
            after_q <= {|grant[3:0], |grant[2:0], |grant[1:0], grant[0]};
        end
endmodule

`default_nettype wire

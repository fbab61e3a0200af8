// SPDX-License-Identifier: MIT
// The guarantees of one output of a router, with inputs that ask for it at any clock, and words that move at any clock
// in which the input that has the output has one.
`default_nettype none

module turn (
    input wire clock,
    input wire reset,

    input wire [4:0] ask,   // the inputs with a header for this output
    input wire [4:0] has,   // the inputs with another word
    input wire [4:0] open,  // the inputs whose packet goes on after that
    input wire       room,

    output wire shared,   // two inputs have the output
    output wire broken,   // in the middle of a packet another input has it, or none; or an input has it that did not ask
    output wire idle,     // an input asks, no packet is open, and none has it
    output wire starved   // an input asks, and five packets of others have begun since
);
    wire [4:0] grant;
    wire moves;
    mesh_turn dut (
        .clock(clock), .reset(reset), .ask(ask), .open(open), .moves(moves), .grant(grant), .locked_q(), .after_q()
    );

    reg inside;
    reg [4:0] owner;
    assign moves = room && (grant & (inside ? has : ask)) != 0;
    always @(posedge clock)
        if (reset) inside <= 0;
        else if (moves) begin
            inside <= (grant & open) != 0;
            owner <= grant;
        end

    assign shared = (grant & (grant - 1'b1)) != 0;
    assign broken = inside ? grant != owner : (grant & ~ask) != 0;
    assign idle = !inside && ask != 0 && grant == 0;

    wire [4:0] starves;
    assign starved = starves != 0;
    genvar i;
    generate
        for (i = 0; i < 5; i = i + 1) begin : inputs
            reg [2:0] others;
            always @(posedge clock)
                if (reset || !ask[i] || (moves && grant[i])) others <= 0;
                else if (moves && !inside && others < 5) others <= others + 1'b1;
            assign starves[i] = others == 5;
        end
    endgenerate
endmodule

`default_nettype wire

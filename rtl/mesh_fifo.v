// SPDX-License-Identifier: MIT
// A queue of words in a row of registers: the oldest is in slot 0, and the others move up when it leaves.
//
// On an FPGA without memories of a few words each bit takes one cell, and the first word comes straight from its
// register. `ready` depends on registers alone, so no path runs through two queues.
`default_nettype none

module mesh_fifo #(
    parameter WIDTH = 32,
    parameter DEPTH = 4    // at least 2: a queue of one word could take and give a word every other clock only
) (
    input wire clock,
    input wire reset,

    input  wire             in_valid,
    input  wire [WIDTH-1:0] in_data,
    output wire             in_ready,

    output wire             out_valid,
    output wire [WIDTH-1:0] out_data,
    input  wire             out_ready,

    output reg [      DEPTH-1:0] held_q,  // the slots that have a word: the first ones
    output reg [DEPTH*WIDTH-1:0] slots_q
);
    assign in_ready = ~held_q[DEPTH-1];
    assign out_valid = held_q[0];
    assign out_data = slots_q[WIDTH-1:0];

    wire push = in_valid & in_ready;
    wire pop = out_valid & out_ready;

    always @(posedge clock)
        if (reset) held_q <= {DEPTH{1'b0}};
        else if (push & ~pop) held_q <= {held_q[DEPTH-2:0], 1'b1};
        else if (pop & ~push) held_q <= {1'b0, held_q[DEPTH-1:1]};

    // A slot without a word takes what comes, which is its word if one is pushed.
    wire [DEPTH:0] next_held = {1'b0, held_q};
    wire [(DEPTH+1)*WIDTH-1:0] next_slots = {in_data, slots_q};
    integer k;
    always @(posedge clock)
        for (k = 0; k < DEPTH; k = k + 1)
            if (pop | ~held_q[k]) slots_q[k*WIDTH+:WIDTH] <= next_held[k+1] ? next_slots[(k+1)*WIDTH+:WIDTH] : in_data;
endmodule

`default_nettype wire

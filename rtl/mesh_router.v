// SPDX-License-Identifier: MIT
// A router: five inputs with a queue each, five outputs, and every packet first along its row, then along its column.
//
// A packet is a header and as many words as it says. The header's fields, from bit 0: the column and the row that it
// goes to, those that it comes from, COORD bits each; the number of words that follow, LENGTH bits; the rest is the
// user's. A word goes through a router in one clock: into a queue at the end of one clock, into the next router's at
// the end of the next, if that has room and the output is this packet's.
//
// No packet turns from a column into a row, so the ways of packets cannot close a ring, in which each waits for the
// next.
`default_nettype none

module mesh_router #(
    parameter WIDTH  = 32,
    parameter COORD  = 5,
    parameter LENGTH = 5,
    parameter DEPTH  = 4,
    parameter X      = 0,
    parameter Y      = 0,
    parameter SEEN   = 0,  // 1: `view` is all registers, and the inputs that give a word, for the proofs
    parameter VIEW   = 5 * (DEPTH * WIDTH + DEPTH + LENGTH + 6)
) (
    input wire clock,
    input wire reset,

    // Ports 0 to 4: the tile; east (X + 1), west, north (Y - 1), south
    input  wire [        4:0] in_valid,
    input  wire [5*WIDTH-1:0] in_data,
    output wire [        4:0] in_ready,

    output wire [        4:0] out_valid,
    output wire [5*WIDTH-1:0] out_data,
    input  wire [        4:0] out_ready,

    output wire [VIEW-1:0] view
);
    localparam TILE = 0, EAST = 1, WEST = 2, NORTH = 3, SOUTH = 4;
    localparam [COORD-1:0] COLUMN = X, ROW = Y;

    // For each output the inputs whose packets may go there.
    localparam [24:0] FROM = {5'b01111, 5'b10111, 5'b00011, 5'b00101, 5'b11111};

    wire [4:0] valid, pop;
    wire [4:0] open;      // the packet goes on after the word that waits
    wire [24:0] ask;      // output, input
    wire [24:0] grant;    // output, input
    wire [5*WIDTH-1:0] word;
    wire [4:0] moves = out_valid & out_ready;

    genvar i, o;
    generate
        for (i = 0; i < 5; i = i + 1) begin : inputs
            wire [DEPTH-1:0] held;
            wire [DEPTH*WIDTH-1:0] slots;
            mesh_fifo #(
                .WIDTH(WIDTH),
                .DEPTH(DEPTH)
            ) queue (
                .clock    (clock),
                .reset    (reset),
                .in_valid (in_valid[i]),
                .in_data  (in_data[i*WIDTH+:WIDTH]),
                .in_ready (in_ready[i]),
                .out_valid(valid[i]),
                .out_data (word[i*WIDTH+:WIDTH]),
                .out_ready(pop[i]),
                .held_q   (held),
                .slots_q  (slots)
            );

            // The words of the open packet that have not left; 0: the next word is a header.
            reg [LENGTH-1:0] left_q;
            wire header = left_q == {LENGTH{1'b0}};
            wire [LENGTH-1:0] next_left = header ? word[i*WIDTH+4*COORD+:LENGTH] : left_q - 1'b1;
            assign open[i] = |next_left;
            always @(posedge clock)
                if (reset) left_q <= {LENGTH{1'b0}};
                else if (pop[i]) left_q <= next_left;

            wire [COORD-1:0] to_x = word[i*WIDTH+:COORD];
            wire [COORD-1:0] to_y = word[i*WIDTH+COORD+:COORD];
            wire [4:0] way;
            assign way[EAST] = to_x > COLUMN;
            assign way[WEST] = to_x < COLUMN;
            assign way[NORTH] = to_x == COLUMN & to_y < ROW;
            assign way[SOUTH] = to_x == COLUMN & to_y > ROW;
            assign way[TILE] = to_x == COLUMN & to_y == ROW;
            for (o = 0; o < 5; o = o + 1) begin : asks
                assign ask[o*5+i] = FROM[o*5+i] & valid[i] & header & way[o];
            end
            assign pop[i] = |(moves & {grant[20+i], grant[15+i], grant[10+i], grant[5+i], grant[i]});

            if (SEEN) begin : shown
                assign view[i*(DEPTH*WIDTH+DEPTH+LENGTH+1)+:DEPTH*WIDTH+DEPTH+LENGTH+1] = {slots, held, left_q, pop[i]};
            end
        end

        for (o = 0; o < 5; o = o + 1) begin : outputs
            wire locked;
            wire [4:1] after;
            mesh_turn turn (
                .clock   (clock),
                .reset   (reset),
                .ask     (ask[o*5+:5]),
                .open    (open),
                .moves   (moves[o]),
                .grant   (grant[o*5+:5]),
                .locked_q(locked),
                .after_q (after)
            );

            wire [4:0] given = grant[o*5+:5] & FROM[o*5+:5];
            assign out_valid[o] = |(given & valid);
            assign out_data[o*WIDTH+:WIDTH] = ({WIDTH{given[0]}} & word[0*WIDTH+:WIDTH]) | ({WIDTH{given[1]}} & word[1*WIDTH+:WIDTH])
                | ({WIDTH{given[2]}} & word[2*WIDTH+:WIDTH]) | ({WIDTH{given[3]}} & word[3*WIDTH+:WIDTH])
                | ({WIDTH{given[4]}} & word[4*WIDTH+:WIDTH]);

            if (SEEN) begin : shown
                assign view[5*(DEPTH*WIDTH+DEPTH+LENGTH+1)+o*5+:5] = {after, locked};
            end
        end
    endgenerate
endmodule

`default_nettype wire

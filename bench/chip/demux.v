// SPDX-License-Identifier: MIT
// A demultiplexer for a tile's face: it takes the words that come, and keeps those of each sender apart, in a memory
// with ROOM words for each. The processor reads those of the sender that it wants, and no handler sorts them.
//
// A sender's words are given in the order in which they came, headers too. When a sender has no room left, nothing is
// taken from the network: whoever sends more than that before the tile reads must be asked to wait, by messages.
`default_nettype none

module demux #(
    parameter SIDE_X = 4,
    parameter SIDE_Y = 4,
    parameter WIDTH  = 32,
    parameter COORD  = 5,
    parameter LENGTH = 5,
    parameter ROOM   = 64,  // a power of two
    // These follow from the others.
    parameter TILES  = SIDE_X * SIDE_Y,
    parameter SENDER = $clog2(TILES),
    parameter PLACE  = $clog2(ROOM)
) (
    input wire clock,
    input wire reset,

    // The tile's RECEIVE
    input  wire             in_valid,
    input  wire [WIDTH-1:0] in_data,
    output wire             in_ready,

    // The processor: the sender that it wants; the next word of that one, a clock later; and a write that takes it
    input  wire [SENDER-1:0] sender,
    output reg  [ WIDTH-1:0] word_q,
    input  wire              take,
    output reg  [ TILES-1:0] waiting  // the senders that have words
);
    reg [WIDTH-1:0] memory[0:TILES*ROOM-1];
    reg [TILES*(PLACE+1)-1:0] written_q, taken_q;  // ever, of each sender; the upper bit tells full from empty
    reg [LENGTH-1:0] owed_q;
    reg [SENDER-1:0] from_q;

    wire header = owed_q == {LENGTH{1'b0}};
    wire [COORD-1:0] column = in_data[2*COORD+:COORD], row = in_data[3*COORD+:COORD];
    wire [31:0] source = row * SIDE_X + column;
    wire [SENDER-1:0] from = header ? source[SENDER-1:0] : from_q;
    wire [PLACE:0] to = written_q[from*(PLACE+1)+:PLACE+1], end_of = taken_q[from*(PLACE+1)+:PLACE+1];
    wire [PLACE:0] first = taken_q[sender*(PLACE+1)+:PLACE+1];
    wire [PLACE:0] next = first + {{PLACE{1'b0}}, take};
    assign in_ready = to != {~end_of[PLACE], end_of[PLACE-1:0]};

    always @(posedge clock)
        if (reset) begin
            owed_q <= {LENGTH{1'b0}};
            written_q <= {TILES * (PLACE + 1) {1'b0}};
            taken_q <= {TILES * (PLACE + 1) {1'b0}};
        end else begin
            if (in_valid & in_ready) begin
                owed_q <= header ? in_data[4*COORD+:LENGTH] : owed_q - 1'b1;
                from_q <= from;
                written_q[from*(PLACE+1)+:PLACE+1] <= to + 1'b1;
            end
            if (take) taken_q[sender*(PLACE+1)+:PLACE+1] <= next;
        end
    always @(posedge clock) begin
        if (in_valid & in_ready) memory[{from, to[PLACE-1:0]}] <= in_data;
        word_q <= memory[{sender, next[PLACE-1:0]}];
    end

    integer k;
    always @*
        for (k = 0; k < TILES; k = k + 1) waiting[k] = written_q[k*(PLACE+1)+:PLACE+1] != taken_q[k*(PLACE+1)+:PLACE+1];
endmodule

`default_nettype wire

// SPDX-License-Identifier: MIT
// The guarantees of a tile's registers to the network and to its processor, which may write and read anything at any
// clock. The records here are those of the processor, and of what went over the links to the router.
`default_nettype none

module tile #(
    parameter SIDE_X = 3,
    parameter SIDE_Y = 2,
    parameter COORD  = 2,
    parameter LENGTH = 2,
    parameter LIMIT  = 2,
    parameter WIDTH  = 4 * COORD + LENGTH + 1,
    parameter COUNT  = 3,
    parameter X      = 1,
    parameter Y      = 1
) (
    input wire clock,
    input wire reset,

    input wire             write,
    input wire [      2:0] write_address,
    input wire [WIDTH-1:0] write_data,
    input wire             read,
    input wire [      2:0] read_address,
    input wire             out_ready,
    input wire             in_valid,
    input wire [WIDTH-1:0] in_data,
    input wire             watch,          // the word that comes is the one that is watched

    output wire forged,      // a header goes out that is not the one written, from this tile, to one that is there, within the limit
    output wire broken,      // a header goes out within a packet, a word outside of one, or another word than was written
    output wire unsaid,      // `mistake` is not told, or told without one
    output wire held_up,     // a write that the tile cannot use, or of CONTROL, waits; or a right one is dropped
    output wire swapped,     // words are not received as they came
    output wire silent,      // the interrupt is not the one of words that wait, if it is enabled
    output wire miscounted   // a counter is not the number of words, or of clocks, since the last CONTROL
);
    wire write_ready, read_ready, interrupt, out_valid, in_ready;
    wire [WIDTH-1:0] read_data, out_data;
    mesh_tile #(
        .SIDE_X(SIDE_X), .SIDE_Y(SIDE_Y), .WIDTH(WIDTH), .COORD(COORD), .LENGTH(LENGTH), .LIMIT(LIMIT), .COUNT(COUNT),
        .X(X), .Y(Y)
    ) dut (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data), .write_ready(write_ready),
        .read(read), .read_address(read_address), .read_data(read_data), .read_ready(read_ready), .interrupt(interrupt),
        .out_valid(out_valid), .out_data(out_data), .out_ready(out_ready),
        .in_valid(in_valid), .in_data(in_data), .in_ready(in_ready)
    );

    wire header = write && write_address == 0, word = write && write_address == 1, control = write && write_address == 2;
    wire sends = out_valid && out_ready, comes = in_valid && in_ready, takes = read && read_address == 1 && read_ready;

    // The words that the processor owes, and what it has done wrong
    reg [LENGTH-1:0] owed;
    reg wrong;
    wire [LENGTH-1:0] length = write_data[4*COORD+:LENGTH];
    wire fits = write_data[0+:COORD] < SIDE_X && write_data[COORD+:COORD] < SIDE_Y && length <= LIMIT;
    wire right = header ? owed == 0 && fits : owed != 0;
    wire [COORD-1:0] own_x = X, own_y = Y;
    always @(posedge clock) begin
        if (reset) owed <= 0;
        else if (sends) owed <= header ? length : owed - 1'b1;
        wrong <= !reset && !control && (wrong || ((header || word) && !right));
    end
    assign forged = out_valid && header
        && (!fits || out_data != {write_data[WIDTH-1:4*COORD], own_y, own_x, write_data[2*COORD-1:0]});
    assign broken = out_valid && !(header && owed == 0) && !(word && owed != 0 && out_data == write_data);
    assign unsaid = read_address == 0 && read_data[2] != wrong;
    assign held_up = write && (header || word) && right ? !out_valid || write_ready != out_ready : !write_ready;

    // The words that wait, and those before the one that is watched
    reg [2:0] waiting, ahead;
    reg watched;
    reg [WIDTH-1:0] kept;
    always @(posedge clock) begin
        waiting <= reset ? 0 : waiting + comes - takes;
        if (reset) watched <= 0;
        else if (!watched && comes && watch) begin
            watched <= 1;
            ahead <= waiting - takes;
            kept <= in_data;
        end else if (watched && takes) begin
            watched <= ahead != 0;
            ahead <= ahead - 1'b1;
        end
    end
    assign swapped = (watched && ahead == 0 && read && read_address == 1 && (!read_ready || read_data != kept))
        || (read && read_address == 1 && read_ready != (waiting != 0));

    reg enabled;
    always @(posedge clock) enabled <= reset ? 0 : control ? write_data[0] : enabled;
    assign silent = interrupt != (enabled && waiting != 0);

    reg [COUNT-1:0] sent, taken, waited;
    always @(posedge clock) begin
        sent <= reset || control ? 0 : sent + sends;
        taken <= reset || control ? 0 : taken + takes;
        waited <= reset || control ? 0 : waited + (waiting != 0);
    end
    assign miscounted = (read_address == 3 && read_data != sent) || (read_address == 4 && read_data != taken)
        || (read_address == 5 && read_data != waited);
endmodule

`default_nettype wire

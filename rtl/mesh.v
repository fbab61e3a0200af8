// SPDX-License-Identifier: MIT
// The network of packets of a chip of tiles, with the registers of each tile (mesh_tile.v).
`default_nettype none

module mesh #(
    parameter SIDE_X = 4,
    parameter SIDE_Y = 4,
    parameter WIDTH  = 32,
    parameter COORD  = 5,
    parameter LENGTH = 5,
    parameter LIMIT  = 31,
    parameter DEPTH  = 4,
    parameter COUNT  = 32,
    parameter TILES  = SIDE_X * SIDE_Y
) (
    input wire clock,
    input wire reset,

    // The bus of tile X + Y * SIDE_X is at that place.
    input  wire [      TILES-1:0] write,
    input  wire [    TILES*3-1:0] write_address,
    input  wire [TILES*WIDTH-1:0] write_data,
    output wire [      TILES-1:0] write_ready,
    input  wire [      TILES-1:0] read,
    input  wire [    TILES*3-1:0] read_address,
    output wire [TILES*WIDTH-1:0] read_data,
    output wire [      TILES-1:0] read_ready,
    output wire [      TILES-1:0] interrupts
);
    wire [TILES-1:0] out_valid, out_ready, in_valid, in_ready;
    wire [TILES*WIDTH-1:0] out_data, in_data;

    mesh_grid #(
        .SIDE_X(SIDE_X),
        .SIDE_Y(SIDE_Y),
        .WIDTH (WIDTH),
        .COORD (COORD),
        .LENGTH(LENGTH),
        .DEPTH (DEPTH)
    ) grid (
        .clock    (clock),
        .reset    (reset),
        .in_valid (out_valid),
        .in_data  (out_data),
        .in_ready (out_ready),
        .out_valid(in_valid),
        .out_data (in_data),
        .out_ready(in_ready),
        .view     ()
    );

    genvar t;
    generate
        for (t = 0; t < TILES; t = t + 1) begin : tiles
            mesh_tile #(
                .SIDE_X(SIDE_X),
                .SIDE_Y(SIDE_Y),
                .WIDTH (WIDTH),
                .COORD (COORD),
                .LENGTH(LENGTH),
                .LIMIT (LIMIT),
                .DEPTH (DEPTH),
                .COUNT (COUNT),
                .X     (t % SIDE_X),
                .Y     (t / SIDE_X)
            ) tile (
                .clock        (clock),
                .reset        (reset),
                .write        (write[t]),
                .write_address(write_address[t*3+:3]),
                .write_data   (write_data[t*WIDTH+:WIDTH]),
                .write_ready  (write_ready[t]),
                .read         (read[t]),
                .read_address (read_address[t*3+:3]),
                .read_data    (read_data[t*WIDTH+:WIDTH]),
                .read_ready   (read_ready[t]),
                .interrupt    (interrupts[t]),
                .out_valid    (out_valid[t]),
                .out_data     (out_data[t*WIDTH+:WIDTH]),
                .out_ready    (out_ready[t]),
                .in_valid     (in_valid[t]),
                .in_data      (in_data[t*WIDTH+:WIDTH]),
                .in_ready     (in_ready[t])
            );
        end
    endgenerate
endmodule

`default_nettype wire

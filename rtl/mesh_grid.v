// SPDX-License-Identifier: MIT
// The network alone: a router for each tile, and the links between neighbours. Tile X + Y * SIDE_X has the ports of its
// router that lead to a tile.
`default_nettype none

module mesh_grid #(
    parameter SIDE_X = 4,
    parameter SIDE_Y = 4,
    parameter WIDTH  = 32,
    parameter COORD  = 5,
    parameter LENGTH = 5,
    parameter DEPTH  = 4,
    parameter SEEN   = 0,  // 1: `view` shows what each router's does
    // These follow from the others.
    parameter TILES  = SIDE_X * SIDE_Y,
    parameter VIEW   = 5 * (DEPTH * WIDTH + DEPTH + LENGTH + 6)
) (
    input wire clock,
    input wire reset,

    input  wire [      TILES-1:0] in_valid,
    input  wire [TILES*WIDTH-1:0] in_data,
    output wire [      TILES-1:0] in_ready,

    output wire [      TILES-1:0] out_valid,
    output wire [TILES*WIDTH-1:0] out_data,
    input  wire [      TILES-1:0] out_ready,

    output wire [TILES*VIEW-1:0] view
);
    localparam TILE = 0, EAST = 1, WEST = 2, NORTH = 3, SOUTH = 4;

    // The words that each router sends from its ports, and if it takes one at them.
    wire [TILES*5-1:0] valid, ready;
    wire [TILES*5*WIDTH-1:0] data;

    genvar x, y, p;
    generate
        for (y = 0; y < SIDE_Y; y = y + 1) begin : rows
            for (x = 0; x < SIDE_X; x = x + 1) begin : columns
                localparam T = x + y * SIDE_X;
                wire [4:0] from_valid, to_ready;
                wire [5*WIDTH-1:0] from_data;

                mesh_router #(
                    .WIDTH (WIDTH),
                    .COORD (COORD),
                    .LENGTH(LENGTH),
                    .DEPTH (DEPTH),
                    .X     (x),
                    .Y     (y),
                    .SEEN  (SEEN)
                ) router (
                    .clock    (clock),
                    .reset    (reset),
                    .in_valid (from_valid),
                    .in_data  (from_data),
                    .in_ready (ready[T*5+:5]),
                    .out_valid(valid[T*5+:5]),
                    .out_data (data[T*5*WIDTH+:5*WIDTH]),
                    .out_ready(to_ready),
                    .view     (view[T*VIEW+:VIEW])
                );

                assign from_valid[TILE] = in_valid[T];
                assign from_data[TILE*WIDTH+:WIDTH] = in_data[T*WIDTH+:WIDTH];
                assign to_ready[TILE] = out_ready[T];
                assign in_ready[T] = ready[T*5+TILE];
                assign out_valid[T] = valid[T*5+TILE];
                assign out_data[T*WIDTH+:WIDTH] = data[T*5*WIDTH+:WIDTH];

                // A word that leaves a neighbour to the west comes in at the east: ports 1, 2 are a pair, and 3, 4.
                for (p = EAST; p <= SOUTH; p = p + 1) begin : links
                    if ((p == EAST && x < SIDE_X - 1) || (p == WEST && x > 0) || (p == NORTH && y > 0)
                        || (p == SOUTH && y < SIDE_Y - 1)) begin : near
                        localparam N = p == EAST ? T + 1 : p == WEST ? T - 1 : p == NORTH ? T - SIDE_X : T + SIDE_X;
                        localparam Q = p == EAST ? WEST : p == WEST ? EAST : p == NORTH ? SOUTH : NORTH;
                        assign from_valid[p] = valid[N*5+Q];
                        assign from_data[p*WIDTH+:WIDTH] = data[(N*5+Q)*WIDTH+:WIDTH];
                        assign to_ready[p] = ready[N*5+Q];
                    end else begin : edge_of_mesh
                        assign from_valid[p] = 1'b0;
                        assign from_data[p*WIDTH+:WIDTH] = {WIDTH{1'b0}};
                        assign to_ready[p] = 1'b0;
                    end
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire

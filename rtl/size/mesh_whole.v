// SPDX-License-Identifier: MIT
// For measuring clocks: a network with the registers of its tiles, whose buses are reached by shift registers, as in
// scan.v.
`default_nettype none

module mesh_whole #(
    parameter SIDE_X = 2,
    parameter SIDE_Y = 2,
    parameter DEPTH  = 4,
    parameter WIDTH  = 32,
    parameter TILES  = SIDE_X * SIDE_Y,
    parameter IN     = 1 + TILES * (2 + 2 * 3 + WIDTH),
    parameter OUT    = TILES * (3 + WIDTH)
) (
    input  wire clock,
    input  wire load,
    input  wire in,
    output wire out
);
    reg [IN-1:0] in_q, held_q;
    reg [OUT-1:0] out_q;
    assign out = out_q[OUT-1];

    wire reset;
    wire [TILES-1:0] write, read, write_ready, read_ready, interrupts;
    wire [TILES*3-1:0] write_address, read_address;
    wire [TILES*WIDTH-1:0] write_data, read_data;
    assign {reset, write, read, write_address, read_address, write_data} = held_q;

    always @(posedge clock) begin
        in_q <= {in_q[IN-2:0], in};
        if (load) held_q <= in_q;
        out_q <= load ? {write_ready, read_ready, interrupts, read_data} : {out_q[OUT-2:0], 1'b0};
    end

    mesh #(
        .SIDE_X(SIDE_X),
        .SIDE_Y(SIDE_Y),
        .WIDTH (WIDTH),
        .DEPTH (DEPTH)
    ) whole (
        .clock        (clock),
        .reset        (reset),
        .write        (write),
        .write_address(write_address),
        .write_data   (write_data),
        .write_ready  (write_ready),
        .read         (read),
        .read_address (read_address),
        .read_data    (read_data),
        .read_ready   (read_ready),
        .interrupts   (interrupts)
    );
endmodule

`default_nettype wire

// SPDX-License-Identifier: MIT
// For measuring clocks: a router and its tile, whose links and bus are reached by shift registers, as in scan.v.
`default_nettype none

module mesh_scan #(
    parameter DEPTH = 4,
    parameter WIDTH = 32,
    parameter IN    = 3 + 4 * (WIDTH + 2) + 2 * 3 + WIDTH,
    parameter OUT   = 3 + 4 * (WIDTH + 2) + WIDTH
) (
    input  wire clock,
    input  wire load,
    input  wire in,
    output wire out
);
    reg [IN-1:0] in_q, held_q;
    reg [OUT-1:0] out_q;
    assign out = out_q[OUT-1];

    wire reset, write, read;
    wire [2:0] write_address, read_address;
    wire [WIDTH-1:0] write_data, read_data;
    wire write_ready, read_ready, interrupt;
    wire [4:0] in_valid, in_ready, out_valid, out_ready;
    wire [5*WIDTH-1:0] in_data, out_data;
    assign {reset, write, read, write_address, read_address, write_data, in_valid[4:1], in_data[5*WIDTH-1:WIDTH], out_ready[4:1]} = held_q;

    always @(posedge clock) begin
        in_q <= {in_q[IN-2:0], in};
        if (load) held_q <= in_q;
        out_q <= load ? {write_ready, read_ready, interrupt, read_data, in_ready[4:1], out_valid[4:1], out_data[5*WIDTH-1:WIDTH]}
            : {out_q[OUT-2:0], 1'b0};
    end

    mesh_router #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH),
        .X    (1),
        .Y    (1)
    ) router (
        .clock    (clock),
        .reset    (reset),
        .in_valid (in_valid),
        .in_data  (in_data),
        .in_ready (in_ready),
        .out_valid(out_valid),
        .out_data (out_data),
        .out_ready(out_ready),
        .view     ()
    );

    mesh_tile #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH),
        .X    (1),
        .Y    (1)
    ) tile (
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
        .interrupt    (interrupt),
        .out_valid    (in_valid[0]),
        .out_data     (in_data[WIDTH-1:0]),
        .out_ready    (in_ready[0]),
        .in_valid     (out_valid[0]),
        .in_data      (out_data[WIDTH-1:0]),
        .in_ready     (out_ready[0])
    );
endmodule

`default_nettype wire

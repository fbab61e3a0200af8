// SPDX-License-Identifier: MIT
// For measuring clocks: a unit whose buses are reached by shift registers, since no package has as many pins as its
// buses have lines. All paths of the unit begin and end at registers, as they would on a bus.
`default_nettype none

module scan #(
    parameter UNIT   = "papers1",
    parameter PES    = 4,
    parameter COUNT  = 16,
    parameter WIDTH  = 4,
    parameter RESULT = PES > WIDTH ? PES : WIDTH,
    parameter BUS    = RESULT + 8 > COUNT ? RESULT + 8 : COUNT,
    parameter IN     = 1 + PES * (1 + 3 + 3 + BUS)
) (
    input  wire clock,
    input  wire load,
    input  wire in,
    output wire out
);
    reg [IN-1:0] in_q, held_q;
    reg [PES*BUS-1:0] out_q;
    wire [PES*BUS-1:0] read_data;
    assign out = out_q[PES*BUS-1];

    always @(posedge clock) begin
        in_q <= {in_q[IN-2:0], in};
        if (load) held_q <= in_q;
        out_q <= load ? read_data : {out_q[PES*BUS-2:0], 1'b0};
    end

    papers_bus #(
        .UNIT    (UNIT),
        .PES     (PES),
        .WIDTH   (WIDTH),
        .REGISTER(1),
        .COUNT   (COUNT)
    ) unit (
        .clock        (clock),
        .reset        (held_q[0]),
        .write        (held_q[1+:PES]),
        .write_address(held_q[1+PES+:PES*3]),
        .read_address (held_q[1+PES*4+:PES*3]),
        .write_data   (held_q[1+PES*7+:PES*BUS]),
        .read_data    (read_data)
    );
endmodule

`default_nettype wire

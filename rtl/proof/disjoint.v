// SPDX-License-Identifier: MIT
// Groups that share no PE do not interfere: two copies of PAPERS1 differ in whatever the PEs outside of a set do, and
// the PEs of the set, whose masks stay within it, cannot tell the copies apart.
`default_nettype none

module disjoint #(
    parameter PES    = 4,
    parameter WIDTH  = 4,
    parameter RESULT = PES > WIDTH ? PES : WIDTH,
    parameter BUS    = RESULT + 8
) (
    input wire clock,
    input wire reset,

    input wire [    PES-1:0] some_set,
    input wire [    PES-1:0] write,
    input wire [  PES*3-1:0] write_address,
    input wire [PES*BUS-1:0] write_data,
    input wire [    PES-1:0] other_write,
    input wire [  PES*3-1:0] other_address,
    input wire [PES*BUS-1:0] other_data,

    output wire interferes
);
    reg picked;
    reg [PES-1:0] set, masked;
    initial picked = 0;

    wire [    PES-1:0] write_b;
    wire [    PES-1:0] write_a;
    wire [  PES*3-1:0] address_b;
    wire [PES*BUS-1:0] data_a, data_b;
    wire [PES*BUS-1:0] status_a, status_b;
    wire [    PES-1:0] differs;

    genvar i;
    generate
        for (i = 0; i < PES; i = i + 1) begin : pes
            wire inside = set[i];
            wire [2:0] address = write_address[i*3+:3];
            wire [BUS-1:0] word = write_data[i*BUS+:BUS];

            // A PE of the set posts once it has a mask, which is within the set.
            assign write_a[i] = picked & write[i] & ~(inside & address == 3'd0 & ~masked[i]);
            assign data_a[i*BUS+:BUS] = inside & address == 3'd1 ? word & set : word;

            assign write_b[i] = inside ? write_a[i] : picked & other_write[i];
            assign address_b[i*3+:3] = inside ? address : other_address[i*3+:3];
            assign data_b[i*BUS+:BUS] = inside ? data_a[i*BUS+:BUS] : other_data[i*BUS+:BUS];

            always @(posedge clock)
                if (reset | (write_a[i] & address == 3'd3)) masked[i] <= 0;
                else if (write_a[i] & address == 3'd1) masked[i] <= 1;

            // Ready, mismatch, early, and the result. The parallel interrupt is for all PEs.
            assign differs[i] = inside & (status_a[i*BUS+:3] != status_b[i*BUS+:3]
                | status_a[i*BUS+8+:RESULT] != status_b[i*BUS+8+:RESULT]);
        end
    endgenerate

    always @(posedge clock) begin
        picked <= 1;
        if (!picked) set <= some_set;
    end
    assign interferes = picked & |differs;

    papers_bus #(
        .UNIT("papers1"), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) a (
        .clock(clock), .reset(reset),
        .write(write_a), .write_address(write_address), .write_data(data_a),
        .read_address({PES{3'd0}}), .read_data(status_a)
    );
    papers_bus #(
        .UNIT("papers1"), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) b (
        .clock(clock), .reset(reset),
        .write(write_b), .write_address(address_b), .write_data(data_b),
        .read_address({PES{3'd0}}), .read_data(status_b)
    );
endmodule

`default_nettype wire

// SPDX-License-Identifier: MIT
// The counters of every PE, as seen from the registers: operations that it has completed, and clocks that it waited in
// them, since it checked in. Any PE may write anything at any clock, and the unit may be reset at any moment.
//
// The records here are the knowledge of the PEs themselves, as in operations.v.
`default_nettype none

module counters #(
    parameter UNIT   = "papers1",
    parameter PES    = 4,
    parameter WIDTH  = 4,
    parameter COUNT  = 4,
    parameter RESULT = PES > WIDTH ? PES : WIDTH,
    parameter BUS    = RESULT + 8
) (
    input wire clock,
    input wire reset,

    input wire [    PES-1:0] write,
    input wire [  PES*3-1:0] write_address,
    input wire [PES*BUS-1:0] write_data,

    output reg miscounted,  // the operations are not those that the PE has left, up to the clock before
    output reg mistimed     // the clocks are not those in which it had arrived and was not ready
);
    // Three units, in which different registers are read: a read changes nothing.
    wire [PES*BUS-1:0] status, operations, waited;
    papers_bus #(
        .UNIT(UNIT), .PES(PES), .WIDTH(WIDTH), .COUNT(COUNT)
    ) dut (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address({PES{3'd0}}), .read_data(status)
    );
    papers_bus #(
        .UNIT(UNIT), .PES(PES), .WIDTH(WIDTH), .COUNT(COUNT)
    ) twin (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address({PES{3'd4}}), .read_data(operations)
    );
    papers_bus #(
        .UNIT(UNIT), .PES(PES), .WIDTH(WIDTH), .COUNT(COUNT)
    ) third (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address({PES{3'd5}}), .read_data(waited)
    );

    reg [PES-1:0] live, entered;
    reg [COUNT-1:0] left[0:PES-1], clocks[0:PES-1];

    integer i;
    always @* begin
        miscounted = 0; mistimed = 0;
        for (i = 0; i < PES; i = i + 1) begin
            if (operations[i*BUS+:BUS] != left[i]) miscounted = 1;
            if (waited[i*BUS+:BUS] != clocks[i]) mistimed = 1;
        end
    end

    always @(posedge clock)
        for (i = 0; i < PES; i = i + 1)
            if (reset || (write[i] && write_address[i*3+:3] == 3'd3)) begin
                live[i] <= !reset && write_data[i*BUS];
                entered[i] <= 0;
                left[i] <= 0;
                clocks[i] <= 0;
            end else begin
                if (write[i] && write_address[i*3+:3] == 3'd0 && live[i] && status[i*BUS]) entered[i] <= 1;
                else if (status[i*BUS]) entered[i] <= 0;
                if (entered[i] && status[i*BUS]) left[i] <= left[i] + 1;
                if (entered[i] && !status[i*BUS]) clocks[i] <= clocks[i] + 1;
            end
endmodule

`default_nettype wire

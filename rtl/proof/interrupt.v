// SPDX-License-Identifier: MIT
// The guarantees of the parallel interrupt, as seen from the registers: any PE raises, acknowledges, checks
// in and out at any moment.
`default_nettype none

module interrupt #(
    parameter PES    = 4,
    parameter WIDTH  = 4,
    parameter RESULT = PES > WIDTH ? PES : WIDTH,
    parameter BUS    = RESULT + 8
) (
    input wire clock,
    input wire reset,

    input wire [    PES-1:0] write,
    input wire [  PES*3-1:0] write_address,
    input wire [PES*BUS-1:0] write_data,

    output reg lost,     // an acknowledging barrier has completed, and its cause is not all PEs that had raised the interrupt since the last
    output reg silent,   // an interrupt that is raised and not handled is not shown as pending, or nothing was raised and it is
    output reg early,    // a member was let go before all had acknowledged, or counts as having acknowledged when it had not
    output reg waiting,  // all have acknowledged, and a clock later it is not over
    output reg stale     // the cause changed elsewhere than at an acknowledging barrier
);
    wire [PES*BUS-1:0] status, causes;
    papers_bus #(
        .UNIT("ttl_papers"), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) dut (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address({PES{3'd0}}), .read_data(status)
    );

    // A second unit, in which INTERRUPT is read: a read changes nothing.
    papers_bus #(
        .UNIT("ttl_papers"), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) twin (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address({PES{3'd2}}), .read_data(causes)
    );

    // The PEs that are checked in, those that have raised the interrupt since the last barrier, and those
    // that have acknowledged that one.
    reg [PES-1:0] live, owed, said;
    reg [PES-1:0] owed_was, cause_was[0:PES-1];
    reg over_was, seen;
    initial seen = 0;

    wire over = |owed & &(said | ~live);

    integer i;
    always @* begin
        lost = 0; silent = 0; early = 0; waiting = 0; stale = 0;
        for (i = 0; i < PES; i = i + 1) begin
            if (over_was && causes[i*BUS+:PES] != owed_was) lost = 1;
            if (seen && !over_was && causes[i*BUS+:PES] != cause_was[i]) stale = 1;
            if (status[i*BUS+3] != |owed) silent = 1;
            if (!over_was && status[i*BUS+4] != said[i]) early = 1;
            if (over_was && status[i*BUS+4]) waiting = 1;
        end
    end

    always @(posedge clock) begin
        owed_was <= owed;
        over_was <= over & ~reset;
        seen <= ~reset;
        if (reset || over) begin
            owed <= 0;
            said <= 0;
        end
        for (i = 0; i < PES; i = i + 1) begin
            cause_was[i] <= causes[i*BUS+:PES];
            if (reset) live[i] <= 0;
            else if (write[i] && write_address[i*3+:3] == 3'd3) begin
                live[i] <= write_data[i*BUS];
            end else if (write[i] && write_address[i*3+:3] == 3'd2 && live[i]) begin
                if (write_data[i*BUS]) owed[i] <= 1;
                if (write_data[i*BUS+1] && |owed && !over) said[i] <= 1;
            end
            if (!live[i]) said[i] <= 0;
        end
    end
endmodule

`default_nettype wire

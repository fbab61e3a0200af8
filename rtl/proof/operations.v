// SPDX-License-Identifier: MIT
// The guarantees of every unit, as seen from the registers alone. Any PE may write anything at any clock,
// check in and out at any moment, and the unit may be reset at any moment. Each output is the violation of
// one property.
//
// The records here are the knowledge of the PEs themselves: what they wrote, and when STATUS said ready.
//
// ttl_papers is the original, without a register, whose results follow the data lines of the members that are checked
// in. What a PE may make of them, agreement.v tells.
`default_nettype none

module operations #(
    parameter UNIT   = "papers1",
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
    input wire [        4:0] some_pe,
    input wire [        4:0] other_pe,

    output reg  early,     // a PE left an operation that a member had not entered, or had entered with another mask
    output reg  apart,     // a member left in another clock
    output reg  stuck,     // all members had arrived, and a clock later one was not ready
    output reg  wrong,     // a result is not the function of that operation's data; ttl_papers: of all members' data now
    output reg  changed,   // a result changed before the PE's next POST; ttl_papers: before any member wrote anything
    output reg  moved,     // a mask changed elsewhere than at the PE's own POST, or is not the one that it had set
    output reg  unflagged, // a mismatch that is not flagged a clock later, or a flag without one
    output reg  rejoined,  // a PE that has not arrived, since it is new or was reset, counts as arrived
    output wire ahead      // of two PEs one is more than one operation ahead of the other
);
    localparam MASKED = UNIT == "papers1";
    localparam FOLLOWS = UNIT == "ttl_papers";

    wire [PES*BUS-1:0] status, masks;
    papers_bus #(
        .UNIT(UNIT), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) dut (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address({PES{3'd0}}), .read_data(status)
    );

    // A second unit, in which MASK is read: a read changes nothing.
    papers_bus #(
        .UNIT(UNIT), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) twin (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address({PES{3'd1}}), .read_data(masks)
    );

    // The knowledge of PE i: checked in, posted and not ready since, the mask for the next POST, mask and datum of the
    // last POST.
    reg picked;
    reg [PES-1:0] live, entered, live_was, entered_was, ready_was, clashes, clashes_was, control_was, posted_was, complete_was, seen;
    reg [PES-1:0] next[0:PES-1], group[0:PES-1], mask_was[0:PES-1];
    reg [WIDTH-1:0] datum[0:PES-1];
    reg [1:0] op[0:PES-1];
    reg [4:0] source[0:PES-1];
    reg [RESULT-1:0] expected_was[0:PES-1], result_was[0:PES-1];

    wire [PES-1:0] ready, mismatch, control, accepted, leaves, waits;
    genvar g;
    generate
        for (g = 0; g < PES; g = g + 1) begin : pes
            assign ready[g] = status[g*BUS];
            assign mismatch[g] = status[g*BUS+1];
            assign control[g] = write[g] & (write_address[g*3+:3] == 3'd3);
            assign accepted[g] = write[g] & (write_address[g*3+:3] == 3'd0) & live[g] & ready[g];
            assign leaves[g] = entered[g] & ready[g];
            assign waits[g] = entered[g] & ~ready[g];
        end
    endgenerate

    // Nothing has been seen before the first clock.
    initial seen = 0;
    initial picked = 0;

    integer i, j;
    reg [PES-1:0] members;
    reg [RESULT-1:0] expected[0:PES-1];
    reg found;
    always @* begin
        early = 0; apart = 0; stuck = 0; wrong = 0; changed = 0; moved = 0; unflagged = 0; rejoined = 0;
        for (i = 0; i < PES; i = i + 1) begin
            members = MASKED ? group[i] : live;

            // The result if the operation completes now: putget, waitvec, NAND.
            expected[i] = 0;
            if (MASKED && op[i] == 1) begin
                for (j = 0; j < PES; j = j + 1)
                    if (source[i] % (1 << $clog2(PES)) == j && members[j]) expected[i] = datum[j];
            end else if (MASKED && op[i] == 2) begin
                for (j = 0; j < PES; j = j + 1) expected[i][j] = members[j] && datum[j][0];
            end else begin
                for (j = 0; j < PES; j = j + 1)
                    if (members[j]) expected[i][WIDTH-1:0] = expected[i][WIDTH-1:0] | ~datum[j];
            end

            for (j = 0; j < PES; j = j + 1)
                if (leaves[i] && (MASKED ? group[i][j] : live_was[j])) begin
                    if (!entered_was[j] || (MASKED && group[j] != group[i])) early = 1;
                    if (!control_was[j] && !leaves[j]) apart = 1;
                end
            if (complete_was[i] && !ready[i]) stuck = 1;
            if (FOLLOWS) begin
                if (status[i*BUS+8+:RESULT] != expected[i]) wrong = 1;
                if (seen[i] && !control_was && !posted_was && status[i*BUS+8+:RESULT] != result_was[i]) changed = 1;
            end else begin
                if (leaves[i] && status[i*BUS+8+:RESULT] != expected_was[i]) wrong = 1;
                if (seen[i] && live_was[i] && !control_was[i] && ready_was[i] && ready[i]
                    && status[i*BUS+8+:RESULT] != result_was[i]) changed = 1;
            end
            if (!entered[i] && !ready[i]) rejoined = 1;

            found = 0;
            for (j = 0; j < PES; j = j + 1)
                if (waits[i] && waits[j] && group[i][j] && group[j][i] && group[i] != group[j]) found = 1;
            clashes[i] = found;
            if (MASKED && seen[i] && mismatch[i] != clashes_was[i]) unflagged = 1;
            if (MASKED && seen[i] && !posted_was[i] && masks[i*BUS+:PES] != mask_was[i]) moved = 1;
            if (MASKED && posted_was[i] && masks[i*BUS+:PES] != group[i]) moved = 1;
        end
    end

    always @(posedge clock) begin
        live_was <= live;
        entered_was <= entered;
        ready_was <= ready;
        clashes_was <= clashes;
        control_was <= control | {PES{reset}};
        posted_was <= accepted & {PES{~reset}};
        seen <= {PES{1'b1}};
        for (i = 0; i < PES; i = i + 1) begin
            mask_was[i] <= masks[i*BUS+:PES];
            expected_was[i] <= expected[i];
            result_was[i] <= status[i*BUS+8+:RESULT];
            complete_was[i] <= waits[i];
            for (j = 0; j < PES; j = j + 1)
                if ((MASKED ? group[i][j] : live[j]) && !(waits[j] && (!MASKED || group[j] == group[i])))
                    complete_was[i] <= 0;

            if (reset || control[i]) begin
                live[i] <= !reset && write_data[i*BUS];
                entered[i] <= 0;
                next[i] <= {PES{1'b1}};
            end else begin
                if (accepted[i]) begin
                    entered[i] <= 1;
                    group[i] <= next[i];
                    datum[i] <= write_data[i*BUS+8+:WIDTH];
                    op[i] <= write_data[i*BUS+:2];
                    source[i] <= write_data[i*BUS+2+:5];
                end else if (ready[i]) entered[i] <= 0;
                if (write[i] && write_address[i*3+:3] == 3'd1) next[i] <= write_data[i*BUS+:PES] | (1 << i);
            end
        end
        if (reset) complete_was <= 0;
    end

    // For any two PEs: the number of operations naming both that each has entered, while both stay checked in.
    reg [4:0] a, b;
    reg fresh;
    reg signed [2:0] lead;
    wire a_names = MASKED ? group[a][b] : 1'b1;
    wire b_names = MASKED ? group[b][a] : 1'b1;
    wire a_enters = accepted[a] & (MASKED ? next[a][b] : 1'b1);
    wire b_enters = accepted[b] & (MASKED ? next[b][a] : 1'b1);
    assign ahead = picked & !fresh & (lead > 1 | lead < -1);
    always @(posedge clock) begin
        picked <= 1;
        if (!picked) begin
            a <= some_pe % PES;
            b <= other_pe % PES;
        end
        fresh <= reset | control[a] | control[b] | !live[a] | !live[b] | !picked;
        if (fresh) lead <= (waits[a] & a_names) - (waits[b] & b_names) + a_enters - b_enters;
        else if (!ahead) lead <= lead + a_enters - b_enters;
    end
endmodule

`default_nettype wire

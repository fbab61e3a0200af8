// SPDX-License-Identifier: MIT
// usp8, which takes one barrier for an operation with a result, gives the results of ttl_papers without a register,
// which takes two: after the first, each PE reads, and arrives at the second with the same datum.
`default_nettype none

module agreement #(
    parameter PES    = 4,
    parameter WIDTH  = 4,
    parameter RESULT = PES > WIDTH ? PES : WIDTH,
    parameter BUS    = RESULT + 8
) (
    input wire clock,
    input wire reset,

    input wire [      PES-1:0] post,
    input wire [PES*WIDTH-1:0] datum,

    output reg disagree,  // a PE between its two barriers reads another result than at usp8
    output reg behind     // a PE may begin an operation at one unit and not yet at the other
);
    reg up;
    reg [PES-1:0] between;  // the PE has arrived at the first of the two barriers, and not yet at the second
    reg [PES*WIDTH-1:0] posted;

    wire [PES*BUS-1:0] ttl_status, usp8_status, word;
    wire [PES-1:0] ttl_write, usp8_write;

    // At first every PE checks in.
    genvar g;
    generate
        for (g = 0; g < PES; g = g + 1) begin : pes
            wire [WIDTH-1:0] value = between[g] ? posted[g*WIDTH+:WIDTH] : datum[g*WIDTH+:WIDTH];
            assign word[g*BUS+:BUS] = {value, 7'd0, ~up};
            assign ttl_write[g] = up ? post[g] & ttl_status[g*BUS] : 1'b1;
            assign usp8_write[g] = up ? post[g] & ttl_status[g*BUS] & ~between[g] : 1'b1;

            always @(posedge clock)
                if (reset) between[g] <= 0;
                else if (up & ttl_write[g]) begin
                    between[g] <= ~between[g];
                    posted[g*WIDTH+:WIDTH] <= value;
                end
        end
    endgenerate
    always @(posedge clock) up <= ~reset;

    papers_bus #(
        .UNIT("ttl_papers"), .REGISTER(0), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) ttl (
        .clock(clock), .reset(reset),
        .write(ttl_write), .write_address({PES{up ? 3'd0 : 3'd3}}), .write_data(word),
        .read_address({PES{3'd0}}), .read_data(ttl_status)
    );
    papers_bus #(
        .UNIT("usp8"), .PES(PES), .WIDTH(WIDTH), .COUNT(0)
    ) usp8 (
        .clock(clock), .reset(reset),
        .write(usp8_write), .write_address({PES{up ? 3'd0 : 3'd3}}), .write_data(word),
        .read_address({PES{3'd0}}), .read_data(usp8_status)
    );

    integer i;
    always @* begin
        disagree = 0; behind = 0;
        for (i = 0; i < PES; i = i + 1) begin
            if (up && between[i] && ttl_status[i*BUS]
                && ttl_status[i*BUS+8+:WIDTH] != usp8_status[i*BUS+8+:WIDTH]) disagree = 1;
            if (up && between[i] && ttl_status[i*BUS] != usp8_status[i*BUS]) behind = 1;
            if (up && !between[i] && ttl_status[i*BUS] && !usp8_status[i*BUS]) behind = 1;
        end
    end
endmodule

`default_nettype wire

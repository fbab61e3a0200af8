// SPDX-License-Identifier: MIT
// The result of an operation for one PE: a function of its group's data, which this PE alone chooses.
//   0  the NAND of the members' data, bit by bit
//   1  the datum of the PE `source`, 0 if that is no member (putget)
//   2  bit 0 of every member's datum, at the member's place (waitvec)
`default_nettype none

module papers_select #(
    parameter PES    = 4,
    parameter WIDTH  = 4,
    parameter RESULT = 4  // the greater of both
) (
    input  wire [      PES-1:0] group,
    input  wire [PES*WIDTH-1:0] data,
    input  wire [          1:0] op,
    input  wire [          4:0] source,
    output reg  [   RESULT-1:0] result
);
    // Only the bits that a PE's number has are used of `source`; numbers that no PE has are no members.
    localparam INDEX = $clog2(PES);
    wire [INDEX-1:0] from = source[INDEX-1:0];
    wire [(1<<INDEX)-1:0] all_group = group;
    wire [WIDTH*(1<<INDEX)-1:0] all_data = data;
    wire [WIDTH-1:0] fetched = all_group[from] ? all_data[from*WIDTH+:WIDTH] : {WIDTH{1'b0}};

    wire [PES*WIDTH-1:0] members;
    wire [      PES-1:0] votes;
    wire [    WIDTH-1:0] nand_all;

    genvar pe;
    generate
        for (pe = 0; pe < PES; pe = pe + 1) begin : pes
            assign members[pe*WIDTH+:WIDTH] = data[pe*WIDTH+:WIDTH] | {WIDTH{~group[pe]}};
            assign votes[pe] = group[pe] & data[pe*WIDTH];
        end
    endgenerate

    papers_nand #(
        .PES  (PES),
        .WIDTH(WIDTH)
    ) nands (
        .data  (members),
        .result(nand_all)
    );

    always @* begin
        result = {RESULT{1'b0}};
        case (op)
            2'd1: result[WIDTH-1:0] = fetched;
            2'd2: result[PES-1:0] = votes;
            default: result[WIDTH-1:0] = nand_all;
        endcase
    end
endmodule

`default_nettype wire

// SPDX-License-Identifier: MIT
// PAPERS1, the dynamic unit: any number of disjoint groups at a time, each with its own barrier, and for every PE its
// own choice of a function of its group's data (papers_select). A result stays until the PE's next POST.
`default_nettype none

module papers1 #(
    parameter PES    = 4,
    parameter WIDTH  = 4,
    parameter RESULT = 4  // the greater of both
) (
    input wire clock,

    // The state of every PE; it changes only while the PE has not arrived.
    input wire [      PES-1:0] arrived,
    input wire [  PES*PES-1:0] mask,
    input wire [PES*WIDTH-1:0] data,
    input wire [    PES*2-1:0] op,
    input wire [    PES*5-1:0] source,

    output wire [       PES-1:0] done,     // the PE's operation completes at the end of this clock
    output reg  [       PES-1:0] mismatch_q,  // valid a clock after the mismatch
    output reg  [PES*RESULT-1:0] result_q
);
    // A mismatch lasts, so it can be reported a clock later, which keeps the comparisons out of the path of a
    // read.
    wire [PES-1:0] mismatch;
    always @(posedge clock) mismatch_q <= mismatch;

    papers_match #(
        .PES(PES)
    ) match (
        .arrived (arrived),
        .mask    (mask),
        .done    (done),
        .mismatch(mismatch)
    );

    genvar pe;
    generate
        for (pe = 0; pe < PES; pe = pe + 1) begin : pes
            wire [RESULT-1:0] result;

            papers_select #(
                .PES   (PES),
                .WIDTH (WIDTH),
                .RESULT(RESULT)
            ) choice (
                .group (mask[pe*PES+:PES]),
                .data  (data),
                .op    (op[pe*2+:2]),
                .source(source[pe*5+:5]),
                .result(result)
            );

            // Taken in every clock of the wait; the last one counts: with `done` as the enable, the slowest
            // path would end here.
            always @(posedge clock) if (arrived[pe]) result_q[pe*RESULT+:RESULT] <= result;
        end
    endgenerate
endmodule

`default_nettype wire

// SPDX-License-Identifier: MIT
// TTL_PAPERS, the static unit: one barrier of all members, and the NAND of their data lines.
//
// Without a register (REGISTER 0, as it was in 1995) the result follows the lines, so a PE that has read it
// must let the others read it too before it changes its data: an operation with a result takes two barriers.
// With one (REGISTER 1) the result is that of the last barrier, until the next.
`default_nettype none

module ttl_papers #(
    parameter PES      = 4,
    parameter WIDTH    = 4,
    parameter REGISTER = 0
) (
    input wire clock,
    input wire reset,

    input wire [      PES-1:0] strobe_set,
    input wire [      PES-1:0] strobe_clear,
    input wire [PES*WIDTH-1:0] data,

    output wire             turn,   // the barrier completes at the end of this clock
    output wire             ready,  // the latch of the barrier
    output wire [WIDTH-1:0] result
);
    wire [WIDTH-1:0] lines;

    papers_barrier #(
        .PES(PES)
    ) barrier (
        .clock       (clock),
        .reset       (reset),
        .strobe_set  (strobe_set),
        .strobe_clear(strobe_clear),
        .turn        (turn),
        .ready_q     (ready)
    );

    papers_nand #(
        .PES  (PES),
        .WIDTH(WIDTH)
    ) nands (
        .data  (data),
        .result(lines)
    );

    generate
        if (REGISTER) begin : held
            reg [WIDTH-1:0] result_q;
            always @(posedge clock) if (turn) result_q <= lines;
            assign result = result_q;
        end else begin : follows
            assign result = lines;
        end
    endgenerate
endmodule

`default_nettype wire

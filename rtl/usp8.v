// SPDX-License-Identifier: MIT
// The unit of the University of Sao Paulo: TTL_PAPERS for up to 8 nodes, with a register that holds the NAND of each
// operation, so that the unit and not the software coordinates puts and gets.
`default_nettype none

module usp8 #(
    parameter PES   = 8,
    parameter WIDTH = 4
) (
    input wire clock,
    input wire reset,

    input wire [      PES-1:0] strobe_set,
    input wire [      PES-1:0] strobe_clear,
    input wire [PES*WIDTH-1:0] data,

    output wire             turn,   // the barrier completes at the end of this clock
    output wire             ready,  // the latch of the barrier
    output wire [WIDTH-1:0] result  // of the last operation
);
    ttl_papers #(
        .PES     (PES),
        .WIDTH   (WIDTH),
        .REGISTER(1)
    ) unit (
        .clock       (clock),
        .reset       (reset),
        .strobe_set  (strobe_set),
        .strobe_clear(strobe_clear),
        .data        (data),
        .turn        (turn),
        .ready       (ready),
        .result      (result)
    );
endmodule

`default_nettype wire

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

    output wire             turn,     // the barrier completes at the end of this clock
    output wire             ready,    // the latch of the barrier
    output reg  [WIDTH-1:0] result_q  // of the last operation
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

    always @(posedge clock) if (turn) result_q <= lines;
endmodule

`default_nettype wire

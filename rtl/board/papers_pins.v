// SPDX-License-Identifier: MIT
// TTL_PAPERS at the pins of printer ports: for each PE eight lines from its port and five to it. The pinout is ours.
//
//   from the PE  0-3  data                      to the PE  0-3  the NAND of all data
//                4    strobe that sets                     4    select 0: the latch of the barrier
//                5    strobe that clears                        select 1: an interrupt is pending
//                6    interrupt: its rising edge raises one (select 0), or acknowledges it (select 1)
//                7    select
//
// A port that is not plugged in is held high by pull-ups: both strobes and all data, which is what a PE that is no
// member shows. A PE that changes its strobes may show that, too, until the slower line has followed: it would be no
// member for a moment, and what all others have acknowledged, or arrived at, would be over without it. Therefore the
// lines of a port count only when they are steady.
`default_nettype none

module papers_pins #(
    parameter PES    = 2,
    parameter STEADY = 8  // clocks, as papers_steady has it
) (
    input  wire             clock,
    input  wire [PES*8-1:0] from_pe,
    output reg  [PES*5-1:0] to_pe
);
    // The registers begin at 0; reset lasts until the lines of all ports have come through theirs, and counted.
    localparam SETTLED = 2 * STEADY + 6;
    localparam BITS = $clog2(SETTLED + 1);
    reg [BITS-1:0] settled_q = {BITS{1'b0}};
    wire reset = settled_q != SETTLED[BITS-1:0];
    always @(posedge clock) if (reset) settled_q <= settled_q + {{BITS - 1{1'b0}}, 1'b1};

    wire [PES*4-1:0] data;
    wire [PES-1:0] strobe_set, strobe_clear, raise, acknowledge, acknowledged, cause;
    wire [PES-1:0] live = ~(strobe_set & strobe_clear);
    wire [3:0] nands;
    wire ready, turn, pending;
    genvar pe;
    generate
        for (pe = 0; pe < PES; pe = pe + 1) begin : ports
            wire interrupt, select;
            papers_steady #(
                .STEADY(STEADY)
            ) port (
                .clock  (clock),
                .lines  (from_pe[pe*8+:8]),
                .taken_q({select, interrupt, strobe_clear[pe], strobe_set[pe], data[pe*4+:4]})
            );

            reg interrupt_was_q;
            always @(posedge clock) interrupt_was_q <= interrupt;
            wire rises = interrupt & ~interrupt_was_q & live[pe];
            assign raise[pe] = rises & ~select;
            assign acknowledge[pe] = rises & select;

            // Registers, so that nothing is seen of how the trees come to their results.
            always @(posedge clock) to_pe[pe*5+:5] <= {select ? pending & ~acknowledged[pe] : ready, nands};
        end
    endgenerate

    ttl_papers #(
        .PES(PES)
    ) unit (
        .clock       (clock),
        .reset       (reset),
        .strobe_set  (strobe_set),
        .strobe_clear(strobe_clear),
        .data        (data),
        .turn        (turn),
        .ready       (ready),
        .result      (nands)
    );

    papers_interrupt #(
        .PES(PES)
    ) interrupts (
        .clock         (clock),
        .reset         (reset),
        .live          (live),
        .raise         (raise),
        .acknowledge   (acknowledge),
        .pending       (pending),
        .acknowledged_q(acknowledged),
        .cause_q       (cause)
    );
endmodule

`default_nettype wire

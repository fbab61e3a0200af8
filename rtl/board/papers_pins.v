// TTL_PAPERS at the pins of printer ports: for each PE eight lines from its port and five to it. The pinout is ours.
//
//   from the PE  0-3  data                      to the PE  0-3  the NAND of all data
//                4    strobe that sets                     4    select 0: the latch of the barrier
//                5    strobe that clears                        select 1: an interrupt is pending
//                6    interrupt: its rising edge raises one (select 0), or acknowledges it (select 1)
//                7    select
//
// A port that is not plugged in is held high by pull-ups: both strobes and all data, which is what a PE that is no
// member shows.
`default_nettype none

module papers_pins #(
    parameter PES = 2
) (
    input  wire             clock,
    input  wire [PES*8-1:0] from_pe,
    output wire [PES*5-1:0] to_pe
);
    // The lines change at any moment: two registers each before anything is made of them, and a third to see edges.
    reg [PES*8-1:0] first_q, lines_q, before_q;
    always @(posedge clock) begin
        first_q <= from_pe;
        lines_q <= first_q;
        before_q <= lines_q;
    end

    // The registers begin at 0; reset lasts until the lines have come through them.
    reg [2:0] settled_q = 3'd0;
    wire reset = ~settled_q[2];
    always @(posedge clock) if (reset) settled_q <= settled_q + 3'd1;

    wire [PES*4-1:0] data;
    wire [PES-1:0] strobe_set, strobe_clear, raise, acknowledge, acknowledged, cause;
    wire [3:0] nands;
    wire ready, turn, pending;
    genvar pe;
    generate
        for (pe = 0; pe < PES; pe = pe + 1) begin : ports
            wire rises = lines_q[pe*8+6] & ~before_q[pe*8+6] & ~reset;
            wire select = lines_q[pe*8+7];
            assign data[pe*4+:4] = lines_q[pe*8+:4];
            assign strobe_set[pe] = lines_q[pe*8+4];
            assign strobe_clear[pe] = lines_q[pe*8+5];
            assign raise[pe] = rises & ~select;
            assign acknowledge[pe] = rises & select;
            assign to_pe[pe*5+:5] = {select ? pending & ~acknowledged[pe] : ready, nands};
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
    ) interrupt (
        .clock         (clock),
        .reset         (reset),
        .live          (~(strobe_set & strobe_clear)),
        .raise         (raise),
        .acknowledge   (acknowledge),
        .pending       (pending),
        .acknowledged_q(acknowledged),
        .cause_q       (cause)
    );
endmodule

`default_nettype wire

// SPDX-License-Identifier: MIT
// A unit with its parallel interrupt, and a register face for each PE. PE k has the k-th part of every bus.
`default_nettype none

module papers_bus #(
    parameter UNIT     = "papers1",  // or "ttl_papers", "usp8"
    parameter PES      = 4,
    parameter WIDTH    = 4,
    parameter REGISTER = 0,          // 1: ttl_papers has one
    parameter COUNT    = 16,         // bits of each counter; 0: none
    // These follow from the others.
    parameter RESULT   = PES > WIDTH ? PES : WIDTH,
    parameter BUS      = RESULT + 8 > COUNT ? RESULT + 8 : COUNT
) (
    input wire clock,
    input wire reset,

    input  wire [    PES-1:0] write,
    input  wire [  PES*3-1:0] write_address,
    input  wire [PES*BUS-1:0] write_data,
    input  wire [  PES*3-1:0] read_address,
    output wire [PES*BUS-1:0] read_data
);
    wire [PES-1:0] live, arrived, done, mismatch, raise, acknowledge, acknowledged, cause;
    wire [PES*WIDTH-1:0] data;
    wire [PES*2-1:0] op;
    wire [PES*5-1:0] source;
    wire [PES*PES-1:0] mask;
    wire [PES*RESULT-1:0] result;
    wire pending;

    genvar pe;
    generate
        for (pe = 0; pe < PES; pe = pe + 1) begin : pes
            papers_face #(
                .PES   (PES),
                .WIDTH (WIDTH),
                .RESULT(RESULT),
                .BUS   (BUS),
                .MASKED(UNIT == "papers1"),
                .COUNT (COUNT),
                .ID    (pe)
            ) face (
                .clock        (clock),
                .reset        (reset),
                .write        (write[pe]),
                .write_address(write_address[pe*3+:3]),
                .write_data   (write_data[pe*BUS+:BUS]),
                .read_address (read_address[pe*3+:3]),
                .read_data    (read_data[pe*BUS+:BUS]),
                .live_q       (live[pe]),
                .arrived_q    (arrived[pe]),
                .data         (data[pe*WIDTH+:WIDTH]),
                .op_q         (op[pe*2+:2]),
                .source_q     (source[pe*5+:5]),
                .mask         (mask[pe*PES+:PES]),
                .done         (done[pe]),
                .mismatch     (mismatch[pe]),
                .result       (result[pe*RESULT+:RESULT]),
                .live_all     (live),
                .raise        (raise[pe]),
                .acknowledge  (acknowledge[pe]),
                .pending      (pending),
                .acknowledged (acknowledged[pe]),
                .cause        (cause)
            );
        end

        if (UNIT == "papers1") begin : groups
            papers1 #(
                .PES   (PES),
                .WIDTH (WIDTH),
                .RESULT(RESULT)
            ) unit (
                .clock   (clock),
                .arrived (arrived),
                .mask    (mask),
                .data    (data),
                .op      (op),
                .source  (source),
                .done    (done),
                .mismatch_q(mismatch),
                .result_q(result)
            );
        end else begin : one_group
            // A PE that has not arrived holds the strobe that agrees with the latch, and both if it is not checked in.
            wire ready, turn;
            wire [PES-1:0] level = arrived ^ {PES{ready}};
            wire [PES-1:0] strobe_set = level | ~live;
            wire [PES-1:0] strobe_clear = ~level | ~live;
            wire [WIDTH-1:0] shared;

            assign done = {PES{turn}};
            assign mismatch = {PES{1'b0}};
            for (pe = 0; pe < PES; pe = pe + 1) begin : results
                assign result[pe*RESULT+:RESULT] = shared;
            end

            if (UNIT == "usp8") begin : held
                usp8 #(
                    .PES  (PES),
                    .WIDTH(WIDTH)
                ) unit (
                    .clock       (clock),
                    .reset       (reset),
                    .strobe_set  (strobe_set),
                    .strobe_clear(strobe_clear),
                    .data        (data),
                    .turn        (turn),
                    .ready       (ready),
                    .result      (shared)
                );
            end else begin : ttl
                ttl_papers #(
                    .PES     (PES),
                    .WIDTH   (WIDTH),
                    .REGISTER(REGISTER)
                ) unit (
                    .clock       (clock),
                    .reset       (reset),
                    .strobe_set  (strobe_set),
                    .strobe_clear(strobe_clear),
                    .data        (data),
                    .turn        (turn),
                    .ready       (ready),
                    .result      (shared)
                );
            end
        end
    endgenerate

    papers_interrupt #(
        .PES(PES)
    ) interrupt (
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

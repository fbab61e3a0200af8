// SPDX-License-Identifier: MIT
// One PE's registers. A write and a read may come in the same clock; a read changes nothing.
//
//   address  write                                        read
//   0        POST: arrive. [1:0] function, [6:2] source,  STATUS: [0] ready, [1] mismatch, [2] early,
//            [8 +: WIDTH] datum                           [3] interrupt pending, [4] acknowledged, others not yet,
//                                                         [5] checked in, [8 +: RESULT] result
//   1        MASK: the group from the next POST on        the group of the last POST
//   2        INTERRUPT: [0] raise, [1] acknowledge        the PEs that raised the last interrupt
//   3        CONTROL: [0] check in (1) or out (0)         the PEs that are checked in
//   4                                                     operations completed
//   5                                                     clocks waited
//
// A POST before the last operation is ready does nothing but set `early`, which CONTROL clears. Static units have no
// MASK: their group is all PEs that are checked in.
`default_nettype none

module papers_face #(
    parameter PES    = 4,
    parameter WIDTH  = 4,
    parameter RESULT = 4,
    parameter BUS    = 16,
    parameter MASKED = 1,   // the unit has groups
    parameter COUNT  = 16,  // bits of each counter; 0: none
    parameter ID     = 0
) (
    input wire clock,
    input wire reset,

    // The PE
    input  wire           write,
    input  wire [    2:0] write_address,
    input  wire [BUS-1:0] write_data,
    input  wire [    2:0] read_address,
    output reg  [BUS-1:0] read_data,

    // The unit: this PE's inputs to it
    output reg              live_q,
    output reg              arrived_q,
    output wire [WIDTH-1:0] data,
    output reg  [      1:0] op_q,
    output reg  [      4:0] source_q,
    output wire [  PES-1:0] mask,

    // The unit: its results for this PE
    input wire              done,
    input wire              mismatch,
    input wire [RESULT-1:0] result,
    input wire [   PES-1:0] live_all,

    // The parallel interrupt
    output wire           raise,
    output wire           acknowledge,
    input  wire           pending,
    input  wire           acknowledged,
    input  wire [PES-1:0] cause
);
    localparam POST = 3'd0, MASK = 3'd1, INTERRUPT = 3'd2, CONTROL = 3'd3, OPERATIONS = 3'd4, WAITED = 3'd5;

    wire control = write & (write_address == CONTROL);
    wire posted = write & (write_address == POST) & live_q & ~reset;
    wire accepted = posted & ~arrived_q;

    reg early_q;
    reg [WIDTH-1:0] data_q;
    assign data = data_q | {WIDTH{~live_q}};

    always @(posedge clock)
        if (reset) begin
            live_q <= 1'b0;
            arrived_q <= 1'b0;
            early_q <= 1'b0;
        end else if (control) begin
            live_q <= write_data[0];
            arrived_q <= 1'b0;
            early_q <= 1'b0;
        end else begin
            arrived_q <= accepted | (arrived_q & ~done);
            early_q <= early_q | (posted & arrived_q);
        end

    always @(posedge clock)
        if (accepted) begin
            data_q <= write_data[8+:WIDTH];
            op_q <= write_data[1:0];
            source_q <= write_data[6:2];
        end

    generate
        if (MASKED) begin : masks
            reg [PES-1:0] next_q, mask_q;
            assign mask = mask_q;
            always @(posedge clock)
                if (reset | control) next_q <= {PES{1'b1}};
                else if (write & (write_address == MASK)) next_q <= write_data[PES-1:0] | ({{PES - 1{1'b0}}, 1'b1} << ID);
            always @(posedge clock) if (accepted) mask_q <= next_q;
        end else begin : all
            assign mask = live_all;
        end
    endgenerate

    assign raise = write & (write_address == INTERRUPT) & live_q & write_data[0];
    assign acknowledge = write & (write_address == INTERRUPT) & live_q & write_data[1];

    wire [BUS-1:0] operations, waited;
    generate
        if (COUNT > 0) begin : counted
            // Completed operations are counted a clock later, so that this path ends at one register.
            reg [COUNT-1:0] operations_q, waited_q;
            reg completed_q;
            assign operations = operations_q;
            assign waited = waited_q;
            always @(posedge clock)
                if (reset | control) begin
                    completed_q <= 1'b0;
                    operations_q <= {COUNT{1'b0}};
                    waited_q <= {COUNT{1'b0}};
                end else begin
                    completed_q <= arrived_q & done;
                    operations_q <= operations_q + {{COUNT - 1{1'b0}}, completed_q};
                    waited_q <= waited_q + {{COUNT - 1{1'b0}}, arrived_q};
                end
        end else begin : uncounted
            assign operations = {BUS{1'b0}};
            assign waited = {BUS{1'b0}};
        end
    endgenerate

    always @* begin
        read_data = {BUS{1'b0}};
        case (read_address)
            POST: begin
                read_data[5:0] = {live_q, acknowledged, pending, early_q, mismatch, ~arrived_q};
                read_data[8+:RESULT] = result;
            end
            MASK: read_data[PES-1:0] = mask;
            INTERRUPT: read_data[PES-1:0] = cause;
            CONTROL: read_data[PES-1:0] = live_all;
            OPERATIONS: read_data = operations;
            WAITED: read_data = waited;
            default: ;
        endcase
    end
endmodule

`default_nettype wire

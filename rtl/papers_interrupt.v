// SPDX-License-Identifier: MIT
// The parallel interrupt: one tree tells that a PE has raised it, the other that every member has
// acknowledged it.
//
// A member's handler runs after the acknowledging barrier, when all members have stopped what they did. So an
// interrupt that is raised before that barrier completes belongs to it, and `cause_q` tells every member the
// PEs that had raised it; one that is raised later opens the next one. `cause_q` stays until every member has
// acknowledged again.
`default_nettype none

module papers_interrupt #(
    parameter PES = 4
) (
    input wire clock,
    input wire reset,

    input wire [PES-1:0] live,
    input wire [PES-1:0] raise,
    input wire [PES-1:0] acknowledge,

    output wire           pending,
    output reg  [PES-1:0] acknowledged_q,  // and others have not yet
    output reg  [PES-1:0] cause_q          // who had raised the last one
);
    reg [PES-1:0] raised_q;

    assign pending = |raised_q;
    wire complete = pending & &(acknowledged_q | ~live);

    always @(posedge clock)
        if (reset) begin
            raised_q <= {PES{1'b0}};
            acknowledged_q <= {PES{1'b0}};
            cause_q <= {PES{1'b0}};
        end else if (complete) begin
            raised_q <= raise;
            acknowledged_q <= {PES{1'b0}};
            cause_q <= raised_q;
        end else begin
            raised_q <= raised_q | raise;
            acknowledged_q <= (acknowledged_q | (acknowledge & {PES{pending}})) & live;
        end
endmodule

`default_nettype wire

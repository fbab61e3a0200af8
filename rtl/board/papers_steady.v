// SPDX-License-Identifier: MIT
// The lines of one port, which change at any moment and not at the same time: they count as they are once all of them
// have been the same for STEADY clocks. So lines that follow their port with less than STEADY - 1 clocks between the
// first and the last of them count as changed in one clock, and nothing that the port never had is seen between; and a
// port must keep what it has for 2 * STEADY clocks.
`default_nettype none

module papers_steady #(
    parameter LINES  = 8,
    parameter STEADY = 8  // 2 at least
) (
    input  wire             clock,
    input  wire [LINES-1:0] lines,
    output reg  [LINES-1:0] taken_q
);
    // Two registers, before anything is made of a line that changed just at the clock, and a third to compare with.
    reg [LINES-1:0] first_q, second_q, third_q;
    always @(posedge clock) begin
        first_q <= lines;
        second_q <= first_q;
        third_q <= second_q;
    end

    // `count_q` is how often in turn the lines were found the same, up to the number that needs one time more.
    localparam LAST = STEADY - 2;
    localparam BITS = $clog2(STEADY);
    reg [BITS-1:0] count_q = {BITS{1'b0}};
    wire same = second_q == third_q;
    wire enough = count_q == LAST[BITS-1:0];
    always @(posedge clock)
        if (~same) count_q <= {BITS{1'b0}};
        else if (~enough) count_q <= count_q + {{BITS - 1{1'b0}}, 1'b1};

    always @(posedge clock) if (same & enough) taken_q <= third_q;
endmodule

`default_nettype wire

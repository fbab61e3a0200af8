// SPDX-License-Identifier: MIT
// The printer port of a PE, as it may behave. It holds any word, and any other one after it has held that for
// 2 * STEADY clocks. Its lines follow in any order; the last of them is sampled as changed STEADY - 1 clocks after the
// first one, since less than STEADY - 1 clocks may have that many clocks' edges in them.
`default_nettype none

module port #(
    parameter STEADY = 3
) (
    input wire       clock,
    input wire       change,  // the port takes the word that is wanted, if it may
    input wire [7:0] wanted,
    input wire [7:0] follow,  // the lines that follow now, if they have not

    output reg  [7:0] word,    // the present one
    output reg  [7:0] before,  // the one before
    output wire [7:0] lines,
    output wire       kept     // all lines have shown the present word for STEADY clocks
);
    localparam HOLD = 2 * STEADY;
    localparam SKEW = STEADY - 1;

    reg [4:0] age;
    reg [7:0] followed;
    assign lines = (followed & word) | (~followed & before);
    assign kept = age >= SKEW + STEADY;

    always @(posedge clock)
        if (change && age >= HOLD) begin
            word <= wanted;
            before <= word;
            followed <= 8'd0;
            age <= 5'd0;
        end else begin
            followed <= followed | follow | {8{age >= SKEW}};
            if (age < HOLD) age <= age + 5'd1;
        end
endmodule

`default_nettype wire

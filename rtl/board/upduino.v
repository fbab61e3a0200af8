// SPDX-License-Identifier: MIT
// Two PEs on a UPduino 3 (Lattice UP5K): papers_pins on the oscillator of the chip, with pull-ups at the inputs.
// No board was tried. docs/hardware.md has the wiring.
`default_nettype none

module upduino #(
    parameter PES = 2
) (
    inout  wire [PES*8-1:0] from_pe,
    output wire [PES*5-1:0] to_pe
);
    wire clock;
    SB_HFOSC #(
        .CLKHF_DIV("0b01")  // 24 MHz
    ) oscillator (
        .CLKHFPU(1'b1),
        .CLKHFEN(1'b1),
        .CLKHF  (clock)
    );

    wire [PES*8-1:0] lines;
    genvar line;
    generate
        for (line = 0; line < PES * 8; line = line + 1) begin : inputs
            SB_IO #(
                .PIN_TYPE(6'b000001),
                .PULLUP  (1'b1)
            ) pin (
                .PACKAGE_PIN(from_pe[line]),
                .D_IN_0     (lines[line])
            );
        end
    endgenerate

    papers_pins #(
        .PES(PES)
    ) unit (
        .clock  (clock),
        .from_pe(lines),
        .to_pe  (to_pe)
    );
endmodule

`default_nettype wire

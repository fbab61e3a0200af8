// SPDX-License-Identifier: MIT
// The NAND of the data of all PEs, bit by bit. A PE that contributes nothing puts ones, as an unplugged cable does.
`default_nettype none

module papers_nand #(
    parameter PES   = 4,
    parameter WIDTH = 4
) (
    input  wire [PES*WIDTH-1:0] data,
    output wire [    WIDTH-1:0] result
);
    genvar pe, line;
    generate
        for (line = 0; line < WIDTH; line = line + 1) begin : lines
            wire [PES-1:0] column;
            for (pe = 0; pe < PES; pe = pe + 1) begin : pes
                assign column[pe] = data[pe*WIDTH+line];
            end
            assign result[line] = ~&column;
        end
    endgenerate
endmodule

`default_nettype wire

// SPDX-License-Identifier: MIT
// Which groups are complete: the barriers of any number of disjoint groups, each named by the masks of its members.
//
// An operation of a PE completes when every PE that its mask names has arrived with the same mask. A member that has
// arrived for another group is waited for, if that group does not name this PE. If it does, neither can ever complete:
// a mismatch, which stays until one of them checks out.
`default_nettype none

module papers_match #(
    parameter PES = 4
) (
    input wire [    PES-1:0] arrived,
    input wire [PES*PES-1:0] mask,     // of PE k: [k*PES +: PES]

    output wire [PES-1:0] done,
    output wire [PES-1:0] mismatch
);
    // Pairs [i*PES + j]; only those with i < j are compared.
    wire [PES*PES-1:0] same;

    genvar i, j;
    generate
        for (i = 0; i < PES; i = i + 1) begin : pes
            wire [PES-1:0] group = mask[i*PES+:PES];
            wire [PES-1:0] named_by;
            wire [PES-1:0] equal = same[i*PES+:PES];

            for (j = 0; j < PES; j = j + 1) begin : others
                assign named_by[j] = mask[j*PES+i];
                if (i < j) begin : compared
                    assign same[i*PES+j] = mask[i*PES+:PES] == mask[j*PES+:PES];
                end else if (i > j) begin : mirrored
                    assign same[i*PES+j] = same[j*PES+i];
                end else begin : itself
                    assign same[i*PES+j] = 1'b1;
                end
            end

            assign done[i] = arrived[i] & &(~group | (arrived & equal));
            assign mismatch[i] = arrived[i] & |(group & named_by & arrived & ~equal);
        end
    endgenerate
endmodule

`default_nettype wire

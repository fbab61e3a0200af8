// papers_pins as two PEs see it at their ports: a barrier, a NAND, an interrupt, and a cable that is pulled out.
`timescale 1ns / 1ns
`default_nettype none

module pins;
    reg clock = 1'b0;
    always #5 clock = ~clock;

    reg [15:0] from_pe = 16'hffff;
    wire [9:0] to_pe;
    papers_pins #(
        .PES(2)
    ) unit (
        .clock  (clock),
        .from_pe(from_pe),
        .to_pe  (to_pe)
    );

    localparam SET = 4'b0001, CLEAR = 4'b0010, INTERRUPT = 4'b0100, SELECT = 4'b1000;
    localparam SETTLES = 8;  // clocks

    // Set the lines of PE 0 or 1; then the unit gets time to settle.
    task put(input integer pe, input [3:0] control, input [3:0] data);
        begin
            from_pe[pe*8+:8] = {control, data};
            repeat (SETTLES) @(negedge clock);
        end
    endtask

    task sees(input integer pe, input [4:0] mask, input [4:0] value, input [8*32-1:0] what);
        if ((to_pe[pe*5+:5] & mask) !== value) begin
            $display("pins: PE %0d has %b: %0s", pe, to_pe[pe*5+:5], what);
            $fatal;
        end
    endtask

    initial begin
        repeat (20) @(negedge clock);
        put(0, CLEAR, 4'hf);
        put(1, CLEAR, 4'hf);
        sees(0, 5'h10, 5'h00, "the latch is clear at first");

        put(0, SET, 4'h5);
        sees(0, 5'h10, 5'h00, "PE 1 has not arrived");
        put(1, SET, 4'h6);
        sees(0, 5'h1f, 5'h1b, "latch, and NAND of 5 and 6");
        sees(1, 5'h1f, 5'h1b, "latch, and NAND of 5 and 6");
        put(1, CLEAR, 4'h6);
        sees(1, 5'h10, 5'h10, "PE 0 has not arrived");
        put(0, CLEAR, 4'h5);
        sees(1, 5'h10, 5'h00, "both have");

        put(1, CLEAR | INTERRUPT, 4'hf);
        put(1, CLEAR | SELECT, 4'hf);
        put(0, CLEAR | SELECT, 4'hf);
        sees(0, 5'h10, 5'h10, "an interrupt is pending");
        sees(1, 5'h10, 5'h10, "an interrupt is pending");
        put(0, CLEAR | SELECT | INTERRUPT, 4'hf);
        sees(0, 5'h10, 5'h00, "PE 0 has acknowledged");
        sees(1, 5'h10, 5'h10, "PE 1 has not");
        put(1, CLEAR | SELECT | INTERRUPT, 4'hf);
        sees(1, 5'h10, 5'h00, "both have acknowledged");

        put(1, 4'hf, 4'hf);
        put(0, SET, 4'ha);
        sees(0, 5'h1f, 5'h15, "PE 0 alone");
        $display("pins: all as expected");
        $finish;
    end
endmodule

`default_nettype wire

// papers_pins as two PEs see it at their ports: barriers, NANDs, interrupts, and a cable that is pulled out, while the
// lines of a port never change at the same time. +skew=N: a line follows its port after any time below N ns; a clock is
// 10 ns.
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
    localparam SETTLES = 250;  // ns, the time of a port operation: as many clocks as 1 us has at 24 MHz
    localparam ROUNDS = 300;

    integer skew, seed = 1, round;
    reg [3:0] data[0:1];

    // Set the lines of PE 0 or 1; then the unit gets time to settle. Several lines may follow in either order.
    task automatic put(input integer pe, input [3:0] control, input [3:0] value);
        reg [7:0] lines;
        integer late[0:7];
        integer line, ns;
        begin
            lines = {control, value};
            for (line = 0; line < 8; line = line + 1) late[line] = skew ? $urandom(seed) % skew : 0;
            for (ns = 0; ns < SETTLES; ns = ns + 1) begin
                for (line = 0; line < 8; line = line + 1) if (late[line] == ns) from_pe[pe*8+line] = lines[line];
                #1;
            end
        end
    endtask

    task automatic sees(input integer pe, input [4:0] mask, input [4:0] value, input [8*40-1:0] what);
        if ((to_pe[pe*5+:5] & mask) !== value) begin
            $display("pins: round %0d, PE %0d has %b: %0s", round, pe, to_pe[pe*5+:5], what);
            $finish;
            #1000000;
        end
    endtask

    // Both PEs hold `from` and change over to `to`, PE `first` first, or both at once.
    task automatic meet(input integer first, input at_once, input [3:0] from, input [3:0] to);
        reg [4:0] was, then;
        integer other;
        begin
            other = 1 - first;
            was = from == SET ? 5'h10 : 5'h00;
            then = to == SET ? 5'h10 : 5'h00;
            data[0] = $urandom(seed);
            data[1] = $urandom(seed);
            if (at_once) begin
                fork
                    put(first, to, data[first]);
                    put(other, to, data[other]);
                join
            end else begin
                put(first, to, data[first]);
                sees(0, 5'h10, was, "a barrier without the other PE");
                sees(1, 5'h10, was, "a barrier without this PE");
                put(other, to, data[other]);
            end
            sees(0, 5'h1f, then | {1'b0, ~(data[0] & data[1])}, "latch and NAND of both");
            sees(1, 5'h1f, then | {1'b0, ~(data[0] & data[1])}, "latch and NAND of both");
        end
    endtask

    // The PE that does not raise it changes its strobe while the interrupt is pending: it stays a member that has not
    // acknowledged, although both of its strobes may be high for a moment.
    task automatic interrupt(input integer first);
        integer other;
        begin
            other = 1 - first;
            put(first, CLEAR | INTERRUPT, 4'hf);
            put(first, CLEAR | SELECT, 4'hf);
            put(first, CLEAR | SELECT | INTERRUPT, 4'hf);
            put(other, SET, 4'h0);
            put(other, SET | SELECT, 4'h0);
            sees(other, 5'h10, 5'h10, "it is pending until all acknowledge");
            put(other, SET | SELECT | INTERRUPT, 4'h0);
            sees(other, 5'h10, 5'h00, "all have acknowledged");
            put(other, SET, 4'h0);
            sees(other, 5'h10, 5'h00, "the other PE has not arrived");
            put(first, SET, 4'hf);
            sees(other, 5'h1f, 5'h1f, "both have");
            meet(first, 1'b1, SET, CLEAR);
        end
    endtask

    initial begin
        if (!$value$plusargs("skew=%d", skew)) skew = 0;
        round = 0;
        #300;
        put(0, CLEAR, 4'hf);
        put(1, CLEAR, 4'hf);
        sees(0, 5'h10, 5'h00, "the latch is clear at first");
        sees(1, 5'h10, 5'h00, "the latch is clear at first");
        for (round = 1; round <= ROUNDS; round = round + 1) begin
            meet($urandom(seed) % 2, $urandom(seed) % 2, CLEAR, SET);
            meet($urandom(seed) % 2, $urandom(seed) % 2, SET, CLEAR);
            interrupt($urandom(seed) % 2);
        end

        // A PE that is pulled out is waited for no more, and acknowledges nothing.
        put(1, 4'hf, 4'hf);
        put(0, SET, 4'ha);
        sees(0, 5'h1f, 5'h15, "PE 0 alone");
        put(0, SET | INTERRUPT, 4'hf);
        put(0, SET | SELECT, 4'hf);
        sees(0, 5'h10, 5'h10, "an interrupt of PE 0 alone");
        put(0, SET | SELECT | INTERRUPT, 4'hf);
        sees(0, 5'h10, 5'h00, "PE 0 has acknowledged");
        $display("pins: all as expected");
        $finish;
    end
endmodule

`default_nettype wire

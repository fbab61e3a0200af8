// SPDX-License-Identifier: MIT
// The processors of a mesh's tiles, as docs/chip.md describes them: each sends the words of its packets, and a word
// that waits interrupts it; its handler takes words until none waits. What the registers do is rtl/'s. With DEMUX there
// is a demultiplexer behind RECEIVE (demux.v), and no handler: the processor takes the packet of one sender after the
// other.
//
// The words of tile k are in the file k.send of the current folder: hexadecimal, a header where one is due; and k.count
// has how many these are, and how many it gets. Prints each word that has been taken, with its tile, the clock, and the
// sender for whose words the demultiplexer was asked; and `end` when all have been. A processor does everything at a
// falling edge, when the network is at rest: it looks at what the rising edge before has moved, and decides what the
// next one may move.
`default_nettype none

module processors;
    parameter SIDE_X = 4;
    parameter SIDE_Y = 4;
    parameter WIDTH = 32;
    parameter LENGTH = 5;
    parameter LIMIT = 31;
    parameter DEPTH = 4;
    parameter DEMUX = 0;       // for 2, 4, 8, ... tiles: `sender` counts over them
    parameter INTERRUPT = 24;  // clocks until the handler takes its first word
    parameter EACH = 2;        // clocks for a word
    parameter CLOCKS = 200_000;
    parameter MOST = 8192;     // words that a tile sends
    localparam TILES = SIDE_X * SIDE_Y, SENDER = $clog2(TILES);

    reg clock = 0, reset = 1, began = 0;
    integer now = 0;  // the number of the next rising edge, from the first one after `began`
    always #5 clock = ~clock;

    wire [TILES*3-1:0] write_address;
    wire [TILES-1:0] write, read, write_ready, read_ready, interrupts;
    wire [TILES*WIDTH-1:0] write_data, read_data;
    wire [TILES-1:0] ended;

    // The first write lets the processors be interrupted.
    mesh #(
        .SIDE_X(SIDE_X), .SIDE_Y(SIDE_Y), .WIDTH(WIDTH), .LENGTH(LENGTH), .LIMIT(LIMIT), .DEPTH(DEPTH), .COUNT(0)
    ) dut (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data), .write_ready(write_ready),
        .read(read), .read_address({TILES{3'd1}}), .read_data(read_data), .read_ready(read_ready),
        .interrupts(interrupts)
    );

    initial begin
        repeat (2) @(negedge clock);
        reset = 0;
    end
    always @(posedge clock) begin
        if (!reset) began <= 1;
        if (began) now <= now + 1;
        if (&ended) $display("end");
        if (now == CLOCKS) $display("hung: %b have ended", ended);
        if (&ended || now == CLOCKS) $finish;
    end

    genvar k;
    generate
        for (k = 0; k < TILES; k = k + 1) begin : tiles
            integer file, fields, due, expected, sent = 0, next = 0, takes = 0, entered = 0, owed_out = 0, owed_in = 0;
            reg [WIDTH-1:0] words[0:MOST-1];
            wire [WIDTH-1:0] word = words[sent];
            reg handles = 0, writes = 0, reads = 0;
            assign write[k] = began ? writes : !reset;
            assign write_address[k*3+:3] = !began ? 3'd2 : owed_out == 0 ? 3'd0 : 3'd1;
            assign write_data[k*WIDTH+:WIDTH] = began ? word : {{WIDTH - 1{1'b0}}, 1'b1};
            assign ended[k] = began & sent == due & expected == 0;

            // The word that the processor may take next, and what has moved in the clock before
            wire offered;
            wire [WIDTH-1:0] offer;
            wire [31:0] asked;  // for the words of this sender
            reg took_q = 0, wrote_q = 0;
            reg [WIDTH-1:0] taken_q;
            always @(posedge clock) begin
                took_q <= began & reads & offered;
                wrote_q <= began & writes & write_ready[k];
                taken_q <= offer;
            end

            initial begin
                file = $fopen($sformatf("%0d.count", k), "r");
                fields = $fscanf(file, "%d %d", due, expected);
                if (due > 0) $readmemh($sformatf("%0d.send", k), words);
            end

            task moved;
                begin
                    if (took_q) begin
                        $display("%0d %0d %0d %h", k, now - 1, asked, taken_q);
                        takes = now - 1 + EACH;
                        expected = expected - 1;
                        owed_in = owed_in == 0 ? {{32 - LENGTH{1'b0}}, taken_q[20+:LENGTH]} : owed_in - 1;
                    end
                    if (wrote_q) begin
                        next = now - 1 + EACH;
                        owed_out = owed_out == 0 ? {{32 - LENGTH{1'b0}}, word[20+:LENGTH]} : owed_out - 1;
                        sent = sent + 1;
                    end
                end
            endtask

            if (DEMUX != 0) begin : sorted
                wire [TILES-1:0] waiting;
                wire ready;
                reg [SENDER-1:0] sender = 0;
                reg waited = 0;  // in the clock before, so that its word is there
                integer i;
                demux #(
                    .SIDE_X(SIDE_X), .SIDE_Y(SIDE_Y), .WIDTH(WIDTH), .LENGTH(LENGTH), .ROOM(2 << LENGTH)
                ) behind (
                    .clock(clock), .reset(!began),
                    .in_valid(read[k] & read_ready[k]), .in_data(read_data[k*WIDTH+:WIDTH]), .in_ready(ready),
                    .sender(sender), .word_q(offer), .take(reads), .waiting(waiting)
                );
                assign read[k] = began & ready;
                assign offered = 1'b1;
                assign asked = {{32 - SENDER{1'b0}}, sender};
                always @(negedge clock) if (began) begin
                    moved;
                    reads = waited & waiting[sender] & now >= takes;
                    waited = waiting[sender];
                    for (i = 0; i < TILES && owed_in == 0 && !waiting[sender]; i = i + 1) begin
                        waited = 0;
                        sender = sender + 1;
                    end
                    writes = sent < due & !reads & !(|waiting) & now >= next & now >= takes;
                end
            end else begin : handled
                assign read[k] = reads;
                assign offered = read_ready[k];
                assign offer = read_data[k*WIDTH+:WIDTH];
                assign asked = 0;
                always @(negedge clock) if (began) begin
                    moved;
                    if (!handles & interrupts[k]) begin
                        handles = 1;
                        entered = now;
                        takes = now + INTERRUPT;
                    end else if (handles & !interrupts[k] & now >= takes) begin
                        handles = 0;
                        next = next > entered ? next + now - entered : now;
                    end
                    reads = handles & now >= takes;
                    writes = sent < due & !handles & now >= next;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire

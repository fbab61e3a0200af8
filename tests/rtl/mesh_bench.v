// Runs two programs for each tile of a mesh, one that writes and one that reads, and prints what they see. It judges
// nothing: test_mesh.py writes the programs, knows what must come out and when, and reads the print.
//
// The programs of tile k are the files k.write and k.read of the current folder, a line for each step:
//   D A V    k.write: wait D clocks, then write V to address A, and wait until the tile takes it
//                                                   prints: write TILE clock
//   D A N    k.read: wait D clocks, then read address A N times, each time until there is an answer
//                                                   prints: read TILE clock address value
// A line of k.read whose A is 8 waits for the interrupt of the tile instead: prints interrupt TILE clock.
// The clock is the number of the edge at which a write takes effect or a value is read; the first one at which that may
// be is printed as `begin`. +vcd: leaves all signals in the file wave.vcd.
`default_nettype none

module mesh_bench;
    parameter SIDE_X = 4;
    parameter SIDE_Y = 4;
    parameter DEPTH = 4;
    parameter LIMIT = 31;
    parameter CLOCKS = 50_000;  // after which the programs have hung: those of test_mesh.py take some thousands
    localparam TILES = SIDE_X * SIDE_Y;

    reg clock = 0, reset = 1;
    integer now = 0;
    always #5 clock = ~clock;
    always @(posedge clock) now <= now + 1;

    reg [TILES-1:0] write = 0, read = 0;
    reg [TILES*3-1:0] write_address = 0, read_address = 0;
    reg [TILES*32-1:0] write_data = 0;
    wire [TILES-1:0] write_ready, read_ready, interrupt;
    wire [TILES*32-1:0] read_data;
    reg [2*TILES-1:0] ended = 0;

    mesh #(
        .SIDE_X(SIDE_X), .SIDE_Y(SIDE_Y), .DEPTH(DEPTH), .LIMIT(LIMIT)
    ) dut (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data), .write_ready(write_ready),
        .read(read), .read_address(read_address), .read_data(read_data), .read_ready(read_ready),
        .interrupts(interrupt)
    );

    initial begin
        if ($test$plusargs("vcd")) begin
            $dumpfile("wave.vcd");
            $dumpvars(0, mesh_bench);
        end
        repeat (2) @(posedge clock);
        reset <= 0;
        @(posedge clock);
        $display("begin %0d", now + 1);
        wait (&ended);
        $display("end %0d", now);
        $finish;
    end
    initial begin
        repeat (CLOCKS) @(posedge clock);
        $display("hung: the programs %b have ended", ended);
        $finish;
    end

    genvar k;
    generate
        for (k = 0; k < TILES; k = k + 1) begin : tiles
            reg [127:0] write_name, read_name;
            reg [31:0] value;
            integer write_file, write_delay, write_to, write_fields;
            integer read_file, read_delay, read_from, read_times, read_fields;

            initial begin
                $sformat(write_name, "%0d.write", k);
                wait (!reset);
                @(posedge clock);
                write_file = $fopen(write_name, "r");
                write_fields = $fscanf(write_file, "%d %d %d", write_delay, write_to, value);
                while (write_fields == 3) begin
                    repeat (write_delay) @(posedge clock);
                    write[k] <= 1;
                    write_address[k*3+:3] <= write_to;
                    write_data[k*32+:32] <= value;
                    @(posedge clock);
                    while (!write_ready[k]) @(posedge clock);
                    $display("write %0d %0d", k, now);
                    write[k] <= 0;
                    write_fields = $fscanf(write_file, "%d %d %d", write_delay, write_to, value);
                end
                ended[2*k] = 1;
            end

            initial begin
                $sformat(read_name, "%0d.read", k);
                wait (!reset);
                @(posedge clock);
                read_file = $fopen(read_name, "r");
                read_fields = $fscanf(read_file, "%d %d %d", read_delay, read_from, read_times);
                while (read_fields == 3) begin
                    repeat (read_delay) @(posedge clock);
                    if (read_from == 8) begin
                        while (!interrupt[k]) @(posedge clock);
                        $display("interrupt %0d %0d", k, now);
                    end else
                        repeat (read_times) begin
                            read[k] <= 1;
                            read_address[k*3+:3] <= read_from;
                            @(posedge clock);
                            while (!read_ready[k]) @(posedge clock);
                            $display("read %0d %0d %0d %0d", k, now, read_from, read_data[k*32+:32]);
                            read[k] <= 0;
                        end
                    read_fields = $fscanf(read_file, "%d %d %d", read_delay, read_from, read_times);
                end
                ended[2*k+1] = 1;
            end
        end
    endgenerate
endmodule

`default_nettype wire

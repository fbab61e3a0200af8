// Runs one program for each PE on a unit, and prints what each PE sees. It judges nothing: test_units.py writes the
// programs, knows what must come out, and reads the print.
//
// The program of PE k is the file k of the current folder, a line for each step: how many clocks to wait first, what to
// do, and a number.
//   w A*2^48+V    write V to address A                     prints: write PE address clock
//   p V           POST V, read STATUS until it is ready    prints: op PE posted-at ready-at result reads
//   r A           read address A                           prints: read PE address value
//   s 0           read STATUS, without the result          prints: status PE flags
//   l V           read CONTROL until it is V
//   t T           wait until clock T
// Between reads of STATUS a PE acknowledges an interrupt that is pending, waits until all have, and reads the cause
// (prints: interrupt PE acknowledged-at over-at cause); after its program it does nothing else, until all programs have
// ended. +port=N: a write or read takes N clocks of the PE's time (1); it reaches the unit in the last of them. +vcd:
// leaves all signals in the file wave.vcd.
`default_nettype none

module bench;
    parameter UNIT = "papers1";
    parameter PES = 4;
    parameter WIDTH = 4;
    parameter REGISTER = 1;
    parameter RESULT = PES > WIDTH ? PES : WIDTH;
    parameter BUS = RESULT + 8 > 16 ? RESULT + 8 : 16;
    localparam LIMIT = 200_000;  // clocks, after which the programs have hung

    reg clock = 0, reset = 1;
    integer now = 0;
    always #5 clock = ~clock;
    always @(posedge clock) now <= now + 1;

    reg [PES-1:0] write = 0;
    reg [PES*3-1:0] write_address = 0, read_address = 0;
    reg [PES*BUS-1:0] write_data = 0;
    wire [PES*BUS-1:0] read_data;
    reg [PES-1:0] ended = 0;

    papers_bus #(
        .UNIT(UNIT), .PES(PES), .WIDTH(WIDTH), .REGISTER(REGISTER)
    ) dut (
        .clock(clock), .reset(reset),
        .write(write), .write_address(write_address), .write_data(write_data),
        .read_address(read_address), .read_data(read_data)
    );

    integer port;
    initial begin
        if (!$value$plusargs("port=%d", port)) port = 1;
        if ($test$plusargs("vcd")) begin
            $dumpfile("wave.vcd");
            $dumpvars(0, bench);
        end
        repeat (2) @(posedge clock);
        reset <= 0;
        wait (&ended);
        repeat (8) @(posedge clock);
        $display("end %0d", now);
        $finish;
    end
    initial begin
        repeat (LIMIT) @(posedge clock);
        $display("hung: PEs %b have ended", ended);
        $finish;
    end

    genvar k;
    generate
        for (k = 0; k < PES; k = k + 1) begin : pes
            reg [127:0] name;
            reg [7:0] kind;
            reg [63:0] value;
            reg [BUS-1:0] status, cause;
            integer file, fields, delay, posted, acknowledged, reads;

            // The number of the clock edge at which a write takes effect is `now` before it; what is read at an edge is
            // what the edge before it left.
            task put(input [2:0] address, input [BUS-1:0] word);
                begin
                    repeat (port - 1) @(posedge clock);
                    write[k] <= 1;
                    write_address[k*3+:3] <= address;
                    write_data[k*BUS+:BUS] <= word;
                    @(posedge clock);
                    write[k] <= 0;
                end
            endtask

            task get(input [2:0] address, output [BUS-1:0] word);
                begin
                    repeat (port - 1) @(posedge clock);
                    read_address[k*3+:3] <= address;
                    @(posedge clock);
                    word = read_data[k*BUS+:BUS];
                end
            endtask

            task look;
                begin
                    get(0, status);
                    while (status[3] & ~status[4] & status[5]) begin
                        put(2, 2);
                        acknowledged = now;
                        get(0, status);
                        while (status[4]) get(0, status);
                        delay = now - 1;
                        get(2, cause);
                        $display("interrupt %0d %0d %0d %0d", k, acknowledged, delay, cause);
                        get(0, status);
                    end
                end
            endtask

            initial begin
                $sformat(name, "%0d", k);
                wait (!reset);
                @(posedge clock);
                file = $fopen(name, "r");
                fields = $fscanf(file, "%d %c %d", delay, kind, value);
                while (fields == 3) begin
                    repeat (delay) @(posedge clock);
                    case (kind)
                        "w": begin
                            put(value >> 48, value[47:0]);
                            $display("write %0d %0d %0d", k, value >> 48, now);
                        end
                        "p": begin
                            put(0, value);
                            posted = now;
                            reads = 1;
                            look;
                            while (~status[0]) begin
                                look;
                                reads = reads + 1;
                            end
                            $display("op %0d %0d %0d %0d %0d", k, posted, now - 1, status[8+:RESULT], reads);
                        end
                        "s": begin
                            get(0, status);
                            $display("status %0d %0d", k, status[5:0]);
                        end
                        "r": begin
                            get(value, status);
                            $display("read %0d %0d %0d", k, value, status);
                        end
                        "l": begin
                            get(3, status);
                            while (status != value) get(3, status);
                        end
                        "t": while (now < value) @(posedge clock);
                    endcase
                    fields = $fscanf(file, "%d %c %d", delay, kind, value);
                end
                ended[k] = 1;
                while (1) look;
            end
        end
    endgenerate
endmodule

`default_nettype wire

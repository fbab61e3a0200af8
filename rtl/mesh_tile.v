// SPDX-License-Identifier: MIT
// A tile's registers at its router. A write and a read may come in the same clock. A write of HEADER or WORD takes
// effect in the first clock in which `write_ready` is there too, and a read of RECEIVE with `read_ready`: until then
// the processor waits. All others are ready at once.
//
//   address  write                                       read
//   0        HEADER: begin a packet; the tile puts its   STATUS: [0] room for a word, [1] a word waits, [2] mistake,
//            own place in as the one that it comes from  [3] interrupt enabled, [8 +: LENGTH] words still owed
//   1        WORD: the next word of the packet           RECEIVE: take the word that waits
//   2        CONTROL: [0] enable the interrupt           PLACE: this tile's column and row, and the mesh's, 8 bits each
//   3                                                    words sent, headers too
//   4                                                    words taken
//   5                                                    clocks in which a word waited
//
// A header to a tile that is not there or with more than LIMIT words, one in the middle of a packet, and a word outside
// of one do nothing but set `mistake`. CONTROL clears that, and the counters.
`default_nettype none

module mesh_tile #(
    parameter SIDE_X = 4,
    parameter SIDE_Y = 4,
    parameter WIDTH  = 32,
    parameter COORD  = 5,
    parameter LENGTH = 5,
    parameter LIMIT  = 31,  // words of a packet after its header
    parameter DEPTH  = 4,   // words that wait here
    parameter COUNT  = 32,  // bits of each counter; 0: none
    parameter X      = 0,
    parameter Y      = 0
) (
    input wire clock,
    input wire reset,

    // The processor
    input  wire             write,
    input  wire [      2:0] write_address,
    input  wire [WIDTH-1:0] write_data,
    output wire             write_ready,
    input  wire             read,
    input  wire [      2:0] read_address,
    output reg  [WIDTH-1:0] read_data,
    output wire             read_ready,
    output wire             interrupt,      // words wait

    // The router
    output wire             out_valid,
    output wire [WIDTH-1:0] out_data,
    input  wire             out_ready,
    input  wire             in_valid,
    input  wire [WIDTH-1:0] in_data,
    output wire             in_ready
);
    localparam STATUS = 3'd0, HEADER = 3'd0, RECEIVE = 3'd1, WORD = 3'd1, PLACE = 3'd2, CONTROL = 3'd2;
    localparam SENT = 3'd3, TAKEN = 3'd4, WAITED = 3'd5;
    localparam [COORD-1:0] COLUMN = X, ROW = Y;

    wire header = write & write_address == HEADER;
    wire word = write & write_address == WORD;
    wire control = write & write_address == CONTROL;

    // Sending
    reg [LENGTH-1:0] owed_q;
    wire open = |owed_q;
    wire [LENGTH-1:0] length = write_data[4*COORD+:LENGTH];
    wire there = write_data[0+:COORD] < SIDE_X & write_data[COORD+:COORD] < SIDE_Y & length <= LIMIT;
    wire right = header ? there & ~open : open;

    assign out_valid = (header | word) & right;
    assign out_data = header ? {write_data[WIDTH-1:4*COORD], ROW, COLUMN, write_data[2*COORD-1:0]} : write_data;
    assign write_ready = ~out_valid | out_ready;
    wire sends = out_valid & out_ready;

    reg mistake_q, enabled_q;
    always @(posedge clock)
        if (reset) begin
            owed_q <= {LENGTH{1'b0}};
            mistake_q <= 1'b0;
            enabled_q <= 1'b0;
        end else begin
            if (sends) owed_q <= header ? length : owed_q - 1'b1;
            if (control) enabled_q <= write_data[0];
            mistake_q <= ~control & (mistake_q | ((header | word) & ~right));
        end

    // Receiving
    wire waiting;
    wire [WIDTH-1:0] first;
    wire asked = read & read_address == RECEIVE;
    wire takes = asked & waiting;
    mesh_fifo #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH)
    ) queue (
        .clock    (clock),
        .reset    (reset),
        .in_valid (in_valid),
        .in_data  (in_data),
        .in_ready (in_ready),
        .out_valid(waiting),
        .out_data (first),
        .out_ready(asked),
        .held_q   (),
        .slots_q  ()
    );
    assign read_ready = ~asked | waiting;
    assign interrupt = enabled_q & waiting;

    wire [WIDTH-1:0] sent, taken, waited;
    generate
        if (COUNT > 0) begin : counted
            reg [COUNT-1:0] sent_q, taken_q, waited_q;
            assign sent = sent_q;
            assign taken = taken_q;
            assign waited = waited_q;
            always @(posedge clock)
                if (reset | control) begin
                    sent_q <= {COUNT{1'b0}};
                    taken_q <= {COUNT{1'b0}};
                    waited_q <= {COUNT{1'b0}};
                end else begin
                    sent_q <= sent_q + {{COUNT - 1{1'b0}}, sends};
                    taken_q <= taken_q + {{COUNT - 1{1'b0}}, takes};
                    waited_q <= waited_q + {{COUNT - 1{1'b0}}, waiting};
                end
        end else begin : uncounted
            assign sent = {WIDTH{1'b0}};
            assign taken = {WIDTH{1'b0}};
            assign waited = {WIDTH{1'b0}};
        end
    endgenerate

    wire [31:0] place = (SIDE_Y << 24) + (SIDE_X << 16) + (Y << 8) + X;
    always @* begin
        read_data = {WIDTH{1'b0}};
        case (read_address)
            STATUS: begin
                read_data[3:0] = {enabled_q, mistake_q, waiting, out_ready};
                read_data[8+:LENGTH] = owed_q;
            end
            RECEIVE: read_data = first;
            PLACE: read_data = place;
            SENT: read_data = sent;
            TAKEN: read_data = taken;
            WAITED: read_data = waited;
            default: ;
        endcase
    end
endmodule

`default_nettype wire

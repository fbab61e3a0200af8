// SPDX-License-Identifier: MIT
// The guarantees of the network of packets, with the tiles as its surroundings: any of them begins a packet to any
// other at any clock, and words are offered and taken at any clock.
//
// The network looks at no bit of a word but those of a header that say where it goes and how long the packet is. So
// above the bits that a header needs each word carries here what it is: a header or not, how many words of its packet
// follow, and, for the packets of one pair of tiles, which may be any pair, their number modulo 8.
//
// With DRAIN the tiles take every word at once, and offer the words of a packet that they have begun without a
// pause; then every word moves within a bound. A header waits for the packets of all other inputs of its output, and
// each word of those waits, at most, until the queue behind that output has room. So each queue has a bound, the clocks
// for which its first word waits at most, that follows from the bounds of the queues behind it; no ring of queues waits
// for itself.
//
// With LEMMA the harness knows what holds of the registers in every state, and all of it with the properties, which is
// `any`, is proved by induction over one clock: the first state does not violate it, and no state follows one that does
// not and does so itself. Each bit of `any` is proved by itself.
`default_nettype none

module packets #(
    parameter SIDE_X = 2,
    parameter SIDE_Y = 2,
    parameter DEPTH  = 4,
    parameter LENGTH = 2,
    parameter DRAIN  = 0,
    parameter LEMMA  = 1,
    // These follow from the others.
    parameter COORD  = SIDE_X > 2 || SIDE_Y > 2 ? 2 : 1,
    parameter LOW    = 4 * COORD + LENGTH,  // the bits that a header needs
    parameter WIDTH  = LOW + LENGTH + 6,
    parameter TILES  = SIDE_X * SIDE_Y
) (
    input wire clock,
    input wire reset,

    input wire [    TILES-1:0] offer,  // this tile offers a word
    input wire [TILES*LOW-1:0] fill,   // where a header goes and its length; the data of other words
    input wire [    TILES-1:0] mark,   // the word that this tile offers, as the first of those, is the one that is timed
    input wire [    TILES-1:0] take,   // this tile takes a word
    // Chosen in the first clock: the pair of tiles, and the data of its words.
    input wire [    COORD-1:0] from_x, from_y, to_x, to_y,
    input wire [      LOW-1:0] data,

    output wire mixed,    // a word comes to a tile that is not the next of the packet that has begun to come
    output wire strayed,  // a packet comes to another tile than its header says
    output wire changed,  // a header says another length than the packet has, or data of the pair are not what was sent
    output wire lost,     // a packet of the pair comes that is not its next one
    output wire stuck,    // tiles drain, and the first word of a queue has not moved within the queue's bound
    output wire late,     // tiles drain, and the timed word has not come to its tile within the mesh's bound
    // One of these, or what holds of the registers in every state does not, but did a clock ago; by tile, and last of
    // the whole
    output wire [TILES:0] any
);
    localparam TILE = 0, EAST = 1, WEST = 2, NORTH = 3, SOUTH = 4;
    localparam PORT = DEPTH * WIDTH + DEPTH + LENGTH + 1, VIEW = 5 * PORT + 25;
    localparam [24:0] FROM = {5'b01111, 5'b10111, 5'b00011, 5'b00101, 5'b11111};
    localparam LONGEST = 2 ** LENGTH;  // words of a packet, with its header

    // The bounds of the queues: along columns, with none and with one router more in that direction; along rows; from
    // tiles. Behind them the clocks that a word takes, at most, for the rest of its way.
    localparam S0 = 4 * LONGEST;
    localparam S1 = 3 * LONGEST * (S0 + 2) + S0 + 1;
    localparam S = SIDE_Y > 2 ? S1 : S0;
    localparam X0 = 3 * LONGEST * (S + 2) + S + 1;
    localparam X1 = LONGEST * (X0 + 2) + X0 + 1;
    localparam X = SIDE_X > 2 ? X1 : X0;
    localparam T0 = LONGEST * (X + 2) + X + 1;
    localparam REST_S1 = DEPTH * (S0 + 1);
    localparam REST_X0 = REST_S1 + (SIDE_Y > 2 ? DEPTH * (S1 + 1) : 0);
    localparam REST_X1 = REST_X0 + DEPTH * (X0 + 1);
    localparam REST_T = REST_X1 + (SIDE_X > 2 ? DEPTH * (X1 + 1) : 0);
    localparam WHOLE = REST_T + DEPTH * (T0 + 1);
    localparam BITS = $clog2(WHOLE + 1) + 1;

    // Routers N places on in the direction of a queue's words, which come from side P.
    function integer on(input integer x, input integer y, input integer p);
        on = p == WEST ? SIDE_X - 1 - x : p == EAST ? x : p == NORTH ? SIDE_Y - 1 - y : y;
    endfunction
    function integer bound(input integer x, input integer y, input integer p);
        bound = p == TILE ? T0 : p == WEST || p == EAST ? (on(x, y, p) > 0 ? X1 : X0) : (on(x, y, p) > 0 ? S1 : S0);
    endfunction
    function integer rest(input integer x, input integer y, input integer p);
        rest = p == TILE ? REST_T : p == WEST || p == EAST ? (on(x, y, p) > 0 ? REST_X1 : REST_X0)
            : (on(x, y, p) > 0 ? REST_S1 : 0);
    endfunction
    function integer near(input integer x, input integer y, input integer p);
        near = p == TILE || (p == EAST && x < SIDE_X - 1) || (p == WEST && x > 0) || (p == NORTH && y > 0)
            || (p == SOUTH && y < SIDE_Y - 1);
    endfunction

    wire drains = DRAIN;
    reg begun;
    reg [COORD-1:0] sx, sy, dx, dy;
    reg [LOW-1:0] data_q;
    initial begun = 0;
    always @(posedge clock)
        if (!begun) begin
            begun <= 1;
            sx <= from_x < SIDE_X ? from_x : 0;
            sy <= from_y < SIDE_Y ? from_y : 0;
            dx <= to_x < SIDE_X ? to_x : 0;
            dy <= to_y < SIDE_Y ? to_y : 0;
            data_q <= data;
        end

    wire [TILES-1:0] in_valid, in_ready, out_valid, out_ready;
    wire [TILES*WIDTH-1:0] in_data, out_data;
    wire [TILES*VIEW-1:0] view;
    mesh_grid #(
        .SIDE_X(SIDE_X), .SIDE_Y(SIDE_Y), .WIDTH(WIDTH), .COORD(COORD), .LENGTH(LENGTH), .DEPTH(DEPTH), .SEEN(1)
    ) dut (
        .clock(clock), .reset(reset),
        .in_valid(in_valid), .in_data(in_data), .in_ready(in_ready),
        .out_valid(out_valid), .out_data(out_data), .out_ready(out_ready),
        .view(view)
    );
    assign out_ready = take | {TILES{drains}};

    // A word: timed, its packet (number, of the pair), words that follow, header, the bits of headers. Here it is
    // judged by itself: its header says what it is, and where it goes is there.
    wire [4*COORD-1:0] pair = {sy, sx, dy, dx};
    function altered(input [WIDTH-1:0] word, input [4*COORD-1:0] pair, input [LOW-1:0] data);
        altered = word[LOW] ? word[4*COORD+:LENGTH] != word[LOW+1+:LENGTH] || word[LOW+1+LENGTH] != (word[4*COORD-1:0] == pair)
            : word[LOW+1+LENGTH] && word[LOW-1:0] != (data ^ word[LOW+1+:LENGTH]);
    endfunction
    // The word is the next one of a packet of which `left` words are to come, or the first one of another.
    function follows(input [WIDTH-1:0] word, input [LENGTH-1:0] left, input [3:0] packet);
        follows = left == 0 ? word[LOW] : !word[LOW] && word[LOW+1+:LENGTH] == left - 1'b1 && word[LOW+1+LENGTH+:4] == packet;
    endfunction

    // The words that tiles, and queues, have still to give of the packet that is open, and which it is.
    reg [TILES*LENGTH-1:0] owed, due;
    reg [TILES*4-1:0] giving, getting;
    reg [TILES*5*4-1:0] passing;
    // Packets of the pair that its first tile has sent, and that have left each router, modulo 8.
    reg [2:0] sent;
    reg [TILES*3-1:0] passed;
    // The clocks that the first word of a queue may still stay; those for which the timed word has been on its way.
    reg [TILES*5*BITS-1:0] budget;
    reg timed;
    reg [BITS-1:0] age;
    wire [TILES-1:0] begins, ends;
    wire [TILES-1:0] one = mark & -mark;
    always @(posedge clock)
        if (reset | |(out_valid & out_ready & ends)) timed <= 0;
        else if (|(in_valid & in_ready & begins)) timed <= 1;
    always @(posedge clock) age <= timed ? age + (age <= WHOLE) : 0;
    assign late = drains & timed & age > WHOLE;

    // The registers of the routers, by queue or output
    wire [TILES*5*DEPTH*WIDTH-1:0] slots;
    wire [TILES*5*DEPTH-1:0] held;
    wire [TILES*5*LENGTH-1:0] left;  // to come after what was given
    wire [TILES*5-1:0] pop, locked;
    wire [TILES*5*5-1:0] last, after;

    wire [TILES-1:0] sends, mixes, strays, changes, loses, wrong_tile;
    wire [TILES*5-1:0] sticks, wrong_queue, wrong_output, wrong_turn, pair_passes;
    assign mixed = |mixes;
    assign strayed = |strays;
    assign changed = |changes;
    assign lost = |loses;
    assign stuck = |sticks;
    // Nothing has begun before the choice, and there is a timed word if, and only if, one is timed.
    wire too_early = !begun & (|owed | |due | |held | |left | |sent | |passed | timed);
    wire [TILES*5*DEPTH-1:0] marked;
    wire mistimed = drains & (timed != |marked | |(marked & (marked - 1'b1)));
    // By tile, and last what concerns them all. What holds of a tile follows from what held of it, of its neighbours
    // and of the whole a clock ago.
    wire [TILES:0] broken;
    reg [TILES:0] broken_q;
    always @(posedge clock) broken_q <= broken;
    assign broken[TILES] = late | too_early | mistimed | |wrong_turn;
    assign any[TILES] = broken[TILES] & ~|broken_q;
    always @(posedge clock) sent <= reset ? 0 : sent + |sends;

    genvar t, p, k, q, n;
    generate
        for (t = 0; t < TILES; t = t + 1) begin : tiles
            localparam x = t % SIDE_X, y = t / SIDE_X;
            // It sends
            wire [LOW-1:0] low = fill[t*LOW+:LOW];
            wire [COORD-1:0] goes_x = low[0+:COORD] < SIDE_X ? low[0+:COORD] : 0;
            wire [COORD-1:0] goes_y = low[COORD+:COORD] < SIDE_Y ? low[COORD+:COORD] : 0;
            wire [COORD-1:0] own_x = x, own_y = y;
            wire header = owed[t*LENGTH+:LENGTH] == 0;
            wire [4*COORD-1:0] way = {own_y, own_x, goes_y, goes_x};
            wire [3:0] packet = !header ? giving[t*4+:4] : way == pair ? {sent, 1'b1} : 4'd0;
            wire [LENGTH-1:0] more = header ? low[4*COORD+:LENGTH] : owed[t*LENGTH+:LENGTH] - 1'b1;
            assign begins[t] = drains & one[t] & !timed;
            assign in_valid[t] = begun & (offer[t] | (drains & !header));
            assign in_data[t*WIDTH+:WIDTH] = {begins[t], packet, more, header, header ? {more, way} : packet[0] ? data_q ^ more : low};
            assign sends[t] = in_valid[t] & in_ready[t] & header & packet[0];
            always @(posedge clock)
                if (reset) owed[t*LENGTH+:LENGTH] <= 0;
                else if (in_valid[t] & in_ready[t]) begin
                    owed[t*LENGTH+:LENGTH] <= more;
                    giving[t*4+:4] <= packet;
                end

            // It receives
            wire [WIDTH-1:0] word = out_data[t*WIDTH+:WIDTH];
            wire [LENGTH-1:0] rest_of_it = due[t*LENGTH+:LENGTH];
            assign ends[t] = word[WIDTH-1];
            assign mixes[t] = out_valid[t] & !follows(word, rest_of_it, getting[t*4+:4]);
            assign strays[t] = out_valid[t] & word[LOW] & (word[0+:COORD] != own_x | word[COORD+:COORD] != own_y);
            assign changes[t] = out_valid[t] & altered(word, pair, data_q);
            assign loses[t] = out_valid[t] & word[LOW] & word[LOW+1+LENGTH] & word[LOW+2+LENGTH+:3] != passed[t*3+:3];
            always @(posedge clock)
                if (reset) due[t*LENGTH+:LENGTH] <= 0;
                else if (out_valid[t] & out_ready[t]) begin
                    due[t*LENGTH+:LENGTH] <= word[LOW+1+:LENGTH];
                    getting[t*4+:4] <= word[LOW+1+LENGTH+:4];
                end
            wire [4:0] amiss;
            for (n = 0; n < 5; n = n + 1) begin : givers
                assign amiss[n] = locked[t*5] & last[t*25+n]
                    & (left[(t*5+n)*LENGTH+:LENGTH] != rest_of_it | passing[(t*5+n)*4+:4] != getting[t*4+:4]);
            end
            assign wrong_tile[t] = locked[t*5] != (rest_of_it != 0) | |amiss;
            assign broken[t] = |{mixes[t], strays[t], changes[t], loses[t], wrong_tile[t], sticks[t*5+:5], wrong_queue[t*5+:5],
                                 wrong_output[t*5+:5]};
            wire [TILES:0] near_q;
            for (n = 0; n < TILES; n = n + 1) begin : neighbours
                localparam ACROSS = n % SIDE_X - x, DOWN = n / SIDE_X - y;
                assign near_q[n] = broken_q[n] & ACROSS * ACROSS + DOWN * DOWN <= 1;
            end
            assign near_q[TILES] = broken_q[TILES];
            assign any[t] = broken[t] & ~|near_q;
            always @(posedge clock) passed[t*3+:3] <= reset ? 0 : passed[t*3+:3] + |pair_passes[t*5+:5];

            for (p = 0; p < 5; p = p + 1) begin : ports
                localparam C = t * 5 + p;
                assign {slots[C*DEPTH*WIDTH+:DEPTH*WIDTH], held[C*DEPTH+:DEPTH], left[C*LENGTH+:LENGTH], pop[C]}
                    = view[t*VIEW+p*PORT+:PORT];
                assign {after[C*5+1+:4], locked[C]} = view[t*VIEW+5*PORT+p*5+:5];
                assign after[C*5] = 1'b0;
                assign last[C*5+:5] = ~after[C*5+:5] & {1'b1, after[C*5+1+:4]};

                // Output P, if it leads anywhere, is locked for an input in the middle of a packet.
                wire pairs_way = p == EAST ? dx > own_x : p == WEST ? dx < own_x
                    : dx == own_x & (p == NORTH ? dy < own_y : p == SOUTH ? dy > own_y : dy == own_y);
                wire [4:0] idle;
                for (n = 0; n < 5; n = n + 1) begin : inputs
                    assign idle[n] = left[(t*5+n)*LENGTH+:LENGTH] == 0 | !FROM[p*5+n] | !near(x, y, p)
                        | (passing[(t*5+n)*4] & !pairs_way);
                end
                assign wrong_output[C] = locked[C] & |(last[C*5+:5] & idle);
                assign wrong_turn[C] = |(after[C*5+1+:3] & ~after[C*5+2+:3]);

                // Queue P
                for (k = 0; k < DEPTH; k = k + 1) begin : marks
                    assign marked[C*DEPTH+k] = held[C*DEPTH+k] & slots[(C*DEPTH+k)*WIDTH+WIDTH-1];
                end
                wire [DEPTH-1:0] has = held[C*DEPTH+:DEPTH];
                wire [LENGTH-1:0] open = left[C*LENGTH+:LENGTH];
                wire [WIDTH-1:0] first = slots[C*DEPTH*WIDTH+:WIDTH];
                wire [4:0] mine;  // the outputs that are locked for it
                for (q = 0; q < 5; q = q + 1) begin : outputs
                    assign mine[q] = locked[t*5+q] & last[(t*5+q)*5+p];
                end
                wire unheld = open == 0 ? mine != 0 : mine == 0 || (mine & (mine - 1'b1)) != 0;
                assign pair_passes[C] = pop[C] & first[LOW] & first[LOW+1+LENGTH];
                always @(posedge clock) if (pop[C]) passing[C*4+:4] <= first[LOW+1+LENGTH+:4];

                if (near(x, y, p)) begin : there
                    localparam BOUND = bound(x, y, p), REST = rest(x, y, p);
                    localparam U = p == TILE ? t : p == EAST ? t + 1 : p == WEST ? t - 1 : p == NORTH ? t - SIDE_X : t + SIDE_X;
                    localparam V = U * 5 + (p == EAST ? WEST : p == WEST ? EAST : p == NORTH ? SOUTH : NORTH);
                    wire [BITS-1:0] stay = budget[C*BITS+:BITS];
                    assign sticks[C] = drains & has[0] & !pop[C] & stay == 0;
                    always @(posedge clock)
                        if (reset | pop[C] | !has[0]) budget[C*BITS+:BITS] <= BOUND;
                        else budget[C*BITS+:BITS] <= stay - (stay != 0);
                    if (LEMMA) begin : known
                        wire [COORD-1:0] here_x = x, here_y = y;
                        wire on_way = p == TILE ? here_x == sx & here_y == sy
                            : p == WEST ? here_y == sy & sx < here_x & here_x <= dx : p == EAST ? here_y == sy & dx <= here_x & here_x < sx
                            : p == NORTH ? here_x == dx & sy < here_y & here_y <= dy : here_x == dx & dy <= here_y & here_y < sy;

                        // The state up to each slot: words that follow, the packet, packets of the pair.
                        wire [(DEPTH+1)*LENGTH-1:0] more_of;
                        wire [(DEPTH+1)*4-1:0] packet_of;
                        wire [(DEPTH+1)*3-1:0] count;
                        assign more_of[0+:LENGTH] = open;
                        assign packet_of[0+:4] = passing[C*4+:4];
                        assign count[0+:3] = passed[t*3+:3];
                        wire [DEPTH-1:0] wrong, gap;
                        for (k = 0; k < DEPTH; k = k + 1) begin : each
                            wire [WIDTH-1:0] word = slots[(C*DEPTH+k)*WIDTH+:WIDTH];
                            wire [COORD-1:0] hx = word[0+:COORD], hy = word[COORD+:COORD];
                            wire starts = has[k] & word[LOW] & word[LOW+1+LENGTH];
                            assign more_of[(k+1)*LENGTH+:LENGTH] = has[k] ? word[LOW+1+:LENGTH] : more_of[k*LENGTH+:LENGTH];
                            assign packet_of[(k+1)*4+:4] = has[k] ? word[LOW+1+LENGTH+:4] : packet_of[k*4+:4];
                            assign count[(k+1)*3+:3] = count[k*3+:3] + starts;
                            wire off_way = hx >= SIDE_X | hy >= SIDE_Y
                                | (p == WEST ? hx < here_x : p == EAST ? hx > here_x : p == TILE ? 1'b0
                                   : hx != here_x | (p == NORTH ? hy < here_y : hy > here_y));
                            localparam [BITS:0] AWAY = k * (BOUND + 1) + REST;
                            wire [BITS:0] needs = age + stay + AWAY;
                            assign wrong[k] = has[k] & (!follows(word, more_of[k*LENGTH+:LENGTH], packet_of[k*4+:4]) | altered(word, pair, data_q)
                                | (word[LOW] & off_way) | (word[LOW+1+LENGTH] & !on_way) | (starts & word[LOW+2+LENGTH+:3] != count[k*3+:3])
                                | (drains & word[WIDTH-1] & (!timed | needs >= WHOLE)));
                            if (k > 0) begin : later
                                assign gap[k] = has[k] & !has[k-1];
                            end else begin : foremost
                                assign gap[k] = 1'b0;
                            end
                        end

                        // The output or tile that gives to the queue is in the middle of the packet with which it ends,
                        // and no packet is missing.
                        wire [LENGTH-1:0] tail = more_of[DEPTH*LENGTH+:LENGTH];
                        wire [3:0] ending = packet_of[DEPTH*4+:4];
                        wire [4:0] amiss;
                        if (p == TILE) begin : from_tile
                            assign amiss = owed[t*LENGTH+:LENGTH] != tail | (tail != 0 & giving[t*4+:4] != ending)
                                | (on_way & count[DEPTH*3+:3] != sent);
                        end else begin : from_router
                            for (n = 0; n < 5; n = n + 1) begin : givers
                                assign amiss[n] = locked[V] != (tail != 0) | (on_way & count[DEPTH*3+:3] != passed[U*3+:3])
                                    | (locked[V] & last[V*5+n] & (left[(U*5+n)*LENGTH+:LENGTH] != tail | passing[(U*5+n)*4+:4] != ending));
                            end
                        end

                        // The budget is enough for the words that go before, and for each of them the time until there
                        // is room.
                        wire [4:0] poor;
                        for (q = 0; q < 5; q = q + 1) begin : goals
                            if (near(x, y, q) && FROM[q*5+p]) begin : possible
                                localparam D = q == EAST ? t + 1 : q == WEST ? t - 1 : q == NORTH ? t - SIDE_X : t + SIDE_X;
                                localparam P = q == EAST ? WEST : q == WEST ? EAST : q == NORTH ? SOUTH : NORTH;
                                wire [COORD-1:0] hx = first[0+:COORD], hy = first[COORD+:COORD];
                                wire this_way = q == EAST ? hx > here_x : q == WEST ? hx < here_x
                                    : hx == here_x & (q == NORTH ? hy < here_y : q == SOUTH ? hy > here_y : hy == here_y);
                                // The words of each that go before.
                                wire [5*(LENGTH+3)-1:0] words;
                                for (n = 0; n < 5; n = n + 1) begin : rivals
                                    wire before = after[(t*5+q)*5+n] == after[(t*5+q)*5+p] ? n < p : after[(t*5+q)*5+n];
                                    localparam RIVAL = n != p && FROM[q*5+n];
                                    wire [LENGTH+2:0] begun = locked[t*5+q] & last[(t*5+q)*5+n] ? left[(t*5+n)*LENGTH+:LENGTH] : 1'b0;
                                    wire [LENGTH+2:0] turn = {before, {LENGTH{1'b0}}};
                                    assign words[n*(LENGTH+3)+:LENGTH+3] = RIVAL ? begun + turn : 1'b0;
                                end
                                wire [LENGTH+2:0] ahead = words[0+:LENGTH+3] + words[(LENGTH+3)+:LENGTH+3] + words[2*(LENGTH+3)+:LENGTH+3]
                                    + words[3*(LENGTH+3)+:LENGTH+3] + words[4*(LENGTH+3)+:LENGTH+3];
                                wire [BITS-1:0] long;
                                if (q == TILE) begin : here
                                    assign long = first[LOW] ? ahead : 1'b0;
                                end else begin : beyond
                                    localparam E = D * 5 + P;
                                    localparam [BITS-1:0] EACH = bound(D % SIDE_X, D / SIDE_X, P) + 2;
                                    wire [BITS-1:0] room = held[E*DEPTH+DEPTH-1] ? budget[E*BITS+:BITS] + 1'b1 : 1'b0;
                                    assign long = (first[LOW] ? ahead * EACH : {BITS{1'b0}}) + room;
                                end
                                assign poor[q] = has[0] & (first[LOW] ? this_way : mine[q]) & stay < long;
                            end else begin : impossible
                                assign poor[q] = 1'b0;
                            end
                        end
                        assign wrong_queue[C] = unheld | (open != 0 & passing[C*4] & !on_way) | |wrong | |gap | |amiss | (drains & (stay > BOUND | |poor | (open != 0 & !has[0])));
                    end else begin : unknown
                        assign wrong_queue[C] = 1'b0;
                    end
                end else begin : nowhere
                    assign sticks[C] = 1'b0;
                    assign wrong_queue[C] = unheld | has != 0 | open != 0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire

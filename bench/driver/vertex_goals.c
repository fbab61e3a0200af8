#include "vertex_results.h"

#include <stdio.h>

#include "figures.h"
#include "text.h"

static const char LATENCY[] = "Messages between 2 PEs", OVER[] = "More PEs than processors";
static const char PROTOCOL[] = "Extended against standard", DETECTOR[] = "Edge detector";

static const int ring[PROTOCOLS] = {BENCH_OP_ring, BENCH_OP_ringKnown};
static const int swap[PROTOCOLS] = {BENCH_OP_swap, BENCH_OP_swapKnown};
static const int stream[PROTOCOLS] = {BENCH_OP_stream, BENCH_OP_streamKnown};

static void add_near(struct limits *l, const struct bench *b) {
    static const uint64_t latency[] = {0, 8, 64}, bandwidth[] = {4096, 65536, 1 << 20, 16 << 20};
    for (int p = 0; p < PROTOCOLS; p++)
        for (int i = 0; i < 3; i++)
            vertex_note_times(limit_add(l, LATENCY, AT_LEAST, 2, "times",
                                        vertex_better_peer(b, 0, ring[p], latency[i]),
                                        "%s, %s: latency better than the better peer's", vertex_protocols[p],
                                        size_text(latency[i], "bytes")),
                              b, 0, ring[p], latency[i]);
    for (int p = 0; p < PROTOCOLS; p++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 4; i++) {
                int op = k ? stream[p] : ring[p];
                vertex_note_times(
                    limit_add(l, LATENCY, AT_LEAST, 1, "times", vertex_better_peer(b, 0, op, bandwidth[i]),
                              "%s, %s: bandwidth, %s, by the better peer's", vertex_protocols[p],
                              size_text(bandwidth[i], "bytes"), k ? "stream" : "ping-pong"),
                    b, 0, op, bandwidth[i]);
            }
}

static void add_over(struct limits *l, const struct bench *b) {
    static const uint64_t bytes[] = {0, 8, 64};
    int openmpi = bench_find_side(b, "openmpi");
    for (int c = 0; c < b->options.count_count; c++)
        for (int k = 0; k < 2; k++)
            for (int p = 0; p < PROTOCOLS; p++)
                for (int i = 0; i < 3; i++) {
                    int op = k ? swap[p] : ring[p];
                    double ratio = openmpi < 0 ? -1 : vertex_ratio(b, c, bytes[i], op, openmpi, op, 0);
                    vertex_note_times(limit_add(l, OVER, AT_LEAST, 2, "times", ratio,
                                                "%s, %d PEs, %s, %s: less than Open MPI", vertex_protocols[p],
                                                b->options.counts[c], size_text(bytes[i], "bytes"),
                                                k ? "pairs" : "ring"),
                                      b, c, op, bytes[i]);
                }
}

/* Where the standard protocol takes less than so many floors, the extended one cannot be so much better. */
static void add_floor(struct limits *l, const struct vertex *v, int p, const char *what, uint64_t bytes,
                      double per) {
    const struct bench *b = &v->near;
    double own = vertex_time(b, 0, ring[p], bytes, 0), floor = vertex_time(b, 0, BENCH_OP_ring, bytes, 1);
    struct limit *row =
        limit_add(l, PROTOCOL, SHOWN, 0, "times", vertex_ratio(b, 0, bytes, ring[p], 0, BENCH_OP_ring, 1),
                  "%s, %s: %s by the floor", vertex_protocols[p], size_text(bytes, "bytes"), what);
    if (row->measured)
        limit_note(row, "%.3g %s, the bare exchange %.3g", own / per, per > 1 ? "ns a byte" : "ns",
                   floor / per);
}

static void add_protocols(struct limits *l, const struct vertex *v) {
    const struct bench *b = &v->near;
    const struct fit *fit = v->fit[0], *floor = &v->fit[1][STANDARD];
    bool fitted = fit[STANDARD].fitted && fit[EXTENDED].fitted;
    double zero = vertex_ratio(b, 0, 0, ring[STANDARD], 0, ring[EXTENDED], 0);
    struct limit *row = limit_add(l, PROTOCOL, AT_LEAST, 5.6, "times", zero, "fixed cost: 0 bytes, one way");
    if (zero > 0)
        limit_note(row, "possible, down to the floor: %.3g",
                   vertex_ratio(b, 0, 0, ring[STANDARD], 0, BENCH_OP_ring, 1));
    row = limit_add(l, PROTOCOL, AT_LEAST, 5.6, "times", fitted ? fit[STANDARD].f / fit[EXTENDED].f : -1,
                    "fixed cost f, fitted");
    if (fitted)
        limit_note(row, "%.3g and %.3g ns, the bare exchange %.3g ns", fit[STANDARD].f, fit[EXTENDED].f,
                   floor->f);
    row = limit_add(l, PROTOCOL, AT_LEAST, 2.4, "times",
                    fitted ? fit[STANDARD].large / fit[EXTENDED].large : -1,
                    "cost per byte m, fitted from 64 KB on");
    if (fitted)
        limit_note(row, "%.3g and %.3g ns, the bare exchange %.3g ns; of all sizes %.3g times",
                   fit[STANDARD].large, fit[EXTENDED].large, floor->large, fit[STANDARD].m / fit[EXTENDED].m);
    for (int p = 0; p < PROTOCOLS; p++) {
        add_floor(l, v, p, "time", 0, 1);
        add_floor(l, v, p, "cost per byte", 4 << 20, 4 << 20);
    }
}

static void add_detector(struct limits *l, const struct bench *b) {
    static const int ops[PROTOCOLS] = {BENCH_OP_sobel, BENCH_OP_sobelKnown};
    for (int p = EXTENDED; p >= STANDARD; p--) {
        double two = vertex_ratio(b, 0, 4096, BENCH_OP_sobelWhole, 0, ops[p], 0);
        struct limit *row = limit_add(l, DETECTOR, AT_LEAST, 0.95, "times", two > 0 ? two / 2 : -1,
                                      "%s, 4096 x 4096, 2 PEs: speed-up by that of two serial runs at once",
                                      vertex_protocols[p]);
        if (two > 0)
            limit_note(row, "speed-up %.3g, two runs at once %.3g; each pixel as by the definition",
                       vertex_ratio(b, 0, 4096, BENCH_OP_sobelFirst, 0, ops[p], 0),
                       2 * vertex_ratio(b, 0, 4096, BENCH_OP_sobelFirst, 0, BENCH_OP_sobelWhole, 0));
    }
}

void vertex_tell_mode(struct limits *l, const struct bench *b) {
    int cell = vertex_cell(b, BENCH_OP_ring, 8), rounds[2] = {0};
    for (int r = 0; r < b->options.rounds; r++) {
        double floor = bench_figures(b, 0, cell, 1)->round[r];
        if (floor > 0)
            rounds[floor > 2 * SHARED_CORE_NS]++;
    }
    snprintf(l->mode, sizeof l->mode,
             "In the ring of 8 bytes the processors shared a core in %d rounds (bare exchange under %d ns "
             "one way) and "
             "did not in %d.",
             rounds[0], SHARED_CORE_NS, rounds[1]);
}

void vertex_goals(struct vertex *v) {
    vertex_tell_mode(&v->limits, &v->near);
    add_near(&v->limits, &v->near);
    add_over(&v->limits, &v->over);
    add_protocols(&v->limits, v);
    add_detector(&v->limits, &v->pair);
}

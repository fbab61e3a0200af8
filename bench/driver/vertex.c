#include "drive.h"

#include "measure.h"
#include "sides.h"
#include "vertex_figures.h"
#include "vertex_goals.h"
#include "vertex_json.h"
#include "vertex_report.h"

static const uint64_t ring_bytes[] = {0,     8,     64,     256,     1024,    4096,
                                      16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20};
static const uint64_t stream_bytes[] = {8, 4096, 65536, 1 << 20, 16 << 20};
static const uint64_t over_bytes[] = {0, 8, 64};
static const uint64_t edges[] = {32, 64, 128, 1024};
static const uint64_t pair_edges[] = {512, 4096};

static void add(struct bench *b, int op, uint64_t bytes, bool joined) {
    b->cell[b->cells].op = op;
    b->cell[b->cells].bytes = bytes;
    b->cell[b->cells++].joined = joined;
}

/* Both protocols, by turns. */
static void add_both(struct bench *b, int standard, int extended, const uint64_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        add(b, standard, bytes[i], false);
        add(b, extended, bytes[i], true);
    }
}

static void add_pictures(struct bench *b, const uint64_t *edge, size_t count, bool whole) {
    for (size_t i = 0; i < count; i++) {
        add(b, BENCH_OP_sobelFirst, edge[i], false);
        add(b, BENCH_OP_sobelParts, edge[i], true);
        add(b, BENCH_OP_sobel, edge[i], true);
        add(b, BENCH_OP_sobelKnown, edge[i], true);
        if (whole)
            add(b, BENCH_OP_sobelWhole, edge[i], true);
    }
}

static void set(struct bench *b, const struct bench_options *options, double share, int first, int second) {
    b->options = *options;
    b->options.seconds = options->seconds * share;
    b->options.counts[0] = first;
    b->options.counts[1] = second;
    b->options.count_count = second ? 2 : 1;
}

#define ALL(list) list, sizeof list / sizeof *list

static json_t *measure(const struct bench_options *options, bool report) {
    static struct vertex v;
    set(&v.near, options, 0.5, 2, 0);
    add_both(&v.near, BENCH_OP_ring, BENCH_OP_ringKnown, ALL(ring_bytes));
    add_both(&v.near, BENCH_OP_stream, BENCH_OP_streamKnown, ALL(stream_bytes));
    set(&v.over, options, 0.15, 4, 8);
    add_both(&v.over, BENCH_OP_ring, BENCH_OP_ringKnown, ALL(over_bytes));
    add_both(&v.over, BENCH_OP_swap, BENCH_OP_swapKnown, ALL(over_bytes));
    set(&v.pair, options, 0.15, 2, 0);
    add_pictures(&v.pair, ALL(pair_edges), true);
    set(&v.pictures, options, 0.2, 4, 16);
    add_pictures(&v.pictures, ALL(edges), false);
    struct bench *const benches[] = {&v.near, &v.over, &v.pair, &v.pictures};
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        bench_sides_find(benches[i]);
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        bench_measure(benches[i]);
    vertex_fit(&v);
    vertex_goals(&v);
    if (report)
        vertex_report(&v);
    return vertex_json(&v);
}

static const struct argp_option accepted[] = {
    BENCH_COMMON("120", "pattern", "Draw the figures by the size of messages"),
};

const struct bench_subject bench_subject_vertex = {
    .word = "vertex",
    .name = "unisono bench vertex",
    .plot = "plot_vertex.py",
    .doc =
        "Measure messages between PEs and the edge detector, beside MPICH and Open MPI in the same run, and "
        "print Tables 1 to 3 of the 1987 paper with rows of today, and the goals of Unisono."
        "\vThe exit status is 1 if a message or a pixel was wrong or a side broke off. See unisono-bench(1).",
    .options = accepted,
    .standard = {.seconds = 120, .rounds = 20, .peers = "auto"},
    .measure = measure,
};

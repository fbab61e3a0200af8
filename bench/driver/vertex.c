#include "drive.h"

#include "measure.h"
#include "sides.h"
#include "vertex_results.h"

static const uint64_t ring_bytes[] = {0,     8,     64,     256,     1024,    4096,
                                      16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20};
static const uint64_t stream_bytes[] = {8, 4096, 65536, 1 << 20, 16 << 20};
static const uint64_t over_bytes[] = {0, 8, 64};
static const uint64_t edges[] = {32, 64, 128, 1024};
static const uint64_t pair_edges[] = {512, 4096};

/* Add both protocols, by turns. */
static void add_both(struct bench *b, int standard, int extended, const uint64_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bench_add(b, standard, bytes[i], false);
        bench_add(b, extended, bytes[i], true);
    }
}

static void add_pictures(struct bench *b, const uint64_t *edge, size_t count, bool whole) {
    for (size_t i = 0; i < count; i++) {
        bench_add(b, BENCH_OP_sobelFirst, edge[i], false);
        bench_add(b, BENCH_OP_sobelParts, edge[i], true);
        bench_add(b, BENCH_OP_sobel, edge[i], true);
        bench_add(b, BENCH_OP_sobelKnown, edge[i], true);
        if (whole)
            bench_add(b, BENCH_OP_sobelWhole, edge[i], true);
    }
}

#define ALL(list) list, sizeof list / sizeof *list

static json_t *measure(const struct bench_options *options, bool report) {
    static struct vertex v;
    bench_share(&v.near, options, 0.5, 2, 0);
    add_both(&v.near, BENCH_OP_ring, BENCH_OP_ringKnown, ALL(ring_bytes));
    add_both(&v.near, BENCH_OP_stream, BENCH_OP_streamKnown, ALL(stream_bytes));
    bench_share(&v.over, options, 0.15, 4, 8);
    add_both(&v.over, BENCH_OP_ring, BENCH_OP_ringKnown, ALL(over_bytes));
    add_both(&v.over, BENCH_OP_swap, BENCH_OP_swapKnown, ALL(over_bytes));
    bench_share(&v.pair, options, 0.15, 2, 0);
    add_pictures(&v.pair, ALL(pair_edges), true);
    bench_share(&v.pictures, options, 0.2, 4, 16);
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

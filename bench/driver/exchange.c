#include "drive.h"

#include <string.h>

#include "exchange_report.h"
#include "failure.h"
#include "json.h"
#include "measure.h"
#include "sides.h"
#include "vertex_results.h"

enum {
    SMALL = 1024,     /* bytes of a block up to which the time is that of meeting */
    COPIED = 1 << 16, /* from which on it is compared with a plain copy, */
    LARGE = 1 << 20,  /* and from which on it is to take hardly longer */
    BARE = 1,         /* the side that copies */
    PART = 8 << 20,   /* bytes of the part of a PE that is permuted: more than a second-level cache holds */
};

static const uint64_t sizes[] = {8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20};
static const uint64_t ordered_sizes[] = {1 << 16, 1 << 20};

static void choose(struct bench *b) {
    if (b->options.counts[0] == 2)
        bench_add(b, BENCH_OP_ring, 8, false); /* which tells how the processors are placed */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bench_add(b, BENCH_OP_allToAll, sizes[i], false);
        bench_add(b, BENCH_OP_allToAllOwn, sizes[i], true);
        if (sizes[i] >= COPIED)
            bench_add(b, BENCH_OP_copyAll, sizes[i], true);
        for (size_t k = 0; k < sizeof ordered_sizes / sizeof *ordered_sizes; k++)
            for (int op = BENCH_OP_shift; sizes[i] == ordered_sizes[k] && op <= BENCH_OP_reflectedPhased;
                 op++)
                bench_add(b, op, sizes[i], true);
    }
    for (int op = BENCH_OP_permuteBlock; op <= BENCH_OP_permuteRandom; op++)
        bench_add(b, op, PART, false);
}

static void set_goals(struct limits *l, const struct bench *b) {
    static const char PEERS[] = "All-to-all beside the better MPI library",
                      COPY[] = "Large blocks beside plain copies",
                      PERMUTE[] = "Permutations beside packing and MPI_Alltoallv of the better MPI library";
    for (int c = 0; c < b->options.count_count; c++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            vertex_note_times(limit_add(l, PEERS, AT_LEAST, sizes[i] <= SMALL ? 1.5 : 1, "times",
                                        vertex_better_peer(b, c, BENCH_OP_allToAll, sizes[i]),
                                        "%d PEs, blocks of %llu bytes: faster", b->options.counts[c],
                                        (unsigned long long)sizes[i]),
                              b, c, BENCH_OP_allToAll, sizes[i]);
    for (int c = 0; c < b->options.count_count; c++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if (sizes[i] < LARGE)
                continue;
            double part = vertex_ratio(b, c, sizes[i], BENCH_OP_copyAll, BARE, BENCH_OP_allToAll, 0);
            vertex_note_times(limit_add(l, COPY, AT_LEAST, 85, "%", part < 0 ? -1 : 100 * part,
                                        "%d PEs, blocks of %llu bytes: of what memcpy by all at once moves",
                                        b->options.counts[c], (unsigned long long)sizes[i]),
                              b, c, BENCH_OP_allToAll, sizes[i]);
        }
    for (int c = 0; c < b->options.count_count; c++)
        for (int op = BENCH_OP_permuteBlock; op <= BENCH_OP_permuteRandom; op++)
            vertex_note_times(limit_add(l, PERMUTE, AT_LEAST, 2, "times", vertex_better_peer(b, c, op, PART),
                                        "%d PEs, %s: faster", b->options.counts[c],
                                        exchange_permutations[op - BENCH_OP_permuteBlock]),
                              b, c, op, PART);
}

static json_t *measure(const struct bench_options *options, bool report) {
    static struct bench b;
    static struct limits limits;
    static const struct bench_extra schedules = {"schedules", "inside", "schedules", true};
    b.options = *options;
    b.extra = &schedules;
    choose(&b);
    bench_sides_find(&b);
    bench_measure(&b);
    if (b.options.counts[0] == 2)
        vertex_tell_mode(&limits, &b);
    set_goals(&limits, &b);
    if (report)
        exchange_report(&b, &limits);
    json_t *json = bench_json_all((const struct bench *const[]){&b, NULL}, &limits);
    json_object_del(json, "ratios");
    json_object_del(json, "tables");
    return json;
}

static void check(const struct bench_options *options) {
    for (int i = 0; i < options->count_count; i++)
        if (options->counts[i] < 2)
            bench_reject("-n %d: an exchange takes at least 2 PEs", options->counts[i]);
}

static const struct argp_option accepted[] = {
    BENCH_PES("2", "2,4,8"),
    BENCH_UNITS,
    BENCH_COMMON("120", "size", "Draw times by the size of blocks, and rates of permutations"),
};

const struct bench_subject bench_subject_exchange = {
    .word = "exchange",
    .name = "unisono bench exchange",
    .plot = "plot_exchange.py",
    .doc = "Measure all-to-all exchanges of blocks of 8 bytes to 16 MB, and permutations, beside MPICH, Open "
           "MPI "
           "and a plain copy in the same run, in several orders, and the goals of Unisono."
           "\vThe exit status is 1 if a byte was wrong or a side broke off. See unisono-bench(1).",
    .options = accepted,
    .standard = {.counts = {2, 4, 8}, .count_count = 3, .seconds = 120, .rounds = 20, .peers = "auto"},
    .check = check,
    .measure = measure,
};

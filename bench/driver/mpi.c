#include "drive.h"

#include "measure.h"
#include "mpi_results.h"
#include "sides.h"

enum { ALL_SECONDS = 20 }; /* to measure for, from which on all sizes of the programs are measured */

static const uint64_t sizes[] = {WORD,  8,     64,     256,     1024,    WORDS_1000,
                                 16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20};

/* The paper's text has sizes of Jacobi alone, 16 and 2048. */
static const struct program programs[PROGRAMS] = {
    {"Jacobi, a sweep",
     "rows and columns",
     BENCH_OP_jacobi,
     BENCH_OP_jacobiFirst,
     {16, 64, 256, 1024, LARGEST_FIELD, 4096}},
    {"Matrix multiplication",
     "rows and columns",
     BENCH_OP_product,
     BENCH_OP_productFirst,
     {16, 64, 256, 1024}},
    {"Trapezoid integration",
     "intervals",
     BENCH_OP_trapezoid,
     BENCH_OP_trapezoidFirst,
     {16, 1000, 100000, 10000000}},
    {"Pi", "intervals", BENCH_OP_pi, BENCH_OP_piFirst, {16, 1000, 100000, 10000000}}};

/* ---- goals --------------------------------------------------------------------------------------------- */

/* A goal of an overhead is one of a ratio, which is above 0. */
static void add_overhead(struct limits *l, const struct bench *b, const char *section, int op, uint64_t bytes,
                         const struct layer *layer, double percent, const char *what) {
    struct vertex_spread spread;
    bool known = mpi_overhead(b, 0, op, bytes, layer, &spread);
    struct limit *row =
        limit_add(l, section, AT_MOST, 1 + percent / 100, "times", known ? 1 + spread.median / 100 : -1,
                  "%s: %s by %s", what, layer->above, layer->below);
    if (known)
        limit_note(row, "%.0f %% more, in single rounds %.0f to %.0f; goal %.0f", spread.median, spread.least,
                   spread.greatest, percent);
    else
        limit_note(row, "no rounds in which both were measured");
}

static void add_program(struct limits *l, const struct bench *b, int count, const struct program *program,
                        uint64_t size) {
    static const char PEERS[] = "Programs beside the better MPI library";
    struct vertex_spread times = vertex_better_spread(b, count, program->op, size);
    struct limit *row =
        limit_add(l, PEERS, AT_LEAST, 0.95, "times", times.median, "%s, %d PEs, %llu %s: faster",
                  program->name, b->options.counts[count], (unsigned long long)size, program->unit);
    if (times.median > 0)
        limit_note(row, "in single rounds %.3g to %.3g", times.least, times.greatest);
    else
        limit_note(row, "no MPI library to compare with");
}

static void set_goals(struct mpi_bench *m) {
    static const char OWN[] = "What MPI adds to the channel", PAPER[] = "No more than rMPI above its network";
    static const struct {
        int op;
        uint64_t bytes;
        const char *what;
    } paper[] = {{BENCH_OP_ring, WORD, "a word"},
                 {BENCH_OP_ring, WORDS_1000, "1,000 words"},
                 {BENCH_OP_jacobi, LARGEST_FIELD, "Jacobi, 2048 x 2048, 2 PEs"}};
    vertex_tell_mode(&m->limits, &m->messages);
    add_overhead(&m->limits, &m->messages, OWN, BENCH_OP_ring, 8, &mpi_layers[1], 30, "8 bytes");
    add_overhead(&m->limits, &m->messages, OWN, BENCH_OP_ring, 65536, &mpi_layers[1], 3, "64 KB");
    for (size_t i = 0; i < sizeof paper / sizeof *paper; i++)
        add_overhead(&m->limits, paper[i].op == BENCH_OP_ring ? &m->messages : &m->programs, PAPER,
                     paper[i].op, paper[i].bytes, &mpi_layers[2],
                     mpi_paper_overhead(paper[i].op, paper[i].bytes), paper[i].what);
    for (int p = 0; p < PROGRAMS; p++)
        for (int count = 0; count < m->programs.options.count_count; count++)
            for (const uint64_t *size = m->program[p].size; *size; size++)
                add_program(&m->limits, &m->programs, count, &m->program[p], *size);
}

/* ---- the cells --------------------------------------------------------------------------------------- */

/* The largest size of a program takes longer than all others together. */
static void choose(struct program *program, bool all) {
    int last = 0;
    while (program->size[last + 1])
        last++;
    if (!all)
        program->size[last] = 0;
}

static json_t *measure(const struct bench_options *options, bool report) {
    static const struct bench_extra channel = {"channel", "inside", "the engine's channel", true};
    static struct mpi_bench m = {.messages = {.library = true, .extra = &channel},
                                 .programs = {.library = true, .extra = &channel}};
    bench_share(&m.messages, options, 0.4, 2, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        bench_add(&m.messages, BENCH_OP_ring, sizes[i], false);
    bench_share(&m.programs, options, 0.6, 2, 4);
    for (int p = 0; p < PROGRAMS; p++) {
        m.program[p] = programs[p];
        choose(&m.program[p], options->seconds >= ALL_SECONDS);
        for (const uint64_t *size = m.program[p].size; *size; size++) {
            bench_add(&m.programs, programs[p].op, *size, false);
            bench_add(&m.programs, programs[p].alone, *size, true);
        }
    }
    bench_sides_find(&m.messages);
    bench_sides_find(&m.programs);
    bench_measure(&m.messages);
    bench_measure(&m.programs);
    set_goals(&m);
    if (report)
        mpi_report(&m);
    return mpi_json(&m);
}

static const struct argp_option accepted[] = {
    BENCH_COMMON("120", "pattern", "Draw the figures by the size of messages"),
};

const struct bench_subject bench_subject_mpi = {
    .word = "mpi",
    .name = "unisono bench mpi",
    .plot = "plot_mpi.py",
    .doc = "Measure what each layer of Unisono's MPI library adds to the one below, and the programs of the "
           "paper about rMPI, beside MPICH and Open MPI in the same run, and the goals of Unisono."
           "\vThe exit status is 1 if a message or a result was wrong or a side broke off. See "
           "unisono-bench(1).",
    .options = accepted,
    .standard = {.seconds = 120, .rounds = 20, .peers = "auto"},
    .measure = measure,
};

/* Times collective operations of MPI as `001_...`'s authors did, each twice in the same process: MPI_X, which
 * is the accelerator's where one is loaded, and PMPI_X, the host library's own.
 *
 * A sample is a row of operations; samples of both sides alternate. Before a row the ranks meet by the
 * barrier of its own side, and each side has its own number of operations in a row: MPICH's ranks come out of
 * its barrier time slices apart, once there are more of them than processors, and a fast row would wait for
 * the last one. Of all-to-all operations every rank keeps its least sample, and the greatest of the ranks
 * counts. Of one-to-all operations the root's time counts: after every operation one rank, each in turn,
 * answers with an empty message; the least sample of each rank that answered, and the greatest of those.
 * Every sample's results are checked.
 *
 * Rank 0 writes one JSON object a line. */

#define _GNU_SOURCE
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../seconds.h"
#include "operations.h"

#define WORLD MPI_COMM_WORLD

enum { MAX_SIZES = 64, MAX_SAMPLES = 200, MAX_RANKS = 256, WARM_UP = 2 };

static struct {
    char *names; /* operations, with commas; NULL: all */
    size_t bytes[MAX_SIZES];
    int sizes, samples, calls;
    double budget; /* seconds for a side of a cell */
    bool rotate, flag;
} options = {.samples = 30, .calls = 200, .budget = 1};

/* ---- options ----------------------------------------------------------------------------------------- */

static void parse_sizes(struct argp_state *state, const char *text) {
    for (options.sizes = 0; *text; options.sizes++) {
        char *end;
        unsigned long long bytes = strtoull(text, &end, 10);
        if (end == text || (*end && *end != ',') || options.sizes == MAX_SIZES || bytes > 1 << 28)
            argp_error(state, "--bytes takes up to %d sizes with commas, each below 256 MB: %s", MAX_SIZES,
                       text);
        options.bytes[options.sizes] = bytes;
        text = *end ? end + 1 : end;
    }
}

static int parse_count(struct argp_state *state, const char *name, const char *text, int most) {
    char *end;
    long count = strtol(text, &end, 10);
    if (end == text || *end || count < 1 || count > most)
        argp_error(state, "--%s takes a number from 1 to %d, not %s", name, most, text);
    return (int)count;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    switch (key) {
    case 'o':
        options.names = text;
        break;
    case 'b':
        parse_sizes(state, text);
        break;
    case 's':
        options.samples = parse_count(state, "samples", text, MAX_SAMPLES);
        break;
    case 'c':
        options.calls = parse_count(state, "calls", text, 1 << 20);
        break;
    case 't':
        options.budget = parse_count(state, "milliseconds", text, 1 << 20) * 1e-3;
        break;
    case 'r':
        options.rotate = true;
        break;
    case 'f':
        options.flag = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_option argp_options[] = {
    {"operations", 'o', "NAME,...", 0, "of these operations only (MPI_Barrier, ...)", 0},
    {"bytes", 'b', "N,...", 0, "sizes: all of a reduction or broadcast, one rank's block of the others (8)",
     0},
    {"samples", 's', "N", 0, "samples of a side (30)", 0},
    {"calls", 'c', "N", 0, "operations in a sample, at most (200)", 0},
    {"milliseconds", 't', "N", 0, "fewer samples and operations where a side would take longer (1000)", 0},
    {"rotate", 'r', 0, 0, "every operation has the next rank as its root, and nobody answers", 0},
    {"flag", 'f', 0, 0, "answers go through shared memory, not through a message of the host", 0},
    {0}};
static const struct argp argp = {
    argp_options, parse, 0, "Times MPI's collectives, with the accelerator and without.", 0, 0, 0};

static bool is_wanted(const char *name) {
    if (!options.names)
        return true;
    size_t length = strlen(name);
    for (const char *at = options.names; (at = strstr(at, name)); at += length)
        if ((at == options.names || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
            return true;
    return false;
}

/* ---- timing ------------------------------------------------------------------------------------------ */

struct cell {
    const struct operation *op;
    struct work work;
    int samples;
    int calls[SIDES]; /* operations in a sample */
    bool answers;
    double times[SIDES][MAX_SAMPLES]; /* seconds for one operation */
    int answered[MAX_SAMPLES];
    long wrong;
};

/* The operations before the timed ones bring the ranks together as well as any. */
static double row(struct cell *c, int side, long sample, int calls) {
    static int (*const barriers[SIDES])(MPI_Comm) = {[WITH] = MPI_Barrier, [WITHOUT] = PMPI_Barrier};
    struct work *w = &c->work;
    w->sample = sample;
    w->calls = calls < WARM_UP ? calls : WARM_UP;
    work_clear(c->op, w);
    barriers[side](WORLD);
    c->op->run[side](w);
    w->calls = calls;
    double start = seconds_now();
    c->op->run[side](w);
    double end = seconds_now();
    c->wrong += c->op->wrong(w);
    return (end - start) / calls;
}

/* The time of one operation, which is not yet known to be right: the first ones set up connections. */
static double rough(struct cell *c, int side) {
    double time = row(c, side, 0, 2);
    for (int i = 1; i <= 3; i++) { /* every rank makes as many */
        double again = row(c, side, i, 4);
        time = again < time ? again : time;
    }
    return time;
}

/* Choose the numbers of samples, and of operations in a sample, so that both sides stay within the budget. */
static void plan(struct cell *c) {
    int plan[1 + SIDES] = {options.samples}, *calls = plan + 1;
    for (int side = 0; side < SIDES; side++) {
        double time = rough(c, side), fit = options.budget / (time * (options.samples + 1)) - WARM_UP;
        calls[side] = fit > options.calls ? options.calls : fit < 4 ? 4 : (int)fit;
        fit = options.budget / (time * (calls[side] + WARM_UP));
        if (fit < plan[0])
            plan[0] = fit < 5 ? 5 : (int)fit;
    }
    PMPI_Bcast(plan, 1 + SIDES, MPI_INT, 0, WORLD);
    c->samples = plan[0];
    memcpy(c->calls, calls, sizeof c->calls);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { LEAST, MEDIAN, EARLY, LATE, FIGURES };

/* The least sample, the median, the least of each half of the samples, of this rank; of operations with
 * answers, for each rank that answered, and the greatest of those. */
static void figures(const struct cell *c, int side, double figure[FIGURES]) {
    memset(figure, 0, FIGURES * sizeof *figure);
    for (int who = c->answers ? 1 : 0; who < (c->answers ? c->work.ranks : 1); who++) {
        double sorted[MAX_SAMPLES], own[FIGURES] = {0};
        int count = 0;
        for (int s = 0; s < c->samples; s++)
            if (!c->answers || c->answered[s] == who) {
                int half = s < c->samples / 2 ? EARLY : LATE;
                double time = c->times[side][s];
                own[half] = own[half] > 0 && own[half] < time ? own[half] : time;
                sorted[count++] = time;
            }
        qsort(sorted, (size_t)count, sizeof *sorted, ascending);
        own[LEAST] = sorted[0];
        own[MEDIAN] = sorted[count / 2];
        for (int f = 0; f < FIGURES; f++)
            figure[f] = own[f] > figure[f] ? own[f] : figure[f];
    }
}

static void measure(struct cell *c) {
    c->work.rotate = options.rotate && c->op->rooted;
    c->answers = c->op->from_root && !options.rotate && c->work.ranks > 1;
    c->work.answer = c->answers ? 1 : 0;
    c->work.flag = options.flag;
    plan(c);
    int others = c->work.ranks - 1;
    if (c->answers && c->samples < 3 * others)
        c->samples = 3 * others < MAX_SAMPLES ? 3 * others : MAX_SAMPLES;
    for (int s = 0; s < c->samples; s++) {
        if (c->answers)
            c->work.answer = c->answered[s] = 1 + s % others;
        for (int turn = 0; turn < SIDES; turn++) {
            int side = (s + s / (others ? others : 1) + turn) % SIDES;
            c->times[side][s] = row(c, side, 2 + s, c->calls[side]);
        }
    }
}

/* ---- one cell of the table --------------------------------------------------------------------------- */

/* False: some result was wrong, on any rank. */
static bool report(struct cell *c, const char *type) {
    double mine[SIDES][FIGURES], all[SIDES][FIGURES];
    long wrong = 0;
    for (int side = 0; side < SIDES; side++)
        figures(c, side, mine[side]);
    if (c->answers && c->work.me)
        memset(mine, 0, sizeof mine);
    PMPI_Reduce(mine, all, SIDES * FIGURES, MPI_DOUBLE, MPI_MAX, 0, WORLD);
    PMPI_Allreduce(&c->wrong, &wrong, 1, MPI_LONG, MPI_SUM, WORLD);
    if (c->work.me == 0) {
        const char *timing = c->answers       ? options.flag ? "flag" : "message"
                             : c->work.rotate ? "rotate"
                                              : "row";
        printf("{\"operation\": \"%s\", \"bytes\": %zu, \"type\": \"%s\", \"ranks\": %d, \"samples\": %d, "
               "\"timing\": \"%s\", \"wrong\": %ld",
               c->op->name, c->work.bytes, type, c->work.ranks, c->samples, timing, wrong);
        for (int side = 0; side < SIDES; side++)
            printf(", \"%s\": {\"calls\": %d, \"least\": %.9g, \"median\": %.9g, \"halves\": [%.9g, %.9g]}",
                   side == WITH ? "with" : "without", c->calls[side], all[side][LEAST], all[side][MEDIAN],
                   all[side][EARLY], all[side][LATE]);
        printf("}\n");
        fflush(stdout);
    }
    if (wrong && c->work.me == 0)
        fprintf(stderr, "collectives: %s of %zu bytes: %ld wrong elements\n", c->op->name, c->work.bytes,
                wrong);
    return wrong == 0;
}

static void *memory(size_t bytes) {
    void *at = aligned_alloc(4096, (bytes + 8191) / 4096 * 4096);
    if (!at) {
        fprintf(stderr, "collectives: no memory for %zu bytes\n", bytes);
        PMPI_Abort(WORLD, 1);
    }
    return at;
}

static bool cell(const struct operation *op, size_t bytes, int me, int ranks) {
    struct cell *c = calloc(1, sizeof *c);
    c->op = op;
    c->work = (struct work){.me = me, .ranks = ranks, .bytes = bytes};
    const char *type = work_type(op, &c->work);
    c->work.in = memory(work_bytes(&c->work, op->in));
    c->work.out = memory(work_bytes(&c->work, op->out));
    c->work.counts = memory(sizeof(int) * (size_t)ranks);
    c->work.places = memory(sizeof(int) * (size_t)ranks);
    work_fill(op, &c->work);
    measure(c);
    bool right = report(c, type);
    free(c->work.in);
    free(c->work.out);
    free(c->work.counts);
    free(c->work.places);
    free(c);
    return right;
}

int main(int argc, char **argv) {
    int me, ranks;
    options.bytes[0] = 8;
    options.sizes = 1;
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &me);
    MPI_Comm_size(WORLD, &ranks);
    struct work any = {.me = me, .ranks = ranks};
    if (options.flag && !answers_open(&any)) {
        fprintf(stderr, "collectives: the host has no shared memory for the answers\n");
        PMPI_Abort(WORLD, 1);
    }
    bool right = true;
    for (int o = 0; o < operations_known && right; o++)
        for (int s = 0; s < options.sizes && right && is_wanted(operations[o].name); s++) {
            bool data = operations[o].in != NO_DATA;
            if (data || s == 0)
                right = cell(&operations[o], data ? options.bytes[s] : 0, me, ranks);
        }
    MPI_Finalize();
    return right ? 0 : 1;
}

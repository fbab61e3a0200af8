#define _GNU_SOURCE
#include "measure.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "failure.h"
#include "figures.h"
#include "others.h"
#include "progress.h"
#include "seconds.h"
#include "sides.h"

enum {
    LOCAL_BATCH = 1000, /* of operations that take a nanosecond: the clock takes twenty */
    TURN_SECONDS = 120, /* for a turn to take is a hang */
    CLOCK_SLACK_NS = 1000,
};

/* Times of one side in one cell. A group is a PE; of a one-to-all operation, the PE that answers. */
struct samples {
    double *ns;
    size_t count, room;
};

struct meter {
    struct samples group[BENCH_MAX_PES];
    double estimate; /* ns of one operation */
    double spent;    /* seconds of turns */
    long operations, switches;
};

static void add(struct samples *s, double ns) {
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        double *more = realloc(s->ns, s->room * sizeof *more);
        if (!more)
            bench_fail("out of memory");
        s->ns = more;
    }
    s->ns[s->count++] = ns;
}

void bench_add(struct bench *b, int op, uint64_t bytes, bool joined) {
    b->cell[b->cells].op = op;
    b->cell[b->cells].bytes = bytes;
    b->cell[b->cells++].joined = joined;
}

void bench_share(struct bench *b, const struct bench_options *options, double share, int first, int second) {
    b->options = *options;
    b->options.seconds = options->seconds * share;
    b->options.counts[0] = first;
    b->options.counts[1] = second;
    b->options.count_count = second ? 2 : 1;
}

/* ---- one turn ---------------------------------------------------------------------------------------- */

static const char *cell_text(const struct bench *b, int cell) {
    static char text[64];
    int length = snprintf(text, sizeof text, "%s%s", bench_kinds[b->cell[cell].op].name,
                          bench_suffixes[b->cell[cell].type]);
    if (b->cell[cell].op >= BENCH_OPS)
        snprintf(text + length, sizeof text - (size_t)length, " %llu",
                 (unsigned long long)b->cell[cell].bytes);
    return text;
}

/* Wait until PE k says something. The end of any PE of the side is the end of all. */
static void await(const struct bench *b, struct side *side, int k, int cell, double deadline) {
    struct pollfd watch[BENCH_MAX_PES];
    for (int j = 0; j < side->n; j++)
        watch[j] = (struct pollfd){.fd = side->socket[j], .events = j == k ? POLLIN | POLLRDHUP : POLLRDHUP};
    do {
        int count = poll(watch, (nfds_t)side->n, 1000);
        if (bench_interrupted)
            bench_fail("interrupted");
        for (int j = 0; count > 0 && j < side->n; j++)
            if (watch[j].revents & (POLLRDHUP | POLLHUP | POLLERR))
                bench_side_failed(side, cell_text(b, cell));
        if (count > 0)
            return;
    } while (seconds_now() < deadline);
    bench_fail("%s with %d PEs hangs in %s: no answer from PE %d within %d seconds", side->label, side->n,
               cell_text(b, cell), k, TURN_SECONDS);
}

void bench_receive(const struct bench *b, struct side *side, int k, int cell, void *data, size_t size) {
    double deadline = seconds_now() + TURN_SECONDS;
    for (size_t at = 0; at < size;) {
        await(b, side, k, cell, deadline);
        ssize_t got = read(side->socket[k], (char *)data + at, size - at);
        if (got <= 0)
            bench_side_failed(side, cell_text(b, cell));
        at += (size_t)got;
    }
}

/* No PE may leave a barrier before every PE has entered it. */
static void check_barrier(struct side *side, const struct bench_reply *reply) {
    for (int i = 0; i < BENCH_WARM_UP; i++) {
        int last = 0, first = 0;
        for (int k = 1; k < side->n; k++) {
            last = reply[k].entered[i] > reply[last].entered[i] ? k : last;
            first = reply[k].left[i] < reply[first].left[i] ? k : first;
        }
        if (reply[first].left[i] + CLOCK_SLACK_NS < reply[last].entered[i])
            bench_fail(
                "wrong result from %s: p_wait of %d PEs: PE %d left it %lld ns before PE %d entered it",
                side->label, side->n, first, (long long)(reply[last].entered[i] - reply[first].left[i]),
                last);
    }
}

void bench_send(const struct bench *b, struct side *side, int cell, const struct bench_turn *turn) {
    for (int k = 0; k < side->n; k++)
        if (send(side->socket[k], turn, sizeof *turn, MSG_NOSIGNAL) != sizeof *turn)
            bench_side_failed(side, cell_text(b, cell));
}

/* Have the side do it; the times of batch i of PE k go to the end of its group. Returns the median of this
 * turn, the greatest over the groups, and the 99th percentile. */
static double take_turn(struct bench *b, struct side *side, int cell, struct meter *meter, int batches,
                        int repeat, double *p99) {
    static double ns[BENCH_MAX_OPS];
    static struct bench_reply reply[BENCH_MAX_PES];
    static uint64_t seed;
    int op = b->cell[cell].op;
    double began = seconds_now(), greatest = 0;
    size_t before[BENCH_MAX_PES];
    struct bench_turn turn = {.op = op,
                              .type = b->cell[cell].type,
                              .batches = batches,
                              .repeat = repeat,
                              .seed = ++seed << 32,
                              .bytes = b->cell[cell].bytes};
    for (int g = 0; g < side->n; g++)
        before[g] = meter->group[g].count;
    *p99 = 0;
    bench_send(b, side, cell, &turn);
    for (int k = 0; k < side->n; k++) {
        bench_receive(b, side, k, cell, &reply[k], sizeof reply[k]);
        if (reply[k].wrong)
            bench_fail("wrong result from %s: %s (%d wrong of %d in this turn)", side->label, reply[k].text,
                       reply[k].wrong, BENCH_WARM_UP + batches * repeat);
        meter->switches += reply[k].switches;
        if (reply[k].batches == 0)
            continue;
        bench_receive(b, side, k, cell, ns, (size_t)batches * sizeof *ns);
        bool answered = bench_kinds[op].timing == BENCH_ROOT && side->n > 1;
        for (int i = 0; i < batches; i++)
            add(&meter->group[answered ? 1 + i % (side->n - 1) : k], ns[i]);
    }
    if (op == BENCH_OP_wait)
        check_barrier(side, reply);
    for (int g = 0; g < side->n; g++) {
        size_t count = meter->group[g].count - before[g];
        if (count == 0)
            continue;
        memcpy(ns, meter->group[g].ns + before[g], count * sizeof *ns);
        double median = bench_quantile(ns, count, 0.5), high = bench_sorted_quantile(ns, count, 0.99);
        greatest = median > greatest ? median : greatest;
        *p99 = high > *p99 ? high : *p99;
    }
    meter->estimate = greatest > 0.5 ? greatest : 0.5;
    meter->operations += (long)batches * repeat;
    meter->spent += seconds_now() - began;
    return greatest;
}

/* Compute how many operations fill about the given time. */
static void plan(const struct bench *b, int cell, int n, double estimate, double target, int *batches,
                 int *repeat) {
    const struct bench_kind *kind = &bench_kinds[b->cell[cell].op];
    int groups = kind->timing == BENCH_ROOT && n > 1 ? n - 1 : 1;
    int most = kind->result == BENCH_ARRAY ? BENCH_MAX_VALUES / n : BENCH_MAX_OPS;
    if (kind->result == BENCH_MESSAGE)
        most = (int)(BENCH_POOL / bench_slot(b->cell[cell].bytes)) - BENCH_WARM_UP;
    if (kind->result == BENCH_BLOCKS) {
        uint64_t step = bench_block_step(b->cell[cell].bytes, n);
        most = step ? (int)(BENCH_BLOCK_POOL / step) - BENCH_WARM_UP : BENCH_BATCH;
    }
    if (kind->result == BENCH_ELEMENTS)
        most = BENCH_BATCH;
    double operations = target / estimate;
    most = most > BENCH_MAX_OPS ? BENCH_MAX_OPS : most;
    int least = kind->result >= BENCH_FIELD ? 1 : 2; /* one run of a program says enough */
    *repeat = kind->timing == BENCH_LOCAL ? LOCAL_BATCH : BENCH_BATCH;
    if (*repeat > most)
        *repeat = most;
    if (operations / groups < *repeat)
        *repeat = operations / groups < least ? least : (int)(operations / groups);
    double rounds = operations / groups / *repeat;
    int limit = most / *repeat / groups;
    *batches = groups * (rounds < 1 ? 1 : rounds > limit ? limit : (int)rounds);
}

/* ---- all turns --------------------------------------------------------------------------------------- */

static void summarize(const struct meter *meter, struct bench_figures *f) {
    for (int g = 0; g < BENCH_MAX_PES; g++) {
        const struct samples *s = &meter->group[g];
        if (s->count == 0)
            continue;
        bench_sort(s->ns, s->count);
        const double parts[] = {0, 1.0 / 8, 1.0 / 2, 99.0 / 100};
        double *figures[] = {&f->least, &f->octile, &f->median, &f->p99};
        for (int i = 0; i < 4; i++) {
            double value = bench_sorted_quantile(s->ns, s->count, parts[i]);
            *figures[i] = value > *figures[i] ? value : *figures[i];
        }
        double sum = 0;
        for (size_t i = 0; i < s->count; i++)
            sum += s->ns[i];
        f->mean = sum / (double)s->count > f->mean ? sum / (double)s->count : f->mean;
        f->batches = (long)s->count > f->batches ? (long)s->count : f->batches;
    }
    f->operations = meter->operations;
    f->switches = f->operations ? (double)meter->switches / (double)f->operations : 0;
}

/* A program that takes long has a spread, too; of an operation one turn has many batches. */
static int least_rounds(int op) {
    return bench_kinds[op].result >= BENCH_FIELD ? 3 : 1;
}

/* Turn r of a side in a cell. The first one, -1, is small and only tells how long an operation takes; it does
 * not count, since whatever else the machine did just then would. Each later one is as long as the last one
 * suggests. A side that has used up its time sits out the remaining rounds. */
static void one_round(struct bench *b, int count, int cell, int s, int r, struct meter *meter, double share) {
    struct side *side = &b->side[s];
    struct bench_figures *f = bench_figures(b, count, cell, s);
    int batches, repeat, n = b->options.counts[count], rounds = b->options.rounds;
    if (!side->launcher || side->support[b->cell[cell].op][b->cell[cell].type] == BENCH_ABSENT ||
        (r >= least_rounds(b->cell[cell].op) && meter->spent > share))
        return;
    if (r < 0) {
        double p99;
        plan(b, cell, n, 1, 0, &batches, &repeat);
        take_turn(b, side, cell, meter, batches, repeat, &p99);
        for (int g = 0; g < n; g++)
            meter->group[g].count = 0;
        meter->operations = meter->switches = 0;
        meter->spent = 0;
    } else {
        /* about half of a turn goes into making data, waking, and checking */
        plan(b, cell, n, meter->estimate, share * 1e9 / rounds / 2, &batches, &repeat);
        f->round[r] = take_turn(b, side, cell, meter, batches, repeat, &f->round_p99[r]);
    }
}

/* done: cells, of all numbers of PEs. */
static void show_progress(const struct bench *b, int done, int n, int cell) {
    if (!b->quiet)
        bench_progress(done, b->cells * b->options.count_count, "%d PEs, %s", n,
                       cell < 0 ? "starting" : cell_text(b, cell));
}

/* Cells `from` to `to` - 1, which are joined, in so many seconds each. Each round begins with another of
 * them: a side that alone has a cell finds its data in the caches if it had the turn before, too. */
static void measure_cells(struct bench *b, int count, int from, int to, double seconds) {
    static struct meter meters[MAX_CELLS][MAX_SIDES];
    double share = seconds / b->sides; /* of one side in one cell */
    int rounds = b->options.rounds, done = count * b->cells + from;
    for (int r = -1; r < rounds; r++)
        for (int k = from; k < to; k++) {
            int c = from + (k - from + r + 1) % (to - from);
            show_progress(b, done + (to - from) * (r + 1) / (rounds + 1), b->options.counts[count], c);
            for (int i = 0; i < b->sides; i++) {
                int s = (i + r + 1) % b->sides;
                one_round(b, count, c, s, r, &meters[c - from][s], share);
            }
        }
    for (int c = from; c < to; c++)
        for (int s = 0; s < b->sides; s++) {
            struct meter *meter = &meters[c - from][s];
            summarize(meter, bench_figures(b, count, c, s));
            for (int g = 0; g < BENCH_MAX_PES; g++)
                free(meter->group[g].ns);
            memset(meter, 0, sizeof *meter);
        }
}

void bench_measure(struct bench *b) {
    int counts = b->options.count_count;
    double each = b->options.seconds / counts / b->cells;
    b->figures = calloc((size_t)(counts * b->cells) * MAX_SIDES, sizeof *b->figures);
    if (!b->figures)
        bench_fail("out of memory");
    for (int i = 0; i < counts; i++) {
        int n = b->options.counts[i];
        show_progress(b, i * b->cells, n, -1);
        bench_sides_start(b, n);
        struct bench_moment began = bench_moment(b);
        for (int c = 0, next; c < b->cells; c = next) {
            for (next = c + 1; next < b->cells && b->cell[next].joined;)
                next++;
            measure_cells(b, i, c, next, each);
        }
        if (b->more)
            b->more(b, i);
        b->others[i] = bench_others(b, &began);
        bench_sides_stop(b);
    }
    show_progress(b, counts * b->cells, 0, -1);
}

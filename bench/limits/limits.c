/* script/bench-limits: the goals of this project, each with its present value.
 *
 * Two benches by the one engine: all operations on 8 bytes with 2 PEs, and a few with more PEs than
 * processors. Sides are compared round by round, since the host can move the processors of a virtual machine
 * at any moment, to one physical core or to two, and that changes every time by a factor of five: the result
 * is the median over the rounds of the ratio of each round's medians. */

#include "driver/drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "company.h"
#include "engine/processors.h"
#include "driver/figures.h"
#include "driver/goals.h"
#include "driver/json.h"
#include "late.h"
#include "driver/measure.h"
#include "driver/sides.h"

enum {
    GOALS_PROCESSORS = 2, /* what the absolute goals are for */
    LATE_COUNT = 40,      /* wake-ups */
    TENTH = 10,           /* of the rounds, at least, for a median of them */
};

static const char LATENCY[] = "Latency, 2 PEs", OVER[] = "More PEs than processors", IDLE[] = "Waiting";

/* ---- rounds ------------------------------------------------------------------------------------------ */

enum mode { SHARED, SEPARATE, MODES };
static const char *const mode_names[MODES] = {"one core", "separate cores"};

static int mode_of(const struct bench *b, int cell, int round) {
    double floor = bench_figures(b, 0, cell, 1)->round[round];
    return floor > 0 ? floor < SHARED_CORE_NS ? SHARED : SEPARATE : -1;
}

/* A figure of one round of a cell; below 0: there is none. `side` is the one that Unisono is compared
 * with. */
typedef double of_round(const struct bench *b, int count, int cell, int side, int round);

static double own_time(const struct bench *b, int count, int cell, int side, int round) {
    (void)side;
    double own = bench_figures(b, count, cell, 0)->round[round];
    return own > 0 ? own : -1;
}

static double other_time(const struct bench *b, int count, int cell, int side, int round) {
    double theirs = bench_figures(b, count, cell, side)->round[round];
    return theirs > 0 ? theirs : -1;
}

static double tail(const struct bench *b, int count, int cell, int side, int round) {
    const struct bench_figures *own = bench_figures(b, count, cell, 0);
    (void)side;
    return own->round[round] > 0 ? own->round_p99[round] / own->round[round] : -1;
}

/* Return Unisono's time divided by the other side's. */
static double times_slower(const struct bench *b, int count, int cell, int side, int round) {
    double own = bench_figures(b, count, cell, 0)->round[round];
    double theirs = bench_figures(b, count, cell, side)->round[round];
    return own > 0 && theirs > 0 ? own / theirs : -1;
}

static double times_faster(const struct bench *b, int count, int cell, int side, int round) {
    double slower = times_slower(b, count, cell, side, round);
    return slower > 0 ? 1 / slower : -1;
}

/* Return the median over the rounds in the given mode (MODES: all rounds) of the cells from `from` up to
 * `to`; below 0: less than a tenth of the rounds were in that mode. */
static double median_of(const struct bench *b, of_round *of, int count, int from, int to, int side,
                        int mode) {
    static double values[MAX_CELLS * MAX_ROUNDS];
    size_t found = 0;
    for (int c = from; c < to; c++)
        for (int r = 0; r < b->options.rounds; r++) {
            double value = mode == MODES || mode_of(b, c, r) == mode ? of(b, count, c, side, r) : -1;
            if (value >= 0)
                values[found++] = value;
        }
    bool enough = found && (mode == MODES || found * TENTH >= (size_t)((to - from) * b->options.rounds));
    return enough ? bench_quantile(values, found, 0.5) : -1;
}

static bool communicates(const struct bench *b, int cell) {
    return bench_kinds[b->cell[cell].op].timing == BENCH_MEET;
}

/* Return the greatest or the least value over all operations; below 0: too little is known of one of them. */
static double extreme(const struct bench *b, of_round *of, int count, int side, int mode, bool greatest,
                      int *cell) {
    double found = -1;
    for (int c = 0; c < b->cells; c++) {
        if (!communicates(b, c))
            continue;
        double value = median_of(b, of, count, c, c + 1, side, mode);
        if (value < 0)
            return -1;
        if (found < 0 || (greatest ? value > found : value < found)) {
            found = value;
            *cell = c;
        }
    }
    return found;
}

static void note_cell(struct limit *row, const struct bench *b, const char *what, int cell) {
    if (row->measured)
        limit_note(row, "%s: %s%s", what, bench_kinds[b->cell[cell].op].name,
                   bench_suffixes[b->cell[cell].type]);
}

/* ---- latency ----------------------------------------------------------------------------------------- */

static const struct peer_goal {
    const char *key, *name;
    double faster[MODES];
} near_goals[] = {{"mpich", "MPICH", {5, 3}}, {"openmpi", "Open MPI", {3, 1.6}}};

static void add_peers(struct limits *l, const struct bench *b, int mode) {
    for (size_t p = 0; p < sizeof near_goals / sizeof *near_goals; p++) {
        const struct peer_goal *goal = &near_goals[p];
        int cell = 0, s = bench_find_side(b, goal->key);
        double faster = s < 0 ? -1 : extreme(b, times_faster, 0, s, mode, false, &cell);
        struct limit *row = limit_add(l, LATENCY, AT_LEAST, goal->faster[mode], "times", faster,
                                      "faster than %s, %s", goal->name, mode_names[mode]);
        if (faster >= 0)
            limit_note(row, "least: %s%s; the bare exchange there: %.3g", bench_kinds[b->cell[cell].op].name,
                       bench_suffixes[b->cell[cell].type],
                       faster * median_of(b, times_slower, 0, cell, cell + 1, 1, mode));
        else if (s < 0)
            limit_note(row, "no %s", goal->name);
        else
            limit_note(row, "too few such rounds with %s", goal->name);
    }
}

/* Add the spread of the operations' times: for Unisono (side 0), or for the bare exchange (side 1), which
 * moves the same two lines in every operation. */
static void add_spread(struct limits *l, const struct bench *b, int mode, int side) {
    of_round *time = side ? other_time : own_time;
    int first = 0, last = 0;
    double cheapest = extreme(b, time, 0, side, mode, false, &first);
    double dearest = extreme(b, time, 0, side, mode, true, &last);
    limit_note(limit_add(l, LATENCY, side ? SHOWN : AT_MOST, side ? 0 : 15, "ns", dearest - cheapest,
                         side ? "the same by the bare exchange, %s" : "cheapest to dearest operation, %s",
                         mode_names[mode]),
               "%s%s %.0f ns, %s%s %.0f ns", bench_kinds[b->cell[first].op].name,
               bench_suffixes[b->cell[first].type], cheapest, bench_kinds[b->cell[last].op].name,
               bench_suffixes[b->cell[last].type], dearest);
}

static void add_mode(struct limits *l, const struct bench *b, int mode) {
    const char *name = mode_names[mode];
    int cell = 0, awake = bench_find_side(b, "awake");
    double slower = extreme(b, times_slower, 0, 1, mode, true, &cell);
    struct limit *row = limit_add(l, LATENCY, AT_MOST, 1.25, "times", slower,
                                  "any 8-byte operation by the bare exchange, %s", name);
    if (slower < 0) {
        limit_note(row, "too few such rounds, and so for all that follows from them");
        return;
    }
    note_cell(row, b, "dearest", cell);
    double wait = median_of(b, own_time, 0, 0, 1, 0, mode);
    row = limit_add(l, LATENCY, SHOWN, 0, "ns", wait, "p_wait, %s", name);
    if (wait < 0)
        limit_note(row, "too few such rounds");
    else
        limit_note(row, "the bare exchange: %.3g ns", median_of(b, other_time, 0, 0, 1, 1, mode));
    add_spread(l, b, mode, 0);
    add_spread(l, b, mode, 1);
    note_cell(limit_add(l, LATENCY, AT_MOST, 3, "times", extreme(b, tail, 0, 0, mode, true, &cell),
                        "p99 by the median, batches of 50, %s", name),
              b, "greatest", cell);
    double asleep = awake < 0 ? -1 : median_of(b, times_slower, 0, 0, b->cells, awake, mode);
    row = limit_add(l, LATENCY, AT_MOST, 1.05, "times", asleep,
                    "any operation by a build that cannot sleep, %s", name);
    limit_note(row, "%s",
               awake < 0    ? "no bench-awake beside bench-unisono"
               : asleep < 0 ? "too few such rounds"
                            : "median over the rounds of all");
}

static void add_near(struct limits *l, const struct bench *b) {
    int rounds[MODES] = {0};
    for (int c = 0; c < b->cells; c++)
        for (int r = 0; communicates(b, c) && r < b->options.rounds; r++) {
            int mode = mode_of(b, c, r);
            if (mode >= 0)
                rounds[mode]++;
        }
    snprintf(l->mode, sizeof l->mode,
             "With 2 PEs the processors shared a core in %d rounds (bare exchange under %d ns) and did not "
             "in %d%s.",
             rounds[SHARED], SHARED_CORE_NS, rounds[SEPARATE],
             rounds[SHARED] && rounds[SEPARATE] ? ": the mode changed during the run" : "");
    for (int mode = 0; mode < MODES; mode++)
        add_mode(l, b, mode);
    for (int mode = 0; mode < MODES; mode++)
        add_peers(l, b, mode);
    for (int c = 0; c < b->cells; c++)
        if (!communicates(b, c))
            limit_add(l, LATENCY, AT_MOST, 3, "ns", median_of(b, own_time, 0, c, c + 1, 0, MODES), "%s",
                      bench_kinds[b->cell[c].op].name);
}

/* ---- more PEs than processors ------------------------------------------------------------------------ */

static const struct {
    int pes;
    double ns, openmpi, mpich; /* 0: no goal */
} far_goals[] = {{4, 2200, 2.2, 1000}, {8, 5000, 4.5, 1000}, {16, 12000, 4.5, 1000}, {64, 60000, 0, 0}};

enum { FAR_COUNTS = sizeof far_goals / sizeof *far_goals };

static void add_far_peer(struct limits *l, const struct bench *b, int i, const char *key, const char *name,
                         double bound) {
    int cell = 0, s = bench_find_side(b, key);
    double faster = s < 0 ? -1 : extreme(b, times_faster, i, s, MODES, false, &cell);
    struct limit *row = limit_add(l, OVER, bound > 0 ? AT_LEAST : SHOWN, bound, "times", faster,
                                  "%d PEs: faster than %s", far_goals[i].pes, name);
    note_cell(row, b, "least", cell);
    if (faster < 0)
        limit_note(row, "no %s%s", name, s < 0 ? "" : " with so many PEs");
}

/* Add the time of the switches alone: in an operation the given share of the PEs is switched to. */
static void add_switches(struct limits *l, const struct bench *b, int i, double share) {
    int s = bench_find_side(b, "switches");
    double all = s < 0 ? -1 : median_of(b, other_time, i, 0, 1, s, MODES);
    limit_note(
        limit_add(l, OVER, SHOWN, all > 0 ? all * share : 0, "ns", median_of(b, own_time, i, 0, 1, 0, MODES),
                  "%d PEs: p_wait, and as many switches of processes that do nothing else", far_goals[i].pes),
        "one switch: %.3g us", all > 0 ? all / far_goals[i].pes * uno_processors() / 1000 : 0);
}

static void add_far(struct limits *l, const struct bench *b) {
    int processors = uno_processors();
    double time[FAR_COUNTS];
    for (int i = 0; i < FAR_COUNTS; i++) {
        int cell = 0, pes = far_goals[i].pes;
        time[i] = extreme(b, own_time, i, 0, MODES, true, &cell);
        bool comparable = processors == GOALS_PROCESSORS;
        struct limit *row = limit_add(l, OVER, comparable ? AT_MOST : SHOWN, comparable ? far_goals[i].ns : 0,
                                      "ns", time[i], "%d PEs: p_wait and 8-byte reductions", pes);
        note_cell(row, b, "dearest", cell);
        add_far_peer(l, b, i, "openmpi", "Open MPI (yielding)", far_goals[i].openmpi);
        add_far_peer(l, b, i, "mpich", "MPICH", far_goals[i].mpich);
        double least = pes > processors ? pes - processors : 0;
        row = limit_add(l, OVER, SHOWN, least, "", bench_figures(b, i, 0, 0)->switches,
                        "%d PEs: process switches of a p_wait, and the least possible", pes);
        int openmpi = bench_find_side(b, "openmpi");
        if (openmpi >= 0 && bench_figures(b, i, 0, openmpi)->operations)
            limit_note(row, "Open MPI: %.3g", bench_figures(b, i, 0, openmpi)->switches);
        add_switches(l, b, i, least / pes);
        int before = far_goals[i > 0 ? i - 1 : 0].pes;
        if (i > 0 && before > processors)
            limit_note(limit_add(l, OVER, AT_MOST, least / (before - processors), "times",
                                 time[i] / time[i - 1], "growth from %d to %d PEs", before, pes),
                       "the goal: as the PEs beyond the processors, which each take a switch");
    }
}

/* ---- waiting ----------------------------------------------------------------------------------------- */

static struct late idle[MAX_SIDES], wake[MAX_SIDES];

static void measure_late(struct bench *b, int count) {
    (void)count;
    for (int s = 0; s < b->sides; s++)
        if (b->side[s].launcher)
            idle[s] = late_measure(b, &b->side[s], 1, 1);
    for (int s = 0; s < 2; s++)
        wake[s] = late_measure(b, &b->side[s], 0.02, LATE_COUNT);
}

static void add_late(struct limits *l, const struct bench *b) {
    limit_add(l, IDLE, AT_MOST, 1, "%", idle[0].share * 100, "of a processor, by a PE that waits one second");
    for (int s = 2; s < b->sides; s++)
        if (b->side[s].peer && idle[s].measured)
            limit_add(l, IDLE, SHOWN, 0, "%", idle[s].share * 100, "the same, %s", b->side[s].label);
    limit_note(limit_add(l, IDLE, AT_MOST, 2, "times", wake[0].wake / wake[1].wake,
                         "the wake-up of a PE that sleeps by a bare futex hand-over"),
               "%.3g us, the futex %.3g us", wake[0].wake / 1000, wake[1].wake / 1000);
}

/* ---- the command ------------------------------------------------------------------------------------- */

/* All cells take turns, so that a disturbance of some seconds affects all of them alike. */
static void add_cell(struct bench *b, int op, int type) {
    b->cell[b->cells].op = op;
    b->cell[b->cells].type = type;
    b->cell[b->cells++].joined = true;
}

/* Set the cells for 2 PEs: p_wait first; then all operations that exchange at most 8 bytes; then the local
 * ones. */
static void set_near(struct bench *b, const struct bench_options *options) {
    static const struct bench_extra awake = {"awake", "awake", "Unisono that cannot sleep", true};
    static const int local[] = {BENCH_OP_population, BENCH_OP_enumerate, BENCH_OP_selectFirst};
    bench_share(b, options, 0.4, 2, 0);
    b->extra = &awake;
    b->more = measure_late;
    add_cell(b, BENCH_OP_wait, BENCH_TYPE_);
    for (int op = 0; op < BENCH_OPS; op++)
        if (op != BENCH_OP_wait && bench_kinds[op].timing == BENCH_MEET)
            add_cell(b, op, bench_has_type(op, BENCH_TYPE_64) ? BENCH_TYPE_64 : BENCH_TYPE_);
    for (int i = 0; i < 3; i++)
        add_cell(b, local[i], BENCH_TYPE_);
}

static void set_far(struct bench *b, const struct bench_options *options) {
    static const struct bench_extra switches = {"switches", "switches", "switches alone", false};
    bench_share(b, options, 0.4, 0, 0);
    b->options.count_count = FAR_COUNTS;
    b->extra = &switches;
    for (int i = 0; i < FAR_COUNTS; i++)
        b->options.counts[i] = far_goals[i].pes;
    add_cell(b, BENCH_OP_wait, BENCH_TYPE_);
    add_cell(b, BENCH_OP_reduceAdd, BENCH_TYPE_64);
    add_cell(b, BENCH_OP_reduceMax, BENCH_TYPE_64);
}

static json_t *measure(const struct bench_options *options, bool report) {
    static struct bench near, far;
    static struct limits limits;
    set_near(&near, options);
    set_far(&far, options);
    bench_sides_find(&near);
    bench_sides_find(&far);
    bench_measure(&near);
    add_near(&limits, &near);
    bench_measure(&far);
    add_far(&limits, &far);
    add_late(&limits, &near);
    company_measure(&limits, options->seconds * 0.2);
    if (report) {
        limits_heading(&limits, &near);
        limits_report(&limits);
    }
    return bench_json_all((const struct bench *const[]){&near, &far, NULL}, &limits);
}

static const struct argp_option accepted[] = {
    BENCH_COMMON("60", "operation", "Draw the latency by operation and by number of PEs"),
};

static const struct bench_subject limits_subject = {
    .name = "script/bench-limits",
    .plot = "plot.py",
    .doc = "Show the goals of Unisono, what is measured, and whether each is held."
           "\vThe exit status is 1 if a result was wrong or a side broke off. See docs/latency.md.",
    .options = accepted,
    .standard = {.seconds = 60, .rounds = 20, .peers = "auto"},
    .measure = measure,
};

int main(int argc, char **argv) {
    static const struct bench_subject *const subjects[] = {&limits_subject, NULL};
    return bench_drive(subjects, argc, argv);
}

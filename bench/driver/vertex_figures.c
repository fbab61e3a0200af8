#include "vertex_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "detector/part.h"
#include "engine/processors.h"
#include "figures.h"

enum { LARGE = 65536 }; /* from so many bytes on the fixed cost of a message no longer counts */

const char *const vertex_protocols[PROTOCOLS] = {"standard", "extended"};

int vertex_cell(const struct bench *b, int op, uint64_t bytes) {
    for (int c = 0; c < b->cells; c++)
        if (b->cell[c].op == op && b->cell[c].bytes == bytes)
            return c;
    return -1;
}

int vertex_count(const struct bench *b, int pes) {
    for (int i = 0; i < b->options.count_count; i++)
        if (b->options.counts[i] == pes)
            return i;
    return -1;
}

double vertex_time(const struct bench *b, int count, int op, uint64_t bytes, int side) {
    int cell = vertex_cell(b, op, bytes);
    const struct bench_figures *f = cell < 0 ? NULL : bench_figures(b, count, cell, side);
    bool ring = op == BENCH_OP_ring || op == BENCH_OP_ringKnown;
    return f && f->operations ? f->octile / (ring ? b->options.counts[count] : 1) : -1;
}

void vertex_note_times(struct limit *row, const struct bench *b, int count, int op, uint64_t bytes) {
    size_t at = 0;
    char text[sizeof row->note] = "";
    for (int s = 0; s < b->sides && at < sizeof text - 1; s++) {
        bool copies = s == 1 && op == BENCH_OP_allToAll;
        double time = vertex_time(b, count, copies ? BENCH_OP_copyAll : op, bytes, s);
        if (time > 0)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s %.3g us", at ? ", " : "",
                                   copies ? "copies" : b->side[s].name, time / 1000);
    }
    limit_note(row, "%s", row->measured ? text : "no MPI library to compare with");
}

/* ---- round by round ---------------------------------------------------------------------------------- */

static struct vertex_spread spread(double *values, size_t count) {
    if (count == 0)
        return (struct vertex_spread){-1, -1, -1};
    bench_sort(values, count);
    return (struct vertex_spread){values[0], bench_sorted_quantile(values, count, 0.5), values[count - 1]};
}

struct vertex_spread vertex_spread(const struct bench *b, int count, uint64_t bytes, int over_op, int over,
                                   int under_op, int under) {
    int cell = vertex_cell(b, over_op, bytes), other = vertex_cell(b, under_op, bytes);
    static double values[MAX_ROUNDS];
    size_t found = 0;
    for (int r = 0; cell >= 0 && other >= 0 && r < b->options.rounds; r++) {
        double a = bench_figures(b, count, cell, over)->round[r],
               c = bench_figures(b, count, other, under)->round[r];
        if (a > 0 && c > 0)
            values[found++] = a / c;
    }
    return spread(values, found);
}

double vertex_ratio(const struct bench *b, int count, uint64_t bytes, int over_op, int over, int under_op,
                    int under) {
    return vertex_spread(b, count, bytes, over_op, over, under_op, under).median;
}

struct vertex_spread vertex_better_spread(const struct bench *b, int count, int op, uint64_t bytes) {
    int cell = vertex_cell(b, op, bytes);
    static double values[MAX_ROUNDS];
    size_t found = 0;
    for (int r = 0; cell >= 0 && r < b->options.rounds; r++) {
        double own = bench_figures(b, count, cell, 0)->round[r], better = 0;
        for (int s = 0; s < b->sides; s++) {
            double theirs = b->side[s].peer ? bench_figures(b, count, cell, s)->round[r] : 0;
            if (theirs > 0 && (!(better > 0) || theirs < better))
                better = theirs;
        }
        if (own > 0 && better > 0)
            values[found++] = better / own;
    }
    return spread(values, found);
}

double vertex_better_peer(const struct bench *b, int count, int op, uint64_t bytes) {
    return vertex_better_spread(b, count, op, bytes).median;
}

/* ---- f and m ----------------------------------------------------------------------------------------- */

/* Fit a line by least squares of the relative deviations: as a message of 4 MB takes ten thousand times
 * longer than one of 8 bytes, nothing but the longest would count otherwise. */
static bool fit_line(const double *x, const double *t, int count, double *f, double *m) {
    double w = 0, wx = 0, wt = 0, wxx = 0, wxt = 0;
    for (int i = 0; i < count; i++) {
        double weight = 1 / (t[i] * t[i]);
        w += weight;
        wx += weight * x[i];
        wt += weight * t[i];
        wxx += weight * x[i] * x[i];
        wxt += weight * x[i] * t[i];
    }
    double determinant = w * wxx - wx * wx;
    if (count < 2 || !(fabs(determinant) > 0))
        return false;
    *m = (w * wxt - wx * wt) / determinant;
    *f = (wt - *m * wx) / w;
    return true;
}

static struct fit fit_side(const struct bench *b, int op, int side) {
    struct fit fit = {0};
    double x[MAX_CELLS], t[MAX_CELLS], from_large;
    int count = 0, large;
    for (int c = 0; c < b->cells; c++) { /* they ascend */
        double time = b->cell[c].op == op ? vertex_time(b, 0, op, b->cell[c].bytes, side) : -1;
        if (time > 0) {
            x[count] = (double)b->cell[c].bytes;
            t[count++] = time;
        }
    }
    for (large = 0; large < count && x[large] < LARGE; large++)
        continue;
    fit.fitted = fit_line(x, t, count, &fit.f, &fit.m) &&
                 fit_line(x + large, t + large, count - large, &from_large, &fit.large);
    for (int i = 0; fit.fitted && i < count; i++)
        fit.worst = fmax(fit.worst, fabs(fit.m * x[i] + fit.f - t[i]) / t[i]);
    return fit;
}

void vertex_fit(struct vertex *v) {
    for (int s = 0; s < v->near.sides; s++) {
        v->fit[s][STANDARD] = fit_side(&v->near, BENCH_OP_ring, s);
        v->fit[s][EXTENDED] = fit_side(&v->near, BENCH_OP_ringKnown, s);
    }
}

/* ---- the edge detector ------------------------------------------------------------------------------- */

/* Tcomm: the time that all messages would take one after the other, on each processor its share. */
static double all_messages(const struct fit *fit, int edge, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        struct part part;
        if (!part_make(&part, edge, edge, k, n))
            return -1;
        for (int i = 0; i < part.links; i++)
            sum += fit->f + fit->m * (double)part.link[i].bytes;
        part_free(&part);
    }
    int processors = uno_processors();
    return sum / (n < processors ? n : processors);
}

struct detection vertex_detection(const struct vertex *v, const struct bench *b, int count, int edge) {
    static const int ops[PROTOCOLS] = {BENCH_OP_sobel, BENCH_OP_sobelKnown};
    uint64_t bytes = (uint64_t)edge;
    struct detection d = {.edge = edge,
                          .pes = b->options.counts[count],
                          .alone = vertex_time(b, count, BENCH_OP_sobelFirst, bytes, 0),
                          .parts = vertex_time(b, count, BENCH_OP_sobelParts, bytes, 0)};
    d.complete = d.alone > 0 && d.parts > 0;
    for (int p = 0; p < PROTOCOLS; p++) {
        d.exec[p] = vertex_time(b, count, ops[p], bytes, 0);
        d.complete &= d.exec[p] > 0 && v->fit[0][p].fitted;
        double messages = d.complete ? all_messages(&v->fit[0][p], edge, d.pes) : 0;
        d.gamma[p] = messages > 0 ? 1 - (d.exec[p] - d.parts) / messages : 0;
    }
    return d;
}

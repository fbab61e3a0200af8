#include "vertex_results.h"

#include <stdio.h>
#include <string.h>

#include "engine/processors.h"
#include "text.h"

enum { NAME = 34, CELL = 12, TEXT = 32 };

static const char *const mpi_names[PROTOCOLS] = {"Send, Recv", "Irecv, Rsend"};

/* Columns of figures of the paper, and rows: a system and its figures. */
struct row {
    const char *system;
    const char *cell[8];
};

static const struct row table1[] = {{"NCUBE, 1987", {"466.40", "83.20", "5.60", "3140", "1290", "2.43"}}};
static const struct row table2[] = {{"NCUBE, standard Vertex", {"245.76", "41.79", "19.88"}},
                                    {"NCUBE, extended Vertex", {"46.76", "10.37", "6.45"}},
                                    {"iPSC, CrOS", {"160", "80", "79"}},
                                    {"iPSC, IHOS", {"5960", "777", "202"}},
                                    {"Mark II (8 MHz), CrOS", {"86.0", "45.5", "41.4"}}};
static const struct row table3[] = {
    {"NCUBE, 16 PEs, 128 x 128", {"1.02", "3.83", "0.99", "0.97", "15.9", "15.6"}},
    {"NCUBE, 16 PEs, 64 x 64", {"1.08", "5.24", "0.98", "0.91", "16.0", "14.8"}},
    {"NCUBE, 16 PEs, 32 x 32", {"1.34", "9.79", "0.96", "0.72", "13.7", "10.2"}}};

/* ---- cells ------------------------------------------------------------------------------------------- */

static void print_cell(const char *text) {
    printf("%*s", CELL, text);
}

/* Print a value of at most 1. */
static void print_gamma(double value) {
    char text[TEXT];
    snprintf(text, TEXT, value > -99.5 ? "%.2f" : "%.0f", value);
    print_cell(text);
}

static void print_heading(const char *title, const char *const *columns, int count) {
    printf("\n%s\n%-*s", title, NAME, "");
    for (int c = 0; c < count; c++)
        print_cell(columns[c]);
    putchar('\n');
}

static void print_rows(const struct row *row, size_t rows, int columns) {
    for (size_t r = 0; r < rows; r++) {
        printf("%-*s", NAME, row[r].system);
        for (int c = 0; c < columns; c++)
            print_cell(row[r].cell[c] ? row[r].cell[c] : "");
        putchar('\n');
    }
    for (int i = 0; i < NAME + columns * CELL; i++)
        putchar('-');
    putchar('\n');
}

#define HEADING(title, ...)                                                                                  \
    print_heading(title, (const char *const[]){__VA_ARGS__},                                                 \
                  (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))
#define ROWS(rows, columns) print_rows(rows, sizeof(rows) / sizeof *(rows), columns)

static double quotient(double a, double b) {
    return a > 0 && b > 0 ? a / b : -1;
}

/* ---- the paper's tables ------------------------------------------------------------------------------ */

static void print_table1(const struct vertex *v) {
    HEADING("Table 1: ring messages, tcomm = m x + f (f: us a message; m: ns a byte; x: bytes, 0 to 16 MB)",
            "f standard", "f extended", "times", "m standard", "m extended", "times", "worst dev.");
    ROWS(table1, 7);
    for (int s = 0; s < v->near.sides; s++) {
        const struct fit *fit = v->fit[s];
        if (!fit[STANDARD].fitted)
            continue;
        bool both = fit[EXTENDED].fitted;
        printf("%-*s", NAME, v->near.side[s].label);
        print_number(CELL, fit[STANDARD].f / 1000);
        print_number(CELL, both ? fit[EXTENDED].f / 1000 : -1);
        print_number(CELL, both ? quotient(fit[STANDARD].f, fit[EXTENDED].f) : -1);
        print_number(CELL, fit[STANDARD].m);
        print_number(CELL, both ? fit[EXTENDED].m : -1);
        print_number(CELL, both ? quotient(fit[STANDARD].m, fit[EXTENDED].m) : -1);
        printf("%*.0f %%\n", CELL - 2,
               100 * (fit[EXTENDED].worst > fit[STANDARD].worst ? fit[EXTENDED].worst : fit[STANDARD].worst));
    }
}

static void name_side(char text[TEXT + BENCH_LABEL], const struct bench *b, int side, int protocol) {
    const struct side *s = &b->side[side];
    if (s->peer)
        snprintf(text, TEXT + BENCH_LABEL, "%s, %s", s->label, mpi_names[protocol]);
    else if (side == 0)
        snprintf(text, TEXT + BENCH_LABEL, "%s, %s", s->label, vertex_protocols[protocol]);
    else
        snprintf(text, TEXT + BENCH_LABEL, "%s", s->label);
}

static void print_table2(const struct vertex *v) {
    static const int bytes[] = {8, 64, 256}, ops[PROTOCOLS] = {BENCH_OP_ring, BENCH_OP_ringKnown};
    HEADING("Table 2: t'comm, the time of 32 bits in messages of so many bytes, 4 tcomm / x (us)", "8", "64",
            "256");
    ROWS(table2, 3);
    for (int s = 0; s < v->near.sides; s++)
        for (int p = 0; p < PROTOCOLS; p++) {
            char name[TEXT + BENCH_LABEL];
            if (!v->fit[s][p].fitted)
                continue;
            name_side(name, &v->near, s, p);
            printf("%-*s", NAME, name);
            for (int i = 0; i < 3; i++) {
                double time = vertex_time(&v->near, 0, ops[p], (uint64_t)bytes[i], s);
                print_number(CELL, time > 0 ? 4 * time / bytes[i] / 1000 : -1);
            }
            putchar('\n');
        }
}

static void print_detection(const struct detection *d) {
    char name[TEXT + BENCH_LABEL];
    if (!d->complete)
        return;
    snprintf(name, sizeof name, "Unisono, %d PEs, %d x %d", d->pes, d->edge, d->edge);
    printf("%-*s", NAME, name);
    print_number(CELL, quotient(d->exec[STANDARD], d->exec[EXTENDED]));
    print_number(CELL, quotient(d->exec[STANDARD] - d->parts, d->exec[EXTENDED] - d->parts));
    for (int p = EXTENDED; p >= STANDARD; p--)
        print_number(CELL, d->parts < d->exec[p] ? d->parts / d->exec[p] : 1);
    for (int p = EXTENDED; p >= STANDARD; p--)
        print_number(CELL, d->alone / d->exec[p]);
    for (int p = EXTENDED; p >= STANDARD; p--)
        print_gamma(d->gamma[p]);
    putchar('\n');
}

static void print_peers(const struct bench *b, int count, int edge) {
    for (int s = 1; s < b->sides; s++) {
        char name[TEXT + BENCH_LABEL];
        double alone = vertex_time(b, count, BENCH_OP_sobelFirst, (uint64_t)edge, 0);
        double exec = vertex_time(b, count, BENCH_OP_sobelKnown, (uint64_t)edge, s);
        if (!(alone > 0 && exec > 0))
            continue;
        snprintf(name, sizeof name, "  %s", b->side[s].label);
        printf("%-*s%*s", NAME, name, 4 * CELL, "");
        print_number(CELL, alone / exec);
        putchar('\n');
    }
}

static void print_detections(const struct vertex *v, const struct bench *b, const int *edges, int count) {
    for (int i = 0; i < b->options.count_count; i++)
        for (int e = 0; e < count; e++) {
            struct detection d = vertex_detection(v, b, i, edges[e]);
            print_detection(&d);
            print_peers(b, i, edges[e]);
        }
}

static void print_table3(const struct vertex *v) {
    static const int small[] = {1024, 128, 64, 32}, great[] = {4096, 512};
    printf("\nTable 3: Sobel edge detector, today on %d processors\n%-*s%*s%*s%*s%*s\n%-*s", uno_processors(),
           NAME, "", 2 * CELL, "ext. by standard", 2 * CELL, "part calculating", 2 * CELL,
           "speed-up over alone", 2 * CELL, "gamma", NAME, "");
    for (int i = 0; i < 4; i++) {
        print_cell(i ? "extended" : "in all");
        print_cell(i ? "standard" : "comm.");
    }
    putchar('\n');
    ROWS(table3, 8);
    print_detections(v, &v->pictures, small, 4);
    print_detections(v, &v->pair, great, 2);
}

/* ---- beside the MPI libraries ------------------------------------------------------------------------ */

static bool is_measured(const struct bench *b, int count, int op, int side) {
    for (int c = 0; c < b->cells; c++)
        if (b->cell[c].op == op && bench_figures(b, count, c, side)->operations)
            return true;
    return false;
}

/* Rows: sides; columns: sizes. In us, or in GB/s from 4 KB on if `bandwidth`. */
static void print_sides(const struct bench *b, int count, const int ops[PROTOCOLS], bool bandwidth) {
    for (int s = 0; s < b->sides; s++)
        for (int p = 0; p < PROTOCOLS; p++) {
            char name[TEXT + BENCH_LABEL];
            if (!is_measured(b, count, ops[p], s) || (s == 1 && p))
                continue;
            name_side(name, b, s, p);
            printf("%-*s", NAME, name);
            for (int c = 0; c < b->cells; c++) {
                uint64_t bytes = b->cell[c].bytes;
                if (b->cell[c].op != ops[STANDARD])
                    continue;
                double time = vertex_time(b, count, ops[p], bytes, s);
                print_number(CELL, time < 0                     ? -1
                                   : bandwidth && bytes >= 4096 ? (double)bytes / time
                                                                : time / 1000);
            }
            putchar('\n');
        }
    for (int p = 0; p < PROTOCOLS; p++) {
        printf("%-*s", NAME, p ? "times faster than the better, ext." : "times faster than the better, std.");
        for (int c = 0; c < b->cells; c++)
            if (b->cell[c].op == ops[STANDARD])
                print_number(CELL, vertex_better_peer(b, count, ops[p], b->cell[c].bytes));
        putchar('\n');
    }
}

static void print_messages(const struct bench *b, int count, const int ops[PROTOCOLS], bool bandwidth,
                           const char *title) {
    printf("\n%s\n%-*s", title, NAME, "");
    for (int c = 0; c < b->cells; c++)
        if (b->cell[c].op == ops[STANDARD])
            print_cell(size_text(b->cell[c].bytes, "bytes"));
    putchar('\n');
    print_sides(b, count, ops, bandwidth);
}

void vertex_report(const struct vertex *v) {
    static const int ring[PROTOCOLS] = {BENCH_OP_ring, BENCH_OP_ringKnown};
    static const int stream[PROTOCOLS] = {BENCH_OP_stream, BENCH_OP_streamKnown};
    static const int swap[PROTOCOLS] = {BENCH_OP_swap, BENCH_OP_swapKnown};
    limits_heading(&v->limits, &v->near);
    printf(
        "Rows above the line: the paper of 1987. Below: measured now, all in one run, every message and "
        "every pixel\n"
        "checked; lower octiles. The bare exchange is the floor: no library, one cache line and one copy a "
        "message.\n");
    print_table1(v);
    print_table2(v);
    print_table3(v);
    print_messages(&v->near, 0, ring, false, "One way between 2 PEs, from ping-pong (us)");
    print_messages(&v->near, 0, ring, true, "The same, from 4 KB on as bandwidth (GB/s)");
    print_messages(&v->near, 0, stream, true,
                   "A stream of messages, 2 PEs (8 bytes: us a message; from 4 KB on: GB/s)");
    for (int i = 0; i < v->over.options.count_count; i++) {
        char title[100];
        snprintf(title, sizeof title, "One message in a ring of %d PEs, on %d processors (us a message)",
                 v->over.options.counts[i], uno_processors());
        print_messages(&v->over, i, ring, false, title);
        snprintf(title, sizeof title, "The PEs of each of %d pairs to each other, on %d processors (us)",
                 v->over.options.counts[i] / 2, uno_processors());
        print_messages(&v->over, i, swap, false, title);
    }
    limits_report(&v->limits);
}

#include "mpi_results.h"

#include <math.h>
#include <stdio.h>

#include "engine/processors.h"
#include "text.h"

enum { NAME = 36, CELL = 10, TEXT = 32, BAR = 60 };

/* ---- cells --------------------------------------------------------------------------------------------- */

static void print_name(const char *name) {
    printf("%-*s", NAME, name);
}

static void print_text(const char *text) {
    printf("%*s", CELL, text);
}

/* "0.97-1.02" */
static void print_range(struct vertex_spread spread) {
    char text[TEXT] = "-";
    int digits = spread.greatest < 9.95 ? 2 : spread.greatest < 99.5 ? 1 : 0;
    if (spread.least > 0)
        snprintf(text, TEXT, "%.*f-%.*f", digits, spread.least, digits, spread.greatest);
    print_text(text);
}

/* ---- layers -------------------------------------------------------------------------------------------- */

static void print_bytes(const struct bench *b, const char *title) {
    printf("\n%s\n", title);
    print_name("");
    for (int c = 0; c < b->cells; c++)
        print_text(size_text(b->cell[c].bytes, "B"));
    putchar('\n');
}

static void print_times(const struct bench *b) {
    print_bytes(b, "One way between 2 PEs, from ping-pong (us)");
    for (int s = 0; s < b->sides; s++) {
        if (vertex_time(b, 0, b->cell[0].op, b->cell[0].bytes, s) < 0)
            continue;
        print_name(b->side[s].label);
        for (int c = 0; c < b->cells; c++)
            print_number(CELL, vertex_time(b, 0, b->cell[c].op, b->cell[c].bytes, s) / 1000);
        putchar('\n');
    }
}

/* The median of all rounds, and below it the least and the greatest. */
static void print_overhead(const struct bench *b, const struct layer *layer) {
    char name[2 * TEXT];
    snprintf(name, sizeof name, "%s above %s", layer->above, layer->below);
    for (int spread = 0; spread < 2; spread++) {
        print_name(spread ? "  of single rounds" : name);
        for (int c = 0; c < b->cells; c++) {
            char text[TEXT] = "-";
            struct vertex_spread percent;
            bool known = mpi_overhead(b, 0, b->cell[c].op, b->cell[c].bytes, layer, &percent);
            if (known && spread)
                snprintf(text, TEXT, "%.0f..%.0f", percent.least, percent.greatest);
            else if (known)
                snprintf(text, TEXT, "%.0f", percent.median);
            print_text(text);
        }
        putchar('\n');
    }
}

static void print_paper(const struct bench *b) {
    print_name("rMPI above its network, the paper");
    for (int c = 0; c < b->cells; c++) {
        double paper = mpi_paper_overhead(b->cell[c].op, b->cell[c].bytes);
        char text[TEXT] = "";
        if (paper >= 0)
            snprintf(text, TEXT, "%.0f", paper);
        print_text(text);
    }
    putchar('\n');
}

/* Times the bare exchange's. */
static double by_bare(const struct bench *b, int cell, int side) {
    int op = b->cell[cell].op;
    uint64_t bytes = b->cell[cell].bytes;
    return vertex_time(b, 0, op, bytes, side) / vertex_time(b, 0, op, bytes, BARE_SIDE);
}

static void print_layer_bars(const struct bench *b) {
    double most = 1;
    for (int c = 0; c < b->cells; c++)
        most = fmax(most, fmax(by_bare(b, c, MPI_SIDE), by_bare(b, c, CHANNEL_SIDE)));
    printf("\nTime by that of the bare exchange (=), with what the channel (#) and MPI (+) add to it\n");
    for (int c = 0; c < b->cells; c++) {
        char bar[BAR + 1] = "";
        for (int i = 0; i < BAR; i++) {
            double at = (i + 0.5) * most / BAR;
            bar[i] = at < 1                             ? '='
                     : at < by_bare(b, c, CHANNEL_SIDE) ? '#'
                     : at < by_bare(b, c, MPI_SIDE)     ? '+'
                                                        : ' ';
        }
        printf("%*s |%s| %.2f\n", CELL, size_text(b->cell[c].bytes, "B"), bar, by_bare(b, c, MPI_SIDE));
    }
}

/* ---- programs ------------------------------------------------------------------------------------------ */

static bool is_measured(const struct bench *b, int count, const struct program *program, int side) {
    return vertex_time(b, count, program->op, program->size[0], side) > 0;
}

static void print_program_times(const struct bench *b, int count, const struct program *program) {
    print_name("one PE alone (us)");
    for (const uint64_t *size = program->size; *size; size++)
        print_number(CELL, vertex_time(b, count, program->alone, *size, BARE_SIDE) / 1000);
    for (int s = 0; s < b->sides; s++) {
        if (!is_measured(b, count, program, s))
            continue;
        putchar('\n');
        print_name(b->side[s].label);
        for (const uint64_t *size = program->size; *size; size++)
            print_number(CELL, vertex_time(b, count, program->op, *size, s) / 1000);
    }
    putchar('\n');
}

static void print_speedups(const struct bench *b, int count, const struct program *program) {
    for (int s = 0; s < b->sides; s++) {
        char name[TEXT + BENCH_LABEL];
        if (!is_measured(b, count, program, s))
            continue;
        snprintf(name, sizeof name, "speed-up, %s", b->side[s].label);
        print_name(name);
        for (const uint64_t *size = program->size; *size; size++)
            print_number(CELL, mpi_speedup(b, count, program, *size, s).median);
        putchar('\n');
        print_name("  of single rounds");
        for (const uint64_t *size = program->size; *size; size++)
            print_range(mpi_speedup(b, count, program, *size, s));
        putchar('\n');
    }
    print_name("times faster than the better library");
    for (const uint64_t *size = program->size; *size; size++)
        print_number(CELL, vertex_better_peer(b, count, program->op, *size));
    putchar('\n');
}

static void print_program(const struct bench *b, int count, const struct program *program) {
    printf("\n%s, %d PEs on %d processors, by %s\n", program->name, b->options.counts[count],
           uno_processors(), program->unit);
    print_name("");
    for (const uint64_t *size = program->size; *size; size++) {
        char text[TEXT];
        snprintf(text, TEXT, "%llu", (unsigned long long)*size);
        print_text(text);
    }
    putchar('\n');
    print_program_times(b, count, program);
    print_speedups(b, count, program);
}

static uint64_t largest(const struct program *program) {
    const uint64_t *size = program->size;
    while (size[1])
        size++;
    return *size;
}

static void print_speedup_bar(const struct bench *b, int count, const struct program *program, int side,
                              double most) {
    static const char marks[BAR + 1] = "############################################################";
    double times = mpi_speedup(b, count, program, largest(program), side).median;
    if (times > 0)
        printf("%-24s %d PEs  %-22s %-*.*s %.2f\n", program->name, b->options.counts[count],
               b->side[side].label, BAR, (int)(times / most * BAR), marks, times);
}

static void print_speedup_bars(const struct bench *b, const struct program *program) {
    double most = 1;
    for (int p = 0; p < PROGRAMS; p++)
        for (int i = 0; i < b->options.count_count; i++)
            for (int s = 0; s < b->sides; s++)
                most = fmax(most, mpi_speedup(b, i, &program[p], largest(&program[p]), s).median);
    printf("\nSpeed-up over one PE alone, at the largest size of each program\n");
    for (int p = 0; p < PROGRAMS; p++)
        for (int i = 0; i < b->options.count_count; i++)
            for (int s = 0; s < b->sides; s++)
                print_speedup_bar(b, i, &program[p], s, most);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

void mpi_report(const struct mpi_bench *m) {
    limits_heading(&m->limits, &m->messages);
    printf("All in one run, in turns, every message and result checked; times are lower octiles, ratios the "
           "medians of all\n"
           "rounds. The bare exchange is what is written by hand: no library, one cache line and, beyond 48 "
           "bytes, one\n"
           "copy a message.\n");
    print_times(&m->messages);
    print_bytes(&m->messages, "What a layer takes more than the one below (% of that one's time)");
    for (int k = 0; k < LAYERS; k++)
        print_overhead(&m->messages, &mpi_layers[k]);
    print_paper(&m->messages);
    print_layer_bars(&m->messages);
    for (int p = 0; p < PROGRAMS; p++)
        for (int i = 0; i < m->programs.options.count_count; i++)
            print_program(&m->programs, i, &m->program[p]);
    print_speedup_bars(&m->programs, m->program);
    limits_report(&m->limits);
}

#define _GNU_SOURCE
#include "report.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/common/here.h"
#include "figures.h"
#include "others.h"

enum { NAME_WIDTH = 26, CELL_WIDTH = 11, TEXT = 32 };

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* Nanoseconds as microseconds, with about three digits that say something. */
static void microseconds(char text[TEXT], double ns) {
    double us = ns / 1000;
    if (us < 0.01)
        snprintf(text, TEXT, "%.4f", us);
    else if (us < 1)
        snprintf(text, TEXT, "%.3f", us);
    else if (us < 10)
        snprintf(text, TEXT, "%.2f", us);
    else if (us < 99.95)
        snprintf(text, TEXT, "%.1f", us);
    else if (us < 999.5)
        snprintf(text, TEXT, "%.0f", us);
    else
        snprintf(text, TEXT, "%ld,%03ld", (long)(us + 0.5) / 1000, (long)(us + 0.5) % 1000);
}

/* A cell with room for the mark behind the number, as the paper has it. */
static void print_cell(const char *text) {
    size_t length = strlen(text);
    bool marked = length && text[length - 1] == '*';
    printf("%*s%s", CELL_WIDTH - !marked, text, marked ? "" : " ");
}

static void print_figure(const struct bench *b, int count, int cell, int side) {
    char text[TEXT] = "-";
    const struct bench_figures *f = cell < 0 ? NULL : bench_figures(b, count, cell, side);
    if (f && f->operations) {
        microseconds(text, f->octile);
        if (b->side[side].support[b->cell[cell].op][b->cell[cell].type] == BENCH_EQUIVALENT)
            strcat(text, "*");
    }
    print_cell(text);
}

static void print_line(int cells) {
    for (int i = 0; i < NAME_WIDTH + cells * CELL_WIDTH; i++)
        putchar('-');
    putchar('\n');
}

/* ---- the paper's tables ------------------------------------------------------------------------------ */

static int find_cell(const struct bench *b, int op, int type) {
    for (int c = 0; c < b->cells; c++)
        if (b->cell[c].op == op && b->cell[c].type == type)
            return c;
    return -1;
}

/* The sides in the order in which tables show them: Unisono, the peers, the bare exchange. */
static int shown(const struct bench *b, int i) {
    return i == 0 ? 0 : i < b->sides - 1 ? i + 1 : 1;
}

static void print_table(const struct bench *b, const struct bench_table *t) {
    int columns = 0, measured = 0, cell[TABLE_COLUMNS];
    for (; columns < TABLE_COLUMNS && t->column[columns].heading; columns++) {
        cell[columns] = find_cell(b, t->column[columns].op, t->column[columns].type);
        measured += cell[columns] >= 0;
    }
    if (!measured || !b->options.tables[t->number])
        return;
    printf("\nTable %d: %s (microseconds)\n%-*s", t->number, t->title, NAME_WIDTH, "");
    for (int c = 0; c < columns; c++)
        print_cell(t->column[c].heading);
    putchar('\n');
    for (int r = 0; r < TABLE_ROWS && t->row[r].system; r++) {
        printf("%-*s", NAME_WIDTH, t->row[r].system);
        for (int c = 0; c < columns; c++)
            print_cell(t->row[r].cell[c]);
        putchar('\n');
    }
    for (int i = 0; i < b->options.count_count; i++) {
        print_line(columns);
        for (int k = 0; k < b->sides; k++) {
            char name[BENCH_LABEL + 16];
            int s = shown(b, k), any = 0;
            for (int c = 0; c < columns; c++)
                any |= cell[c] >= 0 && bench_figures(b, i, cell[c], s)->operations;
            if (!any)
                continue;
            snprintf(name, sizeof name, "%s, %d PE%s", b->side[s].label, b->options.counts[i],
                     b->options.counts[i] == 1 ? "" : "s");
            printf("%-*s", NAME_WIDTH, name);
            for (int c = 0; c < columns; c++)
                print_figure(b, i, cell[c], s);
            putchar('\n');
        }
    }
}

/* ---- the comparison ---------------------------------------------------------------------------------- */

static void print_ratio(const char *name, int width, double value) {
    char text[TEXT];
    snprintf(text, sizeof text, value < 99.95 ? "%.1f" : "%.0f", value);
    printf("%s%*s", name, width, text);
}

static void print_comparison_row(const struct bench *b, int i, int c) {
    char name[TEXT];
    struct bench_ratio ratio = bench_ratio(b, i, c, 0);
    snprintf(name, sizeof name, "%s%s", bench_kinds[b->cell[c].op].name, bench_suffixes[b->cell[c].type]);
    printf("%-*s", NAME_WIDTH - 6, name);
    print_figure(b, i, c, 1);
    for (int k = 0; k < b->sides - 1; k++)
        print_figure(b, i, c, shown(b, k));
    if (ratio.side) {
        print_ratio("", 10, ratio.octile);
        print_ratio("", 9, ratio.median);
        print_ratio("", 9, ratio.round_least);
        print_ratio(" -", 7, ratio.round_greatest);
    } else if (ratio.disturbed) {
        printf("   disturbed");
    }
    putchar('\n');
}

/* Print one line: how many times faster, over p_wait and the 8-byte operations. */
static void print_summary(const struct bench *b, int i, int peer, const char *name) {
    double octile[2] = {0}, median[2] = {0}, round[2] = {0};
    int cells = 0, dearest = 0;
    for (int c = 0; c < b->cells; c++) {
        struct bench_ratio r = bench_ratio(b, i, c, peer);
        if (!bench_is_key(b, c) || !r.side)
            continue;
        if (cells == 0 || r.octile < octile[0]) {
            octile[0] = r.octile;
            dearest = c;
        }
        octile[1] = r.octile > octile[1] ? r.octile : octile[1];
        median[0] = cells == 0 || r.median < median[0] ? r.median : median[0];
        median[1] = r.median > median[1] ? r.median : median[1];
        round[0] = cells == 0 || r.round_least < round[0] ? r.round_least : round[0];
        round[1] = r.round_greatest > round[1] ? r.round_greatest : round[1];
        cells++;
    }
    if (cells)
        printf("%d PEs against %s, p_wait and 8-byte operations (%d): %.1f to %.1f times faster by the lower "
               "octile, %.1f to %.1f by the median, %.1f to %.1f in single rounds; least: %s%s\n",
               b->options.counts[i], name, cells, octile[0], octile[1], median[0], median[1], round[0],
               round[1], bench_kinds[b->cell[dearest].op].name, bench_suffixes[b->cell[dearest].type]);
}

static void print_comparison(const struct bench *b, int i) {
    bool peers = b->sides > 2;
    printf("\n%d PE%s, compared (microseconds%s)\n%-*s", b->options.counts[i],
           b->options.counts[i] == 1 ? "" : "s",
           peers ? "; times faster than the better peer: by lower octile, by median, in single rounds" : "",
           NAME_WIDTH - 6, "");
    print_cell("bare");
    for (int k = 0; k < b->sides - 1; k++)
        print_cell(b->side[shown(b, k)].name);
    printf(peers ? "%10s%9s%18s\n" : "\n", "octile", "median", "rounds");
    for (int c = 0; c < b->cells; c++)
        if (b->options.types_given || bench_is_key(b, c) ||
            (b->cell[c].type == BENCH_TYPE_ && bench_kinds[b->cell[c].op].timing != BENCH_LOCAL))
            print_comparison_row(b, i, c);
}

/* Warn of the work of other programs. */
static void print_others(const struct bench *b, int i) {
    int all = 0, disturbed = 0;
    for (int c = 0; c < b->cells; c++) {
        struct bench_ratio ratio = bench_ratio(b, i, c, 0);
        all += ratio.side || ratio.disturbed;
        disturbed += ratio.disturbed;
    }
    char left_out[100] = "";
    if (disturbed)
        snprintf(left_out, sizeof left_out,
                 " %d of %d comparisons are left out, since samples are disturbed.", disturbed, all);
    bench_warn(b, i, left_out);
}

void bench_report(const struct bench *b) {
    char machine[400], date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime(&now));
    here_machine(machine, sizeof machine);
    printf("%s, PEs as %s. %s. %s.\n", b->side[0].label, b->options.threads ? "threads" : "processes",
           machine, date);
    printf(
        "Rows above the line: the paper of 1995, 4 PEs. Below: measured now, all in one run, every result\n"
        "checked; microseconds of one operation, the lower octile of batches of up to %d, of the slowest "
        "PE.\n"
        "* not one call of the library but an equivalent; - no such operation, or not measured.\n",
        50);
    for (int i = 0; i < b->absents; i++)
        printf("Not compared: %s.\n", b->absent[i]);
    for (int i = 0; i < b->options.count_count; i++)
        print_others(b, i);
    for (size_t t = 0; t < sizeof bench_tables / sizeof *bench_tables; t++)
        print_table(b, &bench_tables[t]);
    for (int i = 0; i < b->options.count_count; i++)
        print_comparison(b, i);
    putchar('\n');
    for (int i = 0; i < b->options.count_count; i++) {
        for (int s = 2; s < b->sides; s++)
            print_summary(b, i, s, b->side[s].label);
        if (b->sides > 3)
            print_summary(b, i, 0, "the better of them");
    }
}

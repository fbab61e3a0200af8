#include "profile_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "launch/text.h"

enum { SIZE = 32 };

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

/* Add row to a sum of rows. */
static void add(struct mpi_row *sum, const struct mpi_row *row) {
    sum->operations += row->operations;
    sum->accelerated += row->accelerated;
    sum->calls += row->calls;
    sum->seconds += row->seconds;
    if (!isnan(row->saved))
        sum->saved = (isnan(sum->saved) ? 0 : sum->saved) + row->saved;
}

/* Write a number of bytes as "64", "4 Ki", "1 Mi". */
static const char *binary(double bytes, char text[SIZE]) {
    static const char *const unit[] = {"", " Ki", " Mi", " Gi", " Ti"};
    int i = 0;
    for (; bytes >= 1024 && i < 4; i++)
        bytes /= 1024;
    snprintf(text, SIZE, "%.0f%s", bytes, unit[i]);
    return text;
}

/* ---- the collectives --------------------------------------------------------------------------------- */

/* Write one line; times are those of a rank, on average. */
static void write_sum(FILE *f, const struct mpi_profile *p, const char *name, const struct mpi_row *sum) {
    char total[UNO_DURATION], each[UNO_DURATION], saved[UNO_DURATION + 1] = "-";
    if (!isnan(sum->saved)) {
        saved[0] = '-';
        uno_duration(fabs(sum->saved) / p->ranks * 1e9, saved + (sum->saved < 0));
    }
    fprintf(f, "  %-26s %11.0f %11.0f %11s %11s %11s\n", name, sum->operations, sum->accelerated,
            uno_duration(sum->seconds / p->ranks * 1e9, total),
            uno_duration(ratio(sum->seconds, sum->calls) * 1e9, each), saved);
}

static int by_operations(const void *a, const void *b) {
    const struct mpi_row *x = a, *y = b;
    return x->operations != y->operations ? (x->operations < y->operations) - (x->operations > y->operations)
                                          : strcmp(x->name, y->name);
}

/* Return one row for each name, the sum of its rows. */
static struct mpi_row *by_name(const struct mpi_profile *p, size_t *count) {
    struct mpi_row *sums = calloc(p->rows + 1, sizeof *sums);
    *count = 0;
    for (size_t i = 0; sums && i < p->rows; i++) {
        size_t k = 0;
        while (k < *count && strcmp(sums[k].name, p->row[i].name) != 0)
            k++;
        if (k == *count)
            sums[(*count)++] = (struct mpi_row){.name = p->row[i].name, .saved = NAN};
        add(&sums[k], &p->row[i]);
    }
    if (sums)
        qsort(sums, *count, sizeof *sums, by_operations);
    return sums;
}

static void write_collectives(FILE *f, const struct mpi_profile *p) {
    size_t count;
    struct mpi_row *sums = by_name(p, &count), all = {.saved = NAN};
    fprintf(f, "\n  %-26s %11s %11s %11s %11s %11s\n", "collective", "operations", "accelerated",
            "time in it", "mean", "saved");
    for (size_t i = 0; sums && i < count; i++) {
        write_sum(f, p, sums[i].name, &sums[i]);
        add(&all, &sums[i]);
    }
    if (count > 1)
        write_sum(f, p, "all", &all);
    free(sums);
}

/* ---- charts ------------------------------------------------------------------------------------------ */

/* The rows that a chart adds up: those with the same name or type and the same size or number of ranks. */
struct chart {
    const char *title, *group, *key; /* headings */
    bool ranks;                      /* by name and number of ranks; otherwise by type and size */
};

static int compare(const struct chart *chart, const struct mpi_row *a, const struct mpi_row *b) {
    int order = chart->ranks ? strcmp(a->name, b->name) : strcmp(a->type, b->type);
    double x = chart->ranks ? a->ranks : a->bytes, y = chart->ranks ? b->ranks : b->bytes;
    return order ? order : (x > y) - (x < y);
}

/* Insert a row into sums in order, or add it to the one that is there. */
static void insert(const struct chart *chart, struct mpi_row *sums, size_t *count,
                   const struct mpi_row *row) {
    size_t at = 0;
    while (at < *count && compare(chart, &sums[at], row) < 0)
        at++;
    if (at < *count && compare(chart, &sums[at], row) == 0) {
        add(&sums[at], row);
        return;
    }
    memmove(&sums[at + 1], &sums[at], (*count - at) * sizeof *sums);
    sums[at] = *row;
    ++*count;
}

static void write_key(FILE *f, const struct chart *chart, const struct mpi_row *row) {
    char low[SIZE], high[SIZE], text[2 * SIZE + 8];
    if (chart->ranks)
        snprintf(text, sizeof text, "%d", row->ranks);
    else if (row->bytes < 2)
        snprintf(text, sizeof text, "%.0f", row->bytes);
    else
        snprintf(text, sizeof text, "%s to %s", binary(row->bytes, low), binary(2 * row->bytes, high));
    fprintf(f, " %20s", text);
}

/* Return true if the row is the receipt of a message, which is shown once, where it is sent. */
static bool is_receipt(const struct mpi_row *row) {
    static const char *const names[] = {"MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(row->name, names[i]) == 0)
            return true;
    return false;
}

static void write_chart(FILE *f, const struct chart *chart, const struct mpi_row *row, size_t rows) {
    struct mpi_row *sums = calloc(rows + 1, sizeof *sums);
    size_t count = 0;
    double most = 0;
    for (size_t i = 0; sums && i < rows; i++)
        if (row[i].operations > 0 && !is_receipt(&row[i]) && (chart->ranks || *row[i].type))
            insert(chart, sums, &count, &row[i]);
    for (size_t i = 0; i < count; i++)
        most = sums[i].operations > most ? sums[i].operations : most;
    if (count)
        fprintf(f, "\n  %-26s %20s %11s\n", chart->group, chart->key, chart->title);
    for (size_t i = 0; i < count; i++) {
        const char *group = chart->ranks ? sums[i].name : sums[i].type;
        bool again = i && strcmp(group, chart->ranks ? sums[i - 1].name : sums[i - 1].type) == 0;
        fprintf(f, "  %-26s", again ? "" : group);
        write_key(f, chart, &sums[i]);
        fprintf(f, " %11.0f", sums[i].operations);
        uno_bar(f, ratio(sums[i].operations, most));
        fputc('\n', f);
    }
    free(sums);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void write_heading(FILE *f, const struct mpi_profile *p) {
    char ran[UNO_DURATION];
    double operations = 0, accelerated = 0;
    for (size_t i = 0; i < p->rows; i++) {
        operations += p->row[i].operations;
        accelerated += p->row[i].accelerated;
    }
    fprintf(f, "unisono mpi: %d rank%s on %d %snode%s ran for %s (%s)\n", p->ranks, p->ranks == 1 ? "" : "s",
            p->nodes, p->pretended ? "pretended " : "", p->nodes == 1 ? "" : "s",
            uno_duration(ratio(p->seconds, p->ranks) * 1e9, ran), p->library);
    fprintf(f,
            "unisono mpi: %.0f of %.0f collectives were accelerated; %.0f %% of the time was spent in "
            "collectives\n",
            accelerated, operations, 100 * ratio(p->inside, p->seconds));
    if (p->off)
        fprintf(f, "unisono mpi: the accelerator was off: %s\n", p->off);
}

void mpi_profile_table(FILE *f, const struct mpi_profile *p) {
    static const struct chart sizes = {"collectives", "type", "bytes", false},
                              participants = {"operations", "collective", "ranks", true},
                              messages = {"messages", "type", "bytes", false};
    bool measured = false;
    write_heading(f, p);
    for (size_t i = 0; i < p->rows; i++)
        measured = measured || !isnan(p->row[i].saved);
    if (p->rows) {
        write_collectives(f, p);
        fprintf(f, "\n  Times are those of one rank, on average.%s\n",
                measured ? " Saved: by what `unisono mpi --tune` measured on this machine."
                         : " What was saved is known once `unisono mpi --tune` has measured this machine.");
    }
    write_chart(f, &sizes, p->row, p->rows);
    write_chart(f, &participants, p->row, p->rows);
    write_chart(f, &messages, p->message, p->messages);
}

/* unisono bench: the tables of the 1995 paper with today's figures, beside MPI libraries in the same run.
 *
 * Calls go from here to what is measured (tables, limits, vertex, exchange, mpi), from there to measure and
 * sides, then to what follows from the figures, and to the reports. */

#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file_limit.h"
#include "cli/here.h"
#include "cli/page.h"
#include "exchange.h"
#include "failure.h"
#include "launch/exit.h"
#include "launch/guard.h"
#include "limits/limits.h"
#include "mpi.h"
#include "options.h"
#include "tables.h"
#include "vertex.h"

static FILE *open_file(const char *option, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        bench_reject("%s %s: %s", option, path, strerror(errno));
    return file;
}

/* What is measured: a word before the options, or none. */
enum subject { TABLES, VERTEX, EXCHANGE, MPI };

static const struct {
    const char *word, *name, *plot;
    void (*parse)(struct bench_options *options, int argc, char **argv);
} subjects[] = {[TABLES] = {"", "unisono bench", "plot.py", bench_parse},
                [VERTEX] = {"vertex", "unisono bench vertex", "plot_vertex.py", bench_parse_vertex},
                [EXCHANGE] = {"exchange", "unisono bench exchange", "plot_exchange.py", bench_parse_exchange},
                [MPI] = {"mpi", "unisono bench mpi", "plot_mpi.py", bench_parse_mpi}};

static enum subject subject_of(int argc, char **argv) {
    for (int s = VERTEX; s <= MPI; s++)
        if (argc > 1 && strcmp(argv[1], subjects[s].word) == 0)
            return (enum subject)s;
    return TABLES;
}

static json_t *measure(struct bench *b, enum subject subject, bool report) {
    return subject == VERTEX     ? bench_vertex(&b->options, report)
           : subject == EXCHANGE ? bench_exchange(&b->options, report)
           : subject == MPI      ? bench_mpi(&b->options, report)
           : b->options.limits   ? bench_limits(&b->options, report)
                                 : bench_measure_tables(b, report);
}

static void plot(json_t *json, const char *program, const char *file) {
    if (!here_plot(program, json, file))
        bench_fail("the plot failed; it needs /usr/bin/python3 with matplotlib (Debian: python3-matplotlib)");
}

/* What the command line asks for. */
struct order {
    struct bench bench;
    enum subject subject;
    bool to_stdout;
    FILE *json_file; /* or NULL */
    struct page page;
};

/* How the figures are written. */
enum { FORM = JSON_INDENT(1) | JSON_REAL_PRECISION(6) };

static void parse(struct order *order, int argc, char **argv) {
    struct bench *b = &order->bench;
    order->subject = subject_of(argc, argv);
    if (order->subject != TABLES) {
        argv++;
        argc--;
        argv[0] = (char *)subjects[order->subject].name;
    }
    subjects[order->subject].parse(&b->options, argc, argv);
    if (order->subject == TABLES && !b->options.limits)
        bench_choose_tables(b);
    order->to_stdout = b->options.json && strcmp(b->options.json, "-") == 0;
    order->json_file = !b->options.json   ? NULL
                       : order->to_stdout ? stdout
                                          : open_file("--json", b->options.json);
    if (b->options.plot)
        fclose(open_file("--plot", b->options.plot));
    if (b->options.html && !page_open(&order->page, "unisono bench: --html", "bench", b->options.html))
        exit(UNO_EXIT_USAGE);
}

static int work(void *argument, const sigset_t *mask, pid_t command) {
    struct order *order = argument;
    struct bench *b = &order->bench;
    (void)command;
    bench_catch_signals();
    sigprocmask(SIG_SETMASK, mask, NULL);
    json_t *json = measure(b, order->subject, !order->to_stdout);
    if (order->json_file && (json_dumpf(json, order->json_file, FORM) ||
                             fputc('\n', order->json_file) == EOF || fclose(order->json_file)))
        bench_fail("cannot write %s: %m", b->options.json);
    if (b->options.plot)
        plot(json, subjects[order->subject].plot, b->options.plot);
    bool shown = !b->options.html || page_write(&order->page, json, FORM);
    json_decref(json);
    return shown ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The command line is that of `unisono bench`, which becomes this program, with that as its name. */
int main(int argc, char **argv) {
    static struct order order;
    outlive_file_limit();
    argp_program_version = "unisono " UNISONO_VERSION;
    argp_err_exit_status = UNO_EXIT_USAGE;
    parse(&order, argc, argv);
    return uno_guard("unisono bench: the driver", work, NULL, &order);
}

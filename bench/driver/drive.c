#define _GNU_SOURCE
#include "drive.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file_limit.h"
#include "cli/common/here.h"
#include "cli/common/page.h"
#include "failure.h"
#include "launch/exit.h"
#include "launch/guard.h"

static FILE *open_file(const char *option, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        bench_reject("%s %s: %s", option, path, strerror(errno));
    return file;
}

static void plot(json_t *json, const char *program, const char *file) {
    if (!here_plot(program, json, file))
        bench_fail("the plot failed; it needs /usr/bin/python3 with matplotlib (Debian: python3-matplotlib)");
}

/* An order is read from the command line. */
struct order {
    struct bench_options options;
    const struct bench_subject *subject;
    bool to_stdout;
    FILE *json_file; /* or NULL */
    struct page page;
};

/* The format of the figures. */
enum { FORM = JSON_INDENT(1) | JSON_REAL_PRECISION(9) };

static void parse(struct order *order, const struct bench_subject *const *subjects, int argc, char **argv) {
    struct bench_options *o = &order->options;
    const struct bench_subject *subject = *subjects;
    for (; *subjects; subjects++)
        if ((*subjects)->word && argc > 1 && strcmp(argv[1], (*subjects)->word) == 0) {
            subject = *subjects;
            argv++;
            argc--;
            break;
        }
    order->subject = subject;
    bench_name = subject->name;
    argv[0] = (char *)subject->name;
    *o = subject->standard;
    bench_parse(o, subject->options, subject->doc, argc, argv);
    if (subject->check)
        subject->check(o);
    order->to_stdout = o->json && strcmp(o->json, "-") == 0;
    order->json_file = !o->json ? NULL : order->to_stdout ? stdout : open_file("--json", o->json);
    if (o->plot)
        fclose(open_file("--plot", o->plot));
    if (o->html && !page_open(&order->page, "unisono bench: --html", "bench", o->html))
        exit(UNO_EXIT_USAGE);
}

static int work(void *argument, const sigset_t *mask, pid_t command) {
    struct order *order = argument;
    const struct bench_options *o = &order->options;
    (void)command;
    bench_catch_signals();
    sigprocmask(SIG_SETMASK, mask, NULL);
    json_t *json = order->subject->measure(o, !order->to_stdout);
    if (order->json_file && (json_dumpf(json, order->json_file, FORM) ||
                             fputc('\n', order->json_file) == EOF || fclose(order->json_file)))
        bench_fail("cannot write %s: %m", o->json);
    if (o->plot)
        plot(json, order->subject->plot, o->plot);
    bool shown = !o->html || page_write(&order->page, json, FORM);
    json_decref(json);
    return shown ? EXIT_SUCCESS : EXIT_FAILURE;
}

int bench_drive(const struct bench_subject *const *subjects, int argc, char **argv) {
    static struct order order;
    outlive_file_limit();
    argp_program_version = "unisono " UNISONO_VERSION;
    argp_err_exit_status = UNO_EXIT_USAGE;
    parse(&order, subjects, argc, argv);
    return uno_guard("unisono bench: the driver", work, NULL, &order);
}

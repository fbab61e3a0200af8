#include "failure.h"

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch/exit.h"
#include "launch/guard.h"

volatile int bench_interrupted;
const char *bench_name = "unisono bench";

static bool quiet; /* of this process */

static void interrupt(int number) {
    bench_interrupted = number;
}

void bench_catch_signals(void) {
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(UNO_GUARD_GONE, &action, NULL);
}

void bench_fail_quietly(void) {
    quiet = true;
}

void bench_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (!(quiet && bench_interrupted)) {
        fprintf(stderr, "%s%s: ", isatty(2) ? "\r\033[K" : "", bench_name); /* over the progress bar */
        vfprintf(stderr, format, arguments);
        fprintf(stderr, "\n");
    }
    va_end(arguments);
    exit(bench_interrupted ? UNO_EXIT_SIGNAL + bench_interrupted : EXIT_FAILURE);
}

void bench_reject(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", bench_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(UNO_EXIT_USAGE);
}

/* The fault of a side with planted faults. */

#ifndef TESTS_BENCH_PLANTED_H
#define TESTS_BENCH_PLANTED_H

#include <stdlib.h>
#include <string.h>

/* WRONG, in the environment of this worker, names the one to plant. */
static inline int is_planted(const char *fault) {
    const char *planted = getenv("WRONG");
    return planted && strcmp(planted, fault) == 0;
}

#endif

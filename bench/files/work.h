/* The parts that both sides of script/bench-files share: the command line, the data, and the time.
 *
 *     PROGRAM FILE WAY BYTES PIECES
 *
 * Each of n PEs writes, or reads, PIECES pieces of BYTES bytes; piece i of PE k is the (i * n + k)-th of
 * the file, and begins with that number. PE 0 prints the seconds between all being ready and the file being
 * closed at all. */

#ifndef BENCH_FILES_WORK_H
#define BENCH_FILES_WORK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../seconds.h"

struct work {
    const char *file, *way;
    size_t bytes;
    long pieces;
    char *data; /* a piece, which is written, or read, again and again */
};

static inline struct work work_of(int argc, char **argv) {
    struct work w = {0};
    if (argc == 5)
        w = (struct work){argv[1], argv[2], (size_t)atol(argv[3]), atol(argv[4]), NULL};
    w.data = w.bytes < sizeof(uint64_t) ? NULL : malloc(w.bytes);
    if (!w.data) {
        fprintf(stderr, "usage: %s FILE WAY BYTES PIECES\n", argv[0]);
        exit(2);
    }
    memset(w.data, 0x5a, w.bytes);
    return w;
}

/* Mark the piece as the number-th of the file. */
static inline void work_mark(const struct work *w, uint64_t number) {
    memcpy(w->data, &number, sizeof number);
}

/* End the program if the piece that was read has another number. */
static inline void work_check(const struct work *w, uint64_t number) {
    uint64_t found;
    memcpy(&found, w->data, sizeof found);
    if (found != number) {
        fprintf(stderr, "%s: piece %llu begins with %llu\n", w->file, (unsigned long long)number,
                (unsigned long long)found);
        exit(1);
    }
}

#endif

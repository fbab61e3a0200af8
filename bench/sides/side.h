/* One side of the comparison: the functions that a file of this folder gives to the engine of the workers. */

#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol.h"

struct field;
struct part;
struct product;

/* A few operations of one kind. The arrays hold values of the operation's types, without gaps; or messages,
 * each in a slot of its own. */
struct bench_work {
    int me, n;
    int count;               /* operations to do, one after the other */
    const void *in;          /* count inputs: int for flags and votes, otherwise the operation's type */
    void *out;               /* count results; an ARRAY result has n entries */
    const int *who;          /* of putget: count PE numbers */
    int answer;              /* of a ROOT operation: the PE that answers PE 0; -1: nobody */
    bool late;               /* the last PE comes much later than the others */
    size_t bytes;            /* of a message; bench_slot(bytes) from one to the next; of a block, or part */
    int before, after;       /* operations of this turn before and after these */
    const struct part *part; /* of a picture: this PE's, or the whole */
    const struct field *field;
    const struct product *product;
    const uint64_t *index; /* of a permutation: where each element of `in` goes, in the whole array */
};

typedef void bench_run(const struct bench_work *work);

struct bench_side {
    /* Have every PE call body(me, n) once; returns the exit status of this process. threads: PEs are threads
     * of this process (only if the side can). processors: how many there are to use. */
    int (*start)(int n, bool threads, int processors, int (*body)(int me, int n));
    /* The library's name and version, within a PE. */
    void (*label)(char text[BENCH_LABEL]);
    /* Called within every PE after body's loop has ended in an orderly way; may be NULL. */
    void (*end)(void);
    bench_run *const (*run)[BENCH_TYPE_COUNT]; /* [operation][type]; NULL: the side does not have it */
    const bool *equivalent; /* [operation]: done with more than one plain call; NULL: none */
    /* Memory for this PE's messages: BENCH_POOL bytes to send (0) or to receive (1) in; NULL: it does not
     * matter which. */
    void *(*pool)(int me, int which);
    /* Memory that all PEs reach, for so many bytes of blocks of this PE; all PEs call, with the same numbers.
     * before: what this has given before, which is free, and its bytes. NULL: the side has no such memory. */
    void *(*blocks)(int me, int n, size_t bytes, void *before, size_t bytes_before);
};

extern const struct bench_side bench_side;

/* ---- tables ------------------------------------------------------------------------------------------- */

/* for (i ...) call; with the arrays by their types. */
#define BENCH_LOOP(name, type, result, call)                                                                 \
    static void name(const struct bench_work *w) {                                                           \
        const type *in = w->in;                                                                              \
        result *out = w->out;                                                                                \
        (void)in, (void)out;                                                                                 \
        for (int i = 0; i < w->count; i++)                                                                   \
            call;                                                                                            \
    }

/* A row of the table `run`. */
#define BENCH_ROW(op, suffix) [BENCH_OP_##op][BENCH_TYPE_##suffix] = run_##op##suffix

/* Those of a library that has all operations on any type, and on integers. */
#define BENCH_ANY_ROWS(s, T)                                                                                 \
    BENCH_ROW(putget, s), BENCH_ROW(gather, s), BENCH_ROW(reduceAdd, s), BENCH_ROW(reduceMul, s),            \
        BENCH_ROW(reduceMin, s), BENCH_ROW(reduceMax, s), BENCH_ROW(bcast, s), BENCH_ROW(scanAdd, s),        \
        BENCH_ROW(scanMul, s), BENCH_ROW(scanMin, s), BENCH_ROW(scanMax, s), BENCH_ROW(rank, s),             \
        BENCH_ROW(match, s), BENCH_ROW(matchCount, s),
#define BENCH_INTEGER_ROWS(s, T)                                                                             \
    BENCH_ROW(reduceAnd, s), BENCH_ROW(reduceOr, s), BENCH_ROW(scanAnd, s), BENCH_ROW(scanOr, s),

#endif

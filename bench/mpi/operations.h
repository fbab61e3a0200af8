/* The collective operations that the comparison times: MPI_X, through the accelerator if one is loaded, and
 * PMPI_X, the host's own, in the same process. */

#ifndef BENCH_MPI_OPERATIONS_H
#define BENCH_MPI_OPERATIONS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { WITH, WITHOUT, SIDES };

/* A row of operations, which differ only in their roots and the first element of their data. */
struct work {
    int me, ranks;
    int calls;    /* operations in a row */
    long sample;  /* the first element sent is made from it */
    size_t bytes; /* the whole of a reduction or broadcast, one rank's block of the others */
    int count;    /* elements */
    int size;     /* of an element */
    MPI_Datatype type;
    bool rotate; /* the root changes with every operation; else it is rank 0 */
    int answer;  /* above 0: after every operation this rank answers to the root */
    int flag;    /* 1: by a word in shared memory, the host taking no part; 0: by an empty message */
    void *in, *out;
    int *counts, *places; /* of the v forms */
};

/* The number of ranks that put or get a block. */
enum blocks { NO_DATA, ONE, EACH };

struct operation {
    const char *name;
    enum blocks in, out;
    bool reduces; /* elements are numbers */
    bool rooted;
    bool from_root; /* one to all: only an answer tells when it is over */
    void (*run[SIDES])(const struct work *);
    /* Return how many elements of `out` are wrong on this rank. */
    long (*wrong)(const struct work *);
};

extern const struct operation operations[];
extern const int operations_known;

/* Chooses the type of the elements, and returns its name. */
const char *work_type(const struct operation *op, struct work *w);
size_t work_bytes(const struct work *w, enum blocks blocks);
void work_fill(const struct operation *op, struct work *w);
void work_clear(const struct operation *op, struct work *w);

/* The words in shared memory by which ranks answer; a collective call. False: not to be had. */
bool answers_open(const struct work *w);
void answer_give(const struct work *w);
void answer_take(const struct work *w);

#endif

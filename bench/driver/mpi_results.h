/* unisono bench mpi: what is measured, and what follows. */

#ifndef BENCH_DRIVER_MPI_RESULTS_H
#define BENCH_DRIVER_MPI_RESULTS_H

#include "goals.h"

/* The sizes of the paper: bytes, its words having 32 bits, and rows and columns. */
enum { WORD = 4, WORDS_1000 = 4000, LARGEST_FIELD = 2048 };

/* The sides: the MPI library, the bare exchange, and the channel, which lies between them. */
enum { MPI_SIDE, BARE_SIDE, CHANNEL_SIDE };

/* A layer, or two, above another. */
struct layer {
    const char *above, *below;
    int over, under; /* sides */
};
enum { LAYERS = 3 };

/* A program, and what its sizes are. */
struct program {
    const char *name, *unit;
    int op, alone;
    uint64_t size[8]; /* they ascend; 0: there are no more */
};
enum { PROGRAMS = 4 };

struct mpi_bench {
    struct bench messages, programs;
    struct program program[PROGRAMS];
    struct limits limits;
};

#endif

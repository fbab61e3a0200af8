/* unisono bench mpi: the measurements, the computed figures, and the reports. */

#ifndef BENCH_DRIVER_MPI_RESULTS_H
#define BENCH_DRIVER_MPI_RESULTS_H

#include "vertex_results.h"

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

extern const struct layer mpi_layers[LAYERS];

/* A layer takes so much more than the one below, in per cent of that: (above - below) / below, as the paper
 * about rMPI has it. Each round gives the ratio of two medians; false: they never were in one round. */
bool mpi_overhead(const struct bench *b, int count, int op, uint64_t bytes, const struct layer *layer,
                  struct vertex_spread *percent);

/* The paper's figure for its library above the network itself; below 0: it has none. */
double mpi_paper_overhead(int op, uint64_t bytes);

/* Return how many times faster a side is than PE 0 alone. */
struct vertex_spread mpi_speedup(const struct bench *b, int count, const struct program *program,
                                 uint64_t size, int side);

/* The tables and the goals, for a terminal; and everything as JSON. */
void mpi_report(const struct mpi_bench *m);
json_t *mpi_json(const struct mpi_bench *m);

#endif

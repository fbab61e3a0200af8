/* unisono bench mpi: what follows from the times. */

#ifndef BENCH_DRIVER_MPI_FIGURES_H
#define BENCH_DRIVER_MPI_FIGURES_H

#include "mpi_results.h"
#include "vertex_figures.h"

extern const struct layer mpi_layers[LAYERS];

/* What a layer takes more than the one below, in per cent of that: (above - below) / below, as the paper
 * about rMPI has it. Of each round the ratio of two medians; false: they never were in one round. */
bool mpi_overhead(const struct bench *b, int count, int op, uint64_t bytes, const struct layer *layer,
                  struct vertex_spread *percent);

/* What the paper has for its library above the network itself; below 0: nothing. */
double mpi_paper_overhead(int op, uint64_t bytes);

/* How many times faster a side is than PE 0 alone. */
struct vertex_spread mpi_speedup(const struct bench *b, int count, const struct program *program,
                                 uint64_t size, int side);

#endif

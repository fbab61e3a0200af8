/* Permutations by MPI. */

#ifndef BENCH_SIDES_MPI_PERMUTE_H
#define BENCH_SIDES_MPI_PERMUTE_H

#include "side.h"

bench_run mpi_permute;

#endif

/* unisono bench mpi: the experiments of the paper about rMPI, with this project's MPI library beside others.
 */

#ifndef BENCH_DRIVER_MPI_H
#define BENCH_DRIVER_MPI_H

#include <jansson.h>

#include "options.h"

/* Measure what each layer costs and the programs, and print the tables if `report`. Returns everything. */
json_t *bench_mpi(const struct bench_options *options, bool report);

#endif

/* unisono bench mpi: everything as JSON. */

#ifndef BENCH_DRIVER_MPI_JSON_H
#define BENCH_DRIVER_MPI_JSON_H

#include "mpi_results.h"

json_t *mpi_json(const struct mpi_bench *m);

#endif

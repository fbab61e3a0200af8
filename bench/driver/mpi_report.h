/* unisono bench mpi: the tables and the goals, for a terminal. */

#ifndef BENCH_DRIVER_MPI_REPORT_H
#define BENCH_DRIVER_MPI_REPORT_H

#include "mpi_results.h"

void mpi_report(const struct mpi_bench *m);

#endif

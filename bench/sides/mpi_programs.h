/* The programs of the paper about rMPI, by MPI. */

#ifndef BENCH_SIDES_MPI_PROGRAMS_H
#define BENCH_SIDES_MPI_PROGRAMS_H

#include "side.h"

bench_run mpi_jacobi, mpi_product, mpi_trapezoid, mpi_pi;

#endif

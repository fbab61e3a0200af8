/* The programs of the paper about rMPI, run by PE 0 alone, without any exchange. */

#ifndef BENCH_SIDES_ALONE_H
#define BENCH_SIDES_ALONE_H

#include "side.h"

bench_run alone_jacobi, alone_product, alone_trapezoid, alone_pi;

#endif

/* unisono bench vertex: what is measured, and what follows.
 *
 * Three benches by the one engine: messages between 2 PEs; messages in a ring of more PEs than processors;
 * the edge detector. Times are lower octiles, as in all tables of the bench. */

#ifndef BENCH_DRIVER_VERTEX_RESULTS_H
#define BENCH_DRIVER_VERTEX_RESULTS_H

#include "goals.h"

/* The two protocols. Of an MPI library the standard one is MPI_Send and MPI_Recv; the extended one MPI_Irecv,
 * posted beforehand, and MPI_Rsend. */
enum { STANDARD, EXTENDED, PROTOCOLS };

/* tcomm = m x + f, x: bytes. */
struct fit {
    bool fitted;
    double f, m;  /* ns, ns per byte */
    double large; /* m of large messages alone */
    double worst; /* the greatest deviation of a measured time, as a part of it */
};

struct vertex {
    struct bench near, over, pair, pictures;
    struct fit fit[MAX_SIDES][PROTOCOLS];
    struct limits limits;
};

#endif

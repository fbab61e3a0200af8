/* Communicators of some of the ranks of another one. */

#ifndef UNO_MPI_SPLIT_H
#define UNO_MPI_SPLIT_H

#include "library/communicator/comm.h"

/* Ranks of a communicator with the same color are a new one, in the order of their keys: *made, or
 * NULL where the color is MPI_UNDEFINED. All of its ranks call it. */
int uno_comm_split(struct uno_mpi_comm *comm, int color, int key, struct uno_mpi_comm **made);

#endif

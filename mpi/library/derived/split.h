/* Communicators of some of the ranks of another communicator. */

#ifndef UNO_MPI_SPLIT_H
#define UNO_MPI_SPLIT_H

#include "library/communicator/comm.h"

/* Make a communicator of the ranks with the same color, in the order of their keys: *made, or NULL where the
 * color is MPI_UNDEFINED. All ranks of comm call this. */
int uno_comm_split(struct uno_mpi_comm *comm, int color, int key, struct uno_mpi_comm **made);

#endif

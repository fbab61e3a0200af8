/* The nodes of a communicator's ranks. Ranks of one node share memory, ranks of different ones send messages
 * alone. */

#ifndef UNO_MPI_NODE_H
#define UNO_MPI_NODE_H

#include "library/communicator/comm.h"

/* Return the number of this rank's node; 0 if the job is on one machine. */
int uno_node_here(void);

/* Return the first rank that is on another node than rank 0; -1: there is none. All ranks get the same. */
int uno_comm_apart(const struct uno_mpi_comm *comm);

/* Return MPI_SUCCESS if all ranks are on one node; or else an error of that class, the same at all ranks,
 * that names two of them and their hosts. why: "the ranks of a window are on one node". */
int uno_comm_check_node(const struct uno_mpi_comm *comm, int class, const char *why);

#endif

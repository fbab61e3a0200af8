/* The collective operations of communicators whose ranks are on several nodes. The ranks of a node meet,
 * their leader goes on through the host with the other leaders, and the result is spread where they meet
 * again.
 *
 * Numbers whose combination depends on the order are not combined on the way: the leaders gather what each
 * rank put, and combine that in rank order.
 *
 * As those of collectives.h: each returns whether it has done the work, on all ranks alike. c: of `comm`, and
 * without a lane. */

#ifndef UNO_ACROSS_H
#define UNO_ACROSS_H

#include "accelerator/host/comm.h"

bool uno_across_barrier(const struct uno_comm *c, MPI_Comm comm);
bool uno_across_bcast(const struct uno_comm *c, void *out, MPI_Count count, MPI_Datatype type, int root,
                      MPI_Comm comm);
bool uno_across_gather(const struct uno_comm *c, const void *in, MPI_Count in_count, MPI_Datatype in_type,
                       void *out, MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_across_allgather(const struct uno_comm *c, const void *in, MPI_Count in_count, MPI_Datatype in_type,
                          void *out, MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm);
bool uno_across_scatter(const struct uno_comm *c, const void *in, MPI_Count in_count, MPI_Datatype in_type,
                        void *out, MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_across_reduce(const struct uno_comm *c, const void *in, void *out, MPI_Count count,
                       MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
bool uno_across_allreduce(const struct uno_comm *c, const void *in, void *out, MPI_Count count,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/* Of the ranks before this one, and if `inclusive` of this one. */
bool uno_across_scan(const struct uno_comm *c, bool inclusive, const void *in, void *out, MPI_Count count,
                     MPI_Datatype type, MPI_Op op, MPI_Comm comm);

#endif

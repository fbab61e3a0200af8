/* Below how many bytes an operation is accelerated: a table, by operation and number of ranks, that is the
 * same on all ranks. A user's file overrides it, row by row:
 *
 *     below openmpi MPI_Allreduce 4 65536
 *     below openmpi MPI_Bcast 4 65536 512
 *
 * The words: the build of the accelerator that the row is for, the operation, the number of ranks of the
 * communicator, and the number of bytes, 0 for never and "all" for always; then, if smaller ones are not
 * accelerated either, the least number of bytes. A communicator takes the row of
 * its operation with the most ranks that it has, else the one with the fewest. Lines of other first words,
 * and what follows a #, are not for the accelerator.
 *
 * The bytes are, by operation: those of the buffer of Bcast, Reduce, Allreduce, Scan and Exscan; of one
 * rank's block in Gather, Allgather, Scatter, Alltoall and Reduce_scatter_block; of all ranks together in
 * Allgatherv and Reduce_scatter; of the largest rank's part in Gatherv, Scatterv and Alltoallv. */

#ifndef UNO_DECIDE_H
#define UNO_DECIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Accelerated are operations of so many bytes as a row of `count` numbers has, from the least one on; of
 * those the ones of up to `stream` bytes without a meeting (stream.h). */
struct uno_band {
    size_t least, count, stream;
};

/* Rank 0: read the user's file, if there is one. Returns NULL, or what is wrong. */
const char *uno_decide_read(void);

/* All ranks of MPI_COMM_WORLD: make rank 0's rows everyone's. */
void uno_decide_agree(void);

/* Fill in, for a communicator of so many ranks, with how many bytes each operation is accelerated. crowded:
 * whether the node has more ranks than processors. streams: whether its ranks have rings (stream.h). */
void uno_decide(int ranks, bool crowded, bool streams, struct uno_band *band);

#endif

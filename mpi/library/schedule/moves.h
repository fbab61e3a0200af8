/* The schedules of collectives that only move data, and of those that wait. */

#ifndef UNO_MPI_SCHEDULE_MOVES_H
#define UNO_MPI_SCHEDULE_MOVES_H

#include "library/schedule/blocks.h"

void uno_schedule_barrier(struct uno_schedule *s);
void uno_schedule_bcast(struct uno_schedule *s, const struct uno_data *data, int root);

/* in: this rank's block; NULL: it is in its place. out: the blocks of all ranks, in the root alone. */
void uno_schedule_gather(struct uno_schedule *s, const struct uno_data *in, const struct uno_mpi_blocks *out,
                         int root);

/* in: the blocks of all ranks, in the root alone. out: this rank's block; NULL: it stays in its place. */
void uno_schedule_scatter(struct uno_schedule *s, const struct uno_mpi_blocks *in, const struct uno_data *out,
                          int root);

/* in: NULL: the block is in its place in `out`. */
void uno_schedule_allgather(struct uno_schedule *s, const struct uno_data *in,
                            const struct uno_mpi_blocks *out);

/* in: NULL: the blocks are in `out`, where they are replaced. */
void uno_schedule_alltoall(struct uno_schedule *s, const struct uno_mpi_blocks *in,
                           const struct uno_mpi_blocks *out);

#endif

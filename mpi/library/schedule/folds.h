/* The schedules of collectives that combine data: in the order of ranks, so that the result is the same bits
 * as that of the blocking ones, in every run. */

#ifndef UNO_MPI_SCHEDULE_FOLDS_H
#define UNO_MPI_SCHEDULE_FOLDS_H

#include "library/schedule/schedule.h"

/* What one call combines: `count` elements of each rank. in and out may be the same. */
struct uno_fold {
    struct uno_mpi_reduction *how; /* of the schedule's memory */
    const void *in;
    void *out; /* NULL: this rank gets nothing */
    size_t count;
};

void uno_schedule_reduce(struct uno_schedule *s, const struct uno_fold *fold, int root);
void uno_schedule_allreduce(struct uno_schedule *s, const struct uno_fold *fold);

/* inclusive: with this rank's own elements. */
void uno_schedule_scan(struct uno_schedule *s, const struct uno_fold *fold, bool inclusive);

/* Each rank gets a part of the result: counts has how many elements; NULL: `even` each. */
void uno_schedule_reduce_scatter(struct uno_schedule *s, const struct uno_fold *fold,
                                 const struct uno_numbers *counts, size_t even);

#endif

/* The schedules of collectives that combine data: in rank order, so that the result is bitwise that of the
 * blocking collectives, in every run. */

#ifndef UNO_MPI_SCHEDULE_FOLDS_H
#define UNO_MPI_SCHEDULE_FOLDS_H

#include "library/schedule/schedule.h"

/* The data that one call combines: `count` elements of each rank. in and out may be the same. */
struct uno_fold {
    struct uno_mpi_reduction *how; /* in the schedule's memory */
    const void *in;
    void *out; /* NULL: this rank gets nothing */
    size_t count;
};

void uno_schedule_reduce(struct uno_schedule *s, const struct uno_fold *fold, int root);
void uno_schedule_allreduce(struct uno_schedule *s, const struct uno_fold *fold);

/* inclusive: this rank's own elements are included. */
void uno_schedule_scan(struct uno_schedule *s, const struct uno_fold *fold, bool inclusive);

/* Each rank gets a part of the result: counts has the elements of each; NULL: `even` each. */
void uno_schedule_reduce_scatter(struct uno_schedule *s, const struct uno_fold *fold,
                                 const struct uno_numbers *counts, size_t even);

#endif

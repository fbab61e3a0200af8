/* unisono sort: a bar on standard error, if that is a terminal. */

#ifndef UNO_CLI_SORT_PROGRESS_H
#define UNO_CLI_SORT_PROGRESS_H

#include <papers.h>
#include <pthread.h>

#include "engine/atomic.h"
#include "engine/job.h"

struct sort_progress {
    uint64_t all; /* bytes of work */
    bool shown;
    pthread_t thread;
    uno_atomic32 end;
    struct {
        _Alignas(64) uno_atomic64 bytes; /* that one PE has done */
    } done[UNO_MAX_PES];
};

/* From here on a thread draws what has been done, until sort_progress_end, which wipes it out. */
void sort_progress_begin(struct sort_progress *progress, uint64_t all);
void sort_progress_end(struct sort_progress *progress);

/* This PE, of a team, has done so many bytes more. `progress` is a struct sort_progress. */
static inline void sort_progress_done(void *progress, uint64_t bytes) {
    uno_atomic64 *mine = &((struct sort_progress *)progress)->done[p_iproc()].bytes;
    uno_store64_relaxed(mine, uno_load64_relaxed(mine) + bytes);
}

#endif

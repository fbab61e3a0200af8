#include "start.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "group.h"
#include "kernel.h"
#include "nodes.h"
#include "processors.h"
#include "reach.h"
#include "tuning.h"

enum {
    PAGE = 4096, /* where pages are larger, so much the better */
};

struct uno_pe *uno_pe_start_here(struct uno_job *job, int me) {
    size_t n = (size_t)job->n, each = sizeof(uint64_t) + sizeof(void *) + sizeof(struct uno_reach);
    size_t size = sizeof(struct uno_pe) + n * each;
    struct uno_pe *pe = aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE);
    if (!pe)
        return NULL;
    memset(pe, 0, size);
    pe->seen = (uint64_t *)(void *)(pe + 1);
    pe->data = (const void **)(void *)(pe->seen + n);
    pe->reach = (struct uno_reach *)(void *)(pe->data + n);
    pe->job = job;
    pe->board = &job->board[me];
    pe->rest = uno_job_rest(job, job->n, me);
    pe->processor = uno_job_processor(job);
    pe->me = me;
    pe->n = job->n;
    pe->here = uno_pes_here(job);
    pe->spin = pe->here <= job->processors;
    pe->polls = pe->spin && !job->observe ? UNO_POLL_LOOKS : 0;
    pe->began = uno_kernel_now();
    uno_group_all(pe);
    pe->board->pid = getpid();
    uno_reach_start(pe);
    /* unless the launcher has seen its process end. SYNC JOINED: pid, and the word there */
    uno_cas32_acq_rel(&pe->board->state, UNO_ABSENT, UNO_JOINED);
    return pe;
}

struct uno_pe *uno_pe_start(const struct uno_unit *unit, struct uno_job *job, int me) {
    uno_processor_deal(me);
    struct uno_pe *pe = uno_pe_start_here(job, me);
    if (pe)
        pe->unit = unit;
    return pe;
}

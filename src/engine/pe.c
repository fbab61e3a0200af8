#include "pe.h"

#include <string.h>
#include <unistd.h>

#include "group.h"
#include "processors.h"
#include "unit/unit.h"

static struct uno_pe before = {.unit = &uno_unit_outside};
struct uno_pe uno_pe_after = {.unit = &uno_unit_outside};

enum { POLLS = 200 }; /* about 5 us */

_Thread_local struct uno_pe *uno_self = &before;

const char *uno_pe_when(const struct uno_pe *pe) {
    return pe == &uno_pe_after ? "after p_exit" : "before p_init";
}

void uno_pe_start(struct uno_pe *pe, const struct uno_unit *unit, struct uno_job *job, int me) {
    memset(pe, 0, sizeof *pe);
    pe->unit = unit;
    pe->job = job;
    pe->board = &job->board[me];
    pe->me = me;
    pe->n = job->n;
    pe->spin = job->n <= job->processors;
    pe->polls = pe->spin && !job->observe ? POLLS : 0;
    uno_group_all(pe);
    uno_processor_deal(me);
    pe->board->pid = getpid();
    /* SYNC JOINED: pid */
    uno_store32_release(&pe->board->state, UNO_JOINED);
}

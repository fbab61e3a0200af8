/* The boards, with a record of each operation: for --stats and --trace. A job that does not observe never
 * comes here, and pays nothing. */

#include <unistd.h>

#include "engine/kernel.h"
#include "engine/observe.h"
#include "engine/rendezvous.h"
#include "unit/unit.h"

static void add(uno_atomic64 *counter, uint64_t amount) {
    uno_store64_relaxed(counter, uno_load64_relaxed(counter) + amount);
}

/* The PE's events fill its record: append them to the job's file, as one chunk. */
static UNO_COLD void write_chunk(struct uno_job *job, struct uno_record *record) {
    uint32_t chunk = uno_add32_seq_cst(&job->chunks, 1);
    size_t size = sizeof record->event;
    for (size_t done = 0; done < size;) {
        ssize_t got = pwrite(job->trace_file, (char *)record->event + done, size - done,
                             (off_t)chunk * (off_t)size + (off_t)done);
        if (got <= 0) {
            add(&record->dropped, UNO_EVENTS);
            return;
        }
        done += (size_t)got;
    }
}

static void trace(struct uno_pe *pe, struct uno_record *record, unsigned signature, uint64_t began,
                  uint64_t ended) {
    uint64_t number = uno_load64_relaxed(&record->events);
    record->event[number % UNO_EVENTS] = (struct uno_event){
        .began = began,
        .ended = ended,
        .group = pe->group.id,
        .signature = (uint16_t)signature,
        .last = (uint16_t)pe->awaited,
        .pe = (uint32_t)pe->me,
    };
    if (UNO_UNLIKELY(number % UNO_EVENTS == UNO_EVENTS - 1))
        write_chunk(pe->job, record);
    /* SYNC EVENT: the events up to this one */
    uno_store64_release(&record->events, number + 1);
}

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    struct uno_record *record = uno_record(pe->job, pe->me);
    pe->awaited = pe->me;
    uint64_t began = uno_kernel_now();
    const void *const *data = uno_board_meet(pe, signature, in, words);
    uint64_t ended = uno_kernel_now();
    if (pe->job->observe & UNO_STATS) {
        add(&record->op[signature & 63].count, 1);
        add(&record->op[signature & 63].waited, ended - began);
        if (pe->awaited != pe->me)
            add(&record->waited_for[pe->awaited], ended - began);
    }
    if (pe->job->observe & UNO_TRACE)
        trace(pe, record, signature, began, ended);
    return data;
}

const struct uno_unit uno_unit_observed = {
    .name = "observed",
    .meet = meet,
    .leave = uno_board_leave,
    .part = uno_board_part,
};

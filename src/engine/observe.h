/* What a job records about itself when it was started with --stats or --trace: a struct uno_record for each
 * PE, behind the boards. Only that PE writes it; the launcher reads it. */

#ifndef UNO_OBSERVE_H
#define UNO_OBSERVE_H

#include "pe.h"
#include "signature.h"

enum { UNO_EVENTS = 4096 }; /* that a PE holds until it writes them to the job's file as one chunk */

/* One operation of one PE. */
struct uno_event {
    uint64_t began, ended; /* CLOCK_MONOTONIC, ns */
    uint64_t group;        /* the mask; in a wide job a hash of it */
    uint16_t signature;
    uint16_t last; /* the PE that was waited for last; the PE itself if everyone else was there */
    uint32_t pe;
};

struct uno_record {
    struct {
        uno_atomic64 count, waited; /* operations, and ns in them */
    } op[UNO_OP_COUNT];
    uno_atomic64 events;  /* recorded in all; those since the last multiple of UNO_EVENTS are in event[] */
    uno_atomic64 dropped; /* those that could not be written */
    struct uno_event event[UNO_EVENTS];
    uno_atomic64 waited_for[]; /* for each PE, ns in operations in which it was waited for last */
};

/* PE k's record, in a job that observes. */
struct uno_record *uno_record(struct uno_job *job, int k);

#endif

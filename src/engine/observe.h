/* The records of a job that was started with --stats or --trace: a struct uno_record for each PE, behind the
 * boards. Only that PE writes it, and the launcher reads it when the PE has ended. */

#ifndef UNO_OBSERVE_H
#define UNO_OBSERVE_H

#include "atomic.h"
#include "signature.h"

struct uno_job;

enum { UNO_EVENTS = 4096 }; /* events that a PE holds until it writes them to the job's file as one chunk */

/* One operation of one PE. */
struct uno_event {
    uint64_t began, ended; /* CLOCK_MONOTONIC, ns; the PE is in it while ended < began */
    uint64_t group;        /* the mask; in a wide job a hash of it */
    uint16_t signature;
    uint16_t last; /* the PE that was waited for last; the PE itself if it was the last to arrive */
    uint32_t pe;
};

struct uno_record {
    uno_atomic64 began, ended; /* from check-in to p_exit, or the end of the process; as in an event */
    struct {
        uno_atomic64 count, waited; /* operations, and ns in them */
    } op[UNO_OP_COUNT];
    uno_atomic64 events;     /* completed; those since the last multiple of UNO_EVENTS are in event[] */
    uno_atomic64 dropped;    /* those that could not be written to the file */
    uno_atomic64 unfinished; /* 1: the PE ended in an operation, which is the event after those */
    int64_t file;            /* the PE's descriptor of the job's file */
    int64_t elsewhere; /* 1: of the operations nothing is here, since the PE's calls are recorded; but if it
                          ended in one, the first event has for whom it waited last */
    struct uno_event event[UNO_EVENTS]; /* without UNO_TRACE, only the first is used */
    uno_atomic64 waited_for[];          /* for each PE, ns in operations in which it was waited for last */
};

/* Return PE k's record, in a job that observes, and the bytes of one in a job of n PEs, whole cache lines. */
struct uno_record *uno_record(struct uno_job *job, int k);
size_t uno_record_size(int n);

/* Return the event of the operation that the PE is in, or will be in next. */
struct uno_event *uno_record_present(struct uno_job *job, struct uno_record *record);

/* A library in front of this one that records calls has this (observe/call.c): something that a call of this
 * process has waited for has come now from PE k, which is on another node. */
extern void p_heard(int k) __attribute__((weak, visibility("default")));

/* Complete the record of PE k, whose process was seen to have ended at this time, unless p_exit has: it then
 * shows also the operation that the process was in. The launcher calls this. */
void uno_record_close(struct uno_job *job, int k, uint64_t now);

#endif

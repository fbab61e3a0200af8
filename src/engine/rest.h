/* What a PE shows while it sleeps in a wait: whom it waits for, and by which word of the job's memory that
 * will be seen. The launcher reads it, to find out whether any PE can go on (launch/deadlock.c).
 *
 * A PE that rests does nothing: it has looked at everything that it waits for, and will look again when it
 * wakes. It writes this line before each sleep and takes it back after it, so that nothing else pays. */

#ifndef UNO_REST_H
#define UNO_REST_H

#include "pe.h"

/* By what the wait will end. */
enum uno_rest_kind {
    UNO_REST_UNKNOWN, /* nothing that could be looked at from outside */
    UNO_REST_WORD,    /* a word of the job changes */
    UNO_REST_MESSAGE, /* something comes into one of the PE's rings */
    UNO_REST_READER,  /* another PE takes in what this one has written */
};

/* Beside the kind. */
enum {
    UNO_REST_KINDS = 15,
    UNO_REST_SENDS = 16,   /* the PE has something that it will write when there is room */
    UNO_REST_STOPPED = 32, /* it takes part in an interrupt that is not over */
};

enum { UNO_REST_ANY = -1 };

/* The signature, 16 bits, the PE waited for plus 1, 16 bits (0: any), and the tag plus 1 (0: any). */
#define UNO_DOING(signature, k, tag)                                                                         \
    ((uint64_t)(signature) | (uint64_t)((k) + 1) << 16 | (uint64_t)((uint32_t)(tag) + 1) << 32)

/* Of what is not what the caller says the rest is 0. */
struct uno_resting {
    enum uno_rest_kind kind;
    uint64_t doing;
    const uno_atomic64 *word;
    uint64_t seen;
    uint32_t context;
    size_t room;
};

/* Be about to sleep. */
static inline void uno_rest_begin(struct uno_pe *pe, const struct uno_resting *as) {
    struct uno_rest *rest = pe->rest;
    if (!rest)
        return;
    uint64_t at = as->word ? (uint64_t)((const char *)as->word - (const char *)pe->job) : 0;
    uint64_t how =
        (uint64_t)as->kind | (pe->queued ? UNO_REST_SENDS : 0) | (pe->stopped ? UNO_REST_STOPPED : 0);
    /* SYNC AWAKE (4): that the last rest is over */
    uno_store64_release(&rest->doing, as->doing);
    uno_store64_release(&rest->how, how);
    uno_store64_release(&rest->at, at);
    uno_store64_release(&rest->seen, as->seen);
    uno_store64_relaxed(&rest->context, as->context);
    uno_store64_relaxed(&rest->room, as->room);
    /* SYNC REST: what this PE waits for, and everything that it has stored */
    uno_store64_release(&rest->number, uno_load64_relaxed(&rest->number) + 1);
}

/* Awake. Whoever sees what this PE stores by release from now on sees that it does not rest. */
static inline void uno_rest_end(struct uno_pe *pe) {
    if (pe->rest)
        uno_store64_relaxed(&pe->rest->number, uno_load64_relaxed(&pe->rest->number) + 1);
}

#endif

/* The record that a PE publishes while it sleeps in a wait: the PE that it waits for, and the word of the
 * job's memory by which its wait will end. The launcher reads it to find out whether any PE can go on
 * (launch/deadlock.c).
 *
 * A PE that rests does nothing: it has looked at everything that it waits for, and will look again when it
 * wakes. It writes this line before each sleep and withdraws it afterwards, so that waits without a sleep
 * cost nothing. Where another thread may act as the PE meanwhile (shifts.h), nothing is visible. */

#ifndef UNO_REST_H
#define UNO_REST_H

#include "pe.h"
#include "shifts.h"

/* The event that ends the wait. */
enum uno_rest_kind {
    UNO_REST_UNKNOWN, /* nothing that is visible from outside */
    UNO_REST_WORD,    /* a word of the job changes */
    UNO_REST_MESSAGE, /* something comes into one of the PE's rings */
    UNO_REST_READER,  /* another PE takes in what this one has written */
};

/* Flags beside the kind. */
enum {
    UNO_REST_KINDS = 15,
    UNO_REST_SENDS = 16,   /* the PE has something that it will write or send when there is room */
    UNO_REST_STOPPED = 32, /* it takes part in an interrupt that is not over */
};

enum { UNO_REST_ANY = -1 };

/* The signature, 16 bits, the PE waited for plus 1, 16 bits (0: any), and the tag plus 1 (0: any). */
#define UNO_DOING(signature, k, tag)                                                                         \
    ((uint64_t)(signature) | (uint64_t)((k) + 1) << 16 | (uint64_t)((uint32_t)(tag) + 1) << 32)

/* The description of a wait. Unused fields are 0. */
struct uno_resting {
    enum uno_rest_kind kind;
    uint64_t doing;
    const uno_atomic64 *word;
    uint64_t seen;
    uint64_t context;
    size_t room;
};

/* Publish that this PE is about to sleep. */
static inline void uno_rest_begin(struct uno_pe *pe, const struct uno_resting *as) {
    struct uno_rest *rest = pe->rest;
    if (!rest)
        return;
    uint64_t at = as->word ? (uint64_t)((const char *)as->word - (const char *)pe->job) : 0;
    uint64_t how = (uint64_t)(uno_shifts_others(pe) ? UNO_REST_UNKNOWN : as->kind) |
                   (pe->queued || (pe->owes && pe->owes(pe)) ? UNO_REST_SENDS : 0) |
                   (pe->stopped ? UNO_REST_STOPPED : 0);
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

/* Withdraw the record after the sleep. A PE that sees what this one stores by release from now on sees that
 * it does not rest. */
static inline void uno_rest_end(struct uno_pe *pe) {
    if (pe->rest)
        uno_store64_relaxed(&pe->rest->number, uno_load64_relaxed(&pe->rest->number) + 1);
}

#endif

/* The requests of this rank that are recorded, by their handles. */

#ifndef UNO_SEEN_REQUESTS_H
#define UNO_SEEN_REQUESTS_H

#include "communicators.h"

/* The subject of a call or a request: sending, receiving, both, or a collective. */
struct uno_seen_about {
    enum { UNO_SEEN_SEND = 1, UNO_SEEN_RECEIVE = 2, UNO_SEEN_MEET = 4 } what; /* all that are true */
    struct uno_seen_known *comm;
    int to, tag, from, from_tag; /* UNO_SEEN_ANY */
    int root;                    /* whose data go to all others; -1: none */
    uint64_t bytes;              /* that this rank sends */
    uint64_t meeting;            /* the key of the collective */
    bool takes;                  /* a message: the call does not only look for one */
    uint64_t asked;              /* the number of the receive */
};

struct uno_seen_kept {
    uint64_t handle; /* 0: this place was never used; 1: it is free again */
    bool persistent;
    struct uno_seen_about about;
};

/* Keep a request; one of the same handle, which is gone, is replaced. */
void uno_seen_request_keep(uint64_t handle, const struct uno_seen_about *about, bool persistent);

/* Return a request; NULL: it is not known. */
struct uno_seen_kept *uno_seen_request_of(uint64_t handle);

void uno_seen_request_drop(struct uno_seen_kept *request);

/* Forget all. */
void uno_seen_request_end(void);

#endif

/* Helpers that the operations of exchange.h share. */

#ifndef UNO_EXCHANGE_LOCAL_H
#define UNO_EXCHANGE_LOCAL_H

#include "engine/arrays.h"
#include "engine/fault.h"
#include "engine/mask.h"
#include "engine/nodes.h"
#include "engine/signature.h"
#include "exchange.h"
#include "ops.h"
#include "unit/unit.h"

/* Return the calling thread's PE. Ends with an error unless the thread is one. */
static inline struct uno_pe *uno_exchange_pe(const char *name) {
    struct uno_pe *pe = uno_self;
    uno_check_inside(pe, name);
    return pe;
}

/* End with an error if data is a null pointer and bytes is not 0. */
static inline void uno_exchange_check_data(struct uno_pe *pe, const char *name, const void *data,
                                           size_t bytes) {
    if (UNO_UNLIKELY(!data && bytes))
        uno_fail(pe, "%s: a null pointer for data", name);
}

/* Return the number of the PE that is the r-th member of the group. */
static inline int uno_exchange_member(const struct uno_pe *pe, int r) {
    if (pe->group.size == pe->n)
        return r;
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
        if (r-- == 0)
            return k;
    return -1;
}

/* Return true if the PE's group has members on several machines, which share no memory. */
static inline bool uno_exchange_apart(const struct uno_pe *pe) {
    return uno_nodes_far(pe, pe->group.mask) >= 0;
}

/* Return true if the group's blocks go by messages: its members share no memory, or they meet at a board, and
 * so post nothing that a buffer could go with. */
static inline bool uno_exchange_by_messages(const struct uno_pe *pe) {
    return pe->keeper || uno_exchange_apart(pe);
}

/* End with an error if they are on several machines: such members have no array together. */
void uno_exchange_check_near(struct uno_pe *pe, const char *name);

/* A barrier: no member returns before all have called it. */
static inline void uno_exchange_wait(struct uno_pe *pe, unsigned signature) {
    uint64_t word = 0;
    pe->unit->meet(pe, signature, &word, 1);
    uno_leave(pe);
}

/* Return true if every member passes true. Every member must call it. */
static inline bool uno_exchange_all(struct uno_pe *pe, unsigned signature, bool yes) {
    uint64_t mine = yes;
    const void *const *data = pe->unit->meet(pe, signature, &mine, 1);
    for (int r = 0; r < pe->group.size; r++)
        yes &= *(const uint64_t *)data[r] != 0;
    uno_leave(pe);
    return yes;
}

#endif

/* Small data travel through the unit of the job, where that is more than boards in memory that all ranks
 * share: several machines, or hardware. Each meeting carries UNO_BYTES of a rank, and larger data go in as
 * many as they need. A unit wants the same number of words of each member, so all ranks put equally much,
 * whatever they have. */

#ifndef UNO_UNIT_TRANSPORT_H
#define UNO_UNIT_TRANSPORT_H

#include "collective/transport/block.h"
#include "collective/transport/slots.h"

/* Meet once: put `have` bytes of at most UNO_BYTES, of which `bytes` count. Returns the data of each rank,
 * valid until uno_unit_end. root: all want the data of that rank alone; -1: those of all ranks. */
const void *const *uno_unit_meet(const struct uno_comm *c, enum uno_op op, size_t total, const void *in,
                                 size_t have, size_t bytes, int root);

static inline void uno_unit_end(const struct uno_comm *c) {
    if (c->unit->leave)
        c->unit->leave(c->lane->pe);
}

/* Meet, without data, under any signature. */
void uno_unit_barrier(const struct uno_comm *c, unsigned signature);

void uno_unit_bcast(const struct uno_comm *c, enum uno_op op, char *data, size_t bytes, int root);

/* Gather blocks, as uno_staged_gather does. */
void uno_unit_gather(const struct uno_comm *c, enum uno_op op, size_t total, const struct uno_block *own,
                     const struct uno_blocks *to, size_t at, size_t most);

/* Scatter blocks of `bytes` bytes that lie one after the other; or NULL. to: room for this rank's, of the
 * root; or, if root is -1, for one of each rank, which may be where the others lie. NULL: it wants none. */
void uno_unit_scatter(const struct uno_comm *c, enum uno_op op, size_t total, const char *blocks, char *to,
                      size_t bytes, int root);

/* ---- blocks of different sizes, which no rank knows ------------------------------------------------------
 *
 * In a first meeting each rank tells a size. On several machines, where a meeting takes long whatever it
 * carries, data go beside it; on hardware, where each bit takes its time, they do not. */

enum { UNO_UNIT_BESIDE = UNO_BYTES - sizeof(uint32_t) };

struct uno_unit_first {
    uint32_t size; /* UINT32_MAX: or more */
    char beside[UNO_UNIT_BESIDE];
};

/* Return the bytes that go beside the size. */
static inline size_t uno_unit_beside(const struct uno_comm *c) {
    return c->apart ? UNO_UNIT_BESIDE : 0;
}

static inline const void *const *uno_unit_meet_first(const struct uno_comm *c, enum uno_op op,
                                                     struct uno_unit_first *first, size_t size) {
    size_t bytes = sizeof first->size + uno_unit_beside(c);
    first->size = (uint32_t)uno_least(size, UINT32_MAX);
    return uno_unit_meet(c, op, 0, first, bytes, bytes, -1);
}

/* Return the greatest size that a rank has told. */
static inline size_t uno_unit_greatest(const struct uno_comm *c, const void *const *data) {
    uint32_t most = 0, size;
    for (int r = 0; r < c->size; r++) {
        memcpy(&size, data[r], sizeof size);
        most = size > most ? size : most;
    }
    return most;
}

#endif

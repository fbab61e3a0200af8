/* Which parts of some ranges of numbers are taken: of addresses, or of places in a job's memory. */

#ifndef UNO_EXTENTS_H
#define UNO_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part that is taken or free. Those of one range cover it. */
struct uno_extent {
    uint64_t at;
    size_t bytes;
    bool taken;
    bool first;    /* of its range: it becomes one with none before it */
    unsigned size; /* of channel/ring/heap.c, log2 of the pieces that it is cut into; 0: it is not */
    size_t free;   /* likewise, those of them that are free, while cuts are given back */
};

struct uno_extents {
    struct uno_extent *extent; /* by `at` */
    size_t count, room;
};

/* Another range, all of it free. False: there is no memory to remember it. */
bool uno_extents_add(struct uno_extents *all, uint64_t at, size_t bytes);

/* The shortest part that is free and long enough, the first of several, taken: so what is not needed for
 * small things stays whole. NULL: there is none. */
struct uno_extent *uno_extents_take(struct uno_extents *all, size_t bytes);

/* The index of the part that `at` is in, if it is in one; there is at least one. */
size_t uno_extents_find(const struct uno_extents *all, uint64_t at);

/* Part i is free; neighbours that are free become one. */
void uno_extents_give(struct uno_extents *all, size_t i);

/* Return true if part i is a whole range, and free. */
bool uno_extents_unused(const struct uno_extents *all, size_t i);

/* Forget part i. */
void uno_extents_drop(struct uno_extents *all, size_t i);

#endif

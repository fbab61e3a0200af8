/* The free and taken parts of some ranges of numbers: of addresses, or of offsets in a job's memory. */

#ifndef UNO_EXTENTS_H
#define UNO_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part that is taken or free. The parts of one range cover it. */
struct uno_extent {
    uint64_t at;
    size_t bytes;
    bool taken;
    bool first;    /* the first part of its range: it is never merged with one before it */
    unsigned size; /* for channel/ring/heap.c: log2 of the pieces that it is cut into; 0: it is not cut */
    size_t free;   /* likewise: the free pieces, while cuts are given back */
};

struct uno_extents {
    struct uno_extent *extent; /* by `at` */
    size_t count, room;
};

/* Add a range, all of it free. False: memory is short. */
bool uno_extents_add(struct uno_extents *all, uint64_t at, size_t bytes);

/* Take the shortest free part that is long enough, the first of several, so that long parts stay whole. NULL:
 * there is none. */
struct uno_extent *uno_extents_take(struct uno_extents *all, size_t bytes);

/* Return the index of the part that contains `at`; there is at least one part. */
size_t uno_extents_find(const struct uno_extents *all, uint64_t at);

/* Free part i, and merge it with free neighbours. */
void uno_extents_give(struct uno_extents *all, size_t i);

/* Return true if part i is a whole range, and free. */
bool uno_extents_unused(const struct uno_extents *all, size_t i);

/* Forget part i. */
void uno_extents_drop(struct uno_extents *all, size_t i);

#endif

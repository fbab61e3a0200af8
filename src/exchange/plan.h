/* How blocks go: the one place that decides it. Every member decides alike, from what all of them know. */

#ifndef UNO_EXCHANGE_PLAN_H
#define UNO_EXCHANGE_PLAN_H

#include "engine/pe.h"
#include "schedule.h"

enum uno_way {
    UNO_WAY_POSTS,  /* in the posts themselves: one operation of the engine, for a few bytes */
    UNO_WAY_STAGED, /* through the buffers of the posts, in pieces: copied twice, one operation for each piece
                     */
    UNO_WAY_DIRECT, /* copied once, by who wants them, from where they are: two operations */
};

/* Bytes of a block up to which it is staged: from there on the second copy takes longer than the second
 * operation of the engine. On 2 virtual processors, us for an exchange of 1 KB and of 2 KB, staged | direct:
 * 2 PEs 0.70, 1.35 | 1.05, 1.12; 4 PEs 6.1, 8.0 | 7.9, 7.7; 8 PEs 20, 28 | 22, 23. */
enum { UNO_STAGED_MOST = 1536 };

/* Bytes of a block from which the places of staged blocks are asked for before the members meet. On 2 virtual
 * processors, 2 PEs, places that no cache holds, us without | with: 128 bytes 0.23 | 0.25; 512 bytes 0.45 |
 * 0.43; 1 KB 0.86 | 0.79. */
enum { UNO_EXPECTED_LEAST = 512 };

/* Bytes of a block from which the kernel copies it from the memory of another process: in pieces | by the
 * kernel, 32 KB and 64 KB: 2 PEs 11.4, 22 | 11.7, 16.7; 4 PEs 61, 125 | 74, 119. */
enum { UNO_KERNEL_LEAST = 64 * 1024 };

/* Blocks of so many bytes for each of `size` members. */
static inline enum uno_way uno_way_of(size_t bytes, int size) {
    if (bytes * (size_t)size <= UNO_BYTES)
        return UNO_WAY_POSTS;
    return bytes <= UNO_STAGED_MOST && bytes * (size_t)size <= UNO_BUFFER ? UNO_WAY_STAGED : UNO_WAY_DIRECT;
}

/* The order in which blocks are copied from where they are, and whether in phases. The memory of this machine
 * serves all comers alike, so that no order is in anybody's way. */
static const struct uno_schedule uno_schedule_best = {.order = UNO_SHIFT, .phased = false};

#endif

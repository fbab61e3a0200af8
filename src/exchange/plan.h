/* The path of blocks, which is decided only here. Every member decides alike, from what all of them know. */

#ifndef UNO_EXCHANGE_PLAN_H
#define UNO_EXCHANGE_PLAN_H

#include "local.h"
#include "schedule.h"

enum uno_block_way {
    UNO_WAY_POSTS,  /* in the posts themselves: one operation of the engine, for a few bytes */
    UNO_WAY_STAGED, /* through the buffers of the posts, in pieces: copied twice, one operation for each piece
                     */
    UNO_WAY_DIRECT, /* copied once, by the member that wants them, from where they are: two operations */
    UNO_WAY_MESSAGES, /* by messages, where members are on several machines: one operation before them */
};

/* The sizes below are those of one machine. For another one, change one of them and compare the figures of
 * `unisono bench exchange` for the blocks around it. */

/* The largest block in bytes that is staged: above that the second copy takes longer than the second
 * operation of the engine. */
enum { UNO_STAGED_MOST = 1536 };

/* The least block in bytes whose destination is prefetched before the members meet, as it may be in no
 * cache. */
enum { UNO_EXPECTED_LEAST = 512 };

/* The least block in bytes that the kernel copies from the memory of another process: for smaller ones a
 * system call takes longer than the second copy of the pieces. */
enum { UNO_KERNEL_LEAST = 64 * 1024 };

/* Return the path of blocks of `bytes` bytes for each member of the PE's group. */
static inline enum uno_block_way uno_way_of(const struct uno_pe *pe, size_t bytes) {
    int size = pe->group.size;
    if (bytes * (size_t)size <= UNO_BYTES)
        return UNO_WAY_POSTS;
    if (uno_exchange_by_messages(pe))
        return UNO_WAY_MESSAGES;
    return bytes <= UNO_STAGED_MOST && bytes * (size_t)size <= UNO_BUFFER ? UNO_WAY_STAGED : UNO_WAY_DIRECT;
}

/* The order in which blocks are copied from where they are, and whether in phases. The memory of this machine
 * serves all processors alike, so that no order is better than another. */
static const struct uno_phasing uno_phasing_best = {.order = UNO_SHIFT, .phased = false};

#endif

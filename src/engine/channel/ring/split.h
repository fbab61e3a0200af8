/* Which parts of a long message that both PEs copy (shared/share.h) have been begun: a word that both change,
 * beside the ring to its reader. */

#ifndef UNO_CHANNEL_SPLIT_H
#define UNO_CHANNEL_SPLIT_H

#include "ring.h"

/* Bytes that are begun at a time: half of the message, within these bounds. Below, a call of the kernel takes
 * as long as the copy; above, one end waits for the other's last part. */
#define UNO_SPLIT_LEAST ((size_t)16 * 1024)
#ifndef UNO_SPLIT_MOST /* what checks this sets it to the least */
#define UNO_SPLIT_MOST ((size_t)128 * 1024)
#endif

enum { UNO_SPLIT_FIELD = 20 /* bits */, UNO_SPLIT_PAGE = 4096 };
#define UNO_SPLIT_FIELD_MASK ((UINT64_C(1) << UNO_SPLIT_FIELD) - 1)
#define UNO_SPLIT_JOINED (UINT64_C(1) << 2 * UNO_SPLIT_FIELD)
#define UNO_SPLIT_NUMBER_AT (2 * UNO_SPLIT_FIELD + 1)
#define UNO_SPLIT_NUMBER_MASK (UINT64_MAX >> UNO_SPLIT_NUMBER_AT)

/* The message's number in what is left of 64 bits; whether its reader has joined; and the parts that nobody
 * has begun: those from `first` to before `last`. */
static inline uint64_t uno_split_of(uint64_t number, uint64_t first, uint64_t last) {
    return number << UNO_SPLIT_NUMBER_AT | first << UNO_SPLIT_FIELD | last;
}
static inline uint64_t uno_split_first(uint64_t split) {
    return split >> UNO_SPLIT_FIELD & UNO_SPLIT_FIELD_MASK;
}
static inline uint64_t uno_split_last(uint64_t split) {
    return split & UNO_SPLIT_FIELD_MASK;
}
static inline uint64_t uno_split_number(uint64_t split) {
    return split >> UNO_SPLIT_NUMBER_AT;
}

static inline size_t uno_split_part(size_t total) {
    size_t half = (total / 2 + UNO_SPLIT_PAGE - 1) / UNO_SPLIT_PAGE * UNO_SPLIT_PAGE;
    return half < UNO_SPLIT_LEAST ? UNO_SPLIT_LEAST : half > UNO_SPLIT_MOST ? UNO_SPLIT_MOST : half;
}

static inline uint64_t uno_split_parts(size_t bytes) {
    return (bytes + uno_split_part(bytes) - 1) / uno_split_part(bytes);
}

static inline size_t uno_split_part_bytes(size_t total, uint64_t part) {
    size_t most = uno_split_part(total), left = total - (size_t)part * most;
    return left < most ? left : most;
}

/* Return true if the reader has copied all the parts that it had begun by `split`, of so many. If it gives
 * one of them back, it never copies so many. */
static inline bool uno_split_copied(const struct uno_share *share, uint64_t parts, uint64_t split) {
    /* SYNC COPIED: reads of these parts of the writer's data have ended */
    return uno_load64_acquire(&share->copied) == parts - uno_split_last(split);
}

/* The reader has copied all the parts that it had begun, but for one that it may have given back. */
static inline bool uno_split_settled(const struct uno_share *share, uint64_t parts) {
    return uno_split_copied(share, parts, uno_load64_relaxed(&share->split));
}

#endif

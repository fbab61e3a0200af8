/* Small data travel in the posts themselves, up to UNO_BYTES of each rank, in one operation of the engine,
 * which no rank leaves before all have come:
 *
 *     data = uno_slots_meet(c, op, total, in, bytes);   ... data[r], of each rank ...   uno_slots_end(c); */

#ifndef UNO_SLOTS_H
#define UNO_SLOTS_H

#include <string.h>

#include "collective/comm.h"

/* The words of one post; one for each thread, since they outlive the call. */
extern _Thread_local uint64_t uno_slots_words[UNO_BYTES / 8];

/* Copy at most UNO_BYTES bytes without a call. */
static inline void uno_slots_copy(void *to, const void *from, size_t bytes) {
    char *t = to;
    const char *f = from;
    if (bytes >= 8) {
        for (size_t i = 0; i + 8 < bytes; i += 8)
            memcpy(t + i, f + i, 8);
        memcpy(t + bytes - 8, f + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(t, f, 4);
        memcpy(t + bytes - 4, f + bytes - 4, 4);
    } else {
        for (size_t i = 0; i < bytes; i++)
            t[i] = f[i];
    }
}

/* Put `bytes` bytes, at most UNO_BYTES; or nothing, if `in` is NULL. Returns the data of each rank, valid
 * until uno_slots_end. total: the bytes of the call, for reports of mismatches. */
static inline const void *const *uno_slots_meet(const struct uno_comm *c, enum uno_op op, size_t total,
                                                const void *in, size_t bytes) {
    struct uno_pe *pe = uno_comm_pe(c);
    uint64_t *words = uno_slots_words;
    if (in)
        uno_slots_copy(words, in, bytes);
    return uno_comm_sort(
        c, uno_board_meet(pe, uno_comm_signature(c, op, total), words, in ? (unsigned)((bytes + 7) / 8) : 1));
}

static inline void uno_slots_end(const struct uno_comm *c) {
    uno_board_leave(c->lane->pe);
}

#endif

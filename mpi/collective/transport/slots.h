/* How bytes get from rank to rank. Small ones travel in the posts themselves:
 *
 *     data = uno_exchange_small(c, op, in, bytes);     ... data[r], of each rank ...     uno_exchange_end(c);
 *
 * Larger ones in the slots' buffers, at most UNO_PIECE of them at a time:
 *
 *     memcpy(uno_exchange_room(c), in, n);   uno_exchange_meet(c, op, bytes);
 *     ... uno_exchange_of(c, r) ...          uno_exchange_end(c);
 *
 * Each of the two is one operation of the engine, which no rank leaves before all have come. */

#ifndef UNO_EXCHANGE_H
#define UNO_EXCHANGE_H

#include <string.h>

#include "accelerator/host/comm.h"

/* Bytes of a slot's buffer. */
#define UNO_PIECE ((size_t)64 * 1024)

/* Room for one post; of each thread, since it outlives the call. */
extern _Thread_local uint64_t uno_exchange_words[UNO_BYTES / 8];

/* memcpy of at most UNO_BYTES bytes, without a call. */
static inline void uno_copy_small(void *to, const void *from, size_t bytes) {
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

/* Put `bytes` bytes, at most UNO_BYTES, or with `in` NULL nothing. Returns what each rank put, valid until
 * uno_exchange_end. total: the bytes of the call, of which a mismatch tells. */
static inline const void *const *uno_exchange_small(const struct uno_comm *c, enum uno_op op, size_t total,
                                                    const void *in, size_t bytes) {
    struct uno_pe *pe = uno_comm_pe(c);
    uint64_t *words = uno_exchange_words;
    if (in)
        uno_copy_small(words, in, bytes);
    return uno_comm_sort(
        c, uno_board_meet(pe, UNO_SIGNATURE_BYTES(op, total), words, in ? (unsigned)((bytes + 7) / 8) : 1));
}

/* Where this rank may write what it puts into the next operation. */
static inline void *uno_exchange_room(const struct uno_comm *c) {
    return uno_board_buffer(uno_comm_pe(c));
}

static inline void uno_exchange_meet(const struct uno_comm *c, enum uno_op op, size_t total) {
    uno_board_meet(uno_comm_pe(c), UNO_SIGNATURE_BYTES(op, total), uno_exchange_words, 1);
}

/* What rank r wrote. */
static inline const void *uno_exchange_of(const struct uno_comm *c, int r) {
    return uno_board_buffer_of(c->lane->pe, c->pe[r]);
}

/* What each rank wrote. */
static inline const void *const *uno_exchange_of_all(const struct uno_comm *c) {
    for (int r = 0; r < c->size; r++)
        c->data[r] = uno_exchange_of(c, r);
    return c->data;
}

static inline void uno_exchange_end(const struct uno_comm *c) {
    uno_board_leave(c->lane->pe);
}

#endif

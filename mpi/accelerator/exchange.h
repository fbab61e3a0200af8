/* How bytes get from rank to rank: small ones in the posts themselves, larger ones in the slots' buffers. */

#ifndef UNO_EXCHANGE_H
#define UNO_EXCHANGE_H

#include <string.h>

#include "comm.h"

/* Room for one post; of each thread, since it outlives the call. */
extern _Thread_local uint64_t uno_exchange_words[UNO_BYTES / 8];

/* One operation of the communicator's group in which each member puts `bytes` bytes, at most UNO_BYTES.
 * Returns what each put, by rank, valid until uno_board_leave. */
static inline const void *const *uno_exchange_small(const struct uno_comm *c, unsigned op, const void *in,
                                                    size_t bytes) {
    struct uno_pe *pe = uno_comm_pe(c);
    uint64_t *words = uno_exchange_words;
    if (UNO_LIKELY(bytes == 8)) {
        memcpy(words, in, 8);
    } else {
        memcpy(words, in, bytes);
    }
    return uno_comm_sort(
        c, uno_board_meet(pe, UNO_SIGNATURE_BYTES(op, bytes), words, (unsigned)((bytes + 7) / 8)));
}

#endif

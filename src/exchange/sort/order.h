/* How a PE sees that records are in order already, or strictly the other way round: loops for kernel.c. */

#ifndef UNO_SORT_ORDER_H
#define UNO_SORT_ORDER_H

#include "within.h"

/* Return true if one of these records is less than the one before it, of which the key is *before; or not
 * less, if `down`. */
INLINE bool disorder(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                     const char *from, uint64_t n, bool down, uint64_t *before) {
    bool found = false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = value_at(key, record, bytes, floating, from, i);
        found |= down ? v >= *before : v < *before;
        *before = v;
    }
    return found;
}

INLINE bool ordered(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *by,
                    const char *from, uint64_t n, bool down) {
    const struct uno_sort_key key = *by;
    const uint64_t in_line = UNO_LINE / record;
    uint64_t i = 1, before = n ? value_at(&key, record, bytes, floating, from, 0) : 0;
    for (; i + in_line <= n; i += in_line) {
        __builtin_prefetch(from + i * record + AHEAD);
        if (disorder(record, bytes, floating, &key, from + i * record, in_line, down, &before))
            return false;
    }
    return i >= n || !disorder(record, bytes, floating, &key, from + i * record, n - i, down, &before);
}

INLINE void reverse(size_t record, char *records, uint64_t n, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; i++) {
        char a[16], b[16], *low = records + i * record, *high = records + (n - 1 - i) * record;
        memcpy(a, low, record);
        memcpy(b, high, record);
        memcpy(low, b, record);
        memcpy(high, a, record);
    }
}

#endif

/* How a PE sorts records within the caches: loops for kernel.c, which compiles them for each size.
 *
 * By about as many of the highest bits in which the keys differ as there are records, so that few come to the
 * same place, and what is left is done in one go over all of them: by exchanges of neighbours where records
 * are nothing but a key of 4 or 8 bytes, else by insertion. */

#ifndef UNO_SORT_WITHIN_H
#define UNO_SORT_WITHIN_H

#include "bounds.h"
#include "engine/lines.h"
#include "key.h"

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t value_at(const struct uno_sort_key *key, size_t record, unsigned bytes, bool floating,
                         const char *from, uint64_t i) {
    return uno_sort_read_as(key, bytes, floating, from + i * record);
}

enum { AHEAD = 4096 }; /* bytes: the processor itself fetches no further than to the end of a page */

/* Several least and greatest values at once, since each of them waits for the one before it. */
INLINE struct uno_sort_range range(size_t record, unsigned bytes, bool floating,
                                   const struct uno_sort_key *key, const char *from, uint64_t n) {
    enum { APART = 4 };
    struct uno_sort_range all[APART];
    for (int k = 0; k < APART; k++)
        all[k] = (struct uno_sort_range){UINT64_MAX, 0};
    for (uint64_t i = 0; i < n; i += APART) {
        if (i * record % UNO_LINE == 0)
            __builtin_prefetch(from + i * record + AHEAD);
        for (uint64_t k = 0; k < APART && i + k < n; k++) {
            uint64_t v = value_at(key, record, bytes, floating, from, i + k);
            all[k].low = v < all[k].low ? v : all[k].low;
            all[k].high = v > all[k].high ? v : all[k].high;
        }
    }
    for (int k = 1; k < APART; k++) {
        all[0].low = all[k].low < all[0].low ? all[k].low : all[0].low;
        all[0].high = all[k].high > all[0].high ? all[k].high : all[0].high;
    }
    return all[0];
}

enum {
    FEW = 24,         /* records that insertion sorts sooner than another digit, */
    FEWER = 16,       /* and that exchanges sort sooner than insertion */
    CHUNK = 8 << 10,  /* bytes of keys that are exchanged in a first-level cache */
    BELOW_DIGIT = 10, /* bits of a digit after the first */
};

/* Stable. to is `from` or does not overlap it. */
INLINE void insertion(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                      const char *from, uint64_t n, char *to) {
    for (uint64_t i = 0; i < n; i++) {
        char r[16];
        memcpy(r, from + i * record, record);
        uint64_t v = uno_sort_read_as(key, bytes, floating, r), j = i;
        for (; j && value_at(key, record, bytes, floating, to, j - 1) > v; j--)
            memcpy(to + j * record, to + (j - 1) * record, record);
        memcpy(to + j * record, r, record);
    }
}

/* Neighbours among n keys of this type change places where they are not in order: first those with an even
 * number and the next one, then those with an odd number, and so on (odd-even transposition sort: Knuth, The
 * Art of Computer Programming 3, 5.3.4). So many rounds put as many keys in order, and here every run of at
 * most as many, if the runs are in order among themselves. No branch depends on a key, and one exchange does
 * not wait for another. */
#define EXCHANGES(type)                                                                                      \
    INLINE type order_of_##type(const struct uno_sort_key *key, bool floating, type v) {                     \
        return (floating && v & (type)key->sign ? v ^ (type)key->flip : v) ^ (type)key->sign;                \
    }                                                                                                        \
    INLINE void exchange_##type(const struct uno_sort_key *by, bool floating, char *keys, uint64_t n,        \
                                uint32_t rounds) {                                                           \
        const struct uno_sort_key key = *by;                                                                 \
        for (uint32_t r = 0; r < rounds; r++)                                                                \
            for (uint64_t i = r % 2; i + 1 < n; i += 2) {                                                    \
                type a, b;                                                                                   \
                memcpy(&a, keys + i * sizeof a, sizeof a);                                                   \
                memcpy(&b, keys + (i + 1) * sizeof b, sizeof b);                                             \
                bool swap = order_of_##type(&key, floating, b) < order_of_##type(&key, floating, a);         \
                type differ = (a ^ b) & (type)-swap;                                                         \
                a ^= differ;                                                                                 \
                b ^= differ;                                                                                 \
                memcpy(keys + i * sizeof a, &a, sizeof a);                                                   \
                memcpy(keys + (i + 1) * sizeof b, &b, sizeof b);                                             \
            }                                                                                                \
    }
EXCHANGES(uint32_t)
EXCHANGES(uint64_t)

/* Sort bare keys from `from`, where they are in the order of the bits above `shift`, into `to`. At most so
 * many are alike in these. */
INLINE void exchange_all(unsigned bytes, bool floating, const struct uno_sort_key *key, char *from,
                         uint64_t n, char *to, struct uno_sort_range all, int shift, uint32_t alike) {
#define ABOVE(i) ((value_at(key, bytes, bytes, floating, from, i) - all.low) >> shift)
    for (uint64_t i = 0, end; i < n; i = end) {
        end = n - i < CHUNK / bytes ? n : i + CHUNK / bytes;
        while (end < n && ABOVE(end) == ABOVE(end - 1))
            end++;
        if (bytes == sizeof(uint32_t))
            exchange_uint32_t(key, floating, from + i * bytes, end - i, alike);
        else
            exchange_uint64_t(key, floating, from + i * bytes, end - i, alike);
        memcpy(to + i * bytes, from + i * bytes, (end - i) * bytes);
    }
#undef ABOVE
}

/* Turn the numbers of records with each value of a digit into places: place[d + 1] has the number of records
 * with the value d, and afterwards the place of the first record with d + 1. Returns the greatest of those
 * numbers. */
static uint32_t add_up(uint32_t *place, uint32_t parts) {
    uint32_t most = 0, sum = 0;
    for (uint32_t d = 1; d <= parts; d++) {
        uint32_t records = place[d];
        most = records > most ? records : most;
        place[d] = sum += records;
    }
    return most;
}

/* Sorts n records of `from` into `to`, which is either of the two others or overlaps neither; `other` has
 * room for them. place has room for every value of a digit. */
typedef void within(const struct uno_sort_key *key, char *from, uint64_t n, char *to, char *other,
                    uint32_t *place);

/* Finish records that lie in `other` in the order of a digit, where those with the value d end at place[d].
 * Values with few records are sorted by insertion, all that follow each other at once, and each other value
 * by the bits below the digit. */
INLINE void finish_parts(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                         char *from, char *to, char *other, const uint32_t *place, uint32_t parts,
                         within *again) {
    uint32_t few = 0, start = 0; /* from here to the start of this part all are few */
    for (uint32_t d = 0; d < parts; start = place[d++]) {
        if (place[d] - start <= FEW)
            continue;
        insertion(record, bytes, floating, key, other + few * record, start - few, to + few * record);
        uint32_t below[(1 << BELOW_DIGIT) + 1];
        again(key, other + start * record, place[d] - start, to + start * record, from + start * record,
              below);
        few = place[d];
    }
    insertion(record, bytes, floating, key, other + few * record, start - few, to + few * record);
}

INLINE void local(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key, char *from,
                  uint64_t n, char *to, char *other, uint32_t *place, int most_bits, within *again) {
    if (n <= FEW) {
        insertion(record, bytes, floating, key, from, n, to);
        return;
    }
    struct uno_sort_range all = range(record, bytes, floating, key, from, n);
    if (all.low == all.high) {
        if (to != from)
            memcpy(to, from, n * record);
        return;
    }
    const bool bare = record == bytes && bytes >= sizeof(uint32_t);
    int width = 64 - __builtin_clzll(all.high - all.low), digit = (int)uno_sort_digit(n, bare);
    digit = digit > most_bits ? most_bits : digit;
    int shift = width > digit ? width - digit : 0;
    uint32_t parts = (uint32_t)((all.high - all.low) >> shift) + 1;
    memset(place, 0, (parts + 1) * sizeof *place);
    for (uint64_t i = 0; i < n; i++)
        place[((value_at(key, record, bytes, floating, from, i) - all.low) >> shift) + 1]++;
    uint32_t most = add_up(place, parts);
    char *into = shift || to == from ? other : to;
    for (uint64_t i = 0; i < n; i++) {
        const char *r = from + i * record;
        memcpy(into + place[(uno_sort_read_as(key, bytes, floating, r) - all.low) >> shift]++ * record, r,
               record);
    }
    if (bare && shift && most <= FEWER)
        exchange_all(bytes, floating, key, other, n, to, all, shift, most);
    else if (shift && most <= FEW)
        insertion(record, bytes, floating, key, other, n, to);
    else if (shift)
        finish_parts(record, bytes, floating, key, from, to, other, place, parts, again);
    else if (into != to)
        memcpy(to, into, n * record);
}

#endif

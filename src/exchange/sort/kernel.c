#include "kernel.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t value_at(const struct uno_sort_key *key, size_t record, unsigned bytes, const char *from,
                         uint64_t i) {
    return uno_sort_read(key, bytes, from + i * record);
}

INLINE struct uno_sort_range range(size_t record, unsigned bytes, const struct uno_sort_key *key,
                                   const char *from, uint64_t n) {
    uint64_t low = UINT64_MAX, high = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = value_at(key, record, bytes, from, i);
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    return (struct uno_sort_range){low, high};
}

INLINE void count(size_t record, unsigned bytes, const struct uno_sort_key *key,
                  const struct uno_sort_deal *deal, const char *from, uint64_t n, uint64_t *counts) {
    for (uint64_t i = 0; i < n; i++)
        counts[deal->bucket[uno_sort_cell(deal, value_at(key, record, bytes, from, i))]]++;
}

/* ---- scatter
 * ------------------------------------------------------------------------------------------------- A store
 * to one of 2,048 places costs a cache miss and a look-up of a page, so a bucket's records are collected in a
 * line of their own first, which is written when it is full (software write-combining: Polychroniou and Ross,
 * "A Comprehensive Study of Main-Memory Partitioning", 2014). A whole line that is written past the caches is
 * not read from memory first. */

INLINE void write_line(char *to, const char *line, bool streaming) {
#ifdef __SSE2__
    if (streaming) {
        for (int i = 0; i < UNO_SORT_LINE; i += (int)sizeof(__m128i))
            _mm_stream_si128((__m128i *)(void *)(to + i),
                             _mm_load_si128((const __m128i *)(const void *)(line + i)));
        return;
    }
#endif
    (void)streaming;
    memcpy(to, line, UNO_SORT_LINE);
}

/* Records at a line's end or start may be another PE's or another bucket's: only those of this PE are
 * written. */
static void write_part(size_t record, char *to, const char *line, uint64_t first, uint64_t end) {
    uint64_t in_line = UNO_SORT_LINE / record, start = (end - 1) / in_line * in_line;
    uint64_t from = start < first ? first : start;
    memcpy(to + from * record, line + (from - start) * record, (end - from) * record);
}

INLINE void scatter(size_t record, unsigned bytes, const struct uno_sort_key *key,
                    const struct uno_sort_deal *deal, const char *from, uint64_t n, char *to, bool streaming,
                    struct uno_sort_scratch *scratch) {
    const uint64_t in_line = UNO_SORT_LINE / record;
    uint64_t *place = scratch->place;
    memcpy(scratch->first, place, deal->buckets * sizeof *place);
    for (uint64_t i = 0; i < n; i++) {
        const char *r = from + i * record;
        unsigned b = deal->bucket[uno_sort_cell(deal, uno_sort_read(key, bytes, r))];
        uint64_t at = place[b]++;
        memcpy(scratch->lines[b] + at % in_line * record, r, record);
        if ((at + 1) % in_line)
            continue;
        if (at + 1 - scratch->first[b] >= in_line)
            write_line(to + (at + 1 - in_line) * record, scratch->lines[b], streaming);
        else
            write_part(record, to, scratch->lines[b], scratch->first[b], at + 1);
    }
    for (unsigned b = 0; b < deal->buckets; b++)
        if (place[b] % in_line && place[b] > scratch->first[b])
            write_part(record, to, scratch->lines[b], scratch->first[b], place[b]);
#ifdef __SSE2__
    _mm_sfence(); /* what was written past the caches is there before the PE says so */
#endif
}

/* ---- within the caches
 * --------------------------------------------------------------------------------------- */

enum { FEW = 24, DIGIT = 10 };

/* Stable. to is `from` or does not overlap it. */
INLINE void insertion(size_t record, unsigned bytes, const struct uno_sort_key *key, const char *from,
                      uint64_t n, char *to) {
    for (uint64_t i = 0; i < n; i++) {
        char r[32];
        memcpy(r, from + i * record, record);
        uint64_t v = uno_sort_read(key, bytes, r), j = i;
        for (; j && value_at(key, record, bytes, to, j - 1) > v; j--)
            memcpy(to + j * record, to + (j - 1) * record, record);
        memcpy(to + j * record, r, record);
    }
}

/* Sorts by the highest bits in which keys differ, from `from` to `other`, and then each part by the bits
 * below. The result comes into `to`, which is either of them or overlaps neither. */
INLINE void local(size_t record, unsigned bytes, const struct uno_sort_key *key, char *from, uint64_t n,
                  char *to, char *other,
                  void (*again)(const struct uno_sort_key *, char *, uint64_t, char *, char *)) {
    if (n <= FEW) {
        insertion(record, bytes, key, from, n, to);
        return;
    }
    struct uno_sort_range all = range(record, bytes, key, from, n);
    if (all.low == all.high) {
        if (to != from)
            memcpy(to, from, n * record);
        return;
    }
    int width = 64 - __builtin_clzll(all.high - all.low), digit = 64 - __builtin_clzll(n) - 2;
    digit = digit > DIGIT ? DIGIT : digit;
    int shift = width > digit ? width - digit : 0;
    uint32_t place[(1 << DIGIT) + 1] = {0};
    for (uint64_t i = 0; i < n; i++)
        place[((value_at(key, record, bytes, from, i) - all.low) >> shift) + 1]++;
    uint32_t parts = (uint32_t)((all.high - all.low) >> shift) + 1;
    for (uint32_t d = 1; d <= parts; d++)
        place[d] += place[d - 1];
    for (uint64_t i = 0; i < n; i++) {
        const char *r = from + i * record;
        memcpy(other + place[(uno_sort_read(key, bytes, r) - all.low) >> shift]++ * record, r, record);
    }
    uint32_t start = 0;
    for (uint32_t d = 0; d < parts; start = place[d++]) {
        size_t at = start * record;
        if (place[d] > start)
            again(key, other + at, place[d] - start, to + at, from + at);
    }
}

/* ---- for each size
 * ------------------------------------------------------------------------------------------- */

#define UNO_SORT_SIZES(X)                                                                                    \
    X(1, 1)                                                                                                  \
    X(2, 1)                                                                                                  \
    X(2, 2) X(4, 1) X(4, 2) X(4, 4) X(8, 1) X(8, 2) X(8, 4) X(8, 8) X(16, 1) X(16, 2) X(16, 4) X(16, 8)

#define FUNCTIONS(r, k)                                                                                      \
    static struct uno_sort_range range_##r##_##k(const struct uno_sort_key *key, const char *from,           \
                                                 uint64_t n) {                                               \
        return range(r, k, key, from, n);                                                                    \
    }                                                                                                        \
    static void count_##r##_##k(const struct uno_sort_key *key, const struct uno_sort_deal *deal,            \
                                const char *from, uint64_t n, uint64_t *counts) {                            \
        count(r, k, key, deal, from, n, counts);                                                             \
    }                                                                                                        \
    static void scatter_##r##_##k(const struct uno_sort_key *key, const struct uno_sort_deal *deal,          \
                                  const char *from, uint64_t n, char *to, bool streaming,                    \
                                  struct uno_sort_scratch *scratch) {                                        \
        scatter(r, k, key, deal, from, n, to, streaming, scratch);                                           \
    }                                                                                                        \
    static void within_##r##_##k(const struct uno_sort_key *key, char *from, uint64_t n, char *to,           \
                                 char *other) {                                                              \
        local(r, k, key, from, n, to, other, within_##r##_##k);                                              \
    }                                                                                                        \
    static void local_##r##_##k(const struct uno_sort_key *key, char *from, uint64_t n, char *to,            \
                                struct uno_sort_scratch *scratch) {                                          \
        within_##r##_##k(key, from, n, to, scratch->records);                                                \
    }
UNO_SORT_SIZES(FUNCTIONS)

#define ROW(r, k) {r, k, range_##r##_##k, count_##r##_##k, scatter_##r##_##k, local_##r##_##k},
static const struct uno_sort_kernel kernels[] = {UNO_SORT_SIZES(ROW)};

const struct uno_sort_kernel *uno_sort_kernel(size_t record, unsigned key_bytes) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].record == record && kernels[i].key_bytes == key_bytes)
            return &kernels[i];
    return NULL;
}

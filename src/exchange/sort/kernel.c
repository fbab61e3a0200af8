#include "kernel.h"

#include "deal.h"
#include "order.h"
#include "within.h"

/* The bytes of a record and of its key, and whether that is a floating-point number. */
#define KEYS_2(X, r) X(r, 1, 0) X(r, 2, 0)
#define KEYS_4(X, r) KEYS_2(X, r) X(r, 4, 0) X(r, 4, 1)
#define KEYS_8(X, r) KEYS_4(X, r) X(r, 8, 0) X(r, 8, 1)
#define UNO_SORT_KINDS(X) X(1, 1, 0) KEYS_2(X, 2) KEYS_4(X, 4) KEYS_8(X, 8) KEYS_8(X, 16)

#define FUNCTIONS(r, k, f)                                                                                   \
    static struct uno_sort_range range_##r##_##k##_##f(const struct uno_sort_key *key, const char *from,     \
                                                       uint64_t n) {                                         \
        return range(r, k, f, key, from, n);                                                                 \
    }                                                                                                        \
    static bool ordered_##r##_##k##_##f(const struct uno_sort_key *key, const char *from, uint64_t n,        \
                                        bool down) {                                                         \
        return ordered(r, k, f, key, from, n, down);                                                         \
    }                                                                                                        \
    static void reverse_##r##_##k##_##f(char *records, uint64_t n, uint64_t begin, uint64_t end) {           \
        reverse(r, records, n, begin, end);                                                                  \
    }                                                                                                        \
    static void count_##r##_##k##_##f(const struct uno_sort_key *key, const struct uno_sort_deal *deal,      \
                                      const char *from, uint64_t n, uint64_t *counts) {                      \
        count_any(r, k, f, key, deal, from, n, counts);                                                      \
    }                                                                                                        \
    static void fill_##r##_##k##_##f(const struct uno_sort_key *key, uint64_t value, char *to, uint64_t n) { \
        fill(r, key, value, to, n);                                                                          \
    }                                                                                                        \
    static void scatter_##r##_##k##_##f(const struct uno_sort_key *key, const struct uno_sort_deal *deal,    \
                                        const char *from, uint64_t n, char *to, bool streaming,              \
                                        struct uno_sort_scratch *scratch) {                                  \
        scatter_any(r, k, f, key, deal, from, n, to, streaming, scratch);                                    \
    }                                                                                                        \
    static void below_##r##_##k##_##f(const struct uno_sort_key *key, char *from, uint64_t n, char *to,      \
                                      char *other, uint32_t *place) {                                        \
        local(r, k, f, key, from, n, to, other, place, BELOW_DIGIT, below_##r##_##k##_##f);                  \
    }                                                                                                        \
    static void local_##r##_##k##_##f(const struct uno_sort_key *key, char *from, uint64_t n, char *to,      \
                                      struct uno_sort_scratch *scratch) {                                    \
        local(r, k, f, key, from, n, to, scratch->records, scratch->digit, UNO_SORT_DIGIT,                   \
              below_##r##_##k##_##f);                                                                        \
    }
UNO_SORT_KINDS(FUNCTIONS)

#define NAMED(loop, r, k, f) .loop = loop##_##r##_##k##_##f
#define ROW(r, k, f)                                                                                         \
    {.record = r,                                                                                            \
     .key_bytes = k,                                                                                         \
     .floating = f,                                                                                          \
     NAMED(ordered, r, k, f),                                                                                \
     NAMED(reverse, r, k, f),                                                                                \
     NAMED(count, r, k, f),                                                                                  \
     NAMED(scatter, r, k, f),                                                                                \
     NAMED(fill, r, k, f),                                                                                   \
     NAMED(range, r, k, f),                                                                                  \
     NAMED(local, r, k, f)},
static const struct uno_sort_kernel kernels[] = {UNO_SORT_KINDS(ROW)};

const struct uno_sort_kernel *uno_sort_kernel(size_t record, const struct uno_sort_key *key) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].record == record && kernels[i].key_bytes == key->bytes &&
            kernels[i].floating == (key->flip != 0))
            return &kernels[i];
    return NULL;
}

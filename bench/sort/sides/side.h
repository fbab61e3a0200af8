/* One side of the comparison of sorts: a library, or this project. Each is a program: worker.c with a file of
 * sides/. */

#ifndef BENCH_SORT_SIDE_H
#define BENCH_SORT_SIDE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The records that are sorted. A payload is the number of the record, so that the result tells whether the
 * sort is stable. */
enum kind {
    KIND_U64,  /* 64-bit keys alone */
    KIND_PAIR, /* a 64-bit key and 64 bits beside it */
    KIND_U16,  /* a key of the low 16 bits, and 48 bits beside it, in 8 bytes */
    KINDS
};

struct pair {
    uint64_t key, payload;
};

/* Return true if this side sorts such records. */
bool side_can(enum kind kind);

/* Prepare to sort these records with so many threads; and clean up. Called outside the timed part. */
void side_begin(enum kind kind, void *from, uint64_t n, int threads);

/* Sort `from`. Returns the place of the result, which is `from` or `to`; `to` is as large. Both are at huge
 * pages, and their memory has been touched. */
void *side_sort(enum kind kind, void *from, void *to, uint64_t n, int threads);

void side_end(enum kind kind, void *result, uint64_t n);

#ifdef __cplusplus
}
#endif
#endif

// Highway's vqsort (Blacher, Giesen, Sanders, Wassenberg): vectorised quicksort, one thread, not stable.

#include <hwy/contrib/sort/vqsort.h>

#include <utility>

#include "side.h"

static_assert(sizeof(hwy::K64V64) == sizeof(pair));

// A pair of vqsort has its key behind the payload.
static void turn(enum kind kind, void *records, uint64_t n) {
    auto *pairs = static_cast<pair *>(records);
    for (uint64_t i = 0; kind == KIND_PAIR && i < n; i++)
        std::swap(pairs[i].key, pairs[i].payload);
}

bool side_can(enum kind kind) {
    return kind != KIND_U16;
}

void side_begin(enum kind kind, void *from, uint64_t n, int) {
    turn(kind, from, n);
}

void *side_sort(enum kind kind, void *from, void *, uint64_t n, int) {
    if (kind == KIND_PAIR)
        hwy::VQSort(static_cast<hwy::K64V64 *>(from), n, hwy::SortAscending());
    else
        hwy::VQSort(static_cast<uint64_t *>(from), n, hwy::SortAscending());
    return from;
}

void side_end(enum kind kind, void *result, uint64_t n) {
    turn(kind, result, n);
}

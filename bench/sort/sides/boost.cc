// Boost.Sort's block_indirect_sort (Tapia): a parallel merge sort in place, not stable.

#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>

#include "order.h"

bool side_can(enum kind) {
    return true;
}

void side_begin(enum kind, void *, uint64_t, int) {}

void *side_sort(enum kind kind, void *from, void *, uint64_t n, int threads) {
    sort_by_order(kind, from, n, [threads](auto *first, auto *last, auto less) {
        boost::sort::block_indirect_sort(first, last, less, static_cast<uint32_t>(threads));
    });
    return from;
}

void side_end(enum kind, void *, uint64_t) {}

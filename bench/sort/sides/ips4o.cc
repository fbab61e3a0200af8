// IPS4o (Axtmann, Witt, Ferizovic, Sanders): samplesort in place, not stable.

#include <algorithm>
#include <ips4o.hpp>

#include "order.h"

bool side_can(enum kind) {
    return true;
}

void side_begin(enum kind, void *, uint64_t, int) {}

void *side_sort(enum kind kind, void *from, void *, uint64_t n, int threads) {
    sort_by_order(kind, from, n, [threads](auto *first, auto *last, auto less) {
        ips4o::parallel::sort(first, last, less, threads);
    });
    return from;
}

void side_end(enum kind, void *, uint64_t) {}

// The C++ library's parallel stable sort (libstdc++: a merge sort, on oneTBB).

#include <tbb/global_control.h>

#include <algorithm>
#include <execution>

#include "order.h"

bool side_can(enum kind) {
    return true;
}

void side_begin(enum kind, void *, uint64_t, int) {}

void *side_sort(enum kind kind, void *from, void *, uint64_t n, int threads) {
    tbb::global_control control(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads));
    sort_by_order(kind, from, n, [](auto *first, auto *last, auto less) {
        std::stable_sort(std::execution::par, first, last, less);
    });
    return from;
}

void side_end(enum kind, void *, uint64_t) {}

// Boost.Sort's spreadsort (Ross): a radix sort that goes over to comparisons, one thread, in place, not
// stable.

#include <boost/sort/spreadsort/integer_sort.hpp>

#include "side.h"

bool side_can(enum kind) {
    return true;
}

void side_begin(enum kind, void *, uint64_t, int) {}

void *side_sort(enum kind kind, void *from, void *, uint64_t n, int) {
    auto *keys = static_cast<uint64_t *>(from);
    auto *pairs = static_cast<pair *>(from);
    if (kind == KIND_PAIR)
        boost::sort::spreadsort::integer_sort(
            pairs, pairs + n, [](const pair &a, unsigned offset) { return a.key >> offset; },
            [](const pair &a, const pair &b) { return a.key < b.key; });
    else if (kind == KIND_U16)
        boost::sort::spreadsort::integer_sort(
            keys, keys + n, [](uint64_t a, unsigned offset) { return (a & 0xffff) >> offset; },
            [](uint64_t a, uint64_t b) { return (a & 0xffff) < (b & 0xffff); });
    else
        boost::sort::spreadsort::integer_sort(keys, keys + n);
    return from;
}

void side_end(enum kind, void *, uint64_t) {}

// Sides that sort by comparisons: how records of a kind compare.

#ifndef BENCH_SORT_ORDER_H
#define BENCH_SORT_ORDER_H

#include <functional>

#include "side.h"

// Calls sort(first, last, less) for the records of this kind.
template <class Sort> void sort_by_order(enum kind kind, void *from, uint64_t n, Sort sort) {
    auto *keys = static_cast<uint64_t *>(from);
    auto *pairs = static_cast<pair *>(from);
    if (kind == KIND_PAIR)
        sort(pairs, pairs + n, [](const pair &a, const pair &b) { return a.key < b.key; });
    else if (kind == KIND_U16)
        sort(keys, keys + n, [](uint64_t a, uint64_t b) { return (a & 0xffff) < (b & 0xffff); });
    else
        sort(keys, keys + n, std::less<uint64_t>());
}

#endif

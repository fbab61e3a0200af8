// IPS4o (Axtmann, Witt, Ferizovic, Sanders): samplesort in place, not stable.

#include <algorithm>
#include <ips4o.hpp>

#include "../side.h"

bool side_can(enum kind) {
    return true;
}

void side_begin(enum kind, void *, uint64_t, int) {}

void *side_sort(enum kind kind, void *from, void *, uint64_t n, int threads) {
    auto *keys = static_cast<uint64_t *>(from);
    auto *pairs = static_cast<pair *>(from);
    if (kind == KIND_PAIR)
        ips4o::parallel::sort(
            pairs, pairs + n, [](const pair &a, const pair &b) { return a.key < b.key; }, threads);
    else if (kind == KIND_U16)
        ips4o::parallel::sort(
            keys, keys + n, [](uint64_t a, uint64_t b) { return (a & 0xffff) < (b & 0xffff); }, threads);
    else
        ips4o::parallel::sort(keys, keys + n, std::less<>(), threads);
    return from;
}

void side_end(enum kind, void *, uint64_t) {}

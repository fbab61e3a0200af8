// IPS2Ra (the same authors): radix sort in place, not stable.

#include <ips2ra.hpp>

#include "side.h"

bool side_can(enum kind) {
    return true;
}

void side_begin(enum kind, void *, uint64_t, int) {}

void *side_sort(enum kind kind, void *from, void *, uint64_t n, int threads) {
    auto *keys = static_cast<uint64_t *>(from);
    auto *pairs = static_cast<pair *>(from);
    if (kind == KIND_PAIR)
        ips2ra::parallel::sort(
            pairs, pairs + n, [](const pair &a) { return static_cast<unsigned long long>(a.key); }, threads);
    else if (kind == KIND_U16)
        ips2ra::parallel::sort(
            keys, keys + n, [](uint64_t a) { return static_cast<unsigned>(a & 0xffff); }, threads);
    else
        ips2ra::parallel::sort(
            keys, keys + n, [](uint64_t a) { return static_cast<unsigned long long>(a); }, threads);
    return from;
}

void side_end(enum kind, void *, uint64_t) {}

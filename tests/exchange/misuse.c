/* Programs that break a rule of the all-to-all of <exchange.h>; as tests/conformance/misuse.c. */

#include "misuse.h"

#include <exchange.h>

#include "harness.h"

static char to[1 << 17], from[1 << 17];

static void small_sizes(int me) {
    p_allToAll(to, from, me == 1 ? 9 : 8);
}

static void staged_sizes(int me) {
    p_allToAll(to, from, me == 1 ? 1024 : 2048);
}

static void large_sizes(int me) {
    p_allToAll(to, from, me == 1 ? 40960 : 43008);
}

static void other_operation(int me) {
    if (me)
        p_allToAll(to, from, 8);
    else
        p_wait();
}

static void overlap(int me) {
    (void)me;
    p_allToAll(to + 15, to, 8);
}

static void overlap_varied(int me) {
    size_t bytes[2] = {8, 8}, at[2] = {0, 100}, beside[2] = {8, 99};
    (void)me;
    p_allToAllv(to, bytes, at, to, bytes, beside);
}

static void no_data(int me) {
    p_allToAll(me ? NULL : to, from, 8);
}

static void varied_sizes(int me) {
    size_t give[2] = {10, 10}, take[2] = {10, 10}, at[2] = {0, 50000};
    take[0] = me ? 11 : 10;
    p_allToAllv(to, take, at, from, give, at);
}

static void own_size(int me) {
    size_t give[2] = {10, 10}, take[2] = {10, 10}, at[2] = {0, 50000};
    take[me] = 11;
    p_allToAllv(to, take, at, from, give, at);
}

static void gone(int me) {
    if (me)
        p_allToAll(to, from, 40000);
}

const struct misuse misuses[] = {
    {"small-sizes", 2, small_sizes, 0, {"mismatch", "p_allToAll (9 bytes", "p_allToAll (8 bytes"}},
    {"staged-sizes", 3, staged_sizes, 0, {"p_allToAll: mismatch: PE", "1024", "2048"}},
    {"large-sizes", 2, large_sizes, 0, {"p_allToAll: mismatch: PE", "40960", "43008"}},
    {"other-operation", 2, other_operation, 0, {"mismatch", "p_allToAll (8 bytes", "p_wait of group {0-1}"}},
    {"overlap", 2, overlap, 0, {"p_allToAll: the blocks to receive overlap those to send"}},
    {"overlap-varied", 2, overlap_varied, 0, {"p_allToAllv: the blocks to receive overlap those to send"}},
    {"no-data", 2, no_data, 0, {"PE 1: p_allToAll: a null pointer for data"}},
    {"varied-sizes",
     2,
     varied_sizes,
     0,
     {"PE 1: p_allToAllv: mismatch: PE 1 expects 11 bytes from PE 0, which gives it 10"}},
    {"own-size", 2, own_size, 0, {"expects 11 bytes from itself, and gives itself 10"}},
    {"gone", 2, gone, 0, {"PE 1: p_allToAll", "PE 0", ", which has left"}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;

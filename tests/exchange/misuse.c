/* Programs that break a rule of <exchange.h>; as tests/conformance/misuse.c. */

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
        p_free(p_alloc(8));
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

static void alloc_sizes(int me) {
    p_alloc(me ? 100 : 200);
}

static void free_nothing(int me) {
    (void)me;
    p_free(to);
}

static void free_twice(int me) {
    void *array = p_alloc(100);
    (void)me;
    p_free(array);
    p_free(array);
}

static void free_other(int me) {
    void *a = p_alloc(100), *b = p_alloc(200);
    p_free(me ? a : b);
}

static void free_elsewhere(int me) {
    void *array = p_alloc(100);
    p_enqueue(UINT64_C(1) << me);
    p_free(array);
}

static void gone(int me) {
    if (me)
        p_allToAll(to, from, 40000);
}

static uint64_t numbers[4] = {3, 2, 1, 0};

static void permute_lengths(int me) {
    char *array = p_alloc(100);
    p_permutePut(array, me ? 10 : 12, from, numbers, 4, 8);
}

static void permute_arrays(int me) {
    char *array = p_alloc(100);
    p_permuteGet(to, array + (me ? 8 : 0), 4, numbers, 4, 8);
}

static void permute_index(int me) {
    char *array = p_alloc(100);
    uint64_t index[3] = {0, 1, me ? 4 : 3};
    p_permuteGet(to, array, 4, index, 3, 8);
}

static void permute_direction(int me) {
    char *array = p_alloc(100);
    if (me)
        p_permutePut(array, 4, from, numbers, 4, 8);
    else
        p_permuteGet(to, array, 4, numbers, 4, 8);
}

static void permute_overlap(int me) {
    char *array = p_alloc(100);
    (void)me;
    p_permutePut(array, 10, array + 72, numbers, 4, 8);
}

const struct misuse misuses[] = {
    {"small-sizes", 2, small_sizes, 0, {"mismatch", "p_allToAll (9 bytes", "p_allToAll (8 bytes"}},
    {"staged-sizes", 3, staged_sizes, 0, {"p_allToAll: mismatch: PE", "1024", "2048"}},
    {"large-sizes", 2, large_sizes, 0, {"p_allToAll: mismatch: PE", "40960", "43008"}},
    {"other-operation", 2, other_operation, 0, {"mismatch", "p_allToAll (8 bytes", "p_alloc of group {0-1}"}},
    {"overlap", 2, overlap, 0, {"p_allToAll: the blocks to receive overlap those to send"}},
    {"overlap-varied", 2, overlap_varied, 0, {"p_allToAllv: the blocks to receive overlap those to send"}},
    {"no-data", 2, no_data, 0, {"PE 1: p_allToAll: a null pointer for data"}},
    {"varied-sizes",
     2,
     varied_sizes,
     0,
     {"PE 1: p_allToAllv: mismatch: PE 1 expects 11 bytes from PE 0, which gives it 10"}},
    {"own-size", 2, own_size, 0, {"expects 11 bytes from itself, and gives itself 10"}},
    {"alloc-sizes", 2, alloc_sizes, 0, {"p_alloc: mismatch: PE", "allocates", "100", "200"}},
    {"free-nothing", 2, free_nothing, 0, {"p_free: 0x", "is no array from p_alloc, or has been freed"}},
    {"free-twice", 2, free_twice, 0, {"p_free: 0x", "is no array from p_alloc, or has been freed"}},
    {"free-other", 2, free_other, 0, {"p_free: mismatch: PE", "frees an array of", "100", "200"}},
    {"free-elsewhere", 2, free_elsewhere, 0, {"p_free: an array of group {0-1} is freed in group {"}},
    {"permute-lengths",
     2,
     permute_lengths,
     0,
     {"p_permutePut: mismatch: PE", "10", "12", " of 8 bytes, but PE"}},
    {"permute-arrays", 2, permute_arrays, 0, {"p_permuteGet: mismatch: PE", "name different arrays"}},
    {"permute-index",
     2,
     permute_index,
     0,
     {"PE 1: p_permuteGet: index 4, of element 2; the array has 4 elements"}},
    {"permute-direction",
     2,
     permute_direction,
     0,
     {"mismatch", "p_permutePut of group", "p_permuteGet of group"}},
    {"permute-overlap", 2, permute_overlap, 0, {"p_permutePut: the array overlaps this PE's own elements"}},
    {"gone", 2, gone, 0, {"PE 1: p_allToAll", "PE 0, which has left"}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;

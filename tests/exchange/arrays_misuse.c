/* Programs that break a rule of the arrays and permutations of <exchange.h>; as tests/conformance/misuse.c.
 */

#include "misuse.h"

#include <exchange.h>

#include "harness.h"

static char to[1 << 17], from[1 << 17];

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
};
const int misuse_count = sizeof misuses / sizeof *misuses;

/* Permutations of every kind, of elements of any size, with parts of any length, out and back; each byte is
 * checked. */

#include <exchange.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { MOST = 20000, BYTES = 40 };

enum kind { BLOCK, TRANSPOSE, GROUPED, RANDOM, KINDS };

static void shuffle(struct rng *r, uint64_t *index, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t k = (size_t)rng_below(r, (int)i);
        uint64_t other = index[k];
        index[k] = index[i - 1];
        index[i - 1] = other;
    }
}

/* The permutation of all elements, the same at all members. */
static void make(struct rng *r, enum kind kind, uint64_t *index, size_t length) {
    size_t rows = (size_t)rng_below(r, 50) + 1, at = 0;
    if (kind == TRANSPOSE) /* of a matrix of so many rows, the last one shorter */
        for (size_t row = 0; row < rows; row++)
            for (size_t i = row; i < length; i += rows)
                index[at++] = i;
    else
        for (size_t i = 0; i < length; i++)
            index[i] = i;
    if (kind == RANDOM)
        shuffle(r, index, length);
    for (size_t i = 0; kind == GROUPED && i < length; i += rows * 10)
        shuffle(r, index + i, length - i < rows * 10 ? length - i : rows * 10);
}

static unsigned char content(uint64_t seed, uint64_t element, size_t byte) {
    uint64_t x = seed + element * 0x9e3779b97f4a7c15u + byte * 0xbf58476d1ce4e5b9u;
    return (unsigned char)(x >> 56 ^ x >> 23);
}

/* This PE's part of so many elements: the members' parts follow one another, and some are empty. */
static void part_of(struct rng r, size_t length, size_t *first, size_t *count) {
    size_t at = 0;
    for (int rank = 0;; rank++) {
        size_t n = rank == p_population() - 1 ? length - at : (size_t)rng_below(&r, (int)(length - at + 1));
        if (rank == p_enumerate()) {
            *first = at;
            *count = n;
            return;
        }
        at += n;
    }
}

static void check(const unsigned char *data, uint64_t seed, size_t bytes, const uint64_t *number,
                  size_t first, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < bytes; b++)
            if (data[i * bytes + b] != content(seed, number ? number[i] : first + i, b))
                test_fail("byte %zu of element %zu of %zu, of %zu bytes, is wrong", b, i, count, bytes);
}

static void once(struct rng *r, unsigned char *array, unsigned char *own, uint64_t *index) {
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3, 24, BYTES};
    size_t bytes = sizes[rng_below(r, sizeof sizes / sizeof *sizes)], length = (size_t)rng_below(r, MOST),
           first, count;
    uint64_t seed = rng_next(r);
    make(r, (enum kind)rng_below(r, KINDS), index, length);
    part_of(rng_for(seed, 1, 0, 0), length, &first, &count);
    for (size_t i = 0; i < count * bytes; i++)
        own[i] = content(seed, index[first + i / bytes], i % bytes);
    p_permutePut(array, length, own, index + first, count, bytes);
    memset(own, 0, count * bytes);
    check(array, seed, bytes, NULL, 0, length);
    make(r, (enum kind)rng_below(r, KINDS), index, length);
    part_of(rng_for(seed, 2, 0, 0), length, &first, &count);
    p_permuteGet(own, array, length, index + first, count, bytes);
    if (p_enumerate() == 0)
        memset(array, 0, length * bytes); /* nobody reads it any more */
    check(own, seed, bytes, index + first, first, count);
}

static int body(void *unused) {
    (void)unused;
    p_enqueue(test_near());
    struct rng r = rng_for(test_seed(), 3, 0, 0);
    unsigned char *array = p_alloc(MOST * BYTES + 8), *own = malloc(MOST * BYTES + 8);
    uint64_t *index = malloc(MOST * sizeof *index);
    CHECK(array && own && index);
    for (long i = 0; i < test.operations; i++)
        once(&r, array + (i % 3), own + (i % 5), index);
    p_free(array);
    free(own);
    free(index);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

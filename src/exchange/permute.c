/* p_permutePut and p_permuteGet: each PE moves its own elements, one after the other, straight to where they
 * belong or from there: chained, as the paper has it, in one pass. What is far away is asked for some
 * elements ahead, so that many are on their way at a time. */

#include <string.h>

#include "local.h"

enum {
    AHEAD = 32,   /* elements */
    CHUNK = 1024, /* whose indices are checked before any of them moves */
};

/* What all members must agree on. */
struct told {
    uint64_t place, length, bytes;
};

/* One PE's part. */
struct part {
    char *array, *own;
    const uint64_t *index;
    size_t bytes; /* of an element */
};

typedef void move(const struct part *part, size_t from, size_t end);

/* Loops for elements of one type, whose copies are single instructions. */
#define MOVES(name, type)                                                                                    \
    static void put_##name(const struct part *part, size_t from, size_t end) {                               \
        type *array = (type *)(void *)part->array, *own = (type *)(void *)part->own;                         \
        for (size_t i = from; i < end; i++) {                                                                \
            __builtin_prefetch(&array[part->index[i + AHEAD < end ? i + AHEAD : i]], 1);                     \
            array[part->index[i]] = own[i];                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    static void get_##name(const struct part *part, size_t from, size_t end) {                               \
        type *array = (type *)(void *)part->array, *own = (type *)(void *)part->own;                         \
        for (size_t i = from; i < end; i++) {                                                                \
            __builtin_prefetch(&array[part->index[i + AHEAD < end ? i + AHEAD : i]], 0);                     \
            own[i] = array[part->index[i]];                                                                  \
        }                                                                                                    \
    }

/* Elements of a program, of whatever type, at any address. */
typedef uint8_t bytes1 __attribute__((may_alias));
typedef uint16_t bytes2 __attribute__((may_alias, aligned(1)));
typedef uint32_t bytes4 __attribute__((may_alias, aligned(1)));
typedef uint64_t bytes8 __attribute__((may_alias, aligned(1)));
typedef struct {
    bytes8 word[2];
} bytes16;

MOVES(1, bytes1)
MOVES(2, bytes2)
MOVES(4, bytes4)
MOVES(8, bytes8)
MOVES(16, bytes16)

static void put_any(const struct part *part, size_t from, size_t end) {
    for (size_t i = from; i < end; i++)
        memcpy(part->array + part->index[i] * part->bytes, part->own + i * part->bytes, part->bytes);
}

static void get_any(const struct part *part, size_t from, size_t end) {
    for (size_t i = from; i < end; i++)
        memcpy(part->own + i * part->bytes, part->array + part->index[i] * part->bytes, part->bytes);
}

/* For elements of so many bytes; the last row is for all others. */
static const struct {
    size_t bytes;
    move *put, *get;
} moves[] = {{1, put_1, get_1}, {2, put_2, get_2},    {4, put_4, get_4},
             {8, put_8, get_8}, {16, put_16, get_16}, {0, put_any, get_any}};

static UNO_COLD _Noreturn void beyond(struct uno_pe *pe, const char *name, const uint64_t *index, size_t i,
                                      size_t length) {
    while (index[i] < length)
        i++;
    uno_fail(pe, "%s: index %llu, of element %zu; the array has %zu elements", name,
             (unsigned long long)index[i], i, length);
}

static void move_all(struct uno_pe *pe, const char *name, const struct part *part, size_t count,
                     size_t length, bool gets) {
    size_t row = 0;
    while (moves[row].bytes && moves[row].bytes != part->bytes)
        row++;
    for (size_t at = 0; at < count; at += CHUNK) {
        size_t end = count - at < CHUNK ? count : at + CHUNK;
        uint64_t greatest = 0;
        for (size_t i = at; i < end; i++)
            greatest = part->index[i] > greatest ? part->index[i] : greatest;
        if (UNO_UNLIKELY(greatest >= length))
            beyond(pe, name, part->index, at, length);
        (gets ? moves[row].get : moves[row].put)(part, at, end);
    }
}

static UNO_COLD _Noreturn void differ(struct uno_pe *pe, const char *name, int r, const struct told *mine,
                                      const struct told *theirs) {
    int k = uno_exchange_member(pe, r);
    if (mine->length == theirs->length && mine->bytes == theirs->bytes)
        uno_fail(pe, "%s: mismatch: PE %d and PE %d name different arrays", name, pe->me, k);
    uno_fail(pe, "%s: mismatch: PE %d has an array of %llu elements of %llu bytes, but PE %d of %llu of %llu",
             name, pe->me, (unsigned long long)mine->length, (unsigned long long)mine->bytes, k,
             (unsigned long long)theirs->length, (unsigned long long)theirs->bytes);
}

/* All members have come, and mean the same array. */
static void agree(struct uno_pe *pe, unsigned signature, const char *name, const struct told *told) {
    const void *const *data = pe->unit->meet(pe, signature, &told->place, sizeof *told / 8);
    for (int r = 0; r < pe->group.size; r++) {
        struct told theirs;
        memcpy(&theirs, data[r], sizeof theirs);
        if (UNO_UNLIKELY(memcmp(&theirs, told, sizeof theirs) != 0))
            differ(pe, name, r, told, &theirs);
    }
    uno_leave(pe);
}

static void permute(unsigned signature, const char *name, const struct part *part, size_t length,
                    size_t count, bool gets) {
    struct uno_pe *pe = uno_exchange_pe(name);
    struct told told = {(uintptr_t)part->array, length, part->bytes};
    size_t all = length * part->bytes;
    if (part->bytes && length > SIZE_MAX / part->bytes)
        uno_fail(pe, "%s: %zu elements of %zu bytes are more than there are addresses", name, length,
                 part->bytes);
    uno_exchange_check_data(pe, name, part->array, all);
    uno_exchange_check_data(pe, name, part->index, count);
    uno_exchange_check_data(pe, name, part->own, count * part->bytes);
    if (part->own < part->array + all && part->array < part->own + count * part->bytes)
        uno_fail(pe, "%s: the array overlaps this PE's own elements", name);
    if (!uno_arrays_one_process(pe->job) && all && !uno_arrays_has(pe, part->array, all, &told.place))
        uno_fail(pe, "%s: the array is not in memory from p_alloc", name);
    agree(pe, signature, name, &told);
    move_all(pe, name, part, count, length, gets);
    uno_exchange_wait(pe, signature); /* all elements are there */
}

void p_permutePut(void *array, size_t length, const void *from, const uint64_t *index, size_t count,
                  size_t bytes) {
    struct part part = {.array = array, .own = (char *)from, .index = index, .bytes = bytes};
    permute(UNO_SIGNATURE_P_PERMUTE_PUT, "p_permutePut", &part, length, count, false);
}

void p_permuteGet(void *to, const void *array, size_t length, const uint64_t *index, size_t count,
                  size_t bytes) {
    struct part part = {.array = (char *)array, .own = to, .index = index, .bytes = bytes};
    permute(UNO_SIGNATURE_P_PERMUTE_GET, "p_permuteGet", &part, length, count, true);
}

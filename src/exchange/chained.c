/* Elements one after the other, straight to where they belong or from there: chained, as the paper has it, in
 * one pass. What is far away is asked for some elements ahead, so that many are on their way at a time. */

#include <string.h>

#include "element.h"
#include "move.h"

enum { AHEAD = 32 /* elements */ };

typedef void move(const struct uno_moved *part, size_t from, size_t end);

/* Return the destination of the element that is AHEAD of element i: even beyond the end of the present chunk,
 * so that prefetches are under way when the next chunk begins. Its index has not been checked yet, and a
 * prefetch of an invalid address does no harm. */
static inline const void *ahead(const struct uno_moved *part, const uint64_t *index, size_t i, size_t bytes) {
    size_t k = i + AHEAD < part->count ? i + AHEAD : i;
    return (const void *)((uintptr_t)part->array + index[k] * bytes);
}

/* Loops for elements of one type, whose copies are single instructions. */
#define MOVES(size)                                                                                          \
    static void put_##size(const struct uno_moved *part, size_t from, size_t end) {                          \
        uno_bytes##size *array = (void *)part->array, *own = (void *)part->own;                              \
        const uint64_t *index = part->index;                                                                 \
        for (size_t i = from; i < end; i++) {                                                                \
            __builtin_prefetch(ahead(part, index, i, size), 1);                                              \
            array[index[i]] = own[i];                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    static void get_##size(const struct uno_moved *part, size_t from, size_t end) {                          \
        uno_bytes##size *array = (void *)part->array, *own = (void *)part->own;                              \
        const uint64_t *index = part->index;                                                                 \
        for (size_t i = from; i < end; i++) {                                                                \
            __builtin_prefetch(ahead(part, index, i, size), 0);                                              \
            own[i] = array[index[i]];                                                                        \
        }                                                                                                    \
    }

UNO_ELEMENTS(MOVES)

static void put_any(const struct uno_moved *part, size_t from, size_t end) {
    for (size_t i = from; i < end; i++)
        memcpy(part->array + part->index[i] * part->bytes, part->own + i * part->bytes, part->bytes);
}

static void get_any(const struct uno_moved *part, size_t from, size_t end) {
    for (size_t i = from; i < end; i++)
        memcpy(part->own + i * part->bytes, part->array + part->index[i] * part->bytes, part->bytes);
}

/* The loops for elements of so many bytes; the last row is for all other sizes. */
#define ROW(size) {size, put_##size, get_##size},
static const struct {
    size_t bytes;
    move *put, *get;
} moves[] = {UNO_ELEMENTS(ROW){0, put_any, get_any}};

void uno_move_chained(const struct uno_moved *part, size_t from, size_t end) {
    size_t row = 0;
    while (moves[row].bytes && moves[row].bytes != part->bytes)
        row++;
    (part->gets ? moves[row].get : moves[row].put)(part, from, end);
}

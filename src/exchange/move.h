/* The moves of a PE's elements in a permutation. */

#ifndef UNO_EXCHANGE_MOVE_H
#define UNO_EXCHANGE_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One PE's part: `count` elements of `bytes` bytes, and for each its place in the array of `length`. */
struct uno_moved {
    char *array, *own;
    const uint64_t *index;
    size_t count, length, bytes;
    bool gets; /* from the array to the PE's own elements */
};

/* Move the elements `from` to `end`, one after the other. Their indices are less than `length`. */
void uno_move_chained(const struct uno_moved *part, size_t from, size_t end);

/* Move elements from `at` on whose indices form rows: each is greater than the one before it by the same
 * step. Rows that follow each other directly, as in a transpose, are moved together, by lines of the array.
 * past: past the caches; the caller then calls uno_lines_end. Returns the number of elements moved; 0: there
 * is no row, or an index is not less than `length`. */
size_t uno_move_rows(const struct uno_moved *part, size_t at, bool past);

#endif

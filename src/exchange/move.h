/* How a PE moves its elements of a permutation. */

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
    bool gets; /* from the array */
};

/* Elements `from` to `end`, one after the other. Their indices are less than `length`. */
void uno_move_chained(const struct uno_moved *part, size_t from, size_t end);

/* Elements from `at` on, if their indices are those of rows: each greater than the one before it by the same
 * step. Rows of which each goes right behind the one before it, as in a transpose, are moved together, by
 * lines of the array. `past`: past the caches, which uno_lines_end ends. How many have been moved; 0: there
 * is no row, or an index that is not less than `length`. */
size_t uno_move_rows(const struct uno_moved *part, size_t at, bool past);

#endif

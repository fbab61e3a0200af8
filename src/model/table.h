/* Tables of indices: where each element of one PE's part goes. */

#ifndef UNO_MODEL_TABLE_H
#define UNO_MODEL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"

/* Words of a row of the matrix that is transposed, for each PE: the stride, the number of its rows, is that
 * of a part's words by this, whether the matrix is one part or all of them. */
enum { UNO_MODEL_ROW = 1024 };

/* That of PE `me` of n, whose parts have `words` words each, a power of 2 from UNO_MODEL_ROW on: a
 * permutation of all parts. */
void uno_table_permutation(uint64_t *index, enum uno_permutation permutation, int me, int n, size_t words);

/* One that stays in one part, by the pattern. */
void uno_table_local(uint64_t *index, enum uno_access pattern, size_t words);

#endif

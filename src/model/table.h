/* Tables of indices: the destination of each element of one PE's part. */

#ifndef UNO_MODEL_TABLE_H
#define UNO_MODEL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"

/* Words of a row of the transposed matrix, for each PE. The stride, which is the number of rows, is a part's
 * words divided by this, whether the matrix is one part or all of them. */
enum { UNO_MODEL_ROW = 1024 };

/* Make the table of PE `me` of n for a permutation of all parts, which have `words` words each, a power of 2
 * from UNO_MODEL_ROW on. */
void uno_table_permutation(uint64_t *index, enum uno_permutation permutation, int me, int n, size_t words);

/* Make a table that stays within one part, by the pattern. */
void uno_table_local(uint64_t *index, enum uno_access pattern, size_t words);

#endif

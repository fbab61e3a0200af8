/* The expected result of each function of the library, in plain serial code over bit patterns. Nothing here
 * is shared with src/papers. */

#ifndef TEST_SERIAL_H
#define TEST_SERIAL_H

#include "functions.h"

/* The members of a group and their values. */
struct meeting {
    const struct function *function;
    int bits;              /* for a narrow form */
    int size;              /* members */
    const int *member;     /* PE numbers, rising */
    const uint64_t *value; /* the value that each member passes, in the order of `member` */
    int root;              /* for a broadcast: index of the member that puts */
};

/* Compute the result or array of the call of the member with the given index. On entry the array, of
 * call->elements words, has the content that the library was given. */
void serial_result(const struct meeting *m, int index, struct call *call);

/* Return true if a received bit pattern is right. Sums and products that are not a number may be any NaN,
 * since IEEE 754 leaves open which operand's payload they carry. */
bool serial_equal(const struct function *f, uint64_t expected, uint64_t received);

#endif

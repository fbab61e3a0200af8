/* What an operation is, in 16 bits: all members of a group must bring the same. */

#ifndef UNO_SIGNATURE_H
#define UNO_SIGNATURE_H

#include <stddef.h>

#include "papers.h"
#include "ops.def"

enum uno_op {
    UNO_NOTHING, /* so that no signature, and no header, is 0 */
#define X(code, name) UNO_##code,
    UNO_OPS(X)
#undef X
        UNO_OP_COUNT,
    UNO_MPI_FIRST = UNO_MPI_BARRIER,
    UNO_MPI_LAST = UNO_MPI_REDUCE_SCATTER_BLOCK
};

/* Those of messages, in which a PE waits for another one, and not for a group. */
static inline bool uno_op_is_message(unsigned signature) {
    return (signature & 63) >= UNO_NWRITE && (signature & 63) <= UNO_EXIT;
}

/* Type codes; UNO_TYPE_NONE for an operation without a type. */
enum uno_type {
    UNO_TYPE_NONE,
#define X(suffix, type, bits) UNO_TYPE_##suffix,
    PAPERS_ALL(X)
#undef X
        UNO_TYPE_COUNT
};

_Static_assert(UNO_OP_COUNT <= 64 && UNO_TYPE_COUNT <= 16, "a signature is 6 + 4 + 6 bits");

/* op: 6 bits, type: 4, bits - 1: 6. A plain operation is one on all bits of its type. */
#define UNO_SIGNATURE(op, type, bits) ((unsigned)(op) | (unsigned)(type) << 6 | (unsigned)((bits)-1) << 10)
#define UNO_UNTYPED(op) UNO_SIGNATURE(op, UNO_TYPE_NONE, 1)

/* Operations of MPI bring, instead of type and bits, the low 10 bits of the number of bytes. */
#define UNO_SIGNATURE_BYTES(op, bytes) ((unsigned)(op) | ((unsigned)(bytes)&1023) << 6)

/* Long enough for the name of any operation. */
enum { UNO_SIGNATURE_TEXT = 64 };

/* The name of the operation as its caller wrote it: "p_reduceAdd32". Returns text. */
const char *uno_signature_text(unsigned signature, char text[UNO_SIGNATURE_TEXT]);

#endif

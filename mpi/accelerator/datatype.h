/* Data types: how large they are, and how they are combined. */

#ifndef UNO_DATATYPE_H
#define UNO_DATATYPE_H

#include <stddef.h>

#include "comm.h"
#include "reduce.h"

struct uno_datatype {
    uno_atomic64 handle; /* of the type; 0: it has been freed */
    size_t size;         /* bytes of one; 0: what has this type is left to the host */
    const uno_reduce_function
        *reduce; /* by enum uno_reduction; NULL: no predefined operation combines them */
};

enum { UNO_DATATYPE_SLOTS = 256 };
extern uno_atomic64 uno_datatype_slot[UNO_DATATYPE_SLOTS];

/* The same as uno_datatype_of for one that is not in the table. */
const struct uno_datatype *uno_datatype_look_up(MPI_Datatype type);

static inline const struct uno_datatype *uno_datatype_of(MPI_Datatype type) {
    uint64_t handle = UNO_HANDLE(type);
    /* SYNC TYPE: the rest of the structure */
    const struct uno_datatype *t = (const struct uno_datatype *)(uintptr_t)uno_load64_acquire(
        &uno_datatype_slot[uno_handle_hash(handle)]);
    if (UNO_LIKELY(t && uno_load64_relaxed(&t->handle) == handle))
        return t;
    return uno_datatype_look_up(type);
}

#endif

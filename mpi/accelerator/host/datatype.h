/* Data types: how large they are, how they lie in memory, and how they are combined. */

#ifndef UNO_DATATYPE_H
#define UNO_DATATYPE_H

#include <stddef.h>

#include "accelerator/host/comm.h"
#include "collective/reduction/reduction.h"

struct uno_datatype {
    uno_atomic64 handle; /* of the type; 0: it has been freed */
    size_t size;         /* bytes of one element's data; 0: what has this type is left to the host */
    ptrdiff_t extent;    /* from one element to the next */
    ptrdiff_t true_bound, true_extent; /* where an element's data start, and how far they reach */
    bool plain; /* `count` elements are count * size bytes from the address on, in the order in which they are
                   packed */
    enum uno_class class; /* if `reduce` */
    const uno_reduce_function
        *reduce;               /* by enum uno_reduction; NULL: no predefined operation combines them */
    struct uno_datatype *next; /* of those that are free */
};

enum { UNO_DATATYPE_SLOTS = 256 };
extern uno_atomic64 uno_datatype_slot[UNO_DATATYPE_SLOTS];

void uno_datatype_start(void);
void uno_datatype_end(void);

/* The same as uno_datatype_of for one that is not in the table. */
const struct uno_datatype *uno_datatype_look_up(MPI_Datatype type);

static inline const struct uno_datatype *uno_datatype_of(MPI_Datatype type) {
    uint64_t handle = UNO_HANDLE(type);
    /* SYNC DATATYPE: the rest of the structure */
    const struct uno_datatype *t = (const struct uno_datatype *)(uintptr_t)uno_load64_acquire(
        &uno_datatype_slot[uno_handle_hash(handle)]);
    if (UNO_LIKELY(t && uno_load64_relaxed(&t->handle) == handle))
        return t;
    return uno_datatype_look_up(type);
}

/* Copy `count` elements of the type, which is not plain, into packed bytes, and back. */
void uno_datatype_pack(const void *in, size_t count, MPI_Datatype type, const struct uno_datatype *t,
                       void *bytes);
void uno_datatype_unpack(const void *bytes, void *out, size_t count, MPI_Datatype type,
                         const struct uno_datatype *t);

#endif

/* Data types: the host's, found by their handles at first use, with how they lie in memory and how they are
 * combined. */

#ifndef UNO_DATATYPE_H
#define UNO_DATATYPE_H

#include <stddef.h>

#include "accelerator/host/handle.h"
#include "accelerator/host/host.h"
#include "collective/data.h"
#include "collective/reduction/kernels.h"

struct uno_datatype {
    uno_atomic64 handle;       /* of the type; 0: it has been freed */
    struct uno_layout layout;  /* what the collectives know of it */
    MPI_Datatype own;          /* the type itself */
    ptrdiff_t true_bound;      /* where an element's data start */
    enum uno_class class;      /* if `kernels` */
    const uno_kernel *kernels; /* by enum uno_operator; NULL: no predefined operation combines them */
    struct uno_datatype *next; /* of those that are free */
};

extern uno_atomic64 uno_datatype_slot[UNO_HANDLES];

void uno_datatype_start(void);
void uno_datatype_end(void);

/* As uno_datatype_of, for a type that is not in the table. */
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

/* The one of which that is the part that the collectives know. */
static inline const struct uno_datatype *uno_datatype_from(const struct uno_layout *layout) {
    return (const struct uno_datatype *)(const void *)((const char *)layout -
                                                       offsetof(struct uno_datatype, layout));
}

#endif

/* A buffer of the program as packed bytes: itself, if its type is plain, else a copy. */

#ifndef UNO_VIEW_H
#define UNO_VIEW_H

#include <stdlib.h>
#include <string.h>

#include "accelerator/host/datatype.h"

struct uno_view {
    char *bytes;
    void *memory; /* the copy, or NULL */
    void *buffer; /* the program's, with its type */
    size_t count;
    MPI_Datatype type;
    const struct uno_datatype *t;
};

/* Whether the buffer can be one of that type. A null address is, of a derived type with absolute addresses.
 */
static inline bool uno_is_buffer(const void *buffer, const struct uno_datatype *t) {
    return buffer || !t->plain;
}

/* Whether MPI forbids it and the host says so: to send from where is received. Open MPI does not mind, and
 * then neither may this library, for not every rank need do it. */
static inline bool uno_is_refused(const void *in, const void *out) {
    return !UNO_MPI_OPENMPI && in == out;
}

/* To be filled with packed bytes. */
static inline struct uno_view uno_view_out(void *buffer, size_t count, MPI_Datatype type,
                                           const struct uno_datatype *t) {
    struct uno_view v = {.bytes = buffer, .buffer = buffer, .count = count, .type = type, .t = t};
    if (!t->plain)
        v.bytes = v.memory = uno_node_allocate(count * t->size, 1);
    return v;
}

static inline struct uno_view uno_view_in(const void *buffer, size_t count, MPI_Datatype type,
                                          const struct uno_datatype *t) {
    struct uno_view v = uno_view_out((void *)buffer, count, type, t);
    if (v.memory)
        uno_datatype_pack(buffer, count, type, t, v.memory);
    return v;
}

static inline void uno_view_drop(struct uno_view *v) {
    free(v->memory);
}

/* Give the program `count` elements, of those that were filled in, from the given one on. */
static inline void uno_view_unpack(struct uno_view *v, size_t from, size_t count) {
    if (v->memory && count)
        uno_datatype_unpack(v->bytes + from * v->t->size, (char *)v->buffer + (ptrdiff_t)from * v->t->extent,
                            count, v->type, v->t);
}

#endif

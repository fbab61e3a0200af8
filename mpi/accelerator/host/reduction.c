/* What a call asks to be combined, and how: by a function of reduce.c, or by the host. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "accelerator/host/datatype.h"

enum uno_reduction uno_reduction_of(MPI_Op op) {
#define OP(name)                                                                                             \
    if (op == MPI_##name)                                                                                    \
        return UNO_##name;
    /* the most frequent ones first */
    OP(SUM)
    OP(MAX)
    OP(MIN)
    OP(LAND)
    OP(LOR)
    OP(PROD)
    OP(BOR)
    OP(BAND)
    OP(MAXLOC)
    OP(MINLOC)
    OP(BXOR)
    OP(LXOR)
#undef OP
    return UNO_REDUCTIONS;
}

bool uno_combine_of(struct uno_combine *c, const struct uno_datatype *t, MPI_Datatype type, MPI_Op op) {
    enum uno_reduction reduction = uno_reduction_of(op);
    c->t = t;
    c->type = type;
    c->op = op;
    if (UNO_LIKELY(reduction < UNO_REDUCTIONS)) {
        c->function = t->reduce ? t->reduce[reduction] : NULL;
        c->bytes = (size_t)t->extent;
        return c->function;
    }
    c->function = NULL;
    c->bytes = t->size;
    return op != MPI_OP_NULL && op != MPI_REPLACE && op != MPI_NO_OP;
}

/* Room for `count` elements as they lie in memory. To be freed: *memory. */
static void *make_room(const struct uno_datatype *t, size_t count, void **memory) {
    ptrdiff_t reach = (ptrdiff_t)(count - 1) * t->extent;
    ptrdiff_t low = reach < 0 ? reach : 0, high = reach < 0 ? 0 : reach;
    *memory = uno_node_allocate((size_t)(high - low + t->true_extent) + 1, 1);
    return (char *)*memory - t->true_bound - low;
}

static void unpack(const struct uno_combine *c, const void *bytes, size_t count, void *out) {
    if (c->t->plain)
        memcpy(out, bytes, count * c->bytes);
    else
        uno_datatype_unpack(bytes, out, count, c->type, c->t);
}

/* The operation is called for at most so many elements at a time. */
static void reduce_local(const struct uno_combine *c, const void *in, void *inout, size_t count) {
    for (size_t done = 0; done < count;) {
        size_t n = count - done < INT_MAX ? count - done : INT_MAX;
        ptrdiff_t at = (ptrdiff_t)done * c->t->extent;
        HOST(Reduce_local)((const char *)in + at, (char *)inout + at, (int)n, c->type, c->op);
        done += n;
    }
}

/* next = left combined with the next rank's, which it then stands for. */
static void combine_by_host(const struct uno_combine *c, const void *const *data, int n, size_t count,
                            void *out) {
    void *memory[2];
    void *left = make_room(c->t, count, &memory[0]), *next = make_room(c->t, count, &memory[1]);
    unpack(c, data[0], count, left);
    for (int r = 1; r < n; r++) {
        unpack(c, data[r], count, next);
        reduce_local(c, left, next, count);
        void *other = left;
        left = next;
        next = other;
    }
    if (c->t->plain)
        memcpy(out, left, count * c->bytes);
    else
        uno_datatype_pack(left, count, c->type, c->t, out);
    free(memory[0]);
    free(memory[1]);
}

void uno_combine(const struct uno_combine *c, const void *const *data, int n, size_t count, void *out) {
    if (c->function && (n > 1 || c->bytes != c->t->size))
        c->function(data, n, count, out);
    else if (n == 1)
        memcpy(out, data[0], count * c->bytes);
    else
        combine_by_host(c, data, n, count, out);
}

#include "collective/operation/collective.h"
#include "collective/reduction/pieces.h"
#include "collective/transport/ring.h"

/* in, out: elements as they travel. */
static void by_ring(const struct uno_comm *c, const void *in, void *out, size_t count,
                    const struct uno_reduction *how, int root) {
    size_t size = uno_pieces_size(how, count), total = count * how->layout->size;
    uno_rings_begin(c);
    if (c->rank != root) {
        uno_rings_put(c, root, UNO_MPI_REDUCE, total, in, size);
        return;
    }
    struct uno_pieces_small of[c->size];
    for (int r = 0; r < c->size; r++) {
        c->data[r] = of[r].bytes;
        if (r != root)
            uno_rings_get(c, r, UNO_MPI_REDUCE, total, of[r].bytes, size);
        else if (in == out)
            memcpy(of[r].bytes, in, size); /* operands must not lie where the result goes */
        else
            c->data[r] = in;
    }
    uno_combine(how, c->data, c->size, count, out);
}

static void by_slots(const struct uno_comm *c, const void *in, void *out, size_t count,
                     const struct uno_reduction *how, int root) {
    size_t bytes = count * how->bytes;
    const void *const *data = uno_slots_meet(c, UNO_MPI_REDUCE, bytes, in, bytes);
    if (c->rank == root)
        how->kernel(data, c->size, count, out);
    uno_slots_end(c);
}

/* Reduce large data: in the root alone, unless the ranks share the work. */
static void large(struct uno_pieces *p, enum uno_path path, size_t count) {
    struct uno_comm *c = p->c;
    uno_plan_begin(c, p->op);
    size_t done = path == UNO_BY_DIRECT && uno_pieces_may_read(p) ? uno_pieces_read(p, count) : 0;
    p->in += done * p->how->bytes;
    p->out = p->out ? p->out + done * p->how->bytes : NULL;
    uno_pieces_reduce(p, count - done);
    uno_plan_end(c, p->op, count * p->how->bytes);
}

static void in_pieces(struct uno_comm *c, enum uno_path path, const void *in, void *out, size_t count,
                      const struct uno_reduction *how, int root) {
    struct uno_pieces p = {.c = c, .op = UNO_MPI_REDUCE, .how = how, .total = count * how->layout->size};
    p.by_unit = path == UNO_BY_UNIT;
    uno_pieces_open(&p, in, count, out, c->rank == root ? count : 0);
    if (path == UNO_BY_RING)
        by_ring(c, p.in, p.out, count, how, root);
    else if (!uno_path_is_large(path))
        uno_pieces_reduce(&p, count);
    else
        large(&p, path, count);
    uno_pieces_close(&p, count);
}

bool uno_reduce(struct uno_comm *c, const void *in, void *out, size_t count, const struct uno_reduction *how,
                int root) {
    enum uno_path path = uno_pieces_plan(c, UNO_MPI_REDUCE, count * how->layout->size, count, how);
    if (path == UNO_BY_HOST)
        return false;
    if (uno_pieces_are_post(path, how))
        by_slots(c, in, out, count, how, root);
    else if (path == UNO_BY_RING && how->kernel)
        by_ring(c, in, out, count, how, root);
    else
        in_pieces(c, path, in, out, count, how, root);
    return true;
}

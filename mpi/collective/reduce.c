#include "collective/collective.h"
#include "collective/reduction/pieces.h"
#include "collective/transport/ring.h"

static void by_ring(struct uno_pieces *p, size_t count, int root) {
    const struct uno_comm *c = p->c;
    size_t size = uno_pieces_size(p, count);
    uno_rings_begin(c);
    if (c->rank != root) {
        uno_rings_put(c, root, p->op, p->total, p->in.bytes, size);
        return;
    }
    struct uno_pieces_small of[c->size];
    for (int r = 0; r < c->size; r++) {
        if (r == root)
            memcpy(of[r].bytes, p->in.bytes, size);
        else
            uno_rings_get(c, r, p->op, p->total, of[r].bytes, size);
        c->data[r] = of[r].bytes;
    }
    uno_combine(p->how, c->data, c->size, count, p->out.bytes);
}

bool uno_reduce(struct uno_comm *c, const void *in, void *out, size_t count, const struct uno_reduction *how,
                int root) {
    size_t total = count * how->layout->size;
    enum uno_path path = uno_pieces_plan(c, UNO_MPI_REDUCE, total, count, how);
    if (path == UNO_BY_HOST)
        return false;
    struct uno_pieces p = {.c = c, .op = UNO_MPI_REDUCE, .how = how, .total = total};
    uno_pieces_open(&p, in, count, out, c->rank == root ? count : 0);
    if (path == UNO_BY_RING)
        by_ring(&p, count, root);
    else
        uno_pieces_reduce(&p, count);
    uno_pieces_close(&p, count);
    return true;
}

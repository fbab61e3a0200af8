#include "collective/collective.h"
#include "collective/reduction/pieces.h"
#include "collective/transport/ring.h"

/* Each rank gets from the one before it what all up to that one have, and passes it on with its own. */
static void by_ring(struct uno_pieces *p, bool inclusive, size_t count) {
    const struct uno_comm *c = p->c;
    size_t size = uno_pieces_size(p, count);
    int before = c->rank - 1, after = c->rank + 1;
    struct uno_pieces_small left, own, both;
    const void *data[] = {left.bytes, own.bytes};
    uno_rings_begin(c);
    memcpy(own.bytes, p->in.bytes, size);
    if (before >= 0)
        uno_rings_get(c, before, p->op, p->total, left.bytes, size);
    if (inclusive || after < c->size)
        uno_combine(p->how, before >= 0 ? data : data + 1, before >= 0 ? 2 : 1, count, both.bytes);
    if (after < c->size)
        uno_rings_put(c, after, p->op, p->total, both.bytes, size);
    if (inclusive)
        uno_combine(p->how, (const void *[]){both.bytes}, 1, count, p->out.bytes);
    else if (before >= 0)
        uno_combine(p->how, data, 1, count, p->out.bytes);
}

/* In a meeting, each rank combines what those before it have. */
static void by_meetings(struct uno_pieces *p, int ranks, size_t count) {
    size_t step = uno_pieces_step(p);
    for (size_t from = 0; from < count; from += step) {
        size_t some = uno_least(count - from, step);
        const void *const *data = uno_pieces_meet(p, from, some);
        if (ranks)
            uno_combine(p->how, data, ranks, some, p->out.bytes + from * p->how->bytes);
        uno_slots_end(p->c);
    }
}

bool uno_scan(struct uno_comm *c, bool inclusive, const void *in, void *out, size_t count,
              const struct uno_reduction *how) {
    enum uno_op op = inclusive ? UNO_MPI_SCAN : UNO_MPI_EXSCAN;
    size_t total = count * how->layout->size;
    enum uno_path path = uno_pieces_plan(c, op, total, count, how);
    if (path == UNO_BY_HOST)
        return false;
    int ranks = c->rank + inclusive;
    struct uno_pieces p = {.c = c, .op = op, .how = how, .total = total};
    uno_pieces_open(&p, in, count, out, count);
    if (path == UNO_BY_RING)
        by_ring(&p, inclusive, count);
    else
        by_meetings(&p, ranks, count);
    uno_pieces_close(&p, ranks ? count : 0);
    return true;
}

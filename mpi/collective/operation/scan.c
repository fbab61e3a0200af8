#include "collective/operation/collective.h"
#include "collective/reduction/pieces.h"
#include "collective/transport/ring.h"

/* Scan by rings: each rank receives the combination of all ranks before it, and passes it on with its own
 * elements. in, out: elements as they travel. */
static void by_ring(const struct uno_comm *c, enum uno_op op, const void *in, void *out, size_t count,
                    const struct uno_reduction *how) {
    bool inclusive = op == UNO_MPI_SCAN, last = c->rank + 1 == c->size;
    size_t bytes = uno_pieces_size(how, count), total = count * how->layout->size;
    struct uno_pieces_small left, both;
    const void *data[] = {left.bytes, in}, *sum = c->rank ? both.bytes : in;
    uno_rings_begin(c);
    if (c->rank)
        uno_rings_get(c, c->rank - 1, op, total, left.bytes, bytes);
    if (c->rank && (inclusive || !last))
        uno_combine(how, data, 2, count, both.bytes);
    if (!last)
        uno_rings_put(c, c->rank + 1, op, total, sum, bytes);
    if (inclusive && sum != out)
        uno_combine(how, &sum, 1, count, out);
    else if (!inclusive && c->rank)
        uno_combine(how, data, 1, count, out);
}

/* Scan by meetings: each rank combines the elements of those before it. */
static void by_meetings(struct uno_pieces *p, int ranks, size_t count) {
    size_t step = uno_pieces_step(p);
    for (size_t from = 0; from < count; from += step) {
        size_t some = uno_least(count - from, step);
        const void *const *data = uno_pieces_meet(p, from, some);
        if (ranks)
            uno_combine(p->how, data, ranks, some, p->out + from * p->how->bytes);
        uno_pieces_end(p);
    }
}

static void in_pieces(struct uno_comm *c, enum uno_op op, enum uno_path path, const void *in, void *out,
                      size_t count, const struct uno_reduction *how) {
    int ranks = c->rank + (op == UNO_MPI_SCAN);
    struct uno_pieces p = {.c = c, .op = op, .how = how, .total = count * how->layout->size};
    p.by_unit = path == UNO_BY_UNIT;
    uno_pieces_open(&p, in, count, out, count);
    if (path == UNO_BY_RING)
        by_ring(c, op, p.in, p.out, count, how);
    else
        by_meetings(&p, ranks, count);
    uno_pieces_close(&p, ranks ? count : 0);
}

bool uno_scan(struct uno_comm *c, bool inclusive, const void *in, void *out, size_t count,
              const struct uno_reduction *how) {
    enum uno_op op = inclusive ? UNO_MPI_SCAN : UNO_MPI_EXSCAN;
    enum uno_path path = uno_pieces_plan(c, op, count * how->layout->size, count, how);
    if (path == UNO_BY_HOST)
        return false;
    if (path == UNO_BY_RING && how->kernel)
        by_ring(c, op, in, out, count, how);
    else
        in_pieces(c, op, path, in, out, count, how);
    return true;
}

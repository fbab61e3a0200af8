#include "collective/operation/collective.h"
#include "collective/reduction/pieces.h"

/* Read this rank's elements straight from the other ranks' memory. False: some rank could not, and all ranks
 * have their elements still. */
static bool by_parts(struct uno_pieces *p, size_t first, size_t mine) {
    size_t bytes = mine * p->how->bytes;
    char *aside = p->in == p->out ? uno_base_allocate(bytes + 1, 1) : NULL;
    bool done = uno_pieces_combine(p, first, mine, aside ? aside : p->out);
    if (done && aside)
        memcpy(p->out, aside, bytes);
    free(aside);
    return done;
}

static void in_pieces(struct uno_pieces *p, size_t total, size_t first, size_t mine) {
    const struct uno_comm *c = p->c;
    size_t step = uno_pieces_step(p), bytes = p->how->bytes;
    for (size_t from = 0; from < total; from += step) {
        size_t some = uno_least(total - from, step);
        const void *const *data = uno_pieces_meet(p, from, some);
        size_t low = first > from ? first : from, high = uno_least(first + mine, from + some);
        if (low < high) {
            for (int r = 0; r < c->size; r++)
                c->data[r] = (const char *)data[r] + (low - from) * bytes;
            uno_combine(p->how, c->data, c->size, high - low, p->out + (low - first) * bytes);
        }
        uno_pieces_end(p);
    }
}

/* Every rank puts `total` elements and gets the result of `mine` of them, from the given one on. */
static void run(struct uno_pieces *p, enum uno_path path, const void *in, void *out, size_t total,
                size_t first, size_t mine) {
    bool large = uno_path_is_large(path);
    p->by_unit = path == UNO_BY_UNIT;
    uno_pieces_open(p, in, total, out, mine);
    if (large)
        uno_plan_begin(p->c, p->op);
    if (path != UNO_BY_DIRECT || !uno_pieces_may_combine(p) || !by_parts(p, first, mine))
        in_pieces(p, total, first, mine);
    if (large)
        uno_plan_end(p->c, p->op, total * p->how->bytes);
    uno_pieces_close(p, mine);
}

bool uno_reduce_scatter_block(struct uno_comm *c, const void *in, void *out, size_t count,
                              const struct uno_reduction *how) {
    size_t total = count * (size_t)c->size, bytes = count * how->layout->size;
    enum uno_path path = uno_pieces_plan(c, UNO_MPI_REDUCE_SCATTER_BLOCK, bytes, total, how);
    if (path == UNO_BY_HOST)
        return false;
    struct uno_pieces p = {.c = c, .op = UNO_MPI_REDUCE_SCATTER_BLOCK, .how = how, .total = bytes};
    run(&p, path, in, out, total, count * (size_t)c->rank, count);
    return true;
}

bool uno_reduce_scatter(struct uno_comm *c, const void *in, void *out, const struct uno_counts *counts,
                        const struct uno_reduction *how) {
    size_t total = 0, first = 0;
    for (int r = 0; r < c->size; r++) {
        first += r < c->rank ? (size_t)uno_count_of(counts, r) : 0;
        total += (size_t)uno_count_of(counts, r);
    }
    size_t bytes = total * how->layout->size;
    enum uno_path path = uno_pieces_plan(c, UNO_MPI_REDUCE_SCATTER, bytes, total, how);
    if (path == UNO_BY_HOST)
        return false;
    struct uno_pieces p = {.c = c, .op = UNO_MPI_REDUCE_SCATTER, .how = how, .total = bytes};
    run(&p, path, in, out, total, first, (size_t)uno_count_of(counts, c->rank));
    return true;
}

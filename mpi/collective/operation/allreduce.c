#include "collective/operation/blocks.h"
#include "collective/operation/collective.h"
#include "collective/reduction/pieces.h"

/* Combine a part in each rank, and gather the parts; all by reading from the other ranks' memory. False: some
 * rank could not read, and all ranks have their elements still. */
static bool by_parts(struct uno_pieces *p, size_t count) {
    struct uno_comm *c = p->c;
    size_t bytes = p->how->bytes, most = (count / (size_t)c->size + 1) * bytes;
    struct uno_block part[c->size];
    for (int r = 0; r < c->size; r++) {
        size_t start = uno_pieces_part(p, count, r);
        part[r] =
            (struct uno_block){p->out + start * bytes, (uno_pieces_part(p, count, r + 1) - start) * bytes};
    }
    struct uno_block own = part[c->rank];
    char *aside = p->in == p->out ? uno_base_allocate(own.size + 1, 1) : NULL;
    own.bytes = aside ? aside : own.bytes;
    bool done = uno_pieces_combine(p, uno_pieces_part(p, count, c->rank), own.size / bytes, own.bytes);
    if (done) {
        uno_blocks_gather(c, p->op, UNO_BY_DIRECT, p->total, &own, &(struct uno_blocks){.of = part}, 0, most);
        uno_block_keep(part[c->rank], own);
    }
    free(aside);
    return done;
}

static UNO_COLD void large(struct uno_comm *c, enum uno_path path, const void *in, void *out, size_t count,
                           const struct uno_reduction *how) {
    struct uno_pieces p = {.c = c, .op = UNO_MPI_ALLREDUCE, .how = how, .total = count * how->layout->size};
    bool pieces = uno_path_is_large(path);
    p.by_unit = path == UNO_BY_UNIT;
    uno_pieces_open(&p, in, count, out, count);
    if (pieces)
        uno_plan_begin(c, p.op);
    if (path != UNO_BY_DIRECT || !uno_pieces_may_combine(&p) || !by_parts(&p, count))
        uno_pieces_reduce(&p, count);
    if (pieces)
        uno_plan_end(c, p.op, count * how->bytes);
    uno_pieces_close(&p, count);
}

bool uno_allreduce(struct uno_comm *c, const void *in, void *out, size_t count,
                   const struct uno_reduction *how) {
    size_t bytes = count * how->layout->size;
    enum uno_path path = uno_pieces_plan(c, UNO_MPI_ALLREDUCE, bytes, count, how);
    if (UNO_UNLIKELY(path == UNO_BY_HOST))
        return false;
    if (UNO_UNLIKELY(!uno_pieces_are_post(path, how))) {
        large(c, path, in, out, count, how);
        return true;
    }
    const void *const *data = uno_slots_meet(c, UNO_MPI_ALLREDUCE, bytes, in, bytes);
    how->kernel(data, c->size, count, out);
    uno_slots_end(c);
    return true;
}

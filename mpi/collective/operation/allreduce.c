#include "collective/operation/collective.h"
#include "collective/reduction/pieces.h"

static UNO_COLD void large(struct uno_comm *c, const void *in, void *out, size_t count,
                           const struct uno_reduction *how) {
    struct uno_pieces p = {.c = c, .op = UNO_MPI_ALLREDUCE, .how = how, .total = count * how->layout->size};
    uno_pieces_open(&p, in, count, out, count);
    uno_pieces_reduce(&p, count);
    uno_pieces_close(&p, count);
}

bool uno_allreduce(struct uno_comm *c, const void *in, void *out, size_t count,
                   const struct uno_reduction *how) {
    size_t bytes = count * how->layout->size;
    enum uno_path path = uno_pieces_plan(c, UNO_MPI_ALLREDUCE, bytes, count, how);
    if (UNO_UNLIKELY(path == UNO_BY_HOST))
        return false;
    if (UNO_UNLIKELY(!uno_pieces_are_post(path, how))) {
        large(c, in, out, count, how);
        return true;
    }
    const void *const *data = uno_slots_meet(c, UNO_MPI_ALLREDUCE, bytes, in, bytes);
    how->kernel(data, c->size, count, out);
    uno_slots_end(c);
    return true;
}

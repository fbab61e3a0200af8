#include "collective/operation/blocks.h"
#include "collective/operation/collective.h"
#include "collective/transport/staged.h"
#include "collective/transport/unit.h"

/* ---- equal blocks ------------------------------------------------------------------------------------ */

/* This rank's block goes to its place, too, if it is not there. Inlined, since a call is a part of what a
 * small operation takes. */
static inline __attribute__((always_inline)) void by_slots(const struct uno_comm *c, const char *block,
                                                           char *blocks, size_t bytes) {
    const void *const *data = uno_slots_meet(c, UNO_MPI_ALLGATHER, bytes, block, bytes);
    for (int r = 0; r < c->size; r++)
        uno_slots_copy(blocks + (size_t)r * bytes, data[r], bytes);
    uno_slots_end(c);
}

static void large(struct uno_comm *c, enum uno_path path, char *block, char *blocks, size_t bytes) {
    const struct uno_block own = {block, bytes};
    const struct uno_blocks all = {.bytes = blocks, .size = bytes};
    if (path == UNO_BY_UNIT) {
        uno_unit_gather(c, UNO_MPI_ALLGATHER, bytes, &own, &all, 0, bytes);
        return;
    }
    uno_plan_begin(c, UNO_MPI_ALLGATHER);
    uno_blocks_gather(c, UNO_MPI_ALLGATHER, path, bytes, &own, &all, 0, bytes);
    uno_plan_end(c, UNO_MPI_ALLGATHER, bytes);
}

/* Blocks of which some must be packed, or which do not fit into a post. own: where this rank's is in `out`.
 */
static UNO_COLD void packed(struct uno_comm *c, enum uno_path path, const struct uno_data *in,
                            const struct uno_data *out, char *own, size_t bytes) {
    struct uno_view mine =
        in ? uno_view_in(in->at, in->count, in->layout) : uno_view_in(own, out->count, out->layout);
    struct uno_view all = uno_view_out(out->at, out->count * (size_t)c->size, out->layout);
    if (path == UNO_BY_SLOTS)
        by_slots(c, mine.bytes, all.bytes, bytes);
    else
        large(c, path, mine.bytes, all.bytes, bytes);
    uno_blocks_finish(c, &all, in ? mine.bytes : NULL, out->count, bytes);
    uno_view_drop(&all);
    uno_view_drop(&mine);
}

bool uno_allgather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out) {
    size_t bytes = out->count * out->layout->size;
    enum uno_path path = uno_plan(c, UNO_MPI_ALLGATHER, bytes, bytes, UNO_ONE_BLOCK);
    if (UNO_UNLIKELY(path == UNO_BY_HOST))
        return false;
    char *own = (char *)out->at + (ptrdiff_t)((size_t)c->rank * out->count) * out->layout->extent;
    const char *block = in ? in->at : own;
    if (UNO_LIKELY(path == UNO_BY_SLOTS && out->layout->plain && (!in || in->layout->plain)))
        by_slots(c, block, out->at, bytes);
    else
        packed(c, path, in, out, own, bytes);
    return true;
}

/* ---- blocks of different sizes ----------------------------------------------------------------------- */

static void varied_by_slots(const struct uno_comm *c, size_t total, const struct uno_block *own,
                            const struct uno_blocks *to) {
    const void *const *data =
        uno_slots_meet(c, UNO_MPI_ALLGATHERV, total, own->size ? own->bytes : NULL, own->size);
    for (int r = 0; r < c->size; r++)
        if (r != c->rank)
            uno_staged_get(to->of[r], 0, data[r], UNO_BYTES);
    uno_slots_end(c);
}

/* Every rank puts its own block, of which `to` has room for those of the others. */
static void varied(struct uno_comm *c, enum uno_path path, size_t total, const struct uno_block *own,
                   const struct uno_blocks *to, size_t most) {
    if (path == UNO_BY_SLOTS) {
        varied_by_slots(c, total, own, to);
        return;
    }
    if (path == UNO_BY_UNIT) {
        uno_unit_gather(c, UNO_MPI_ALLGATHERV, total, own, to, 0, most);
        return;
    }
    uno_plan_begin(c, UNO_MPI_ALLGATHERV);
    uno_blocks_gather(c, UNO_MPI_ALLGATHERV, path, total, own, to, 0, most);
    uno_plan_end(c, UNO_MPI_ALLGATHERV, most);
}

bool uno_allgatherv(struct uno_comm *c, const struct uno_data *in, const struct uno_varied *out) {
    size_t total = 0, most = 0;
    for (int r = 0; r < c->size; r++) {
        size_t bytes = uno_bytes_of(uno_count_of(&out->counts, r), out->layout);
        total += bytes;
        most = bytes > most ? bytes : most;
    }
    enum uno_path path = uno_plan(c, UNO_MPI_ALLGATHERV, total, most, UNO_ONE_BLOCK);
    if (path == UNO_BY_HOST)
        return false;
    struct uno_block of[c->size];
    struct uno_parts all = uno_parts_open(of, c->size, out);
    struct uno_view copy = {0};
    struct uno_block own = of[c->rank];
    if (in) {
        copy = uno_view_in(in->at, in->count, in->layout);
        own.bytes = copy.bytes;
    } else {
        uno_parts_pack(&all, c->rank);
    }
    varied(c, path, total, &own, &all.blocks, most);
    if (in)
        uno_block_keep(of[c->rank], own);
    for (int r = 0; r < c->size; r++)
        if (r != c->rank || in)
            uno_parts_unpack(&all, r);
    free(all.memory);
    uno_view_drop(&copy);
    return true;
}

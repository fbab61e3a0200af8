#include "collective/operation/blocks.h"
#include "collective/operation/collective.h"
#include "collective/transport/ring.h"
#include "collective/transport/slots.h"
#include "collective/transport/unit.h"

/* Copy the root's own block out of the bytes of all blocks. */
static void keep_own(const struct uno_comm *c, const char *blocks, char *block, size_t bytes) {
    if (blocks && block)
        memcpy(block, blocks + (size_t)c->rank * bytes, bytes);
}

static void by_ring(const struct uno_comm *c, const char *blocks, char *block, size_t bytes, int root) {
    uno_rings_begin(c);
    if (!blocks)
        uno_rings_get(c, root, UNO_MPI_SCATTER, bytes, block, bytes);
    for (int r = 0; blocks && r < c->size; r++)
        if (r != root)
            uno_rings_put(c, r, UNO_MPI_SCATTER, bytes, blocks + (size_t)r * bytes, bytes);
    keep_own(c, blocks, block, bytes);
}

static void by_slots(const struct uno_comm *c, const char *blocks, char *block, size_t bytes, int root) {
    const void *const *data = uno_slots_meet(c, UNO_MPI_SCATTER, bytes, blocks, bytes * (size_t)c->size);
    if (block)
        memcpy(block, (const char *)data[root] + (size_t)c->rank * bytes, bytes);
    uno_slots_end(c);
}

/* Receive this rank's block of those that the root has. */
static void large(struct uno_comm *c, enum uno_path path, char *blocks, char *block, size_t bytes, int root) {
    const struct uno_blocks from = {.bytes = blocks, .size = bytes}, to = {.bytes = block, .size = bytes};
    if (path == UNO_BY_UNIT) {
        uno_unit_scatter(c, UNO_MPI_SCATTER, bytes, blocks, block, bytes, root);
        return;
    }
    uno_plan_begin(c, UNO_MPI_SCATTER);
    uno_blocks_scatter_equal(c, UNO_MPI_SCATTER, path, blocks ? &from : NULL, block ? &to : NULL, root,
                             bytes);
    uno_plan_end(c, UNO_MPI_SCATTER, bytes);
}

bool uno_scatter(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out, int root) {
    size_t bytes = in ? in->count * in->layout->size : out->count * out->layout->size;
    enum uno_path path = uno_plan(c, UNO_MPI_SCATTER, bytes, bytes, UNO_BLOCK_EACH);
    if (UNO_UNLIKELY(path == UNO_BY_HOST))
        return false;
    struct uno_view all = {0}, own = {0};
    if (in)
        all = uno_view_in(in->at, in->count * (size_t)c->size, in->layout);
    if (out)
        own = uno_view_out(out->at, out->count, out->layout);
    if (path == UNO_BY_RING)
        by_ring(c, all.bytes, own.bytes, bytes, root);
    else if (path == UNO_BY_SLOTS)
        by_slots(c, all.bytes, own.bytes, bytes, root);
    else
        large(c, path, all.bytes, own.bytes, bytes, root);
    if (out)
        uno_view_unpack(&own, 0, out->count);
    uno_view_drop(&all);
    uno_view_drop(&own);
    return true;
}

bool uno_scatterv(struct uno_comm *c, const struct uno_varied *in, const struct uno_data *out, int root) {
    struct uno_block of[in ? c->size : 1];
    struct uno_parts all = {0};
    struct uno_view own = {0};
    size_t size = out ? uno_bytes_of((int64_t)out->count, out->layout) : 0;
    if (in) {
        all = uno_parts_open(of, c->size, in);
        for (int r = 0; r < c->size; r++)
            uno_parts_pack(&all, r);
    }
    if (size)
        own = uno_view_out(out->at, out->count, out->layout);
    const struct uno_blocks to = {.bytes = own.bytes, .size = size};
    bool done = uno_parts_scatter(c, UNO_MPI_SCATTERV, in ? &all : NULL, out ? &to : NULL, root);
    if (done && size)
        uno_view_unpack(&own, 0, out->count);
    free(all.memory);
    uno_view_drop(&own);
    return done;
}

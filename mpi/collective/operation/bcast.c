#include "collective/operation/blocks.h"
#include "collective/operation/collective.h"
#include "collective/transport/ring.h"
#include "collective/transport/staged.h"
#include "collective/transport/unit.h"

static void by_ring(const struct uno_comm *c, char *data, size_t bytes, int root) {
    uno_rings_begin(c);
    if (c->rank != root) {
        uno_rings_get(c, root, UNO_MPI_BCAST, bytes, data, bytes);
        return;
    }
    for (int i = 1, r = root; i < c->size; i++) {
        r = r + 1 < c->size ? r + 1 : 0;
        uno_rings_put(c, r, UNO_MPI_BCAST, bytes, data, bytes);
    }
}

static void by_slots(const struct uno_comm *c, char *at, size_t bytes, int root) {
    bool mine = c->rank == root;
    const void *const *data = uno_slots_meet(c, UNO_MPI_BCAST, bytes, mine ? at : NULL, bytes);
    if (!mine)
        uno_slots_copy(at, data[root], bytes);
    uno_slots_end(c);
}

static UNO_COLD void large(struct uno_comm *c, enum uno_path path, char *data, size_t bytes, int root) {
    struct uno_blocks all = {.bytes = data, .size = bytes};
    bool mine = c->rank == root;
    uno_plan_begin(c, UNO_MPI_BCAST);
    if (path != UNO_BY_DIRECT ||
        !uno_direct(c, UNO_MPI_BCAST, bytes, UNO_ONE_FOR_ALL, mine ? &all : NULL, mine ? NULL : &all, root))
        uno_staged_bcast(c, UNO_MPI_BCAST, data, bytes, root);
    uno_plan_end(c, UNO_MPI_BCAST, bytes);
}

static inline void packed(struct uno_comm *c, enum uno_path path, char *data, size_t bytes, int root) {
    if (path == UNO_BY_RING)
        by_ring(c, data, bytes, root);
    else if (path == UNO_BY_SLOTS)
        by_slots(c, data, bytes, root);
    else if (path == UNO_BY_UNIT)
        uno_unit_bcast(c, UNO_MPI_BCAST, data, bytes, root);
    else
        large(c, path, data, bytes, root);
}

static UNO_COLD void described(struct uno_comm *c, enum uno_path path, void *at, size_t count,
                               const struct uno_layout *layout, int root) {
    bool mine = c->rank == root;
    struct uno_view v = mine ? uno_view_in(at, count, layout) : uno_view_out(at, count, layout);
    packed(c, path, v.bytes, count * layout->size, root);
    if (!mine)
        uno_view_unpack(&v, 0, count);
    uno_view_drop(&v);
}

bool uno_bcast(struct uno_comm *c, void *at, size_t count, const struct uno_layout *layout, int root) {
    size_t bytes = count * layout->size;
    enum uno_path path = uno_plan(c, UNO_MPI_BCAST, bytes, bytes, UNO_ONE_BLOCK);
    if (UNO_UNLIKELY(path == UNO_BY_HOST))
        return false;
    if (UNO_LIKELY(layout->plain))
        packed(c, path, at, bytes, root);
    else
        described(c, path, at, count, layout, root);
    return true;
}

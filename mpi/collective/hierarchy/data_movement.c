/* The operations that do not combine data. */

#include "collective/hierarchy/hierarchical.h"
#include "collective/hierarchy/inside.h"
#include "collective/transport/plan.h"

bool uno_hierarchical_barrier(struct uno_comm *c) {
    struct uno_nodes *n = uno_inside_ready(c);
    uno_inside_barrier(n);
    if (uno_inside_leads(n))
        n->between->barrier(n->leaders);
    uno_inside_barrier(n);
    return true;
}

bool uno_hierarchical_bcast(struct uno_comm *c, void *at, size_t count, const struct uno_layout *layout,
                            int root) {
    if (!uno_plan_hierarchical(c, count * layout->size, UNO_ONE_BLOCK))
        return false;
    struct uno_nodes *n = uno_inside_ready(c);
    bool home = n->mine == n->node[root];
    /* to the leader, unless that is the root, which need not wait for its node */
    if (home && n->place[root])
        uno_inside_bcast(n, at, count, layout, n->place[root]);
    if (uno_inside_leads(n))
        n->between->bcast(n->leaders, at, count, layout, n->node[root]);
    if (!home || !n->place[root])
        uno_inside_bcast(n, at, count, layout, 0);
    return true;
}

/* The blocks by rank. */
static void sort(const struct uno_nodes *n, const struct uno_comm *c, char *blocks, char *sorted,
                 size_t bytes) {
    for (int r = 0; r < c->size; r++)
        memcpy(sorted + (size_t)r * bytes, uno_inside_block(n, blocks, r, bytes), bytes);
}

bool uno_hierarchical_gather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out,
                             int root) {
    size_t bytes = out ? out->count * out->layout->size : in->count * in->layout->size;
    if (!uno_plan_hierarchical(c, bytes, UNO_BLOCK_EACH))
        return false;
    struct uno_nodes *n = uno_inside_ready(c);
    size_t total = bytes * (size_t)c->size;
    struct uno_view own;
    if (in)
        own = uno_view_in(in->at, in->count, in->layout);
    else
        own = uno_view_in((char *)out->at + (ptrdiff_t)root * (ptrdiff_t)out->count * out->layout->extent,
                          out->count, out->layout);
    char *blocks = uno_inside_collect(n, c, own.bytes, bytes, n->node[root]);
    uno_view_drop(&own);
    char *all = blocks;
    if (out && !blocks)
        all = uno_base_allocate(total, 1);
    uno_inside_deliver(n, c, root, all, total);
    if (out) {
        struct uno_view v = uno_view_out(out->at, out->count * (size_t)c->size, out->layout);
        sort(n, c, all, v.bytes, bytes);
        uno_view_unpack(&v, 0, v.data.count);
        uno_view_drop(&v);
    }
    free(all);
    return true;
}

bool uno_hierarchical_allgather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out) {
    size_t count = out->count, bytes = count * out->layout->size;
    if (!uno_plan_hierarchical(c, bytes, UNO_BLOCK_EACH))
        return false;
    struct uno_nodes *n = uno_inside_ready(c);
    const void *start = (char *)out->at + (ptrdiff_t)((size_t)c->rank * count) * out->layout->extent;
    struct uno_view own =
        in ? uno_view_in(in->at, in->count, in->layout) : uno_view_in(start, count, out->layout);
    char *blocks = uno_inside_collect(n, c, own.bytes, bytes, -1);
    uno_view_drop(&own);
    struct uno_view all = uno_view_out(out->at, count * (size_t)c->size, out->layout);
    if (blocks)
        sort(n, c, blocks, all.bytes, bytes);
    uno_inside_bcast_bytes(n, all.bytes, bytes * (size_t)c->size, 0);
    uno_view_unpack(&all, 0, all.data.count);
    uno_view_drop(&all);
    free(blocks);
    return true;
}

bool uno_hierarchical_scatter(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out,
                              int root) {
    size_t bytes = in ? in->count * in->layout->size : out->count * out->layout->size;
    if (!uno_plan_hierarchical(c, bytes, UNO_BLOCK_EACH))
        return false;
    struct uno_nodes *n = uno_inside_ready(c);
    size_t total = bytes * (size_t)c->size;
    bool home = n->mine == n->node[root], everyone = n->place[root] > 0;
    char *blocks = NULL;
    if (in || (home && everyone))
        blocks = uno_base_allocate(total, 1);
    if (in) {
        struct uno_view v = uno_view_in(in->at, in->count * (size_t)c->size, in->layout);
        for (int r = 0; r < c->size; r++)
            memcpy(uno_inside_block(n, blocks, r, bytes), v.bytes + (size_t)r * bytes, bytes);
        uno_view_drop(&v);
    }
    if (home && everyone)
        uno_inside_bcast_bytes(n, blocks, total, n->place[root]);
    struct uno_view own = {0};
    void *memory = out ? NULL : uno_base_allocate(bytes, 1);
    if (out)
        own = uno_view_out(out->at, out->count, out->layout);
    uno_inside_distribute(n, c, blocks, out ? own.bytes : memory, bytes, root, everyone);
    if (out)
        uno_view_unpack(&own, 0, out->count);
    uno_view_drop(&own);
    free(memory);
    free(blocks);
    return true;
}

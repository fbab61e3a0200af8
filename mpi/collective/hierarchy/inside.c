#include "collective/hierarchy/inside.h"

#include "collective/operation/collective.h"

struct uno_nodes *uno_inside_ready(struct uno_comm *c) {
    if (!c->nodes->connected)
        c->nodes->connect(c);
    c->nodes->connected = true;
    return c->nodes;
}

void uno_inside_barrier(const struct uno_nodes *n) {
    if (uno_inside_ranks(n) > 1 && !uno_barrier(n->inside))
        n->between->barrier(n->here);
}

void uno_inside_bcast(const struct uno_nodes *n, void *at, size_t count, const struct uno_layout *layout,
                      int root) {
    if (uno_inside_ranks(n) > 1 && !uno_bcast(n->inside, at, count, layout, root))
        n->between->bcast(n->here, at, count, layout, root);
}

void uno_inside_bcast_bytes(const struct uno_nodes *n, void *bytes, size_t count, int root) {
    uno_inside_bcast(n, bytes, count, &uno_layout_bytes, root);
}

void uno_inside_gather(const struct uno_nodes *n, const void *block, void *blocks, size_t bytes) {
    const struct uno_data in = {(void *)block, bytes, &uno_layout_bytes},
                          out = {blocks, bytes, &uno_layout_bytes};
    if (!uno_gather(n->inside, &in, uno_inside_leads(n) ? &out : NULL, 0))
        n->between->gather(n->here, block, blocks, bytes);
}

void uno_inside_scatter(const struct uno_nodes *n, const void *blocks, void *block, size_t bytes) {
    const struct uno_data in = {(void *)blocks, bytes, &uno_layout_bytes},
                          out = {block, bytes, &uno_layout_bytes};
    if (!uno_scatter(n->inside, uno_inside_leads(n) ? &in : NULL, &out, 0))
        n->between->scatter(n->here, blocks, block, bytes);
}

void uno_inside_reduce(const struct uno_nodes *n, const void *in, void *out, size_t count,
                       const struct uno_reduction *how) {
    if (!uno_reduce(n->inside, in, out, count, how, 0))
        n->between->reduce(n->here, in, out, count, how, 0);
}

/* The layout of the leaders' blocks: node by node. */
struct layout {
    int *size, *before; /* of each node, in bytes */
};

static struct layout lay_out(const struct uno_nodes *n, size_t bytes) {
    int *room = uno_base_allocate((size_t)n->count, 2 * sizeof *room);
    struct layout l = {room, room + n->count};
    for (int i = 0; i < n->count; i++) {
        l.size[i] = n->size[i] * (int)bytes;
        l.before[i] = n->before[i] * (int)bytes;
    }
    return l;
}

char *uno_inside_collect(const struct uno_nodes *n, const struct uno_comm *c, const void *block, size_t bytes,
                         int node) {
    if (!uno_inside_leads(n)) {
        uno_inside_gather(n, block, NULL, bytes);
        return NULL;
    }
    struct layout l = lay_out(n, bytes);
    bool receives = node < 0 || node == n->mine;
    char *all = uno_base_allocate((size_t)(receives ? c->size : uno_inside_ranks(n)), bytes);
    char *own = receives ? all + l.before[n->mine] : all;
    uno_inside_gather(n, block, own, bytes);
    if (node < 0)
        n->between->allgatherv(n->leaders, all, l.size, l.before);
    else
        n->between->gatherv(n->leaders, receives ? NULL : own, l.size[n->mine], all, l.size, l.before, node);
    free(l.size);
    if (receives)
        return all;
    free(all);
    return NULL;
}

void uno_inside_distribute(const struct uno_nodes *n, const struct uno_comm *c, char *blocks, char *block,
                           size_t bytes, int root, bool everyone) {
    bool home = n->mine == n->node[root], leads = uno_inside_leads(n);
    struct layout l = lay_out(n, bytes);
    char *here = leads && !home ? uno_base_allocate((size_t)uno_inside_ranks(n), bytes) : NULL;
    if (leads)
        n->between->scatterv(n->leaders, blocks, l.size, l.before, here, l.size[n->mine], n->node[root]);
    if (home && everyone)
        memcpy(block, uno_inside_block(n, blocks, c->rank, bytes), bytes);
    else
        uno_inside_scatter(n, home && blocks ? blocks + l.before[n->mine] : here, block, bytes);
    free(here);
    free(l.size);
}

void uno_inside_deliver(const struct uno_nodes *n, const struct uno_comm *c, int rank, void *to,
                        size_t bytes) {
    if (n->mine != n->node[rank] || !n->place[rank])
        return;
    void *memory = uno_inside_leads(n) || c->rank == rank ? NULL : uno_base_allocate(bytes, 1);
    uno_inside_bcast_bytes(n, memory ? memory : to, bytes, 0);
    free(memory);
}

/* Combining. */

#include "collective/hierarchy/hierarchical.h"
#include "collective/hierarchy/inside.h"
#include "collective/transport/plan.h"

/* The arguments of one call. */
struct call {
    struct uno_reduction packed; /* how packed elements are combined */
    size_t bytes;
    bool exact; /* the nodes' parts may be combined apart */
};

/* Fill it in. False: the host's. */
static bool examine(struct call *call, const struct uno_comm *c, size_t count,
                    const struct uno_reduction *how, bool scans) {
    call->bytes = count * how->layout->size;
    if (!uno_plan_hierarchical(c, call->bytes, UNO_ONE_BLOCK))
        return false;
    call->exact = !scans && how->layout->plain && how->kernel && how->any_order;
    call->packed = *how;
    if (how->kernel && !how->layout->plain) {
        call->packed.kernel = NULL;
        call->packed.bytes = how->layout->size;
    }
    return call->exact || uno_plan_hierarchical(c, call->bytes, UNO_BLOCK_EACH);
}

/* Combine the results of the first `ranks` ranks, in rank order, in leaders that have gathered all
 * elements. */
static void combine(const struct call *call, const struct uno_nodes *n, const struct uno_comm *c,
                    char *blocks, int ranks, size_t count, void *out) {
    const void **data = uno_base_allocate((size_t)c->size, sizeof *data);
    for (int r = 0; r < ranks; r++)
        data[r] = uno_inside_block(n, blocks, r, call->bytes);
    uno_combine(&call->packed, data, ranks, count, out);
    free(data);
}

/* Exact elements: the node's, in the leader's `part`, and then those of all nodes. node: whose leader gets
 * the result, -1: all. in may be `part`. */
static void reduce_exact(const struct uno_nodes *n, const void *in, void *part, size_t count,
                         const struct uno_reduction *how, int node) {
    if (uno_inside_ranks(n) > 1) {
        uno_inside_reduce(n, in, part, count, how);
        in = part;
    }
    if (!uno_inside_leads(n))
        return;
    if (node < 0)
        n->between->allreduce(n->leaders, in, part, count, how);
    else
        n->between->reduce(n->leaders, in, part, count, how, node);
}

bool uno_hierarchical_allreduce(struct uno_comm *c, const void *in, void *out, size_t count,
                                const struct uno_reduction *how) {
    struct call call;
    if (!examine(&call, c, count, how, false))
        return false;
    struct uno_nodes *n = uno_inside_ready(c);
    if (call.exact) {
        reduce_exact(n, in, out, count, how, -1);
        uno_inside_bcast(n, out, count, how->layout, 0);
        return true;
    }
    struct uno_view own = uno_view_in(in, count, how->layout);
    char *blocks = uno_inside_collect(n, c, own.bytes, call.bytes, -1);
    uno_view_drop(&own);
    struct uno_view result = uno_view_out(out, count, how->layout);
    if (blocks)
        combine(&call, n, c, blocks, c->size, count, result.bytes);
    uno_inside_bcast_bytes(n, result.bytes, call.bytes, 0);
    uno_view_unpack(&result, 0, count);
    uno_view_drop(&result);
    free(blocks);
    return true;
}

bool uno_hierarchical_reduce(struct uno_comm *c, const void *in, void *out, size_t count,
                             const struct uno_reduction *how, int root) {
    struct call call;
    bool mine = c->rank == root;
    if (!examine(&call, c, count, how, false))
        return false;
    struct uno_nodes *n = uno_inside_ready(c);
    struct uno_view own = uno_view_in(in, count, how->layout), result = {0};
    void *part = NULL;
    if (mine)
        result = uno_view_out(out, count, how->layout);
    else if (uno_inside_leads(n))
        result.bytes = part = uno_base_allocate(call.bytes, 1);
    if (call.exact) {
        reduce_exact(n, own.bytes, result.bytes, count, how, n->node[root]);
    } else {
        char *blocks = uno_inside_collect(n, c, own.bytes, call.bytes, n->node[root]);
        if (blocks)
            combine(&call, n, c, blocks, c->size, count, result.bytes);
        free(blocks);
    }
    uno_inside_deliver(n, c, root, result.bytes, call.bytes);
    if (mine)
        uno_view_unpack(&result, 0, count);
    uno_view_drop(&own);
    uno_view_drop(&result);
    free(part);
    return true;
}

bool uno_hierarchical_scan(struct uno_comm *c, bool inclusive, const void *in, void *out, size_t count,
                           const struct uno_reduction *how) {
    struct call call;
    if (!examine(&call, c, count, how, true))
        return false;
    struct uno_nodes *n = uno_inside_ready(c);
    struct uno_view own = uno_view_in(in, count, how->layout);
    char *blocks = uno_inside_collect(n, c, own.bytes, call.bytes, -1), *results = NULL;
    uno_view_drop(&own);
    if (blocks)
        results = uno_base_allocate((size_t)uno_inside_ranks(n), call.bytes);
    for (int i = 0; blocks && i < uno_inside_ranks(n); i++) {
        int ranks = n->rank[n->before[n->mine] + i] + inclusive;
        if (ranks)
            combine(&call, n, c, blocks, ranks, count, results + (size_t)i * call.bytes);
    }
    bool any = c->rank + inclusive > 0;
    struct uno_view result = {0};
    void *nowhere = any ? NULL : uno_base_allocate(call.bytes, 1);
    if (any)
        result = uno_view_out(out, count, how->layout);
    uno_inside_scatter(n, results, any ? result.bytes : nowhere, call.bytes);
    if (any)
        uno_view_unpack(&result, 0, count);
    uno_view_drop(&result);
    free(nowhere);
    free(results);
    free(blocks);
    return true;
}

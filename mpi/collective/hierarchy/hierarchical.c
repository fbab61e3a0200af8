#include "collective/hierarchy/hierarchical.h"

#include "collective/collective.h"
#include "accelerator/settings.h"
#include "collective/data.h"

enum {
    WHOLE = 1024 * 1024, /* up to so many bytes where each rank has all of them, */
    BLOCKS = 64 * 1024,  /* and where they are the blocks of all ranks */
};

/* ---- inside a node ---------------------------------------------------------------------------------------
 */

/* The communicator's nodes, ready for an operation. */
static struct uno_nodes *ready(const struct uno_comm *c, MPI_Comm comm) {
    uno_nodes_connect(c->nodes, c->rank, comm);
    return c->nodes;
}

static bool leads(const struct uno_nodes *n) {
    return n->leaders != MPI_COMM_NULL;
}

static int ranks_here(const struct uno_nodes *n) {
    return n->size[n->mine];
}

static void barrier_inside(const struct uno_nodes *n) {
    if (ranks_here(n) > 1 && !uno_barrier(n->inside))
        HOST(Barrier)(n->inside);
}

static void bcast_inside(const struct uno_nodes *n, void *buffer, size_t count, MPI_Datatype type,
                         int place) {
    if (ranks_here(n) > 1 && !uno_bcast(buffer, (MPI_Count)count, type, place, n->inside))
        HOST(Bcast)(buffer, (int)count, type, place, n->inside);
}

/* A block of each rank; blocks: in the leader. */
static void gather_inside(const struct uno_nodes *n, const void *block, void *blocks, size_t bytes) {
    if (!uno_gather(block, (MPI_Count)bytes, MPI_BYTE, blocks, (MPI_Count)bytes, MPI_BYTE, 0, n->inside))
        HOST(Gather)(block, (int)bytes, MPI_BYTE, blocks, (int)bytes, MPI_BYTE, 0, n->inside);
}

static void scatter_inside(const struct uno_nodes *n, const void *blocks, void *block, size_t bytes) {
    if (!uno_scatter(blocks, (MPI_Count)bytes, MPI_BYTE, block, (MPI_Count)bytes, MPI_BYTE, 0, n->inside))
        HOST(Scatter)(blocks, (int)bytes, MPI_BYTE, block, (int)bytes, MPI_BYTE, 0, n->inside);
}

/* To the leader. */
static void reduce_inside(const struct uno_nodes *n, const void *in, void *out, size_t count,
                          MPI_Datatype type, MPI_Op op) {
    if (!uno_reduce(in, out, (MPI_Count)count, type, op, 0, n->inside))
        HOST(Reduce)(in, out, (int)count, type, op, 0, n->inside);
}

/* On one node, bytes that the leader has to the rank that wants them; `to`: where that one wants them, and in
 * the leader where they are. */
static void deliver(const struct uno_nodes *n, const struct uno_comm *c, int rank, void *to, size_t bytes) {
    if (n->mine != n->node[rank] || !n->place[rank])
        return;
    void *memory = leads(n) || c->rank == rank ? NULL : uno_node_allocate(bytes, 1);
    bcast_inside(n, memory ? memory : to, bytes, MPI_BYTE, 0);
    free(memory);
}

/* ---- without combining -----------------------------------------------------------------------------------
 */

bool uno_across_barrier(const struct uno_comm *c, MPI_Comm comm) {
    if (!c->nodes)
        return false;
    struct uno_nodes *n = ready(c, comm);
    barrier_inside(n);
    if (leads(n))
        HOST(Barrier)(n->leaders);
    barrier_inside(n);
    return true;
}

bool uno_across_bcast(const struct uno_comm *c, void *out, MPI_Count count, MPI_Datatype type, int root,
                      MPI_Comm comm) {
    if (!c->nodes)
        return false;
    const struct uno_datatype *t = uno_datatype_of(type);
    size_t bytes = (size_t)count * t->size;
    if (bytes - 1 >= WHOLE || (unsigned)root >= (unsigned)c->size || !uno_is_buffer(out, t))
        return false;
    struct uno_nodes *n = ready(c, comm);
    bool home = n->mine == n->node[root];
    /* to the leader, unless that is the root, which need not wait for its node */
    if (home && n->place[root])
        bcast_inside(n, out, (size_t)count, type, n->place[root]);
    if (leads(n))
        HOST(Bcast)(out, (int)count, type, n->node[root], n->leaders);
    if (!home || !n->place[root])
        bcast_inside(n, out, (size_t)count, type, 0);
    return true;
}

/* How the leaders' blocks lie: node by node. */
struct layout {
    int *size, *before; /* of each node, in bytes */
};

static struct layout lay_out(const struct uno_nodes *n, size_t bytes) {
    int *room = uno_node_allocate((size_t)n->count, 2 * sizeof *room);
    struct layout l = {room, room + n->count};
    for (int i = 0; i < n->count; i++) {
        l.size[i] = n->size[i] * (int)bytes;
        l.before[i] = n->before[i] * (int)bytes;
    }
    return l;
}

/* Where rank r's block is among those that lie node by node. */
static char *block_of(const struct uno_nodes *n, char *blocks, int r, size_t bytes) {
    return blocks + (size_t)(n->before[n->node[r]] + n->place[r]) * bytes;
}

/* Every rank puts a block. Returns all blocks, node by node, to be freed, in the leader of the given node, or
 * with -1 of each node; elsewhere NULL. */
static char *gather(const struct uno_nodes *n, const struct uno_comm *c, const void *block, size_t bytes,
                    int node) {
    if (!leads(n)) {
        gather_inside(n, block, NULL, bytes);
        return NULL;
    }
    struct layout l = lay_out(n, bytes);
    bool receives = node < 0 || node == n->mine;
    char *all = uno_node_allocate((size_t)(receives ? c->size : ranks_here(n)), bytes);
    char *own = receives ? all + l.before[n->mine] : all;
    gather_inside(n, block, own, bytes);
    if (node < 0)
        HOST(Allgatherv)(MPI_IN_PLACE, 0, MPI_BYTE, all, l.size, l.before, MPI_BYTE, n->leaders);
    else
        HOST(Gatherv)
    (receives ? MPI_IN_PLACE : own, l.size[n->mine], MPI_BYTE, all, l.size, l.before, MPI_BYTE, node,
     n->leaders);
    free(l.size);
    if (receives)
        return all;
    free(all);
    return NULL;
}

/* The blocks by rank. */
static void sort(const struct uno_nodes *n, const struct uno_comm *c, char *blocks, char *sorted,
                 size_t bytes) {
    for (int r = 0; r < c->size; r++)
        memcpy(sorted + (size_t)r * bytes, block_of(n, blocks, r, bytes), bytes);
}

/* Whether an operation with a block of so many bytes for each rank pays. */
static bool pays(const struct uno_comm *c, size_t bytes) {
    return bytes - 1 < BLOCKS / (size_t)c->size;
}

bool uno_across_gather(const struct uno_comm *c, const void *in, MPI_Count in_count, MPI_Datatype in_type,
                       void *out, MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    if (!c->nodes)
        return false;
    bool mine = c->rank == root, in_place = mine && in == MPI_IN_PLACE;
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    const struct uno_datatype *to = mine ? uno_datatype_of(out_type) : NULL;
    size_t bytes = mine ? (size_t)out_count * to->size : (size_t)in_count * from->size;
    if (!pays(c, bytes) || (unsigned)root >= (unsigned)c->size ||
        (to && (!uno_is_buffer(out, to) || uno_is_refused(in, out))) ||
        (from && (!uno_is_buffer(in, from) || in == MPI_IN_PLACE || (size_t)in_count * from->size != bytes)))
        return false;
    struct uno_nodes *n = ready(c, comm);
    struct uno_view own;
    if (from)
        own = uno_view_in(in, (size_t)in_count, in_type, from);
    else
        own = uno_view_in((char *)out + (ptrdiff_t)root * (ptrdiff_t)out_count * to->extent,
                          (size_t)out_count, out_type, to);
    size_t total = bytes * (size_t)c->size;
    char *blocks = gather(n, c, own.bytes, bytes, n->node[root]);
    uno_view_drop(&own);
    char *all = blocks;
    if (mine && !blocks)
        all = uno_node_allocate(total, 1);
    deliver(n, c, root, all, total);
    if (mine) {
        struct uno_view v = uno_view_out(out, (size_t)out_count * (size_t)c->size, out_type, to);
        sort(n, c, all, v.bytes, bytes);
        uno_view_unpack(&v, 0, v.count);
        uno_view_drop(&v);
    }
    free(all);
    return true;
}

bool uno_across_allgather(const struct uno_comm *c, const void *in, MPI_Count in_count, MPI_Datatype in_type,
                          void *out, MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm) {
    if (!c->nodes)
        return false;
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? to : uno_datatype_of(in_type);
    size_t count = (size_t)out_count, bytes = count * to->size;
    if (!pays(c, bytes) || !uno_is_buffer(out, to) || uno_is_refused(in, out) ||
        (!in_place && (!uno_is_buffer(in, from) || (size_t)in_count * from->size != bytes)))
        return false;
    struct uno_nodes *n = ready(c, comm);
    const void *start = (char *)out + (ptrdiff_t)((size_t)c->rank * count) * to->extent;
    struct uno_view own =
        in_place ? uno_view_in(start, count, out_type, to) : uno_view_in(in, (size_t)in_count, in_type, from);
    char *blocks = gather(n, c, own.bytes, bytes, -1);
    uno_view_drop(&own);
    struct uno_view all = uno_view_out(out, count * (size_t)c->size, out_type, to);
    if (blocks)
        sort(n, c, blocks, all.bytes, bytes);
    bcast_inside(n, all.bytes, bytes * (size_t)c->size, MPI_BYTE, 0);
    uno_view_unpack(&all, 0, all.count);
    uno_view_drop(&all);
    free(blocks);
    return true;
}

/* Every rank's block from those that lie node by node: in the leader of the root's node, or if `everyone` in
 * all of its ranks. */
static void scatter(const struct uno_nodes *n, const struct uno_comm *c, char *blocks, char *block,
                    size_t bytes, int root, bool everyone) {
    bool home = n->mine == n->node[root];
    struct layout l = lay_out(n, bytes);
    char *here = NULL;
    if (leads(n) && !home)
        here = uno_node_allocate((size_t)ranks_here(n), bytes);
    if (leads(n))
        HOST(Scatterv)
    (blocks, l.size, l.before, MPI_BYTE, home ? MPI_IN_PLACE : here, l.size[n->mine], MPI_BYTE, n->node[root],
     n->leaders);
    if (home && everyone)
        memcpy(block, block_of(n, blocks, c->rank, bytes), bytes);
    else
        scatter_inside(n, home && blocks ? blocks + l.before[n->mine] : here, block, bytes);
    free(here);
    free(l.size);
}

bool uno_across_scatter(const struct uno_comm *c, const void *in, MPI_Count in_count, MPI_Datatype in_type,
                        void *out, MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    if (!c->nodes)
        return false;
    bool mine = c->rank == root, in_place = mine && out == MPI_IN_PLACE;
    const struct uno_datatype *from = mine ? uno_datatype_of(in_type) : NULL;
    const struct uno_datatype *to = in_place ? NULL : uno_datatype_of(out_type);
    size_t bytes = mine ? (size_t)in_count * from->size : (size_t)out_count * to->size;
    if (!pays(c, bytes) || (unsigned)root >= (unsigned)c->size ||
        (from && (!uno_is_buffer(in, from) || uno_is_refused(in, out))) ||
        (to && (!uno_is_buffer(out, to) || out == MPI_IN_PLACE || (size_t)out_count * to->size != bytes)))
        return false;
    struct uno_nodes *n = ready(c, comm);
    size_t total = bytes * (size_t)c->size;
    bool home = n->mine == n->node[root], everyone = n->place[root] > 0;
    char *blocks = NULL;
    if (mine || (home && everyone))
        blocks = uno_node_allocate(total, 1);
    if (mine) {
        struct uno_view v = uno_view_in(in, (size_t)in_count * (size_t)c->size, in_type, from);
        for (int r = 0; r < c->size; r++)
            memcpy(block_of(n, blocks, r, bytes), v.bytes + (size_t)r * bytes, bytes);
        uno_view_drop(&v);
    }
    if (home && everyone)
        bcast_inside(n, blocks, total, MPI_BYTE, n->place[root]);
    struct uno_view own = {0};
    void *memory = in_place ? uno_node_allocate(bytes, 1) : NULL;
    if (to)
        own = uno_view_out(out, (size_t)out_count, out_type, to);
    scatter(n, c, blocks, in_place ? memory : own.bytes, bytes, root, everyone);
    if (to)
        uno_view_unpack(&own, 0, (size_t)out_count);
    uno_view_drop(&own);
    free(memory);
    free(blocks);
    return true;
}

/* ---- combining -------------------------------------------------------------------------------------------
 */

/* One call, taken apart. */
struct call {
    struct uno_combine how; /* of packed elements */
    size_t bytes;
    bool exact; /* the nodes' parts may be combined apart */
};

/* Fill it in. False: the host's. */
static bool examine(struct call *call, const struct uno_comm *c, MPI_Count count, MPI_Datatype type,
                    MPI_Op op, bool scans) {
    const struct uno_datatype *t = uno_datatype_of(type);
    call->bytes = (size_t)count * t->size;
    if (call->bytes - 1 >= WHOLE || !uno_combine_of(&call->how, t, type, op))
        return false;
    call->exact = !scans && t->plain && call->how.function &&
                  (uno_settings.fast_math || uno_reduce_is_exact(t->reduce));
    if (call->how.function && !t->plain) {
        call->how.function = NULL;
        call->how.bytes = t->size;
    }
    return call->exact || pays(c, call->bytes);
}

/* In the leaders that have gathered all elements: the results of the first `ranks` ranks, in rank order. */
static void combine(const struct call *call, const struct uno_nodes *n, const struct uno_comm *c,
                    char *blocks, int ranks, size_t count, void *out) {
    const void **data = uno_node_allocate((size_t)c->size, sizeof *data);
    for (int r = 0; r < ranks; r++)
        data[r] = block_of(n, blocks, r, call->bytes);
    uno_combine(&call->how, data, ranks, count, out);
    free(data);
}

/* Exact numbers: the node's, in the leader's `part`, and then those of all nodes. node: whose leader gets the
 * result, -1: all. in may be MPI_IN_PLACE in leaders. */
static void reduce_exact(const struct uno_nodes *n, const void *in, void *part, size_t count,
                         MPI_Datatype type, MPI_Op op, int node) {
    if (ranks_here(n) > 1) {
        reduce_inside(n, in, part, count, type, op);
        in = MPI_IN_PLACE;
    }
    if (!leads(n))
        return;
    if (node < 0)
        HOST(Allreduce)(in, part, (int)count, type, op, n->leaders);
    else if (node == n->mine)
        HOST(Reduce)(in, part, (int)count, type, op, node, n->leaders);
    else
        HOST(Reduce)(in == MPI_IN_PLACE ? part : in, NULL, (int)count, type, op, node, n->leaders);
}

bool uno_across_allreduce(const struct uno_comm *c, const void *in, void *out, MPI_Count count,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    struct call call;
    if (!c->nodes || !examine(&call, c, count, type, op, false) || !uno_is_buffer(in, call.how.t) ||
        !uno_is_buffer(out, call.how.t) || out == MPI_IN_PLACE || uno_is_refused(in, out))
        return false;
    struct uno_nodes *n = ready(c, comm);
    if (call.exact) {
        reduce_exact(n, in == MPI_IN_PLACE && !leads(n) ? out : in, out, (size_t)count, type, op, -1);
        bcast_inside(n, out, (size_t)count, type, 0);
        return true;
    }
    struct uno_view own = uno_view_in(in == MPI_IN_PLACE ? out : in, (size_t)count, type, call.how.t);
    char *blocks = gather(n, c, own.bytes, call.bytes, -1);
    uno_view_drop(&own);
    struct uno_view result = uno_view_out(out, (size_t)count, type, call.how.t);
    if (blocks)
        combine(&call, n, c, blocks, c->size, (size_t)count, result.bytes);
    bcast_inside(n, result.bytes, call.bytes, MPI_BYTE, 0);
    uno_view_unpack(&result, 0, (size_t)count);
    uno_view_drop(&result);
    free(blocks);
    return true;
}

bool uno_across_reduce(const struct uno_comm *c, const void *in, void *out, MPI_Count count,
                       MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    struct call call;
    bool mine = c->rank == root;
    if (!c->nodes || !examine(&call, c, count, type, op, false) || (unsigned)root >= (unsigned)c->size ||
        !uno_is_buffer(in, call.how.t) || (in == MPI_IN_PLACE && !mine) ||
        (mine && (!uno_is_buffer(out, call.how.t) || out == MPI_IN_PLACE || uno_is_refused(in, out))))
        return false;
    struct uno_nodes *n = ready(c, comm);
    /* packed, and in exact operations elements are plain */
    struct uno_view own = uno_view_in(in == MPI_IN_PLACE ? out : in, (size_t)count, type, call.how.t);
    struct uno_view result = {0};
    void *part = NULL;
    if (mine)
        result = uno_view_out(out, (size_t)count, type, call.how.t);
    else if (leads(n))
        result.bytes = part = uno_node_allocate(call.bytes, 1);
    if (call.exact) {
        bool in_place = in == MPI_IN_PLACE && leads(n);
        reduce_exact(n, in_place ? in : own.bytes, result.bytes, (size_t)count, type, op, n->node[root]);
    } else {
        char *blocks = gather(n, c, own.bytes, call.bytes, n->node[root]);
        if (blocks)
            combine(&call, n, c, blocks, c->size, (size_t)count, result.bytes);
        free(blocks);
    }
    deliver(n, c, root, result.bytes, call.bytes);
    if (mine)
        uno_view_unpack(&result, 0, (size_t)count);
    uno_view_drop(&own);
    uno_view_drop(&result);
    free(part);
    return true;
}

bool uno_across_scan(const struct uno_comm *c, bool inclusive, const void *in, void *out, MPI_Count count,
                     MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    struct call call;
    if (!c->nodes || !examine(&call, c, count, type, op, true) || !uno_is_buffer(in, call.how.t) ||
        !uno_is_buffer(out, call.how.t) || out == MPI_IN_PLACE || uno_is_refused(in, out))
        return false;
    struct uno_nodes *n = ready(c, comm);
    struct uno_view own = uno_view_in(in == MPI_IN_PLACE ? out : in, (size_t)count, type, call.how.t);
    char *blocks = gather(n, c, own.bytes, call.bytes, -1), *results = NULL;
    uno_view_drop(&own);
    if (blocks)
        results = uno_node_allocate((size_t)ranks_here(n), call.bytes);
    for (int i = 0; blocks && i < ranks_here(n); i++) {
        int ranks = n->rank[n->before[n->mine] + i] + inclusive;
        if (ranks)
            combine(&call, n, c, blocks, ranks, (size_t)count, results + (size_t)i * call.bytes);
    }
    bool any = c->rank + inclusive > 0;
    struct uno_view result = {0};
    void *nowhere = any ? NULL : uno_node_allocate(call.bytes, 1);
    if (any)
        result = uno_view_out(out, (size_t)count, type, call.how.t);
    scatter_inside(n, results, any ? result.bytes : nowhere, call.bytes);
    if (any)
        uno_view_unpack(&result, 0, (size_t)count);
    uno_view_drop(&result);
    free(nowhere);
    free(results);
    free(blocks);
    return true;
}

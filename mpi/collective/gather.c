/* The operations that move equal blocks of data. */

#include "collective/hierarchy/hierarchical.h"
#include "collective/collective.h"
#include "collective/transport/slots.h"
#include "collective/transport/direct.h"
#include "collective/transport/ring.h"
#include "collective/data.h"
#include "collective/transport/trials.h"

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

bool uno_barrier(MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(!uno_comm_takes(c, UNO_MPI_BARRIER, 1)))
        return uno_across_barrier(c, comm);
    uno_exchange_meet(c, UNO_MPI_BARRIER, 0);
    uno_exchange_end(c);
    return true;
}

/* ---- from one rank to all --------------------------------------------------------------------------------
 */

static void bcast_stream(const struct uno_comm *c, char *data, size_t bytes, int root) {
    uno_stream_begin(c);
    if (c->rank != root) {
        uno_stream_get(c, root, UNO_MPI_BCAST, bytes, data, bytes);
        return;
    }
    for (int i = 1, r = root; i < c->size; i++) {
        r = r + 1 < c->size ? r + 1 : 0;
        uno_stream_put(c, r, UNO_MPI_BCAST, bytes, data, bytes);
    }
}

static bool bcast_single(const struct uno_comm *c, char *data, size_t bytes, int root) {
    const char *at[c->size];
    uno_single_begin(c, UNO_MPI_BCAST, bytes, data, at);
    bool read = c->rank == root || uno_single_read(c, root, at[root], data, bytes);
    return uno_single_end(c, UNO_MPI_BCAST, bytes, read);
}

static void bcast_pieces(const struct uno_comm *c, char *data, size_t bytes, int root) {
    for (size_t at = 0; at < bytes; at += UNO_PIECE) {
        size_t n = least(bytes - at, UNO_PIECE);
        if (c->rank == root)
            memcpy(uno_exchange_room(c), data + at, n);
        uno_exchange_meet(c, UNO_MPI_BCAST, bytes);
        if (c->rank != root)
            memcpy(data + at, uno_exchange_of(c, root), n);
        uno_exchange_end(c);
    }
}

static UNO_COLD void bcast_large(const struct uno_comm *c, void *out, size_t count, MPI_Datatype type,
                                 const struct uno_datatype *t, int root) {
    size_t bytes = count * t->size;
    bool mine = c->rank == root;
    struct uno_view v = mine ? uno_view_in(out, count, type, t) : uno_view_out(out, count, type, t);
    if (uno_stream_takes(c, UNO_MPI_BCAST, bytes)) {
        bcast_stream(c, v.bytes, bytes, root);
    } else if (bytes <= UNO_BYTES) {
        const void *const *data = uno_exchange_small(c, UNO_MPI_BCAST, bytes, mine ? v.bytes : NULL, bytes);
        if (!mine)
            memcpy(v.bytes, data[root], bytes);
        uno_exchange_end(c);
    } else {
        uno_ways_begin(c, UNO_MPI_BCAST);
        if (!uno_single_takes(c, UNO_MPI_BCAST, bytes, UNO_PIECE) || !bcast_single(c, v.bytes, bytes, root))
            bcast_pieces(c, v.bytes, bytes, root);
        uno_ways_end(c, UNO_MPI_BCAST, bytes);
    }
    if (!mine)
        uno_view_unpack(&v, 0, count);
    uno_view_drop(&v);
}

bool uno_bcast(void *out, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(!c->lane))
        return uno_across_bcast(c, out, count, type, root, comm);
    const struct uno_datatype *t = uno_datatype_of(type);
    size_t bytes = (size_t)count * t->size;
    if (UNO_UNLIKELY(!uno_comm_takes(c, UNO_MPI_BCAST, bytes) || (unsigned)root >= (unsigned)c->size ||
                     !uno_is_buffer(out, t)))
        return false;
    if (UNO_LIKELY(t->plain && uno_stream_takes(c, UNO_MPI_BCAST, bytes))) {
        bcast_stream(c, out, bytes, root);
        return true;
    }
    if (UNO_UNLIKELY(bytes > UNO_BYTES || !t->plain)) {
        bcast_large(c, out, (size_t)count, type, t, root);
        return true;
    }
    bool mine = c->rank == root;
    const void *const *data = uno_exchange_small(c, UNO_MPI_BCAST, bytes, mine ? out : NULL, bytes);
    if (!mine)
        uno_copy_small(out, data[root], bytes);
    uno_exchange_end(c);
    return true;
}

/* Where a rank's block is in the buffer of the root, which holds a piece of each. */
static size_t share_of(const struct uno_comm *c, size_t block) {
    return least(block, UNO_PIECE / (size_t)c->size / 64 * 64);
}

/* This rank's block, from the bytes of all blocks in the root. */
static void scatter_pieces(const struct uno_comm *c, const char *blocks, char *block, size_t bytes,
                           int root) {
    size_t me = (size_t)c->rank, share = share_of(c, bytes);
    for (size_t at = 0; at < bytes; at += share) {
        size_t n = least(bytes - at, share);
        if (blocks) {
            char *room = uno_exchange_room(c);
            for (int r = 0; r < c->size; r++)
                if (r != root)
                    memcpy(room + (size_t)r * share, blocks + (size_t)r * bytes + at, n);
        }
        uno_exchange_meet(c, UNO_MPI_SCATTER, bytes);
        if (!blocks)
            memcpy(block + at, (const char *)uno_exchange_of(c, root) + me * share, n);
        uno_exchange_end(c);
    }
}

/* What a root has of its own, from the bytes of all blocks. */
static void scatter_own(const struct uno_comm *c, const char *blocks, char *block, size_t bytes) {
    if (blocks && block)
        memcpy(block, blocks + (size_t)c->rank * bytes, bytes);
}

static bool scatter_single(const struct uno_comm *c, const char *blocks, char *block, size_t bytes,
                           int root) {
    const char *at[c->size];
    uno_single_begin(c, UNO_MPI_SCATTER, bytes, blocks, at);
    bool read = blocks || uno_single_read(c, root, at[root] + (size_t)c->rank * bytes, block, bytes);
    scatter_own(c, blocks, block, bytes); /* while others read: it has nothing else to do */
    return uno_single_end(c, UNO_MPI_SCATTER, bytes, read);
}

static void scatter_stream(const struct uno_comm *c, const char *blocks, char *block, size_t bytes,
                           int root) {
    uno_stream_begin(c);
    if (!blocks)
        uno_stream_get(c, root, UNO_MPI_SCATTER, bytes, block, bytes);
    for (int r = 0; blocks && r < c->size; r++)
        if (r != root)
            uno_stream_put(c, r, UNO_MPI_SCATTER, bytes, blocks + (size_t)r * bytes, bytes);
}

static void scatter(const struct uno_comm *c, const char *blocks, char *block, size_t bytes, int root) {
    size_t total = bytes * (size_t)c->size, me = (size_t)c->rank;
    if (uno_stream_takes(c, UNO_MPI_SCATTER, bytes)) {
        scatter_stream(c, blocks, block, bytes, root);
        scatter_own(c, blocks, block, bytes);
        return;
    }
    if (total <= UNO_BYTES) {
        const void *const *data = uno_exchange_small(c, UNO_MPI_SCATTER, bytes, blocks, total);
        if (block)
            memcpy(block, (const char *)data[root] + me * bytes, bytes);
        uno_exchange_end(c);
        return;
    }
    uno_ways_begin(c, UNO_MPI_SCATTER);
    if (!uno_single_takes(c, UNO_MPI_SCATTER, bytes, share_of(c, bytes)) ||
        !scatter_single(c, blocks, block, bytes, root)) {
        scatter_pieces(c, blocks, block, bytes, root);
        scatter_own(c, blocks, block, bytes);
    }
    uno_ways_end(c, UNO_MPI_SCATTER, bytes);
}

bool uno_scatter(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(!c->lane))
        return uno_across_scatter(c, in, in_count, in_type, out, out_count, out_type, root, comm);
    bool mine = c->rank == root, in_place = mine && out == MPI_IN_PLACE;
    const struct uno_datatype *from = mine ? uno_datatype_of(in_type) : NULL;
    const struct uno_datatype *to = in_place ? NULL : uno_datatype_of(out_type);
    size_t bytes = mine ? (size_t)in_count * from->size : (size_t)out_count * to->size;
    if (UNO_UNLIKELY(!uno_comm_takes(c, UNO_MPI_SCATTER, bytes) || (unsigned)root >= (unsigned)c->size ||
                     (from && (!uno_is_buffer(in, from) || uno_is_refused(in, out))) ||
                     (to && (!uno_is_buffer(out, to) || out == MPI_IN_PLACE ||
                             (size_t)out_count * to->size != bytes))))
        return false;
    struct uno_view all = {0}, own = {0};
    if (mine)
        all = uno_view_in(in, (size_t)in_count * (size_t)c->size, in_type, from);
    if (to)
        own = uno_view_out(out, (size_t)out_count, out_type, to);
    scatter(c, all.bytes, own.bytes, bytes, root);
    uno_view_unpack(&own, 0, (size_t)out_count);
    uno_view_drop(&all);
    uno_view_drop(&own);
    return true;
}

/* ---- from all ranks to one, or to all --------------------------------------------------------------------
 */

static bool gather_single(const struct uno_comm *c, enum uno_op op, const char *block, char *blocks,
                          size_t bytes) {
    const char *at[c->size];
    bool read = true;
    uno_single_begin(c, op, bytes, block, at);
    for (int i = 1, r = c->rank; blocks && i < c->size; i++) {
        r = r + 1 < c->size ? r + 1 : 0;
        read &= uno_single_read(c, r, at[r], blocks + (size_t)r * bytes, bytes);
    }
    return uno_single_end(c, op, bytes, read);
}

static void gather_stream(const struct uno_comm *c, const char *block, char *blocks, size_t bytes, int root) {
    uno_stream_begin(c);
    if (!blocks)
        uno_stream_put(c, root, UNO_MPI_GATHER, bytes, block, bytes);
    for (int r = 0; blocks && r < c->size; r++)
        if (r != root)
            uno_stream_get(c, r, UNO_MPI_GATHER, bytes, blocks + (size_t)r * bytes, bytes);
}

static void gather_pieces(const struct uno_comm *c, enum uno_op op, const char *block, char *blocks,
                          size_t bytes) {
    for (size_t at = 0; at < bytes; at += UNO_PIECE) {
        size_t n = least(bytes - at, UNO_PIECE);
        if (block)
            memcpy(uno_exchange_room(c), block + at, n);
        uno_exchange_meet(c, op, bytes);
        for (int r = 0; blocks && r < c->size; r++)
            if (r != c->rank)
                memcpy(blocks + (size_t)r * bytes + at, uno_exchange_of(c, r), n);
        uno_exchange_end(c);
    }
}

/* Each rank puts its block; `blocks`, in the ranks that receive, gets those of the others. */
static void gather(const struct uno_comm *c, enum uno_op op, const char *block, char *blocks, size_t bytes) {
    if (bytes <= UNO_BYTES) {
        const void *const *data = uno_exchange_small(c, op, bytes, block, bytes);
        for (int r = 0; blocks && r < c->size; r++)
            if (r != c->rank)
                uno_copy_small(blocks + (size_t)r * bytes, data[r], bytes);
        uno_exchange_end(c);
        return;
    }
    uno_ways_begin(c, op);
    if (!uno_single_takes(c, op, bytes, UNO_PIECE) || !gather_single(c, op, block, blocks, bytes))
        gather_pieces(c, op, block, blocks, bytes);
    uno_ways_end(c, op, bytes);
}

/* What a receiver does when all blocks are there. own: the bytes of its own, unless they are in place. */
static void take_blocks(const struct uno_comm *c, struct uno_view *all, const char *own, size_t count,
                        size_t bytes) {
    size_t me = (size_t)c->rank;
    if (own)
        memmove(all->bytes + me * bytes, own, bytes);
    uno_view_unpack(all, 0, (me + (own != NULL)) * count);
    uno_view_unpack(all, (me + 1) * count, ((size_t)c->size - me - 1) * count);
}

bool uno_gather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                MPI_Datatype out_type, int root, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(!c->lane))
        return uno_across_gather(c, in, in_count, in_type, out, out_count, out_type, root, comm);
    bool mine = c->rank == root, in_place = mine && in == MPI_IN_PLACE;
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    const struct uno_datatype *to = mine ? uno_datatype_of(out_type) : NULL;
    size_t bytes = mine ? (size_t)out_count * to->size : (size_t)in_count * from->size;
    if (UNO_UNLIKELY(!uno_comm_takes(c, UNO_MPI_GATHER, bytes) || (unsigned)root >= (unsigned)c->size ||
                     (to && (!uno_is_buffer(out, to) || uno_is_refused(in, out))) ||
                     (from && (!uno_is_buffer(in, from) || in == MPI_IN_PLACE ||
                               (size_t)in_count * from->size != bytes))))
        return false;
    struct uno_view all = {0}, own = {0};
    if (from)
        own = uno_view_in(in, (size_t)in_count, in_type, from);
    if (mine)
        all = uno_view_out(out, (size_t)out_count * (size_t)c->size, out_type, to);
    if (uno_stream_takes(c, UNO_MPI_GATHER, bytes))
        gather_stream(c, own.bytes, all.bytes, bytes, root);
    else
        gather(c, UNO_MPI_GATHER, mine ? NULL : own.bytes, all.bytes, bytes);
    if (mine)
        take_blocks(c, &all, own.bytes, (size_t)out_count, bytes);
    uno_view_drop(&all);
    uno_view_drop(&own);
    return true;
}

bool uno_allgather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                   MPI_Datatype out_type, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(!c->lane))
        return uno_across_allgather(c, in, in_count, in_type, out, out_count, out_type, comm);
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? to : uno_datatype_of(in_type);
    size_t count = (size_t)out_count, bytes = count * to->size;
    if (UNO_UNLIKELY(!uno_comm_takes(c, UNO_MPI_ALLGATHER, bytes) || !uno_is_buffer(out, to) ||
                     uno_is_refused(in, out) ||
                     (!in_place && (!uno_is_buffer(in, from) || (size_t)in_count * from->size != bytes))))
        return false;
    const void *start = (char *)out + (ptrdiff_t)((size_t)c->rank * count) * to->extent;
    if (UNO_LIKELY(bytes <= UNO_BYTES && to->plain && from->plain)) {
        const void *const *data =
            uno_exchange_small(c, UNO_MPI_ALLGATHER, bytes, in_place ? start : in, bytes);
        for (int r = 0; r < c->size; r++)
            uno_copy_small((char *)out + (size_t)r * bytes, data[r], bytes);
        uno_exchange_end(c);
        return true;
    }
    struct uno_view own =
        in_place ? uno_view_in(start, count, out_type, to) : uno_view_in(in, (size_t)in_count, in_type, from);
    struct uno_view all = uno_view_out(out, count * (size_t)c->size, out_type, to);
    gather(c, UNO_MPI_ALLGATHER, own.bytes, all.bytes, bytes);
    take_blocks(c, &all, in_place ? NULL : own.bytes, count, bytes);
    uno_view_drop(&all);
    uno_view_drop(&own);
    return true;
}

/* ---- from all ranks to all -------------------------------------------------------------------------------
 */

/* `in` and `out` are not the same: the others read while this rank writes. */
static bool alltoall_single(const struct uno_comm *c, const char *in, char *out, size_t bytes) {
    size_t me = (size_t)c->rank;
    const char *at[c->size];
    bool read = true;
    uno_single_begin(c, UNO_MPI_ALLTOALL, bytes, in, at);
    for (int i = 1, r = c->rank; i < c->size; i++) {
        r = r + 1 < c->size ? r + 1 : 0;
        read &= uno_single_read(c, r, at[r] + me * bytes, out + (size_t)r * bytes, bytes);
    }
    return uno_single_end(c, UNO_MPI_ALLTOALL, bytes, read);
}

static void alltoall_pieces(const struct uno_comm *c, const char *in, char *out, size_t bytes) {
    size_t me = (size_t)c->rank, share = share_of(c, bytes);
    for (size_t at = 0; at < bytes; at += share) {
        size_t n = least(bytes - at, share);
        char *room = uno_exchange_room(c);
        for (int r = 0; r < c->size; r++)
            if (r != c->rank)
                memcpy(room + (size_t)r * share, in + (size_t)r * bytes + at, n);
        uno_exchange_meet(c, UNO_MPI_ALLTOALL, bytes);
        for (int r = 0; r < c->size; r++)
            if (r != c->rank)
                memcpy(out + (size_t)r * bytes + at, (const char *)uno_exchange_of(c, r) + me * share, n);
        uno_exchange_end(c);
    }
}

/* in: a block for each rank; out: a block of each. They may be the same. */
static void alltoall(const struct uno_comm *c, const char *in, char *out, size_t bytes) {
    size_t total = bytes * (size_t)c->size, me = (size_t)c->rank;
    if (total <= UNO_BYTES) {
        const void *const *data = uno_exchange_small(c, UNO_MPI_ALLTOALL, bytes, in, total);
        for (int r = 0; r < c->size; r++)
            memcpy(out + (size_t)r * bytes, (const char *)data[r] + me * bytes, bytes);
        uno_exchange_end(c);
        return;
    }
    uno_ways_begin(c, UNO_MPI_ALLTOALL);
    bool single = uno_single_takes(c, UNO_MPI_ALLTOALL, bytes, share_of(c, bytes));
    char *copy = single && in == out ? memcpy(uno_node_allocate(total, 1), in, total) : NULL;
    if (copy)
        in = copy;
    if (!single || !alltoall_single(c, in, out, bytes))
        alltoall_pieces(c, in, out, bytes);
    if (in != out)
        memmove(out + me * bytes, in + me * bytes, bytes);
    free(copy);
    uno_ways_end(c, UNO_MPI_ALLTOALL, bytes);
}

bool uno_alltoall(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                  MPI_Datatype out_type, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(!c->lane))
        return false;
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? to : uno_datatype_of(in_type);
    size_t n = (size_t)c->size, bytes = (size_t)out_count * to->size;
    if (UNO_UNLIKELY(!uno_comm_takes(c, UNO_MPI_ALLTOALL, bytes) || !uno_is_buffer(out, to) ||
                     uno_is_refused(in, out) ||
                     (!in_place && (!uno_is_buffer(in, from) || (size_t)in_count * from->size != bytes))))
        return false;
    struct uno_view send, receive = uno_view_out(out, (size_t)out_count * n, out_type, to);
    if (in_place)
        send = uno_view_in(out, (size_t)out_count * n, out_type, to);
    else
        send = uno_view_in(in, (size_t)in_count * n, in_type, from);
    alltoall(c, send.bytes, receive.bytes, bytes);
    uno_view_unpack(&receive, 0, receive.count);
    uno_view_drop(&send);
    uno_view_drop(&receive);
    return true;
}

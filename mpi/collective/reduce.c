/* The operations that combine what the ranks put, in rank order. */

#include <limits.h>

#include "collective/hierarchy/hierarchical.h"
#include "collective/collective.h"
#include "collective/transport/slots.h"
#include "collective/transport/ring.h"
#include "collective/data.h"

/* Above so many bytes in all, each rank combines a part of the elements for all. */
enum { SHARED_WORK = 64 * 1024 };

/* One call, taken apart. */
struct fold {
    const struct uno_comm *c;
    enum uno_op op;
    struct uno_combine how;
    struct uno_view in, out; /* elements as they travel, and as the result leaves */
    size_t total;            /* bytes, as they are counted for the decision */
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Elements that combine by a function travel as they lie in memory; others packed. */
static struct uno_view view_in(const struct uno_combine *how, const void *in, size_t count) {
    struct uno_view raw = {
        .bytes = (void *)in, .buffer = (void *)in, .count = count, .type = how->type, .t = how->t};
    return how->function ? raw : uno_view_in(in, count, how->type, how->t);
}

static struct uno_view view_out(const struct uno_combine *how, void *out, size_t count) {
    struct uno_view raw = {.bytes = out, .buffer = out, .count = count, .type = how->type, .t = how->t};
    return how->function ? raw : uno_view_out(out, count, how->type, how->t);
}

/* What `count` elements take as they travel: of the last one, only its data. */
static size_t travel_size(const struct uno_combine *how, size_t count) {
    return count * how->bytes - (how->function ? (size_t)(how->t->extent - how->t->true_extent) : 0);
}

/* The elements of a piece. */
static size_t piece_of(const struct uno_combine *how) {
    return UNO_PIECE / how->bytes;
}

/* Fill in what the operations have in common. count: elements that a rank puts; how many it gets is the
 * caller's. False: the host's. */
static bool start(struct fold *f, enum uno_op op, const struct uno_comm *c, MPI_Count count,
                  MPI_Datatype type, MPI_Op reduction) {
    if (UNO_UNLIKELY(!c->lane))
        return false;
    const struct uno_datatype *t = uno_datatype_of(type);
    size_t bytes = (size_t)count * t->size;
    f->c = c;
    f->op = op;
    f->total = bytes;
    return uno_comm_takes(c, op, bytes) && uno_combine_of(&f->how, t, type, reduction) && piece_of(&f->how);
}

static void finish(struct fold *f, size_t results) {
    if (!f->how.function)
        uno_view_unpack(&f->out, 0, results);
    uno_view_drop(&f->in);
    uno_view_drop(&f->out);
}

/* Put elements [from, from + count) of this rank's. Returns those of all ranks. */
static const void *const *put(struct fold *f, size_t from, size_t count) {
    const char *in = f->in.bytes + from * f->how.bytes;
    size_t size = travel_size(&f->how, count);
    if (count * f->how.bytes <= UNO_BYTES)
        return uno_exchange_small(f->c, f->op, f->total, in, size);
    memcpy(uno_exchange_room(f->c), in, size);
    uno_exchange_meet(f->c, f->op, f->total);
    return uno_exchange_of_all(f->c);
}

/* ---- one result ------------------------------------------------------------------------------------------
 */

/* Each rank combines a part of the piece, and passes it on. */
static void share_work(struct fold *f, const void *const *data, size_t count, char *out) {
    const struct uno_comm *c = f->c;
    size_t n = (size_t)c->size, me = (size_t)c->rank, bytes = f->how.bytes;
    size_t first = count * me / n, mine = count * (me + 1) / n - first;
    for (int r = 0; r < c->size; r++)
        c->data[r] = (const char *)data[r] + first * bytes;
    char *room = uno_exchange_room(c);
    if (mine)
        uno_combine(&f->how, c->data, c->size, mine, room);
    uno_exchange_end(c);
    uno_exchange_meet(c, f->op, f->total);
    for (size_t r = 0; out && r < n; r++) {
        size_t start = count * r / n, size = count * (r + 1) / n - start;
        memcpy(out + start * bytes, uno_exchange_of(c, (int)r), size * bytes);
    }
}

/* Elements of one rank as they travel, wherever they may be put. */
struct travel {
    _Alignas(16) char bytes[UNO_STREAM_BYTES];
};

/* Whether that way is taken for the elements of each rank. */
static bool goes_by_stream(const struct fold *f, size_t count) {
    return uno_stream_takes(f->c, f->op, count * f->how.bytes);
}

static void reduce_stream(struct fold *f, size_t count, char *out, int root) {
    const struct uno_comm *c = f->c;
    size_t size = travel_size(&f->how, count);
    uno_stream_begin(c);
    if (c->rank != root) {
        uno_stream_put(c, root, f->op, f->total, f->in.bytes, size);
        return;
    }
    struct travel of[c->size];
    for (int r = 0; r < c->size; r++) {
        if (r == root)
            memcpy(of[r].bytes, f->in.bytes, size);
        else
            uno_stream_get(c, r, f->op, f->total, of[r].bytes, size);
        c->data[r] = of[r].bytes;
    }
    uno_combine(&f->how, c->data, c->size, count, out);
}

/* out: where the ranks that get the result want it. */
static void reduce_pieces(struct fold *f, size_t count, char *out) {
    size_t piece = piece_of(&f->how), n = (size_t)f->c->size;
    for (size_t from = 0; from < count; from += piece) {
        size_t some = least(count - from, piece);
        const void *const *data = put(f, from, some);
        char *to = out ? out + from * f->how.bytes : NULL;
        if (n > 2 && some * f->how.bytes * n > SHARED_WORK && some * f->how.bytes > UNO_BYTES &&
            f->how.bytes == f->how.t->size)
            share_work(f, data, some, to);
        else if (to)
            uno_combine(&f->how, data, f->c->size, some, to);
        uno_exchange_end(f->c);
    }
}

static UNO_COLD bool allreduce_large(struct fold *f, const void *in, void *out, size_t count) {
    f->in = view_in(&f->how, in == MPI_IN_PLACE ? out : in, count);
    f->out = view_out(&f->how, out, count);
    reduce_pieces(f, count, f->out.bytes);
    finish(f, count);
    return true;
}

bool uno_allreduce(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    struct fold f;
    if (UNO_UNLIKELY(!c->lane))
        return uno_across_allreduce(c, in, out, count, type, op, comm);
    if (UNO_UNLIKELY(!start(&f, UNO_MPI_ALLREDUCE, c, count, type, op) || !uno_is_buffer(in, f.how.t) ||
                     !uno_is_buffer(out, f.how.t) || out == MPI_IN_PLACE || uno_is_refused(in, out)))
        return false;
    size_t size = (size_t)count * f.how.bytes;
    if (UNO_UNLIKELY(size > UNO_BYTES || !f.how.function || f.how.bytes != f.how.t->size))
        return allreduce_large(&f, in, out, (size_t)count);
    const void *const *data =
        uno_exchange_small(c, UNO_MPI_ALLREDUCE, size, in == MPI_IN_PLACE ? out : in, size);
    f.how.function(data, c->size, (size_t)count, out);
    uno_exchange_end(c);
    return true;
}

bool uno_reduce(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    struct fold f;
    if (UNO_UNLIKELY(!c->lane))
        return uno_across_reduce(c, in, out, count, type, op, root, comm);
    if (UNO_UNLIKELY(!start(&f, UNO_MPI_REDUCE, c, count, type, op) || (unsigned)root >= (unsigned)c->size))
        return false;
    bool mine = c->rank == root;
    if (!uno_is_buffer(in, f.how.t) || (in == MPI_IN_PLACE && !mine) ||
        (mine && (!uno_is_buffer(out, f.how.t) || out == MPI_IN_PLACE || uno_is_refused(in, out))))
        return false;
    f.in = view_in(&f.how, in == MPI_IN_PLACE ? out : in, (size_t)count);
    f.out = (struct uno_view){0};
    if (mine)
        f.out = view_out(&f.how, out, (size_t)count);
    if (goes_by_stream(&f, (size_t)count))
        reduce_stream(&f, (size_t)count, f.out.bytes, root);
    else
        reduce_pieces(&f, (size_t)count, f.out.bytes);
    finish(&f, (size_t)count);
    return true;
}

/* ---- a result for each rank ------------------------------------------------------------------------------
 */

/* Each rank gets from the one before it what all up to that one have, and passes it on with its own. */
static void scan_stream(struct fold *f, bool inclusive, size_t count) {
    const struct uno_comm *c = f->c;
    size_t size = travel_size(&f->how, count);
    int before = c->rank - 1, after = c->rank + 1;
    struct travel left, own, both;
    const void *data[] = {left.bytes, own.bytes};
    uno_stream_begin(c);
    memcpy(own.bytes, f->in.bytes, size);
    if (before >= 0)
        uno_stream_get(c, before, f->op, f->total, left.bytes, size);
    if (inclusive || after < c->size)
        uno_combine(&f->how, before >= 0 ? data : data + 1, before >= 0 ? 2 : 1, count, both.bytes);
    if (after < c->size)
        uno_stream_put(c, after, f->op, f->total, both.bytes, size);
    if (inclusive)
        uno_combine(&f->how, (const void *[]){both.bytes}, 1, count, f->out.bytes);
    else if (before >= 0)
        uno_combine(&f->how, data, 1, count, f->out.bytes);
}

/* In a meeting, each rank combines what those before it have. */
static void scan_pieces(struct fold *f, int ranks, size_t count) {
    size_t piece = piece_of(&f->how);
    for (size_t from = 0; from < count; from += piece) {
        size_t some = least(count - from, piece);
        const void *const *data = put(f, from, some);
        if (ranks)
            uno_combine(&f->how, data, ranks, some, f->out.bytes + from * f->how.bytes);
        uno_exchange_end(f->c);
    }
}

/* Of the ranks before this one, and if `inclusive` of this one. */
static bool scan(enum uno_op code, bool inclusive, const void *in, void *out, MPI_Count count,
                 MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    struct fold f;
    if (UNO_UNLIKELY(!c->lane))
        return uno_across_scan(c, inclusive, in, out, count, type, op, comm);
    if (!start(&f, code, c, count, type, op) || !uno_is_buffer(in, f.how.t) || !uno_is_buffer(out, f.how.t) ||
        out == MPI_IN_PLACE || uno_is_refused(in, out))
        return false;
    size_t total = (size_t)count;
    int ranks = c->rank + inclusive;
    f.in = view_in(&f.how, in == MPI_IN_PLACE ? out : in, total);
    f.out = view_out(&f.how, out, total);
    if (goes_by_stream(&f, total))
        scan_stream(&f, inclusive, total);
    else
        scan_pieces(&f, ranks, total);
    finish(&f, ranks ? total : 0);
    return true;
}

bool uno_scan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return scan(UNO_MPI_SCAN, true, in, out, count, type, op, comm);
}

bool uno_exscan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return scan(UNO_MPI_EXSCAN, false, in, out, count, type, op, comm);
}

/* Every rank puts `total` elements and gets the result of `mine` of them, from the given one on. */
static void reduce_scatter(struct fold *f, const void *in, void *out, size_t total, size_t first,
                           size_t mine) {
    size_t piece = piece_of(&f->how), bytes = f->how.bytes;
    f->in = view_in(&f->how, in == MPI_IN_PLACE ? out : in, total);
    f->out = (struct uno_view){0};
    if (mine)
        f->out = view_out(&f->how, out, mine);
    for (size_t from = 0; from < total; from += piece) {
        size_t some = least(total - from, piece);
        const void *const *data = put(f, from, some);
        size_t low = first > from ? first : from, high = least(first + mine, from + some);
        if (low < high) {
            for (int r = 0; r < f->c->size; r++)
                f->c->data[r] = (const char *)data[r] + (low - from) * bytes;
            uno_combine(&f->how, f->c->data, f->c->size, high - low, f->out.bytes + (low - first) * bytes);
        }
        uno_exchange_end(f->c);
    }
    finish(f, mine);
}

bool uno_reduce_scatter_block(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    struct fold f;
    if (!start(&f, UNO_MPI_REDUCE_SCATTER_BLOCK, c, count, type, op) || !uno_is_buffer(in, f.how.t) ||
        !uno_is_buffer(out, f.how.t) || out == MPI_IN_PLACE || uno_is_refused(in, out))
        return false;
    size_t mine = (size_t)count;
    reduce_scatter(&f, in, out, mine * (size_t)c->size, mine * (size_t)c->rank, mine);
    return true;
}

bool uno_reduce_scatter(const void *in, void *out, const struct uno_counts *counts, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    struct fold f;
    MPI_Count total = 0, first = 0;
    for (int r = 0; r < c->size; r++) {
        if (r == c->rank)
            first = total;
        MPI_Count count = uno_count_of(counts, r);
        if (count < 0 || count > INT_MAX)
            return false;
        total += count;
    }
    if (!start(&f, UNO_MPI_REDUCE_SCATTER, c, total, type, op) || !uno_is_buffer(in, f.how.t) ||
        !uno_is_buffer(out, f.how.t) || out == MPI_IN_PLACE || uno_is_refused(in, out))
        return false;
    reduce_scatter(&f, in, out, (size_t)total, (size_t)first, (size_t)uno_count_of(counts, c->rank));
    return true;
}

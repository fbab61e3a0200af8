/* The operations that move blocks of different sizes. In some of them no rank knows all sizes: then the first
 * operation of the engine brings them along, and if the largest is one for the host, everyone sees it and
 * goes there. That has cost a meeting for nothing, so it is taken for a sign that the next ones are alike:
 * they go to the host at once, twice as many each time. */

#include <limits.h>

#include "collective/collective.h"
#include "collective/transport/slots.h"
#include "collective/transport/direct.h"
#include "collective/data.h"
#include "collective/transport/trials.h"

/* A rank's block as packed bytes. */
struct block {
    char *bytes;
    size_t size;
};

/* All ranks' blocks in a buffer of the program. */
struct blocks {
    struct block *of;
    char *memory; /* copies of them, or NULL */
    void *buffer;
    const struct uno_counts *counts;
    MPI_Datatype type;
    const struct uno_datatype *t;
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* False only in a program that is wrong, of which the host is to say so. */
static bool is_valid(const void *buffer, const struct uno_datatype *t) {
    return uno_load64_relaxed(&t->handle) && buffer != MPI_IN_PLACE;
}

/* Bytes of so many elements; more than are ever accelerated if that is no number of them. */
static size_t bytes_of(MPI_Count count, const struct uno_datatype *t) {
    return count < 0 || count > INT_MAX || t->size > INT_MAX ? (size_t)INT64_MAX / UNO_MAX_PES
                                                             : (size_t)count * t->size;
}

static char *place_of(const struct blocks *b, int r) {
    return (char *)b->buffer + uno_displacement_of(b->counts, r) * b->t->extent;
}

/* n blocks; of: room for them. */
static struct blocks make_blocks(struct block *of, int n, const void *buffer, const struct uno_counts *counts,
                                 MPI_Datatype type, const struct uno_datatype *t) {
    struct blocks b = {.of = of, .buffer = (void *)buffer, .counts = counts, .type = type, .t = t};
    size_t total = 0;
    for (int r = 0; r < n; r++)
        total += of[r].size = bytes_of(uno_count_of(counts, r), t);
    if (!t->plain)
        b.memory = uno_node_allocate(total + 1, 1);
    size_t at = 0;
    for (int r = 0; r < n; at += of[r++].size)
        of[r].bytes = t->plain ? place_of(&b, r) : b.memory + at;
    return b;
}

static void pack(const struct blocks *b, int r) {
    if (b->memory && b->of[r].size)
        uno_datatype_pack(place_of(b, r), (size_t)uno_count_of(b->counts, r), b->type, b->t, b->of[r].bytes);
}

static void unpack(const struct blocks *b, int r) {
    if (b->memory && b->of[r].size)
        uno_datatype_unpack(b->of[r].bytes, place_of(b, r), (size_t)uno_count_of(b->counts, r), b->type,
                            b->t);
}

/* The greatest number that a rank put. */
static size_t greatest(const struct uno_comm *c, const void *const *data) {
    uint64_t most = 0;
    for (int r = 0; r < c->size; r++) {
        uint64_t number;
        memcpy(&number, data[r], sizeof number);
        most = number > most ? number : most;
    }
    return most;
}

/* The largest of the blocks that n ranks have. */
static size_t largest(const struct blocks *b, int n) {
    size_t most = 0;
    for (int r = 0; r < n; r++)
        most = b->of[r].size > most ? b->of[r].size : most;
    return most;
}

/* Whether a block is so large that none of its operation is accelerated. */
static bool is_too_large(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    const struct uno_band *band = &c->band[op - UNO_MPI_FIRST];
    return bytes >= band->least + band->count;
}

enum { PASS_FIRST = 4, PASS_MOST = 1024 };

/* Whether the operation is the host's whatever its sizes are. To be called by all ranks, for they count. */
static bool is_passed(const struct uno_comm *c, enum uno_op op) {
    if (!c->lane || !c->band[op - UNO_MPI_FIRST].count)
        return true;
    short *left = &c->past->pass[op - UNO_MPI_FIRST].left;
    if (!*left)
        return false;
    --*left;
    return true;
}

/* All ranks know the largest block, so they decide alike: whether the operation is accelerated. */
static bool decide(const struct uno_comm *c, enum uno_op op, size_t most) {
    bool takes = uno_comm_takes(c, op, most ? most : 1);
    short *left = &c->past->pass[op - UNO_MPI_FIRST].left;
    short *before = &c->past->pass[op - UNO_MPI_FIRST].before;
    *left = takes ? 0 : !*before ? PASS_FIRST : *before < PASS_MOST ? *before * 2 : PASS_MOST;
    *before = *left;
    return takes;
}

/* A rank's block for itself. */
static void keep(struct block *to, const struct block *from) {
    if (to->bytes != from->bytes && to->size && from->size)
        memmove(to->bytes, from->bytes, least(to->size, from->size));
}

/* Large blocks are copied once. own: NULL, or this rank's blocks, one for each rank, or with `alike` one for
 * all others; to: NULL, or blocks of all ranks, or with `root` not -1 the only one, of that rank. False: not
 * all of them could be read. */
static bool copy_once(const struct uno_comm *c, enum uno_op op, size_t total, const struct block *own,
                      bool alike, struct block *to, int root) {
    if (own)
        memcpy(uno_exchange_room(c), own, (alike ? 1 : (size_t)c->size) * sizeof *own);
    uno_exchange_meet(c, op, total);
    bool read = true;
    for (int i = alike, r = c->rank + alike; to && i < c->size; i++, r++) {
        r = r < c->size ? r : 0;
        if (root >= 0 && r != root)
            continue;
        struct block *mine = &to[root < 0 ? r : 0], theirs;
        memcpy(&theirs, (const struct block *)uno_exchange_of(c, r) + (alike ? 0 : c->rank), sizeof theirs);
        size_t n = least(theirs.size, mine->size);
        if (r == c->rank) /* while others read: a root has nothing else to do */
            keep(mine, &theirs);
        else
            read &= !n || uno_single_read(c, r, theirs.bytes, mine->bytes, n);
    }
    uno_exchange_end(c);
    return uno_single_end(c, op, total, read);
}

/* ---- from all ranks to one, or to all --------------------------------------------------------------------
 */

/* A post: the size of the block, and the block itself if there is room. */
enum { BESIDE_SIZE = UNO_BYTES - 8 };

/* Take rank r's bytes from `at` on. They are at most `size` in all, and in this piece. */
static void take(struct block *b, size_t at, const void *piece, size_t size) {
    if (at < size && at < b->size)
        memcpy(b->bytes + at, piece, least(least(size, b->size) - at, UNO_PIECE));
}

/* Every rank puts its block; to, if not NULL, has room for those of the others. False: they are for the host.
 */
static bool gather(const struct uno_comm *c, const char *block, size_t size, struct blocks *to,
                   bool *truncated) {
    uint64_t words[UNO_BYTES / 8] = {size};
    bool beside = size <= BESIDE_SIZE;
    uno_ways_begin(c, UNO_MPI_GATHERV);
    if (block && size && beside)
        memcpy(&words[1], block, size);
    else if (block && size && !uno_single_takes_from(c, UNO_MPI_GATHERV, size, UNO_PIECE))
        memcpy(uno_exchange_room(c), block, least(size, UNO_PIECE));
    const void *const *data =
        uno_exchange_small(c, UNO_MPI_GATHERV, 0, words, beside ? 8 + size : sizeof words[0]);
    size_t most = greatest(c, data);
    if (!decide(c, UNO_MPI_GATHERV, most)) {
        uno_exchange_end(c);
        return false;
    }
    bool single = uno_single_takes(c, UNO_MPI_GATHERV, most, UNO_PIECE);
    uint64_t sizes[to ? c->size : 1];
    for (int r = 0; to && r < c->size; r++) {
        memcpy(&sizes[r], data[r], sizeof sizes[r]);
        if (r == c->rank)
            continue;
        *truncated |= sizes[r] > to->of[r].size;
        if (!single)
            take(&to->of[r], 0,
                 sizes[r] <= BESIDE_SIZE ? (const char *)data[r] + 8 : (const char *)uno_exchange_of(c, r),
                 sizes[r]);
    }
    uno_exchange_end(c);
    const struct block own = {(char *)block, size};
    bool copied = single && copy_once(c, UNO_MPI_GATHERV, 0, &own, true, to ? to->of : NULL, -1);
    for (size_t at = single ? 0 : UNO_PIECE; !copied && at < most; at += UNO_PIECE) {
        if (block && at < size)
            memcpy(uno_exchange_room(c), block + at, least(size - at, UNO_PIECE));
        uno_exchange_meet(c, UNO_MPI_GATHERV, 0);
        for (int r = 0; to && r < c->size; r++)
            if (r != c->rank)
                take(&to->of[r], at, uno_exchange_of(c, r), sizes[r]);
        uno_exchange_end(c);
    }
    uno_ways_end(c, UNO_MPI_GATHERV, most);
    return true;
}

bool uno_gatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                 const struct uno_counts *out_counts, MPI_Datatype out_type, int root, MPI_Comm comm,
                 int *error) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (is_passed(c, UNO_MPI_GATHERV) || (unsigned)root >= (unsigned)c->size)
        return false;
    bool mine = c->rank == root, in_place = mine && in == MPI_IN_PLACE, truncated = false;
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    const struct uno_datatype *to = mine ? uno_datatype_of(out_type) : NULL;
    if ((from && !is_valid(in, from)) || (to && !is_valid(out, to)))
        return false;
    struct uno_view own = {0};
    size_t size = from ? bytes_of(in_count, from) : 0;
    if (from && size && !is_too_large(c, UNO_MPI_GATHERV, size))
        own = uno_view_in(in, (size_t)in_count, in_type, from);
    struct block of[mine ? c->size : 1];
    struct blocks all;
    if (mine)
        all = make_blocks(of, c->size, out, out_counts, out_type, to);
    bool done = gather(c, mine ? NULL : own.bytes, size, mine ? &all : NULL, &truncated);
    if (done && mine && from) {
        truncated |= size > of[root].size;
        memmove(of[root].bytes, own.bytes, least(size, of[root].size));
    }
    for (int r = 0; done && mine && r < c->size; r++)
        if (r != root || from)
            unpack(&all, r);
    if (mine)
        free(all.memory);
    uno_view_drop(&own);
    if (truncated)
        *error = MPI_ERR_TRUNCATE;
    return done;
}

bool uno_allgatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                    const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (!c->lane)
        return false;
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? to : uno_datatype_of(in_type);
    size_t total = 0;
    for (int r = 0; r < c->size; r++)
        total += bytes_of(uno_count_of(out_counts, r), to);
    if (!uno_comm_takes(c, UNO_MPI_ALLGATHERV, total) || !is_valid(out, to) ||
        !is_valid(in_place ? out : in, from) ||
        (!in_place && bytes_of(in_count, from) != bytes_of(uno_count_of(out_counts, c->rank), to)))
        return false;
    struct block of[c->size];
    struct blocks all = make_blocks(of, c->size, out, out_counts, out_type, to);
    struct uno_view own = {0};
    if (in_place)
        pack(&all, c->rank);
    else
        own = uno_view_in(in, (size_t)in_count, in_type, from);
    const char *block = in_place ? of[c->rank].bytes : own.bytes;
    size_t size = of[c->rank].size, most = largest(&all, c->size);
    const struct block mine = {(char *)block, size};
    uno_ways_begin(c, UNO_MPI_ALLGATHERV);
    bool copied = uno_single_takes(c, UNO_MPI_ALLGATHERV, most, UNO_PIECE) &&
                  copy_once(c, UNO_MPI_ALLGATHERV, total, &mine, true, of, -1);
    for (size_t at = 0; !copied && at < most; at += UNO_PIECE) {
        size_t n = at < size ? least(size - at, UNO_PIECE) : 0;
        const void *const *data = NULL;
        if (most <= UNO_BYTES) {
            data = uno_exchange_small(c, UNO_MPI_ALLGATHERV, total, n ? block : NULL, n);
        } else {
            if (n)
                memcpy(uno_exchange_room(c), block + at, n);
            uno_exchange_meet(c, UNO_MPI_ALLGATHERV, total);
        }
        for (int r = 0; r < c->size; r++)
            if (r != c->rank)
                take(&of[r], at, data ? data[r] : uno_exchange_of(c, r), of[r].size);
        uno_exchange_end(c);
    }
    if (!in_place && size)
        memmove(of[c->rank].bytes, own.bytes, size);
    uno_ways_end(c, UNO_MPI_ALLGATHERV, most);
    for (int r = 0; r < c->size; r++)
        if (r != c->rank || !in_place)
            unpack(&all, r);
    free(all.memory);
    uno_view_drop(&own);
    return true;
}

/* ---- from one rank, or from all, to each its block -------------------------------------------------------
 */

/* Bytes of one rank's block in a buffer that has a piece of each. */
static size_t share_of(const struct uno_comm *c) {
    return UNO_PIECE / (size_t)c->size / 64 * 64;
}

/* Put the pieces of the blocks for the other ranks that start at `at`. */
static void put(const struct uno_comm *c, const struct block *of, size_t at) {
    char *room = uno_exchange_room(c);
    size_t share = share_of(c);
    for (int r = 0; r < c->size; r++)
        if (r != c->rank && at < of[r].size)
            memcpy(room + (size_t)r * share, of[r].bytes + at, least(of[r].size - at, share));
}

/* Take what rank r has put for this one. Only a wrong program receives more than the largest block has. */
static void take_share(const struct uno_comm *c, int r, struct block *to, size_t at, size_t most) {
    size_t share = share_of(c), size = least(to->size, most);
    if (at < size)
        memcpy(to->bytes + at, (const char *)uno_exchange_of(c, r) + (size_t)c->rank * share,
               least(size - at, share));
}

/* Blocks that are to be received where they are: a copy of them, so that others can read them meanwhile. */
static void set_aside(struct blocks *b, int n) {
    size_t total = 0;
    for (int r = 0; r < n; r++)
        total += b->of[r].size;
    char *to = b->memory = uno_node_allocate(total + 1, 1);
    for (int r = 0; r < n; to += b->of[r++].size)
        b->of[r].bytes = memcpy(to, b->of[r].bytes, b->of[r].size);
}

/* from: the blocks for all ranks, or NULL; root: the rank that has them, or -1: each has. to: those that this
 * rank gets, from the root one, or NULL; its own is among them. False: they are for the host. */
static bool scatter(const struct uno_comm *c, enum uno_op op, struct blocks *from, struct block *to,
                    int root) {
    uint64_t mine = from ? largest(from, c->size) : 0;
    size_t most = 0, share = share_of(c);
    uno_ways_begin(c, op);
    for (size_t at = 0; at == 0 || at < most; at += share) {
        if (from && !is_too_large(c, op, mine) && !uno_single_takes_from(c, op, mine, share))
            put(c, from->of, at);
        most = greatest(c, uno_exchange_small(c, op, 0, &mine, sizeof mine));
        bool takes = decide(c, op, most), single = takes && uno_single_takes(c, op, most, share);
        for (int r = 0; takes && !single && to && r < c->size; r++)
            if (r != c->rank && (root < 0 || r == root))
                take_share(c, r, root < 0 ? &to[r] : to, at, most);
        uno_exchange_end(c);
        if (!takes)
            return false;
        if (single && root < 0 && from->of->bytes == to->bytes)
            set_aside(from, c->size);
        if (single && !copy_once(c, op, 0, from ? from->of : NULL, false, to, root))
            return scatter(c, op, from, to, root);
        if (single) {
            uno_ways_end(c, op, most);
            return true;
        }
    }
    if (from && to)
        keep(root < 0 ? &to[c->rank] : to, &from->of[c->rank]);
    uno_ways_end(c, op, most);
    return true;
}

bool uno_scatterv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                  MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (is_passed(c, UNO_MPI_SCATTERV) || (unsigned)root >= (unsigned)c->size)
        return false;
    bool mine = c->rank == root, in_place = mine && out == MPI_IN_PLACE;
    const struct uno_datatype *from = mine ? uno_datatype_of(in_type) : NULL;
    const struct uno_datatype *to = in_place ? NULL : uno_datatype_of(out_type);
    size_t size = to ? bytes_of(out_count, to) : 0;
    if ((from && !is_valid(in, from)) || (to && !is_valid(out, to)) || size > INT_MAX)
        return false;
    struct block of[mine ? c->size : 1], own = {.size = size};
    struct blocks all;
    struct uno_view v = {0};
    if (mine) {
        all = make_blocks(of, c->size, in, in_counts, in_type, from);
        for (int r = 0; r < c->size; r++)
            pack(&all, r);
    }
    if (to && size) {
        v = uno_view_out(out, (size_t)out_count, out_type, to);
        own.bytes = v.bytes;
    }
    bool done = scatter(c, UNO_MPI_SCATTERV, mine ? &all : NULL, to ? &own : NULL, root);
    if (done && v.memory)
        uno_view_unpack(&v, 0, (size_t)out_count);
    if (mine)
        free(all.memory);
    uno_view_drop(&v);
    return done;
}

bool uno_alltoallv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                   const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (is_passed(c, UNO_MPI_ALLTOALLV))
        return false;
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? to : uno_datatype_of(in_type);
    if (!is_valid(out, to) || !is_valid(in_place ? out : in, from))
        return false;
    struct block send_of[c->size], receive_of[c->size];
    struct blocks receive = make_blocks(receive_of, c->size, out, out_counts, out_type, to);
    struct blocks send = in_place ? make_blocks(send_of, c->size, out, out_counts, out_type, to)
                                  : make_blocks(send_of, c->size, in, in_counts, in_type, from);
    for (int r = 0; r < c->size; r++)
        pack(&send, r);
    bool done = scatter(c, UNO_MPI_ALLTOALLV, &send, receive_of, -1);
    for (int r = 0; done && r < c->size; r++)
        unpack(&receive, r);
    free(send.memory);
    free(receive.memory);
    return done;
}

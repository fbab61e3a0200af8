/* The result is always that of one fold from rank 0 on: so operands travel to the rank that folds. Only a
 * scan, whose results are partial results anyway, hands those on. */

#include "library/schedule/folds.h"

#include <limits.h>

#include "library/schedule/moves.h"

/* ---- elements as they travel ------------------------------------------------------------------------- */

static const struct uno_reduction *how_of(const struct uno_fold *f) {
    return &f->how->how;
}

/* Return the bytes of `count` elements; where they travel as they lie in memory, the last one has only its
 * data. */
static size_t bytes_of(const struct uno_fold *f, size_t count) {
    const struct uno_reduction *how = how_of(f);
    size_t behind = how->kernel ? (size_t)(how->layout->extent - how->layout->true_extent) : 0;
    return count ? count * how->bytes - behind : 0;
}

/* Return true if the elements lie in memory as they travel. */
static bool in_memory(const struct uno_fold *f) {
    return how_of(f)->kernel || how_of(f)->layout->plain;
}

/* Return true if there are gaps between the elements, which a result must not touch. */
static bool padded(const struct uno_fold *f) {
    return how_of(f)->bytes != how_of(f)->layout->size;
}

/* Return this rank's elements as they travel. */
static const char *own(struct uno_schedule *s, const struct uno_fold *f) {
    struct uno_data in = {(void *)f->in, f->count, how_of(f)->layout};
    if (!in_memory(f))
        return uno_schedule_packed(s, &in);
    if (f->in != f->out)
        return f->in;
    size_t bytes = bytes_of(f, f->count);
    struct uno_data from = {(void *)f->in, bytes, &uno_layout_bytes}, to = from;
    to.at = uno_schedule_room(s, bytes);
    uno_schedule_move(s, &from, &to);
    return to.at;
}

/* Return a place for `count` elements of the result. After the next fence they are the program's. */
static char *result(struct uno_schedule *s, const struct uno_fold *f, size_t count) {
    struct uno_data out = {f->out, count, how_of(f)->layout};
    return in_memory(f) ? f->out : uno_schedule_unpacked(s, &out);
}

/* The fold of a rank alone: its elements are the result. */
static void alone(struct uno_schedule *s, const struct uno_fold *f) {
    struct uno_data in = {(void *)f->in, f->count, how_of(f)->layout}, out = in;
    out.at = f->out;
    if (f->in != f->out)
        uno_schedule_move(s, &in, &out);
}

/* ---- parts: of rank r the elements from first[r] to first[r + 1] -------------------------------------- */

/* Exchange parts: each rank sends the others their elements. Returns all ranks' elements of this rank's
 * part. */
static const void **exchange_parts(struct uno_schedule *s, const struct uno_fold *f, const size_t *first) {
    int n = s->comm->comm.size, me = s->comm->comm.rank;
    size_t mine = bytes_of(f, first[me + 1] - first[me]);
    const char *from = own(s, f);
    const void **data = uno_schedule_room(s, (size_t)n * sizeof *data);
    data[me] = from + first[me] * how_of(f)->bytes;
    for (int i = 1; i < n && mine; i++) {
        int r = (me + n - i) % n;
        void *room = uno_schedule_room(s, mine);
        data[r] = room;
        uno_schedule_receive(s, r, room, mine);
    }
    for (int i = 1; i < n; i++) {
        int r = (me + i) % n;
        size_t bytes = bytes_of(f, first[r + 1] - first[r]);
        if (bytes)
            uno_schedule_send(s, r, from + first[r] * how_of(f)->bytes, bytes);
    }
    uno_schedule_fence(s);
    return data;
}

/* Return the bounds of parts of equal size. */
static size_t *even_parts(struct uno_schedule *s, size_t count) {
    size_t n = (size_t)s->comm->comm.size, *first = uno_schedule_room(s, (n + 1) * sizeof *first);
    for (size_t r = 0; r <= n; r++)
        first[r] = count / n * r + uno_least(r, count % n);
    return first;
}

/* ---- one result, for one rank or for all ----------------------------------------------------------------
 */

enum { ALL = -1, NOBODY = -2 };

/* Send all operands to the ranks that get the result, which combine them. Returns the result's place, as it
 * travels; NULL: this rank gets none. */
static char *combine_all(struct uno_schedule *s, const struct uno_fold *f, int root) {
    int n = s->comm->comm.size, me = s->comm->comm.rank;
    size_t bytes = bytes_of(f, f->count);
    const char *from = own(s, f);
    if (root != ALL && root != me) {
        uno_schedule_send(s, root, from, bytes);
        return NULL;
    }
    const void **data = uno_schedule_room(s, (size_t)n * sizeof *data);
    data[me] = from;
    for (int i = 1; i < n; i++) {
        void *room = uno_schedule_room(s, bytes);
        data[(me + n - i) % n] = room;
        uno_schedule_receive(s, (me + n - i) % n, room, bytes);
    }
    for (int i = 1; i < n && root == ALL; i++)
        uno_schedule_send(s, (me + i) % n, from, bytes);
    uno_schedule_fence(s);
    char *out = result(s, f, f->count);
    uno_schedule_combine(s, how_of(f), data, n, f->count, out);
    return out;
}

static void everything(struct uno_schedule *s, const struct uno_fold *f, int root) {
    combine_all(s, f, root);
}

/* Combine a part in each rank, and send it to the ranks that get the result. */
static void by_parts(struct uno_schedule *s, const struct uno_fold *f, int root) {
    int n = s->comm->comm.size, me = s->comm->comm.rank;
    const size_t *first = even_parts(s, f->count);
    size_t count = first[me + 1] - first[me], step = how_of(f)->bytes;
    const void **data = exchange_parts(s, f, first);
    bool gets = root == ALL || root == me;
    char *out = gets ? result(s, f, f->count) : NULL;
    char *part = gets ? out + first[me] * step : uno_schedule_room(s, count * step);
    for (int i = 1; i < n && gets; i++) {
        int r = (me + n - i) % n;
        uno_schedule_receive(s, r, out + first[r] * step, bytes_of(f, first[r + 1] - first[r]));
    }
    if (count)
        uno_schedule_combine(s, how_of(f), data, n, count, part);
    for (int i = 1; i < n; i++)
        if (root == ALL || (me + i) % n == root)
            uno_schedule_send(s, (me + i) % n, part, bytes_of(f, count));
}

/* Combine in rank 0, which sends the result to all. */
static void by_first(struct uno_schedule *s, const struct uno_fold *f, int root) {
    struct uno_data travels = {combine_all(s, f, 0), bytes_of(f, f->count), &uno_layout_bytes};
    (void)root;
    if (!travels.at)
        travels.at = result(s, f, f->count);
    uno_schedule_bcast(s, &travels, 0);
}

/* The ways to make a result, of which the first that fits is taken: up to so many bytes and ranks. Operands
 * sent to all ranks take one round, and few ranks' are soon sent; parts are worth their second round where
 * combining takes longer than that. */
static const struct {
    bool all, padded;
    size_t bytes;
    int ranks;
    void (*build)(struct uno_schedule *s, const struct uno_fold *f, int root);
} ways[] = {
    {true, true, SIZE_MAX, INT_MAX, everything},  {true, false, 16384, 16, everything},
    {true, false, 1024, INT_MAX, by_first},       {true, false, SIZE_MAX, INT_MAX, by_parts},
    {false, true, SIZE_MAX, INT_MAX, everything}, {false, false, 16384, INT_MAX, everything},
    {false, false, SIZE_MAX, INT_MAX, by_parts},
};

static void build(struct uno_schedule *s, const struct uno_fold *f, int root) {
    size_t bytes = bytes_of(f, f->count), i = 0;
    if (!bytes)
        return;
    while (ways[i].all != (root == ALL) || ways[i].padded != padded(f) || bytes > ways[i].bytes ||
           s->comm->comm.size > ways[i].ranks)
        i++;
    ways[i].build(s, f, root);
}

/* ---- between the groups of an intercommunicator ----------------------------------------------------------
 */

/* Send this rank's operand to one rank of the other group, or to ALL or NOBODY; and, if this rank gets
 * anything, combine the other group's: `count` elements of each, from number `first` on. */
static void between(struct uno_schedule *s, const struct uno_fold *f, int to, bool gets, size_t first,
                    size_t count) {
    int n = s->comm->peers;
    size_t bytes = bytes_of(f, f->count);
    const void **data = uno_schedule_room(s, (size_t)n * sizeof *data);
    if (!bytes)
        return;
    for (int r = 0; r < n && gets; r++) {
        char *room = uno_schedule_room(s, bytes);
        data[r] = room + first * how_of(f)->bytes;
        uno_schedule_receive(s, r, room, bytes);
    }
    const char *from = to == NOBODY ? NULL : own(s, f);
    for (int r = 0; r < n; r++)
        if (to == ALL || to == r)
            uno_schedule_send(s, r, from, bytes);
    if (!gets || !count)
        return;
    uno_schedule_fence(s);
    uno_schedule_combine(s, how_of(f), data, n, count, result(s, f, count));
}

void uno_schedule_reduce(struct uno_schedule *s, const struct uno_fold *fold, int root) {
    if (s->comm->remote)
        between(s, fold, root == MPI_ROOT ? NOBODY : root, root == MPI_ROOT || root == ALL, 0, fold->count);
    else if (s->comm->comm.size == 1)
        alone(s, fold);
    else
        build(s, fold, root);
}

void uno_schedule_allreduce(struct uno_schedule *s, const struct uno_fold *fold) {
    uno_schedule_reduce(s, fold, ALL);
}

/* ---- many results ------------------------------------------------------------------------------------ */

void uno_schedule_scan(struct uno_schedule *s, const struct uno_fold *f, bool inclusive) {
    int n = s->comm->comm.size, me = s->comm->comm.rank;
    size_t bytes = bytes_of(f, f->count);
    bool last = me == n - 1;
    if (!bytes)
        return;
    if (me == 0) {
        if (!last)
            uno_schedule_send(s, 1, own(s, f), bytes);
        if (inclusive)
            alone(s, f);
        return;
    }
    const void **data = uno_schedule_room(s, 2 * sizeof *data);
    char *before = uno_schedule_room(s, bytes), *sum = NULL;
    if (inclusive || !last)
        data[1] = own(s, f);
    data[0] = before;
    uno_schedule_receive(s, me - 1, before, bytes);
    uno_schedule_fence(s);
    if (inclusive)
        sum = result(s, f, f->count);
    else if (!last)
        sum = uno_schedule_room(s, bytes);
    if (sum)
        uno_schedule_combine(s, how_of(f), data, 2, f->count, sum);
    if (!last)
        uno_schedule_send(s, me + 1, sum, bytes);
    struct uno_data out = {f->out, f->count, how_of(f)->layout}, in = {before, bytes, &uno_layout_bytes};
    if (how_of(f)->kernel)
        in = (struct uno_data){before, f->count, how_of(f)->layout};
    if (!inclusive)
        uno_schedule_move(s, &in, &out);
}

void uno_schedule_reduce_scatter(struct uno_schedule *s, const struct uno_fold *f,
                                 const struct uno_numbers *counts, size_t even) {
    int n = s->comm->comm.size, me = s->comm->comm.rank;
    size_t *first = uno_schedule_room(s, ((size_t)n + 1) * sizeof *first);
    for (int r = 0; r < n; r++)
        first[r + 1] = first[r] + (counts ? (size_t)uno_number(*counts, r) : even);
    size_t count = first[me + 1] - first[me];
    if (s->comm->remote) {
        between(s, f, ALL, true, first[me], count);
        return;
    }
    if (n == 1) {
        alone(s, f);
        return;
    }
    const void **data = exchange_parts(s, f, first);
    if (count)
        uno_schedule_combine(s, how_of(f), data, n, count, result(s, f, count));
}

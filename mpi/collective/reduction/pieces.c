#include "collective/reduction/pieces.h"

#include "engine/reach.h"

UNO_COLD void uno_pieces_pack(struct uno_pieces *p, const void *in, size_t count, void *out, size_t results) {
    const struct uno_layout *layout = p->how->layout;
    p->in = p->packed_in = uno_base_allocate(count * layout->size, 1);
    layout->pack(layout, in, count, p->packed_in);
    if (!results)
        return;
    p->out = p->packed_out = uno_base_allocate(results * layout->size, 1);
    p->program_out = out;
}

UNO_COLD void uno_pieces_unpack(struct uno_pieces *p, size_t results) {
    const struct uno_layout *layout = p->how->layout;
    if (p->packed_out && results)
        layout->unpack(layout, p->packed_out, results, p->program_out);
    free(p->packed_in);
    free(p->packed_out);
}

/* ---- straight from the others' memory ---------------------------------------------------------------- */

/* The place of a rank's elements; and of its result, in a rank that gets one elsewhere. */
struct place {
    uint64_t in, out;
};

/* Return the rank whose elements may lie where the result goes while they are combined: 0 or 1, for which a
 * kernel allows it. -1: none, since the gaps between elements must not be written. */
static int rank_in_place(const struct uno_pieces *p) {
    if (p->how->bytes != p->how->layout->size)
        return -1;
    return p->in == p->out && p->c->rank < 2 ? p->c->rank : p->c->rank == 0;
}

/* Return how many elements of each rank are read before they are combined: those that need a buffer have it
 * in a piece. */
static size_t step_of_reading(const struct uno_pieces *p, int in_place) {
    enum { MOST = 1024 * 1024 }; /* bytes, which a cache holds until then */
    bool apart = in_place >= 0 && p->c->size == 2 && p->in != p->out;
    return (apart ? MOST : UNO_PIECE / (size_t)p->c->size) / p->how->bytes;
}

/* Read elements [from, from + count) of all ranks to data[r]; each rank has its own elements from `at` on.
 * False: some could not be read. */
static bool read_piece(const struct uno_pieces *p, const struct place *at, int in_place, size_t from,
                       size_t count, char *room, const void **data) {
    const struct uno_comm *c = p->c;
    size_t start = from * p->how->bytes, size = uno_pieces_size(p->how, count);
    data[c->rank] = p->in + start;
    if (p->in == p->out && in_place != c->rank) {
        data[c->rank] = memcpy(room, p->in + start, size);
        room += count * p->how->bytes;
    }
    for (int r = 0; r < c->size; r++) {
        if (r == c->rank)
            continue;
        char *to = r == in_place ? p->out + start : room;
        room += r == in_place ? 0 : count * p->how->bytes;
        data[r] = to;
        if (!uno_reach_read(c->lane->pe, c->pe[r], at[r].in + start, to, size))
            return false;
    }
    return true;
}

/* Return the least number that a rank puts. */
static uint64_t least_of_all(struct uno_pieces *p, uint64_t own) {
    const void *const *data = uno_slots_meet(p->c, p->op, p->total, &own, sizeof own);
    for (int r = 0; r < p->c->size; r++) {
        uint64_t of;
        memcpy(&of, data[r], sizeof of);
        own = uno_least(own, of);
    }
    uno_slots_end(p->c);
    return own;
}

/* Tell the other ranks where this rank's elements lie, and where its result goes, if that is elsewhere. */
static void tell_places(struct uno_pieces *p, struct place *at) {
    struct uno_comm *c = p->c;
    struct place own = {(uintptr_t)p->in, p->in == p->out ? 0 : (uintptr_t)p->out};
    const void *const *told = uno_slots_meet(c, p->op, p->total, &own, sizeof own);
    for (int r = 0; r < c->size; r++)
        memcpy(&at[r], told[r], sizeof at[r]);
    uno_slots_end(c);
}

/* Combine elements [from, count) for the rank with the result, and write them to their place. The other one
 * of two ranks does this. False: some could not be read or written. */
static bool help(const struct uno_pieces *p, const struct place *theirs, size_t from, size_t count) {
    const struct uno_comm *c = p->c;
    int other = c->pe[!c->rank];
    size_t bytes = p->how->bytes;
    char *room = uno_staged_room(c);
    for (size_t some; from < count; from += some) {
        some = uno_least(count - from, UNO_PIECE / bytes);
        const void *data[2] = {room, room};
        data[c->rank] = p->in + from * bytes;
        if (!uno_reach_read(c->lane->pe, other, theirs->in + from * bytes, room, some * bytes))
            return false;
        uno_combine(p->how, data, 2, some, room);
        if (!uno_reach_write(c->lane->pe, other, theirs->out + from * bytes, room, some * bytes))
            return false;
    }
    return true;
}

size_t uno_pieces_read(struct uno_pieces *p, size_t count) {
    /* Bytes from which help by the other rank pays; that rank copies twice. */
    enum { SHARED = 128 * 1024 };
    struct uno_comm *c = p->c;
    struct place at[c->size];
    const void *data[c->size];
    tell_places(p, at);
    int in_place = rank_in_place(p);
    bool both = c->size == 2 && in_place >= 0 && (at[0].out || at[1].out) && count * p->how->bytes >= SHARED;
    size_t mine = both ? count - count / 4 : count;
    size_t step = step_of_reading(p, in_place), from = 0, some = 0, done = p->out ? 0 : count;
    if (both && !p->out && !help(p, &at[!c->rank], mine, count))
        done = 0;
    char *room = p->out ? uno_staged_room(c) : NULL; /* which nobody else reads */
    while (p->out && done < mine) {
        from = done;
        some = uno_least(mine - done, step);
        if (!read_piece(p, at, in_place, from, some, room, data))
            break;
        done += some;
        if (done < mine)
            uno_combine(p->how, data, c->size, some, p->out + from * p->how->bytes);
    }
    bool all = done >= mine;
    size_t least = least_of_all(p, all ? count : both ? 0 : done);
    if (p->out && all && least == count) /* the last of it, which the others need not wait for */
        uno_combine(p->how, data, c->size, some, p->out + from * p->how->bytes);
    c->plan.direct &= least == count;
    return least;
}

bool uno_pieces_combine(struct uno_pieces *p, size_t first, size_t count, char *out) {
    struct uno_comm *c = p->c;
    size_t bytes = p->how->bytes;
    struct uno_pieces part = *p;
    struct place at[c->size];
    const void *data[c->size];
    tell_places(p, at);
    part.in += first * bytes, part.out = out;
    for (int r = 0; r < c->size; r++)
        at[r].in += first * bytes;
    int in_place = rank_in_place(&part);
    size_t step = step_of_reading(&part, in_place), done = 0;
    char *room = uno_staged_room(c); /* which nobody else reads */
    for (size_t some; done < count; done += some) {
        some = uno_least(count - done, step);
        if (!read_piece(&part, at, in_place, done, some, room, data))
            break;
        uno_combine(p->how, data, c->size, some, out + done * bytes);
    }
    bool all = least_of_all(p, done == count);
    c->plan.direct &= all;
    return all;
}

/* ---- by the buffers ---------------------------------------------------------------------------------- */

/* Combine a part of the piece, as each rank does, and share the results. */
static void share_work(struct uno_pieces *p, const void *const *data, size_t count, char *out) {
    const struct uno_comm *c = p->c;
    size_t bytes = p->how->bytes, first = uno_pieces_part(p, count, c->rank);
    size_t mine = uno_pieces_part(p, count, c->rank + 1) - first;
    for (int r = 0; r < c->size; r++)
        c->data[r] = (const char *)data[r] + first * bytes;
    char *room = uno_staged_room(c);
    if (mine)
        uno_combine(p->how, c->data, c->size, mine, room);
    uno_staged_end(c);
    uno_staged_meet(c, p->op, p->total);
    for (int r = 0; out && r < c->size; r++) {
        size_t start = uno_pieces_part(p, count, r), size = uno_pieces_part(p, count, r + 1) - start;
        memcpy(out + start * bytes, uno_staged_of(c, r), size * bytes);
    }
}

void uno_pieces_reduce(struct uno_pieces *p, size_t count) {
    size_t step = uno_pieces_step(p), bytes = p->how->bytes;
    for (size_t from = 0; from < count; from += step) {
        size_t some = uno_least(count - from, step);
        bool shares = uno_plan_shares_work(p->c, some * bytes) && bytes == p->how->layout->size;
        p->keeps = p->op == UNO_MPI_REDUCE && p->out && (p->in != p->out || p->c->rank < 2) && !shares;
        const void *const *data = uno_pieces_meet(p, from, some);
        char *to = p->out ? p->out + from * bytes : NULL;
        if (shares)
            share_work(p, data, some, to);
        else if (to)
            uno_combine(p->how, data, p->c->size, some, to);
        uno_pieces_end(p);
    }
}

#include "collective/reduction/pieces.h"

const void *const *uno_pieces_meet(struct uno_pieces *p, size_t from, size_t count) {
    const char *in = p->in.bytes + from * p->how->bytes;
    size_t size = uno_pieces_size(p, count);
    if (count * p->how->bytes <= UNO_BYTES)
        return uno_slots_meet(p->c, p->op, p->total, in, size);
    memcpy(uno_staged_room(p->c), in, size);
    uno_staged_meet(p->c, p->op, p->total);
    return uno_staged_of_all(p->c);
}

/* Each rank combines a part of the piece, and passes it on. */
static void share_work(struct uno_pieces *p, const void *const *data, size_t count, char *out) {
    const struct uno_comm *c = p->c;
    size_t n = (size_t)c->size, me = (size_t)c->rank, bytes = p->how->bytes;
    size_t first = count * me / n, mine = count * (me + 1) / n - first;
    for (int r = 0; r < c->size; r++)
        c->data[r] = (const char *)data[r] + first * bytes;
    char *room = uno_staged_room(c);
    if (mine)
        uno_combine(p->how, c->data, c->size, mine, room);
    uno_staged_end(c);
    uno_staged_meet(c, p->op, p->total);
    for (size_t r = 0; out && r < n; r++) {
        size_t start = count * r / n, size = count * (r + 1) / n - start;
        memcpy(out + start * bytes, uno_staged_of(c, (int)r), size * bytes);
    }
}

void uno_pieces_reduce(struct uno_pieces *p, size_t count) {
    size_t step = uno_pieces_step(p), bytes = p->how->bytes;
    for (size_t from = 0; from < count; from += step) {
        size_t some = uno_least(count - from, step);
        const void *const *data = uno_pieces_meet(p, from, some);
        char *to = p->out.bytes ? p->out.bytes + from * bytes : NULL;
        if (uno_plan_shares_work(p->c, some * bytes) && bytes == p->how->layout->size)
            share_work(p, data, some, to);
        else if (to)
            uno_combine(p->how, data, p->c->size, some, to);
        uno_slots_end(p->c);
    }
}

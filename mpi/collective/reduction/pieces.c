#include "collective/reduction/pieces.h"

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
        char *to = p->out ? p->out + from * bytes : NULL;
        if (uno_plan_shares_work(p->c, some * bytes) && bytes == p->how->layout->size)
            share_work(p, data, some, to);
        else if (to)
            uno_combine(p->how, data, p->c->size, some, to);
        uno_slots_end(p->c);
    }
}

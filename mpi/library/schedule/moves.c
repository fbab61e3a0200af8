/* On one machine a message costs its copy, and no more for going far: so blocks go straight from rank to
 * rank, all in one round, which no third rank can hold up. Only a broadcast, whose data many must copy, and a
 * barrier, which is nothing but rounds, go by others. */

#include "library/schedule/moves.h"

/* The rank that is so far behind this one, round all of them. */
static int behind(const struct uno_schedule *s, int distance) {
    const struct uno_comm *c = &s->comm->comm;
    return (c->rank + distance % c->size + c->size) % c->size;
}

/* By dissemination: in each round a rank has heard of twice as many. */
void uno_schedule_barrier(struct uno_schedule *s) {
    static char nothing;
    for (int distance = 1; distance < s->comm->comm.size; distance *= 2) {
        uno_schedule_receive(s, behind(s, -distance), &nothing, 0);
        uno_schedule_send(s, behind(s, distance), &nothing, 0);
        uno_schedule_fence(s);
    }
}

/* By a binomial tree: a rank is so far behind the root, and has its data from the one that this number
 * without its lowest bit tells. */
void uno_schedule_bcast(struct uno_schedule *s, const struct uno_data *data, int root) {
    int n = s->comm->comm.size, place = behind(s, -root), bit = 1;
    size_t bytes = uno_schedule_bytes(data);
    const void *packed;
    if (n == 1 || !bytes)
        return;
    while (bit < n && !(place & bit))
        bit *= 2;
    if (place) {
        packed = uno_schedule_unpacked(s, data);
        uno_schedule_receive(s, (place - bit + root) % n, (void *)packed, bytes);
        uno_schedule_fence(s);
    } else {
        packed = uno_schedule_packed(s, data);
    }
    while (bit /= 2)
        if (place + bit < n)
            uno_schedule_send(s, (place + bit + root) % n, packed, bytes);
}

void uno_schedule_gather(struct uno_schedule *s, const struct uno_data *in, const struct uno_blocks *out,
                         int root) {
    const struct uno_comm *c = &s->comm->comm;
    if (c->rank != root) {
        uno_schedule_give(s, root, in);
        return;
    }
    for (int r = 0; r < c->size; r++) {
        struct uno_data block = uno_block(out, r);
        if (r != root)
            uno_schedule_take(s, r, &block);
        else if (in)
            uno_schedule_move(s, in, &block);
    }
}

void uno_schedule_scatter(struct uno_schedule *s, const struct uno_blocks *in, const struct uno_data *out,
                          int root) {
    const struct uno_comm *c = &s->comm->comm;
    if (c->rank != root) {
        uno_schedule_take(s, root, out);
        return;
    }
    for (int r = 0; r < c->size; r++) {
        struct uno_data block = uno_block(in, r);
        if (r != root)
            uno_schedule_give(s, r, &block);
        else if (out)
            uno_schedule_move(s, &block, out);
    }
}

void uno_schedule_allgather(struct uno_schedule *s, const struct uno_data *in, const struct uno_blocks *out) {
    const struct uno_comm *c = &s->comm->comm;
    struct uno_data own = uno_block(out, c->rank);
    const struct uno_data *from = in ? in : &own;
    for (int i = 1; i < c->size; i++) {
        int r = behind(s, -i);
        struct uno_data block = uno_block(out, r);
        uno_schedule_take(s, r, &block);
    }
    if (uno_schedule_bytes(from)) {
        const void *packed = c->size > 1 ? uno_schedule_packed(s, from) : NULL;
        for (int i = 1; i < c->size; i++)
            uno_schedule_send(s, behind(s, i), packed, uno_schedule_bytes(from));
    }
    if (in)
        uno_schedule_move(s, in, &own);
}

static void give_all(struct uno_schedule *s, const struct uno_blocks *in) {
    for (int i = 1; i < s->comm->comm.size; i++) {
        struct uno_data block = uno_block(in, behind(s, i));
        uno_schedule_give(s, behind(s, i), &block);
    }
}

void uno_schedule_alltoall(struct uno_schedule *s, const struct uno_blocks *in,
                           const struct uno_blocks *out) {
    const struct uno_comm *c = &s->comm->comm;
    /* a send is done with its data: what comes may take their place */
    if (!in)
        give_all(s, out);
    for (int i = 1; i < c->size; i++) {
        struct uno_data block = uno_block(out, behind(s, -i));
        uno_schedule_take(s, behind(s, -i), &block);
    }
    if (in) {
        give_all(s, in);
        struct uno_data from = uno_block(in, c->rank), to = uno_block(out, c->rank);
        uno_schedule_move(s, &from, &to);
    }
}

/* On one machine a message costs its copy, and no more for a longer way: so blocks go straight from rank to
 * rank, all in one round, which no third rank can hold up. Only a broadcast, whose data many ranks must copy,
 * and a barrier, which consists of rounds, take other ways. */

#include "library/schedule/moves.h"

/* The rank that is so far behind this one, round all of them. */
static int behind(const struct uno_schedule *s, int distance) {
    int n = s->comm->peers;
    return (s->comm->comm.rank + distance % n + n) % n;
}

/* Return the number of ranks but this one: they follow it at distances 1, 2, and so on. */
static int others(const struct uno_schedule *s) {
    return s->comm->peers - (s->comm->remote ? 0 : 1);
}

static char nothing;

/* A barrier between two groups: each rank hears of all ranks of the other group. */
static void barrier_between(struct uno_schedule *s) {
    for (int i = 1; i <= others(s); i++)
        uno_schedule_receive(s, behind(s, -i), &nothing, 0);
    for (int i = 1; i <= others(s); i++)
        uno_schedule_send(s, behind(s, i), &nothing, 0);
}

/* A barrier by dissemination: in each round a rank has heard of twice as many ranks. */
void uno_schedule_barrier(struct uno_schedule *s) {
    if (s->comm->remote) {
        barrier_between(s);
        return;
    }
    for (int distance = 1; distance < s->comm->comm.size; distance *= 2) {
        uno_schedule_receive(s, behind(s, -distance), &nothing, 0);
        uno_schedule_send(s, behind(s, distance), &nothing, 0);
        uno_schedule_fence(s);
    }
}

static void send_all(struct uno_schedule *s, const struct uno_data *data) {
    if (!uno_schedule_bytes(data) || !others(s))
        return;
    const void *packed = uno_schedule_packed(s, data);
    for (int i = 1; i <= others(s); i++)
        uno_schedule_send(s, behind(s, i), packed, uno_schedule_bytes(data));
}

static void bcast_between(struct uno_schedule *s, const struct uno_data *data, int root) {
    if (root == MPI_ROOT)
        send_all(s, data);
    else
        uno_schedule_take(s, root, data);
}

/* A broadcast by a binomial tree: a rank is so far behind the root, and has its data from the rank at this
 * distance without its lowest bit. */
void uno_schedule_bcast(struct uno_schedule *s, const struct uno_data *data, int root) {
    if (s->comm->remote) {
        bcast_between(s, data, root);
        return;
    }
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

void uno_schedule_gather(struct uno_schedule *s, const struct uno_data *in, const struct uno_mpi_blocks *out,
                         int root) {
    if (!uno_schedule_is_root(s, root)) {
        uno_schedule_give(s, root, in);
        return;
    }
    for (int r = 0; r < s->comm->peers; r++) {
        struct uno_data block = uno_block(out, r);
        if (r != root)
            uno_schedule_take(s, r, &block);
        else if (in)
            uno_schedule_move(s, in, &block);
    }
}

void uno_schedule_scatter(struct uno_schedule *s, const struct uno_mpi_blocks *in, const struct uno_data *out,
                          int root) {
    if (!uno_schedule_is_root(s, root)) {
        uno_schedule_take(s, root, out);
        return;
    }
    for (int r = 0; r < s->comm->peers; r++) {
        struct uno_data block = uno_block(in, r);
        if (r != root)
            uno_schedule_give(s, r, &block);
        else if (out)
            uno_schedule_move(s, &block, out);
    }
}

void uno_schedule_allgather(struct uno_schedule *s, const struct uno_data *in,
                            const struct uno_mpi_blocks *out) {
    for (int i = 1; i <= others(s); i++) {
        struct uno_data block = uno_block(out, behind(s, -i));
        uno_schedule_take(s, behind(s, -i), &block);
    }
    if (s->comm->remote) {
        send_all(s, in);
        return;
    }
    struct uno_data own = uno_block(out, s->comm->comm.rank);
    send_all(s, in ? in : &own);
    if (in)
        uno_schedule_move(s, in, &own);
}

static void give_all(struct uno_schedule *s, const struct uno_mpi_blocks *in) {
    for (int i = 1; i <= others(s); i++) {
        struct uno_data block = uno_block(in, behind(s, i));
        uno_schedule_give(s, behind(s, i), &block);
    }
}

void uno_schedule_alltoall(struct uno_schedule *s, const struct uno_mpi_blocks *in,
                           const struct uno_mpi_blocks *out) {
    int me = s->comm->comm.rank;
    /* a send is done with its data, so received data may take their place */
    if (!in)
        give_all(s, out);
    for (int i = 1; i <= others(s); i++) {
        struct uno_data block = uno_block(out, behind(s, -i));
        uno_schedule_take(s, behind(s, -i), &block);
    }
    if (in)
        give_all(s, in);
    if (in && !s->comm->remote) {
        struct uno_data from = uno_block(in, me), to = uno_block(out, me);
        uno_schedule_move(s, &from, &to);
    }
}

/* Traffic that stays pending across collectives: point-to-point messages, nonblocking collectives, and puts
 * into a process that does nothing for them. */

#include <stdlib.h>
#include <string.h>

#include "random.h"

enum kind { RING, SUM, BROADCAST, BARRIER, KINDS };
enum { CELLS = 256 };

static uint64_t content(const struct walk *w, long step, int rank, size_t i) {
    struct rng r = rng_for(w->seed, (uint64_t)step, (uint64_t)rank << 32 | i, ERRAND);
    return rng_next(&r);
}

static void fill(const struct walk *w, long step, int rank, unsigned char *at, size_t bytes) {
    for (size_t i = 0; i < bytes / 8; i++) {
        uint64_t v = content(w, step, rank, i);
        memcpy(at + 8 * i, &v, 8);
    }
}

/* A message, which is the same on every rank, except for when it is completed. */
struct message {
    int kind, circle, shift, root;
    size_t bytes;
};

static struct message draw(const struct walk *w, long step) {
    static const size_t bytes[] = {8, 104, 8000, 120000, 800000};
    struct rng r = rng_for(w->seed, (uint64_t)step, 0, ERRAND);
    struct message m = {.kind = rng_below(&r, KINDS), .bytes = bytes[rng_below(&r, 5)]};
    if (rng_below(&r, 2))
        m.kind = RING;
    m.circle = rng_below(&r, MAX_COMMS);
    const struct circle *c = &w->circle[m.circle];
    m.shift = c->alive ? rng_below(&r, c->size[0]) : 0;
    m.root = m.shift;
    return m;
}

static void start(struct walk *w, struct errand *e, const struct circle *c, const struct message *m) {
    int n = c->size[0], count = (int)(m->bytes / 8), tag = (int)(w->step & 8191);
    *e = (struct errand){
        .busy = true, .kind = m->kind, .circle = m->circle, .step = w->step, .bytes = m->bytes};
    struct rng own = rng_step(w, (uint64_t)w->me + 1, ERRAND);
    e->due = w->step + (rng_below(&own, 4) ? rng_below(&own, 8) : 0);
    e->out = malloc(m->bytes);
    e->in = calloc(1, m->bytes);
    if (!e->out || !e->in)
        fail(w, "no memory for a message");
    fill(w, w->step, w->me, e->out, m->bytes);
    e->request[0] = e->request[1] = MPI_REQUEST_NULL;
    switch (m->kind) {
    case RING:
        MPI_Irecv(e->in, count, MPI_UINT64_T, (c->rank + n - m->shift) % n, tag, c->comm, &e->request[0]);
        MPI_Isend(e->out, count, MPI_UINT64_T, (c->rank + m->shift) % n, tag, c->comm, &e->request[1]);
        break;
    case SUM:
        MPI_Iallreduce(e->out, e->in, count, MPI_UINT64_T, MPI_SUM, c->comm, &e->request[0]);
        break;
    case BROADCAST:
        if (c->rank == m->root)
            memcpy(e->in, e->out, m->bytes);
        MPI_Ibcast(e->in, count, MPI_UINT64_T, m->root, c->comm, &e->request[0]);
        break;
    default:
        MPI_Ibarrier(c->comm, &e->request[0]);
        break;
    }
    w->errands++;
}

static uint64_t wanted(const struct walk *w, const struct errand *e, const struct message *m, size_t i) {
    const struct circle *c = &w->circle[e->circle];
    int n = c->size[0];
    uint64_t sum = 0;
    switch (e->kind) {
    case RING:
        return content(w, e->step, c->member[0][(c->rank + n - m->shift) % n], i);
    case BROADCAST:
        return content(w, e->step, c->member[0][m->root], i);
    case SUM:
        for (int k = 0; k < n; k++)
            sum += content(w, e->step, c->member[0][k], i);
        return sum;
    default:
        return 0;
    }
}

static void complete(struct walk *w, struct errand *e) {
    static const char *const names[] = {"MPI_Irecv", "MPI_Iallreduce", "MPI_Ibcast", "MPI_Ibarrier"};
    struct message m = draw(w, e->step);
    MPI_Wait(&e->request[0], MPI_STATUS_IGNORE);
    MPI_Wait(&e->request[1], MPI_STATUS_IGNORE);
    for (size_t i = 0; i < e->bytes / 8; i++) {
        uint64_t got;
        memcpy(&got, e->in + 8 * i, 8);
        uint64_t want = wanted(w, e, &m, i);
        if (got != want)
            fail(w, "%s of step %ld, %zu bytes, number %zu: expected %llx, received %llx", names[e->kind],
                 e->step, e->bytes, i, (unsigned long long)want, (unsigned long long)got);
    }
    free(e->out);
    free(e->in);
    e->busy = false;
}

void beside_complete(struct walk *w, int circle) {
    for (int i = 0; i < MAX_ERRANDS; i++)
        if (w->errand[i].busy && (circle < 0 || w->errand[i].circle == circle))
            complete(w, &w->errand[i]);
}

/* ---- one-sided */

/* Check, between two barriers, that all ranks' puts are done, and not overtaken by later ones. */
static void look(struct walk *w) {
    MPI_Barrier(w->base);
    MPI_Win_sync(w->window);
    for (int i = 0; i < CELLS; i++)
        if (w->cell[i] != w->cell_want[i])
            fail(w, "MPI_Put or MPI_Accumulate, cell %d: expected %llx, found %llx", i,
                 (unsigned long long)w->cell_want[i], (unsigned long long)w->cell[i]);
    MPI_Barrier(w->base);
}

/* A rank puts into a cell of another, which must come about although that one waits elsewhere. */
static void put(struct walk *w) {
    struct rng r = rng_step(w, 0, CELL);
    int origin = rng_below(&r, w->n), target = rng_below(&r, w->n);
    long cell = 1 + w->puts % (CELLS - 1);
    if (w->puts++ > 0 && cell == 1) /* no cell may be put into twice at once */
        look(w);
    int64_t value = (int64_t)rng_next(&r), one = 1;
    if (w->me == target) {
        w->cell_want[cell] = value;
        w->cell_want[0] += 1;
    }
    if (w->me != origin)
        return;
    MPI_Put(&value, 1, MPI_INT64_T, target, cell, 1, MPI_INT64_T, w->window);
    MPI_Accumulate(&one, 1, MPI_INT64_T, target, 0, 1, MPI_INT64_T, MPI_SUM, w->window);
    MPI_Win_flush(target, w->window);
}

void beside_start(struct walk *w) {
    w->cell = calloc(CELLS, sizeof *w->cell);
    w->cell_want = calloc(CELLS, sizeof *w->cell_want);
    if (!w->cell || !w->cell_want)
        fail(w, "no memory for the window");
    w->two_sided = options.two_sided || w->n == 1; /* Debian's Open MPI has no windows of one rank */
    if (w->two_sided)
        return;
    MPI_Win_create(w->cell, CELLS * sizeof *w->cell, sizeof *w->cell, MPI_INFO_NULL, w->base, &w->window);
    MPI_Win_lock_all(0, w->window);
}

void beside_step(struct walk *w) {
    struct rng r = rng_step(w, 1, ERRAND);
    int kind = rng_below(&r, 64);
    for (int i = 0; i < MAX_ERRANDS; i++)
        if (w->errand[i].busy && w->errand[i].due <= w->step)
            complete(w, &w->errand[i]);
    if (kind < 8 && !w->two_sided)
        put(w);
    if (kind == 63 && !w->two_sided)
        look(w);
    struct message m = draw(w, w->step);
    const struct circle *c = &w->circle[m.circle];
    if (kind < 48 || !c->alive || c->inter || c->side < 0)
        return;
    for (int i = 0; i < MAX_ERRANDS; i++)
        if (!w->errand[i].busy) {
            start(w, &w->errand[i], c, &m);
            return;
        }
    fail(w, "no place for another message");
}

void beside_stop(struct walk *w) {
    beside_complete(w, -1);
    if (!w->two_sided) {
        look(w);
        MPI_Win_unlock_all(w->window);
        MPI_Win_free(&w->window);
    }
    free(w->cell);
    free(w->cell_want);
}

/* Collectives of a round: one; or several of random kinds on several communicators, begun one after the other
 * with some that are done at once and with messages between them, and completed by each rank in an order of
 * its own. */

#include "call.h"

enum { MOST = 8 };

void collective_round(struct world *w) {
    struct call c;
    call_prepare(&c, w, AT_ONCE);
    call_issue(&c);
    call_check(&c);
    call_end(&c);
}

/* ---- several ----------------------------------------------------------------------------------------- */

/* A message round the ranks of a communicator, received from any by any tag: no collective's may match. */
struct message {
    const struct world *w;
    word out, in;
    MPI_Request request;
};

static void send_round(struct message *m, const struct world *w) {
    MPI_Request sends;
    *m = (struct message){.w = w, .out = value_of(w, w->rank, -1)};
    GOOD(MPI_Irecv(&m->in, 1, MPI_UINT32_T, MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &m->request));
    GOOD(MPI_Isend(&m->out, 1, MPI_UINT32_T, (w->rank + 1) % w->size, 7, w->comm, &sends));
    GOOD(MPI_Wait(&sends, MPI_STATUS_IGNORE));
}

struct several {
    int n, open; /* open: requests that are not complete */
    struct call call[MOST];
    struct message message[MOST];
    MPI_Request request[2 * MOST]; /* of the calls, and behind them of the messages */
    bool left[2 * MOST];           /* it is not complete */
};

static void opens(struct several *s, int i, MPI_Request request) {
    s->request[i] = request;
    s->left[i] = true;
    s->open++;
}

static void done(struct several *s, int i) {
    CHECK(s->left[i]);
    s->left[i] = false;
    s->open--;
    if (i < s->n) {
        s->call[i].request = s->request[i];
        call_check(&s->call[i]);
    } else {
        const struct message *m = &s->message[i - s->n];
        CHECK(m->in == value_of(m->w, (m->w->rank + m->w->size - 1) % m->w->size, -1));
    }
}

/* Complete some, in a random way. */
static void complete(struct several *s, struct rng *own) {
    int all = 2 * s->n, some, flag = 0, index[2 * MOST], i = rng_below(own, all);
    while (!s->left[i])
        i = (i + 1) % all;
    switch (rng_below(own, 8)) {
    case 0:
        GOOD(MPI_Waitall(all, s->request, MPI_STATUSES_IGNORE));
        for (i = 0; i < all; i++)
            if (s->left[i])
                done(s, i);
        return;
    case 1:
        GOOD(MPI_Waitsome(all, s->request, &some, index, MPI_STATUSES_IGNORE));
        for (i = 0; i < some; i++)
            done(s, index[i]);
        return;
    case 2:
        while (!flag)
            GOOD(MPI_Testany(all, s->request, &i, &flag, MPI_STATUS_IGNORE));
        break;
    case 3:
        GOOD(MPI_Waitany(all, s->request, &i, MPI_STATUS_IGNORE));
        break;
    case 4:
    case 5:
        GOOD(MPI_Wait(&s->request[i], MPI_STATUS_IGNORE));
        break;
    default:
        while (!flag)
            GOOD(MPI_Test(&s->request[i], &flag, MPI_STATUS_IGNORE));
    }
    done(s, i);
}

/* Start those that are made, in an order of this rank's own. */
static void start_made(struct several *s, struct rng *own) {
    int from = rng_below(own, s->n);
    for (int k = 0; k < s->n; k++) {
        int i = (from + k) % s->n;
        if (s->call[i].form != MADE)
            continue;
        call_start(&s->call[i]);
        opens(s, i, s->call[i].request);
    }
}

void several_round(const struct world *worlds, int count) {
    struct several s = {.n = 0};
    struct world w[MOST];
    struct rng r = rng_for(worlds->seed, (uint64_t)worlds->round, 5, 5);
    struct rng own = rng_for(worlds->seed, (uint64_t)worlds->round, 6, (uint64_t)worlds->rank);
    s.n = 1 + rng_below(&r, MOST);
    for (int i = 0; i < s.n; i++) {
        struct call *c = &s.call[i];
        w[i] = worlds[rng_below(&r, count)];
        w[i].round = worlds->round * MOST + i + (1 << 24);
        w[i].all = rng_for(w[i].seed, (uint64_t)w[i].round, 77, (uint64_t)w[i].size);
        call_prepare(c, &w[i], (enum form)rng_below(&r, FORMS));
        send_round(&s.message[i], &w[i]);
        opens(&s, s.n + i, s.message[i].request);
        call_issue(c);
        s.request[i] = c->request;
        if (c->form == AT_ONCE)
            call_check(c);
        else if (c->form == BEGUN)
            opens(&s, i, c->request);
    }
    for (int times = 0; times < 2; times++) {
        start_made(&s, &own);
        while (s.open)
            complete(&s, &own);
    }
    for (int i = 0; i < s.n; i++)
        call_end(&s.call[i]);
    GOOD(MPI_Barrier(worlds->comm)); /* the next round's messages may not be this one's */
}

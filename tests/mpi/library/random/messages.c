/* Messages of a round: each rank posts some receives, sends, receives the rest, and compares all of it in the
 * order in which it has posted: a receive gets the earliest message that fits. In one round all receives of a
 * rank leave the same open: nothing, the source, the tag, or both. In some rounds all ranks stop when all has
 * been sent, and look whether synchronous sends whose receives have not begun wait for that; in some they
 * wait for each other before they send, so that all early receives are there. */

#include "messages.h"

#include <stdbool.h>
#include <string.h>

/* Ways to receive: the first ones are posted before the rank sends. */
enum { EARLY_MODES = 2, LATE_MODES = 5 };

static int length(struct rng *r) {
    static const int usual[] = {0, 1, 2, 11, 12, 13, 14, 200, 3000};
    int kind = rng_below(r, 40);
    return kind == 0 ? LONGEST : kind == 1 ? 16384 + rng_below(r, 4) : usual[rng_below(r, 9)];
}

static void plan(struct round *p) {
    struct rng *r = &p->w->all;
    p->messages = 1 + rng_below(r, MOST);
    p->open_source = rng_below(r, 2);
    p->open_tag = rng_below(r, 2);
    for (int i = 0; i < p->messages; i++)
        p->message[i] = (struct message){.from = rng_below(r, p->w->size),
                                         .to = rng_below(r, p->w->size),
                                         .tag = rng_below(r, TAGS),
                                         .n = length(r),
                                         .mode = (enum send_mode)rng_below(r, SEND_MODES),
                                         .form = (enum send_form)rng_below(r, SEND_FORMS),
                                         .layout = (enum send_layout)rng_below(r, SEND_LAYOUTS),
                                         .request = MPI_REQUEST_NULL};
    for (int i = 0; i < p->messages; i++) {
        const struct message *m = &p->message[i];
        int mode = rng_below(r, EARLY_MODES + LATE_MODES), strided = rng_below(r, 2);
        ++*(mode < EARLY_MODES && !p->late_of[m->to] ? &p->early_of[m->to] : &p->late_of[m->to]);
        if (m->to == p->w->rank)
            p->receive[p->receives++] = (struct receive){.source = p->open_source ? MPI_ANY_SOURCE : m->from,
                                                         .tag = p->open_tag ? MPI_ANY_TAG : m->tag,
                                                         .mode = mode,
                                                         .strided = strided};
    }
    p->ready = rng_below(r, 3) == 0;
    p->stops = rng_below(r, 4) == 0;
    /* the early ones stand before the others, in their order */
    for (p->early = 0; p->early < p->receives && p->receive[p->early].mode < EARLY_MODES;)
        p->early++;
}

/* No receive of a rank that posts none early has begun before the others have, which wait. */
static void stop(const struct round *p) {
    int flag;
    GOOD(MPI_Barrier(p->w->comm));
    for (int i = 0; i < p->messages; i++)
        if (p->message[i].request != MPI_REQUEST_NULL && p->early_of[p->message[i].to] == 0) {
            GOOD(MPI_Request_get_status(p->message[i].request, &flag, MPI_STATUS_IGNORE));
            CHECK(!flag);
        }
    GOOD(MPI_Barrier(p->w->comm));
}

/* ---- receiving --------------------------------------------------------------------------------------- */

static MPI_Datatype type_of(const struct round *p, const struct receive *r) {
    return r->strided ? p->strided : MPI_INT;
}

static void post(const struct round *p, struct receive *r) {
    if (r->mode == 0) {
        GOOD(MPI_Irecv(r->memory, LONGEST, type_of(p, r), r->source, r->tag, p->w->comm, &r->request));
        return;
    }
    GOOD(MPI_Recv_init(r->memory, LONGEST, type_of(p, r), r->source, r->tag, p->w->comm, &r->request));
    GOOD(MPI_Startall(1, &r->request));
}

static void receive_now(const struct round *p, struct receive *r) {
    MPI_Message message;
    MPI_Status probed;
    int flag = 0, n;
    switch (r->mode) {
    case 3:
        GOOD(MPI_Probe(r->source, r->tag, p->w->comm, &probed));
        GOOD(MPI_Get_count(&probed, MPI_INT, &n));
        GOOD(
            MPI_Recv(r->memory, n, type_of(p, r), probed.MPI_SOURCE, probed.MPI_TAG, p->w->comm, &r->status));
        break;
    case 4:
        GOOD(MPI_Mprobe(r->source, r->tag, p->w->comm, &message, &probed));
        GOOD(MPI_Mrecv(r->memory, LONGEST, type_of(p, r), &message, &r->status));
        CHECK(message == MPI_MESSAGE_NULL && probed.MPI_SOURCE == r->status.MPI_SOURCE);
        break;
    case 5:
        while (!flag)
            GOOD(MPI_Improbe(r->source, r->tag, p->w->comm, &flag, &message, &probed));
        GOOD(MPI_Mrecv(r->memory, LONGEST, type_of(p, r), &message, &r->status));
        break;
    case 6:
        GOOD(MPI_Mprobe(r->source, r->tag, p->w->comm, &message, &probed));
        GOOD(MPI_Imrecv(r->memory, LONGEST, type_of(p, r), &message, &r->request));
        GOOD(MPI_Wait(&r->request, &r->status));
        break;
    default:
        GOOD(MPI_Recv(r->memory, LONGEST, type_of(p, r), r->source, r->tag, p->w->comm, &r->status));
    }
}

/* Complete all early receives, in one of several ways. */
static void finish(struct round *p, int way) {
    MPI_Request request[MOST];
    MPI_Status status[MOST];
    int index[MOST], done, flag = 0, n = p->early;
    for (int i = 0; i < n; i++)
        request[i] = p->receive[i].request;
    for (int left = n; left > 0 && way < 2; left -= done) {
        if (way == 0) {
            GOOD(MPI_Waitany(n, request, index, status));
            done = 1;
        } else {
            GOOD(MPI_Waitsome(n, request, &done, index, status));
        }
        CHECK(done > 0);
        for (int i = 0; i < done; i++)
            p->receive[index[i]].status = status[i];
    }
    if (way == 2)
        GOOD(MPI_Waitall(n, request, status));
    while (way == 3 && !flag)
        GOOD(MPI_Testall(n, request, &flag, status));
    for (int i = 0; i < n; i++) {
        if (way >= 2)
            p->receive[i].status = status[i];
        if (p->receive[i].mode == 1)
            GOOD(MPI_Request_free(&request[i]));
        CHECK(request[i] == MPI_REQUEST_NULL);
    }
}

/* ---- comparing --------------------------------------------------------------------------------------- */

/* The message that this receive must have got, the receives before it being served. */
static int expected(struct round *p, const struct receive *r) {
    for (int i = 0; i < p->messages; i++) {
        const struct message *m = &p->message[i];
        bool fits = m->to == p->w->rank && !m->taken && m->from == r->status.MPI_SOURCE;
        if (fits && (p->open_tag || m->tag == r->status.MPI_TAG))
            return i;
    }
    CHECK(!"a message that was never sent");
    return -1;
}

static void compare(struct round *p, const struct receive *r) {
    int i = expected(p, r), n, step = r->strided ? 2 : 1;
    struct message *m = &p->message[i];
    m->taken = 1;
    CHECK(m->tag == r->status.MPI_TAG);
    CHECK(r->source == MPI_ANY_SOURCE || r->source == m->from);
    GOOD(MPI_Get_count(&r->status, MPI_INT, &n));
    CHECK(n == m->n);
    for (int k = 0; k < n; k++)
        CHECK(r->memory[k * step] == (int)value_of(p->w, i, k));
    CHECK(r->memory[n * step] == -1);
}

void messages_round(struct world *w) {
    struct round p = {.w = w};
    int *memory = malloc(2 * (LONGEST + 1) * sizeof *memory), way;
    plan(&p);
    way = rng_below(&w->all, 4);
    GOOD(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &p.strided));
    GOOD(MPI_Type_commit(&p.strided));
    for (int i = 0; i < p.receives; i++) {
        p.receive[i].memory = malloc(2 * (LONGEST + 1) * sizeof(int));
        for (int k = 0; k < 2 * (LONGEST + 1); k++)
            p.receive[i].memory[k] = -1;
    }
    for (int i = 0; i < p.early; i++)
        post(&p, &p.receive[i]);
    if (p.ready)
        GOOD(MPI_Barrier(w->comm));
    for (int i = 0; i < p.messages; i++)
        if (p.message[i].from == w->rank)
            messages_send(&p, i, memory);
    if (p.stops)
        stop(&p);
    for (int i = p.early; i < p.receives; i++)
        receive_now(&p, &p.receive[i]);
    finish(&p, way);
    for (int i = 0; i < p.messages; i++)
        messages_end(&p.message[i]);
    for (int i = 0; i < p.receives; i++) {
        compare(&p, &p.receive[i]);
        free(p.receive[i].memory);
    }
    GOOD(MPI_Type_free(&p.strided));
    free(memory);
    GOOD(MPI_Barrier(w->comm)); /* the next round's messages may not be this one's */
}

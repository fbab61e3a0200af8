/* Messages of a round: each rank posts some receives, sends, receives the rest, and compares all of it in the
 * order in which it has posted: a receive gets the earliest message that fits. In one round all receives of a
 * rank leave the same open: nothing, the source, the tag, or both. In some rounds all ranks stop when all has
 * been sent, and look whether synchronous sends whose receives have not begun wait for that. */

#include "random.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 24, RANKS = 64, TAGS = 3, EARLY_MODES = 2, LATE_MODES = 5, SEND_MODES = 9, LONGEST = 70000 };

struct message {
    int from, to, tag, n;
    int send_mode;
    int strided; /* in the sender's memory */
    int taken;   /* by a receive */
    int *memory; /* of a send that goes on, which is still the program's */
    MPI_Request request;
};

struct receive {
    int source, tag, mode, strided;
    int *memory; /* LONGEST elements, each second one of twice as many if strided */
    MPI_Status status;
    MPI_Request request;
};

struct round {
    struct world *w;
    struct message message[MOST];
    int messages;
    int open_source, open_tag;
    struct receive receive[MOST];
    int receives, early;
    int early_of[RANKS], late_of[RANKS]; /* receives of each rank: posted before it sends, and not */
    int stops;
    MPI_Datatype strided;
};

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
        p->message[i] = (struct message){rng_below(r, p->w->size),
                                         rng_below(r, p->w->size),
                                         rng_below(r, TAGS),
                                         length(r),
                                         rng_below(r, SEND_MODES),
                                         rng_below(r, 2),
                                         0,
                                         NULL,
                                         MPI_REQUEST_NULL};
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
    p->stops = rng_below(r, 4) == 0;
    /* the early ones stand before the others, in their order */
    for (p->early = 0; p->early < p->receives && p->receive[p->early].mode < EARLY_MODES;)
        p->early++;
}

/* ---- sending ----------------------------------------------------------------------------------------- */

/* One that goes on until its receive has begun. */
static void begin_synchronous(const struct round *p, struct message *m, MPI_Datatype type) {
    if (m->send_mode == 5) {
        GOOD(MPI_Issend(m->memory, m->n, type, m->to, m->tag, p->w->comm, &m->request));
        return;
    }
    GOOD(MPI_Ssend_init(m->memory, m->n, type, m->to, m->tag, p->w->comm, &m->request));
    GOOD(MPI_Start(&m->request));
}

static void end_synchronous(struct message *m) {
    if (m->request == MPI_REQUEST_NULL)
        return;
    GOOD(MPI_Wait(&m->request, MPI_STATUS_IGNORE));
    if (m->send_mode == 6)
        GOOD(MPI_Request_free(&m->request));
    CHECK(m->request == MPI_REQUEST_NULL);
    free(m->memory);
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

static void send_one(struct round *p, int i, int *memory) {
    struct message *m = &p->message[i];
    MPI_Status status;
    int step = m->strided ? 2 : 1;
    MPI_Datatype type = m->strided ? p->strided : MPI_INT;
    MPI_Request request;
    if (m->send_mode == 5 || m->send_mode == 6)
        memory = m->memory = malloc(((size_t)m->n * (size_t)step + 1) * sizeof *memory);
    for (int k = 0; k < m->n; k++)
        memory[k * step] = (int)value_of(p->w, i, k);
    switch (m->send_mode) {
    case 0:
        GOOD(MPI_Isend(memory, m->n, type, m->to, m->tag, p->w->comm, &request));
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(request == MPI_REQUEST_NULL);
        break;
    case 1:
        GOOD(MPI_Bsend(memory, m->n, type, m->to, m->tag, p->w->comm));
        break;
    case 2:
        GOOD(MPI_Send_init(memory, m->n, type, m->to, m->tag, p->w->comm, &request));
        GOOD(MPI_Start(&request));
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        GOOD(MPI_Request_free(&request));
        break;
    case 3:
        GOOD(MPI_Send_c(memory, m->n, type, m->to, m->tag, p->w->comm));
        break;
    case 5:
    case 6:
        begin_synchronous(p, m, type);
        return;
    case 7:
        if (p->late_of[m->to] == 0) { /* its receive does not wait for this rank */
            GOOD(MPI_Ssend(memory, m->n, type, m->to, m->tag, p->w->comm));
            break;
        }
        GOOD(MPI_Send(memory, m->n, type, m->to, m->tag, p->w->comm));
        break;
    case 8:
        GOOD(MPI_Isendrecv(memory, m->n, type, m->to, m->tag, NULL, 0, type, MPI_PROC_NULL, 0, p->w->comm,
                           &request));
        GOOD(MPI_Wait(&request, &status));
        CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
        break;
    default:
        GOOD(MPI_Send(memory, m->n, type, m->to, m->tag, p->w->comm));
    }
    memset(memory, 0xee, (size_t)m->n * (size_t)step * sizeof *memory); /* they are the library's now */
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

/* All early receives, in one of several ways. */
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
    for (int i = 0; i < p.messages; i++)
        if (p.message[i].from == w->rank)
            send_one(&p, i, memory);
    if (p.stops)
        stop(&p);
    for (int i = p.early; i < p.receives; i++)
        receive_now(&p, &p.receive[i]);
    finish(&p, way);
    for (int i = 0; i < p.messages; i++)
        end_synchronous(&p.message[i]);
    for (int i = 0; i < p.receives; i++) {
        compare(&p, &p.receive[i]);
        free(p.receive[i].memory);
    }
    GOOD(MPI_Type_free(&p.strided));
    free(memory);
    GOOD(MPI_Barrier(w->comm)); /* the next round's messages may not be this one's */
}

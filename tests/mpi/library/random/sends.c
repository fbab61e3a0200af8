/* Sending, in all modes and forms: a synchronous send goes on until its receive has begun, and ends with the
 * round; all others are waited for at once. */

#include "messages.h"

#include <string.h>

typedef int now_function(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int begin_function(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* The functions by mode. */
static now_function *const now[] = {MPI_Send, MPI_Bsend, MPI_Rsend, MPI_Ssend};
static begin_function *const beside[] = {MPI_Isend, MPI_Ibsend, MPI_Irsend, MPI_Issend};
static begin_function *const often[] = {MPI_Send_init, MPI_Bsend_init, MPI_Rsend_init, MPI_Ssend_init};

/* The mode in which it may be sent here: a ready send wants its receive posted, and a synchronous one that is
 * waited for one that does not wait for this rank. */
static enum send_mode mode_of(const struct round *p, const struct message *m) {
    int early = p->late_of[m->to] == 0;
    if (m->mode == READY)
        return early && p->ready ? READY : STANDARD;
    return m->mode == SYNCHRONOUS && m->form == NOW && !early ? STANDARD : m->mode;
}

static void send(const struct round *p, struct message *m, MPI_Datatype type, int n, int *memory) {
    enum send_mode mode = mode_of(p, m);
    MPI_Status status;
    if (mode == LARGE) {
        GOOD(MPI_Send_c(memory, n, type, m->to, m->tag, p->w->comm));
    } else if (mode == WITH_RECEIVE) {
        GOOD(MPI_Isendrecv(memory, n, type, m->to, m->tag, NULL, 0, type, MPI_PROC_NULL, 0, p->w->comm,
                           &m->request));
        GOOD(MPI_Wait(&m->request, &status));
        CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    } else if (m->form == NOW) {
        GOOD(now[mode](memory, n, type, m->to, m->tag, p->w->comm));
    } else if (m->form == BESIDE) {
        GOOD(beside[mode](memory, n, type, m->to, m->tag, p->w->comm, &m->request));
    } else {
        GOOD(often[mode](memory, n, type, m->to, m->tag, p->w->comm, &m->request));
        GOOD(MPI_Start(&m->request));
    }
}

void messages_end(struct message *m) {
    if (m->request == MPI_REQUEST_NULL)
        return;
    GOOD(MPI_Wait(&m->request, MPI_STATUS_IGNORE));
    if (m->form == OFTEN)
        GOOD(MPI_Request_free(&m->request));
    CHECK(m->request == MPI_REQUEST_NULL);
    free(m->memory);
    m->memory = NULL;
}

void messages_send(struct round *p, int i, int *memory) {
    struct message *m = &p->message[i];
    int step = m->layout == DENSE ? 1 : 2, goes_on = m->mode == SYNCHRONOUS && m->form != NOW;
    MPI_Datatype type = m->layout == DENSE ? MPI_INT : p->strided;
    size_t bytes = ((size_t)m->n * (size_t)step + 1) * sizeof *memory;
    if (goes_on)
        memory = m->memory = malloc(bytes);
    for (int k = 0; k < m->n; k++)
        memory[k * step] = (int)value_of(p->w, i, k);
    if (m->layout == VECTOR) {
        GOOD(MPI_Type_vector(m->n, 1, 2, MPI_INT, &type));
        GOOD(MPI_Type_commit(&type));
    }
    send(p, m, type, m->layout == VECTOR ? 1 : m->n, memory);
    if (m->layout == VECTOR)
        GOOD(MPI_Type_free(&type)); /* also of one that goes on */
    if (goes_on)
        return;
    messages_end(m);
    memset(memory, 0xee, bytes - sizeof *memory); /* they are the library's now */
}

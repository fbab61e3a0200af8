/* Looking at messages before they are received, and taking them out. */

#include "library/calls.h"
#include "library/message/messages.h"
#include "library/message/requests.h"
#include "library/rank/waits.h"

/* The envelope to look for, and the message that was found. */
struct look {
    struct uno_envelope asked;
    const struct uno_message *found;
};

static bool find(void *argument) {
    struct look *look = argument;
    look->found = uno_channel_probe(uno_rank->channel, &look->asked);
    return look->found != NULL;
}

/* Say which message was found. Then earlier looks in vain do not count any more. */
static void tell(MPI_Status *status, const struct uno_mpi_comm *comm, const struct uno_message *m) {
    for (int i = 0; i < UNO_LOOKED_KEPT; i++)
        uno_rank->looked[i].times = 0;
    uno_status_set(status, uno_comm_rank_of(comm, m->envelope.source), m->envelope.tag, (MPI_Count)m->bytes,
                   false);
}

int uno_mpi_probe(int source, int tag, struct uno_mpi_comm *comm, MPI_Status *status) {
    if (source == MPI_PROC_NULL) {
        uno_status_none(status);
        return MPI_SUCCESS;
    }
    struct look look = {.asked = uno_asked(comm, source, tag)};
    uno_wait_until(find, &look, NULL, look.asked.source, UNO_SIGNATURE_MPI_PROBE);
    tell(status, comm, look.found);
    return MPI_SUCCESS;
}

/* Count a look that was in vain, for who looks at this rank from outside. Of different ones the last few are
 * kept. The rank may give its processor away for that look, and does so first: from where the program has
 * called may be known only behind this call (uno_called_correct), and stays known until the next look. */
static void in_vain(int source, int tag, const struct uno_mpi_comm *comm, int k) {
    struct uno_rank *rank = uno_rank;
    uno_channel_looked_in_vain(rank->channel, k, UNO_SIGNATURE_MPI_IPROBE);
    struct uno_looked *looked = rank->looked, *end = looked + UNO_LOOKED_KEPT;
    while (looked < end && !(looked->comm == comm && looked->source == source && looked->tag == tag))
        looked++;
    if (looked == end) {
        looked = &rank->looked[rank->looked_ever++ % UNO_LOOKED_KEPT];
        *looked = (struct uno_looked){.comm = comm, .source = source, .tag = tag};
    }
    uno_called_note(&looked->called, rank);
    looked->times++;
}

void uno_called_correct(const MPI_Request *request, const void *from) {
    struct uno_rank *rank = uno_rank;
    struct uno_mpi_request *made = request ? uno_find_request(*request) : NULL;
    if (made)
        made->called.from = from;
    if (request)
        return;
    for (int i = 0; i < UNO_LOOKED_KEPT; i++)
        if (rank->looked[i].called.from == rank->from)
            rank->looked[i].called.from = from;
    rank->from = from; /* an entry around that one may know better */
}

int uno_mpi_iprobe(int source, int tag, struct uno_mpi_comm *comm, int *flag, MPI_Status *status) {
    *flag = 1;
    if (source == MPI_PROC_NULL) {
        uno_status_none(status);
        return MPI_SUCCESS;
    }
    struct look look = {.asked = uno_asked(comm, source, tag)};
    *flag = find(&look);
    if (*flag)
        tell(status, comm, look.found);
    else
        in_vain(source, tag, comm, look.asked.source);
    return MPI_SUCCESS;
}

/* ---- messages that are taken out -------------------------------------------------------------------------
 */

/* Receive a message, as an empty one, that was taken out and that the program has not received. */
static void release(void *object) {
    struct uno_mpi_message *m = object;
    struct uno_channel *channel = uno_rank->channel;
    if (m->message) {
        char nothing;
        struct uno_receive receive = {.data = &nothing};
        uno_channel_receive_message(channel, m->message, &receive);
        uno_channel_finish(channel, &receive, UNO_SIGNATURE_MPI_FINALIZE);
    }
    uno_object_drop(m->comm);
}

/* The envelope to look for, and the message that was taken out. */
struct taken {
    struct uno_envelope asked;
    struct uno_message *message;
};

static bool take(void *argument) {
    struct taken *taken = argument;
    taken->message = uno_channel_take_message(uno_rank->channel, &taken->asked);
    return taken->message != NULL;
}

static void hand_out(const struct taken *taken, struct uno_mpi_comm *comm, MPI_Message *message,
                     MPI_Status *status) {
    struct uno_mpi_message *made = uno_object_make(UNO_MESSAGE, sizeof *made, 0, release);
    made->comm = uno_object_hold(comm);
    made->message = taken->message;
    *message = (MPI_Message)made->object.handle;
    tell(status, comm, taken->message);
}

int uno_mpi_mprobe(int source, int tag, struct uno_mpi_comm *comm, MPI_Message *message, MPI_Status *status) {
    if (source == MPI_PROC_NULL) {
        *message = MPI_MESSAGE_NO_PROC;
        uno_status_none(status);
        return MPI_SUCCESS;
    }
    struct taken taken = {.asked = uno_asked(comm, source, tag)};
    uno_wait_until(take, &taken, NULL, taken.asked.source, UNO_SIGNATURE_MPI_PROBE);
    hand_out(&taken, comm, message, status);
    return MPI_SUCCESS;
}

int uno_mpi_improbe(int source, int tag, struct uno_mpi_comm *comm, int *flag, MPI_Message *message,
                    MPI_Status *status) {
    *flag = 1;
    if (source == MPI_PROC_NULL)
        return uno_mpi_mprobe(source, tag, comm, message, status);
    struct taken taken = {.asked = uno_asked(comm, source, tag)};
    *flag = take(&taken);
    *message = MPI_MESSAGE_NULL;
    if (*flag)
        hand_out(&taken, comm, message, status);
    else
        in_vain(source, tag, comm, taken.asked.source);
    return MPI_SUCCESS;
}

int uno_mpi_mrecv(void *buf, MPI_Count count, struct uno_mpi_type *datatype, MPI_Message *message,
                  MPI_Status *status) {
    MPI_Request request;
    int error = uno_mpi_imrecv(buf, count, datatype, message, &request);
    return error ? error : uno_mpi_wait(&request, status);
}

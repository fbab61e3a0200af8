/* Looking at messages before they are received, and taking them out. */

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/messages.h"
#include "library/predefined.h"
#include "library/waits.h"

/* What is looked for, and what was found. */
struct look {
    struct uno_envelope asked;
    const struct uno_message *found;
};

static bool find(void *argument) {
    struct look *look = argument;
    look->found = uno_channel_probe(uno_rank->channel, &look->asked);
    return look->found != NULL;
}

static void tell(MPI_Status *status, const struct uno_mpi_comm *comm, const struct uno_message *m) {
    uno_status_set(status, uno_comm_rank_of(comm, m->envelope.source), m->envelope.tag, (MPI_Count)m->bytes,
                   false);
}

int uno_mpi_probe(int source, int tag, struct uno_mpi_comm *comm, MPI_Status *status) {
    if (source == MPI_PROC_NULL) {
        uno_status_none(status);
        return MPI_SUCCESS;
    }
    struct look look = {.asked = uno_asked(comm, source, tag)};
    uno_wait_until(find, &look, look.asked.source, UNO_SIGNATURE_MPI_PROBE);
    tell(status, comm, look.found);
    return MPI_SUCCESS;
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
    return MPI_SUCCESS;
}

/* ---- messages that are taken out -------------------------------------------------------------------------
 */

static void release(void *object) {
    struct uno_mpi_message *message = object;
    free(message->receive.data);
    uno_object_drop(message->comm);
}

/* It goes on coming, or has come, to memory of its own. */
static void take_out(const struct look *look, struct uno_mpi_comm *comm, MPI_Message *message) {
    struct uno_mpi_message *made = uno_object_make(UNO_MESSAGE, 0, release);
    size_t bytes = look->found->bytes;
    made->comm = uno_object_hold(comm);
    made->receive =
        (struct uno_receive){.envelope = look->asked, .data = uno_base_allocate(bytes + 1, 1), .room = bytes};
    uno_channel_post(uno_rank->channel, &made->receive); /* it gets the one that was found */
    *message = (MPI_Message)made->object.handle;
}

int uno_mpi_mprobe(int source, int tag, struct uno_mpi_comm *comm, MPI_Message *message, MPI_Status *status) {
    int error = uno_mpi_probe(source, tag, comm, status);
    struct look look = {.asked = {0}};
    *message = MPI_MESSAGE_NO_PROC;
    if (error || source == MPI_PROC_NULL)
        return error;
    look.asked = uno_asked(comm, source, tag);
    find(&look);
    take_out(&look, comm, message);
    return MPI_SUCCESS;
}

int uno_mpi_improbe(int source, int tag, struct uno_mpi_comm *comm, int *flag, MPI_Message *message,
                    MPI_Status *status) {
    int error = uno_mpi_iprobe(source, tag, comm, flag, status);
    if (error || !*flag || source == MPI_PROC_NULL) {
        *message = *flag ? MPI_MESSAGE_NO_PROC : MPI_MESSAGE_NULL;
        return error;
    }
    return uno_mpi_mprobe(source, tag, comm, message, status);
}

int uno_mpi_mrecv(void *buf, MPI_Count count, struct uno_mpi_type *datatype, MPI_Message *message,
                  MPI_Status *status) {
    if (*message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        uno_status_none(status);
        return MPI_SUCCESS;
    }
    struct uno_mpi_message *m = uno_object_of((uintptr_t)*message, UNO_MESSAGE);
    if (!m)
        return uno_error(MPI_ERR_REQUEST, "message is none");
    struct uno_receive *receive = &m->receive;
    uno_channel_finish(uno_rank->channel, receive, UNO_SIGNATURE_MPI_RECV);
    receive->room = (size_t)count * datatype->layout.size;
    uno_type_unpack_part(datatype, receive->data, uno_least(receive->bytes, receive->room), buf);
    uno_status_of(status, m->comm, receive);
    int error = uno_received(receive);
    uno_object_drop(m);
    *message = MPI_MESSAGE_NULL;
    return error;
}

/* Messages between ranks: the connection from the program's calls, in which a rank is a number of a
 * communicator, to the engine's channels. */

#ifndef UNO_MPI_MESSAGES_H
#define UNO_MPI_MESSAGES_H

#include <string.h>

#include "library/communicator/comm.h"
#include "library/rank/ops.h"

/* A message that MPI_Mprobe has taken out of the queue; NULL: it has been received. */
struct uno_mpi_message {
    struct uno_object object;
    struct uno_message *message;
    struct uno_mpi_comm *comm;
};

/* Begin MPI_Ssend. *answer is done when its receive has begun, and must stay where it is until then. Not for
 * MPI_PROC_NULL. */
void uno_send_asking(const void *buf, MPI_Count count, struct uno_mpi_type *type, int dest, int tag,
                     struct uno_mpi_comm *comm, struct uno_receive *answer);

/* Offer a long message, where that pays (send.h): the data, and *answer, stay where they are until *answer is
 * done. False: the message has not been sent. Not for MPI_PROC_NULL. */
bool uno_send_offering(const void *buf, MPI_Count count, const struct uno_mpi_type *type, int dest, int tag,
                       const struct uno_mpi_comm *comm, struct uno_receive *answer);

/* Return the envelope that a receive of the program asks for. */
static inline struct uno_envelope uno_asked(const struct uno_mpi_comm *comm, int source, int tag) {
    return (struct uno_envelope){.context = uno_comm_context(comm),
                                 .source = source == MPI_ANY_SOURCE ? UNO_WILD : comm->peer[source],
                                 .tag = tag == MPI_ANY_TAG ? UNO_WILD : tag};
}

/* A library in front of this one, as that for Fortran, tells where the program has called it: for a request,
 * or, if that is NULL, to look for a message. The entry has taken that library for the caller. */
void uno_called_correct(const MPI_Request *request, const void *from);

/* ---- statuses ---------------------------------------------------------------------------------------- */

/* Fill a status in; NULL is MPI_STATUS_IGNORE. Functions that complete several requests set MPI_ERROR
 * themselves. */
static inline void uno_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes, bool cancelled) {
    if (!status)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    memcpy(&status->MPI_internal[0], &bytes, sizeof bytes);
    status->MPI_internal[2] = cancelled;
}

/* Fill in the empty status; and that of MPI_PROC_NULL. */
static inline void uno_status_empty(MPI_Status *status) {
    uno_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    if (status)
        status->MPI_ERROR = MPI_SUCCESS;
}
static inline void uno_status_none(MPI_Status *status) {
    uno_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

/* Fill in the status of a message that has come. Its bytes are at most those that there was room for. */
static inline void uno_status_of(MPI_Status *status, const struct uno_mpi_comm *comm,
                                 const struct uno_receive *receive) {
    if (!status)
        return;
    size_t bytes = receive->bytes < receive->room ? receive->bytes : receive->room;
    uno_status_set(status, uno_comm_rank_of(comm, receive->envelope.source), receive->envelope.tag,
                   (MPI_Count)bytes, false);
}

/* Return MPI_ERR_TRUNCATE if the message was longer than its buffer. */
static inline int uno_received(const struct uno_receive *receive) {
    if (UNO_LIKELY(receive->bytes <= receive->room))
        return MPI_SUCCESS;
    return uno_error(
        MPI_ERR_TRUNCATE,
        "the message of tag %d from rank %d of MPI_COMM_WORLD has %zu bytes, and there is room for %zu",
        receive->envelope.tag, receive->envelope.source, receive->bytes, receive->room);
}

#endif

/* Messages between ranks: between the program's calls, in which a rank is a number of a communicator, and the
 * engine's channels. */

#ifndef UNO_MPI_MESSAGES_H
#define UNO_MPI_MESSAGES_H

#include <string.h>

#include "library/communicator/comm.h"
#include "library/rank/ops.h"

/* A message that MPI_Mprobe has taken out; NULL: it has been received. */
struct uno_mpi_message {
    struct uno_object object;
    struct uno_message *message;
    struct uno_mpi_comm *comm;
};

/* MPI_Ssend, but for its end: *answer is done then, and must stay where it is until that. Not for
 * MPI_PROC_NULL. */
void uno_send_asking(const void *buf, MPI_Count count, struct uno_mpi_type *type, int dest, int tag,
                     struct uno_mpi_comm *comm, struct uno_receive *answer);

/* Offer a long message, where that pays (send.h): its data stay where they are until *answer is done, which
 * must stay where it is until then. False: it has not been sent. Not for MPI_PROC_NULL. */
bool uno_send_offering(const void *buf, MPI_Count count, const struct uno_mpi_type *type, int dest, int tag,
                       const struct uno_mpi_comm *comm, struct uno_receive *answer);

/* What a receive of the program asks for. */
static inline struct uno_envelope uno_asked(const struct uno_mpi_comm *comm, int source, int tag) {
    return (struct uno_envelope){.context = uno_comm_context(comm),
                                 .source = source == MPI_ANY_SOURCE ? UNO_WILD : comm->peer[source],
                                 .tag = tag == MPI_ANY_TAG ? UNO_WILD : tag};
}

/* ---- statuses ---------------------------------------------------------------------------------------- */

/* Fill it in; NULL is MPI_STATUS_IGNORE. MPI_ERROR is set by who completes several. */
static inline void uno_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes, bool cancelled) {
    if (!status)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    memcpy(&status->MPI_internal[0], &bytes, sizeof bytes);
    status->MPI_internal[2] = cancelled;
}

/* Of nothing at all, and of MPI_PROC_NULL. */
static inline void uno_status_empty(MPI_Status *status) {
    uno_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    if (status)
        status->MPI_ERROR = MPI_SUCCESS;
}
static inline void uno_status_none(MPI_Status *status) {
    uno_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

/* Of a message that has come; it is longer than what was received if that was too short. */
static inline void uno_status_of(MPI_Status *status, const struct uno_mpi_comm *comm,
                                 const struct uno_receive *receive) {
    size_t bytes = receive->bytes < receive->room ? receive->bytes : receive->room;
    uno_status_set(status, uno_comm_rank_of(comm, receive->envelope.source), receive->envelope.tag,
                   (MPI_Count)bytes, false);
}

/* MPI_ERR_TRUNCATE if it was. */
static inline int uno_received(const struct uno_receive *receive) {
    if (UNO_LIKELY(receive->bytes <= receive->room))
        return MPI_SUCCESS;
    return uno_error(
        MPI_ERR_TRUNCATE,
        "the message of tag %d from rank %d of MPI_COMM_WORLD has %zu bytes, and there is room for %zu",
        receive->envelope.tag, receive->envelope.source, receive->bytes, receive->room);
}

#endif

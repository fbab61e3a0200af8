/* The layout of what is read of a rank from outside (outside.c): a number that differs where any of it lies
 * at another place, so that a launcher reads no rank of another version of this library. */

#ifndef UNO_MPI_OUTSIDE_LAYOUT_H
#define UNO_MPI_OUTSIDE_LAYOUT_H

#include "library/message/requests.h"
#include "library/schedule/schedule.h"
#include "library/type/type.h"

static inline uint64_t uno_outside_layout(void) {
    static const size_t places[] = {
        sizeof(struct uno_rank),
        offsetof(struct uno_rank, ends),
        offsetof(struct uno_rank, looked),
        offsetof(struct uno_rank, store),
        sizeof(struct uno_looked),
        sizeof(struct uno_object),
        offsetof(struct uno_object, kind),
        sizeof(struct uno_mpi_request),
        offsetof(struct uno_mpi_request, active),
        offsetof(struct uno_mpi_request, receive),
        offsetof(struct uno_mpi_request, comm),
        offsetof(struct uno_mpi_request, called),
        sizeof(struct uno_receive),
        offsetof(struct uno_receive, done),
        sizeof(struct uno_mpi_comm),
        offsetof(struct uno_mpi_comm, name),
        offsetof(struct uno_mpi_comm, made),
        sizeof(struct uno_mpi_group),
        sizeof(struct uno_request_kind),
        offsetof(struct uno_request_kind, stays),
        sizeof(struct uno_schedule),
        offsetof(struct uno_schedule, told),
        offsetof(struct uno_mpi_type, layout.size),
        (size_t)UNO_SCHEDULES * UNO_FORMS,
    };
    uint64_t layout = 1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        layout = (layout ^ places[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return layout;
}

#endif

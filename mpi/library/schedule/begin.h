/* The program's calls of a collective that is a schedule: the one that begins it, the one that makes it to be
 * started often, and the one that waits for it at once. */

#ifndef UNO_MPI_SCHEDULE_BEGIN_H
#define UNO_MPI_SCHEDULE_BEGIN_H

#include "library/calls.h"
#include "library/rank/ops.h"
#include "library/schedule/schedule.h"

/* Give the program a request for the schedule, which has been built, unless there was an error; then the
 * schedule is freed, and the error returned. again: the program will start it. */
int uno_schedule_begin(struct uno_schedule *s, int error, bool again, MPI_Request *request);

/* Run it once, wait for its end, and free it, unless there was an error already, which is returned.
 * signature: what this rank waits in. */
int uno_schedule_do(struct uno_schedule *s, int error, unsigned signature);

/* The calls of a collective whose schedule a function of its name builds: uno_mpi_i## and uno_mpi_##_init,
 * beside which the program goes on; */
#define UNO_LIST(...) __VA_ARGS__
#define UNO_BESIDE(name, parameters, arguments)                                                              \
    int uno_mpi_i##name(UNO_LIST parameters, struct uno_mpi_comm *comm, MPI_Request *request) {              \
        struct uno_schedule *s = uno_schedule_make(comm, false);                                             \
        return uno_schedule_begin(s, name(s, UNO_LIST arguments), false, request);                           \
    }                                                                                                        \
    int uno_mpi_##name##_init(UNO_LIST parameters, struct uno_mpi_comm *comm, struct uno_mpi_info *info,     \
                              MPI_Request *request) {                                                        \
        struct uno_schedule *s = uno_schedule_make(comm, true);                                              \
        (void)info;                                                                                          \
        return uno_schedule_begin(s, name(s, UNO_LIST arguments), true, request);                            \
    }

/* and the function `blocking`, which waits. OPERATION: what the rank is in meanwhile (ops.def). */
#define UNO_BESIDE_AND_BLOCKING(blocking, OPERATION, name, parameters, arguments)                            \
    UNO_BESIDE(name, parameters, arguments)                                                                  \
    int blocking(UNO_LIST parameters, struct uno_mpi_comm *comm) {                                           \
        struct uno_schedule *s = uno_schedule_make(comm, false);                                             \
        return uno_schedule_do(s, name(s, UNO_LIST arguments), UNO_SIGNATURE_MPI_##OPERATION);               \
    }

/* One of neighbours; and one that intercommunicators have, whose own ones are blocking by mpi/collective. */
#define UNO_NEIGHBOURS(name, parameters, arguments, OPERATION)                                               \
    UNO_BESIDE_AND_BLOCKING(uno_mpi_##name, OPERATION, name, parameters, arguments)
#define UNO_BETWEEN(name, parameters, arguments)                                                             \
    UNO_BESIDE_AND_BLOCKING(uno_inter_##name, BETWEEN, name, parameters, arguments)

#endif

/* The program's calls of a collective that is a schedule: the one that begins it, the one that makes it to be
 * started often, and the one that waits for it at once. */

#ifndef UNO_MPI_SCHEDULE_BEGIN_H
#define UNO_MPI_SCHEDULE_BEGIN_H

#include "library/calls.h"
#include "library/rank/ops.h"
#include "library/schedule/schedule.h"

/* Give the program a request for the schedule, which has been built, unless there was an error; then the
 * schedule is freed, and the error returned. One that is made the program will start. */
int uno_schedule_begin(struct uno_schedule *s, int error, MPI_Request *request);

/* Run it once, wait for its end, and free it, unless there was an error already, which is returned. */
int uno_schedule_do(struct uno_schedule *s, int error);

/* The calls of a collective whose schedule a function of its name builds: uno_mpi_i## and uno_mpi_##_init,
 * beside which the program goes on; */
#define UNO_LIST(...) __VA_ARGS__
#define UNO_BESIDE(name, parameters, arguments)                                                              \
    int uno_mpi_i##name(UNO_LIST parameters, struct uno_mpi_comm *comm, MPI_Request *request) {              \
        struct uno_schedule *s = uno_schedule_make(comm, UNO_SCHEDULE_##name, UNO_BEGUN);                    \
        return uno_schedule_begin(s, name(s, UNO_LIST arguments), request);                                  \
    }                                                                                                        \
    int uno_mpi_##name##_init(UNO_LIST parameters, struct uno_mpi_comm *comm, struct uno_mpi_info *info,     \
                              MPI_Request *request) {                                                        \
        struct uno_schedule *s = uno_schedule_make(comm, UNO_SCHEDULE_##name, UNO_MADE);                     \
        (void)info;                                                                                          \
        return uno_schedule_begin(s, name(s, UNO_LIST arguments), request);                                  \
    }

/* and the function `blocking`, which waits. */
#define UNO_BESIDE_AND_BLOCKING(blocking, name, parameters, arguments)                                       \
    UNO_BESIDE(name, parameters, arguments)                                                                  \
    int blocking(UNO_LIST parameters, struct uno_mpi_comm *comm) {                                           \
        struct uno_schedule *s = uno_schedule_make(comm, UNO_SCHEDULE_##name, UNO_AT_ONCE);                  \
        return uno_schedule_do(s, name(s, UNO_LIST arguments));                                              \
    }

/* Define a collective of neighbours; and one that is blocking in mpi/collective, except for
 * intercommunicators, and where ranks have threads. */
#define UNO_NEIGHBOURS(name, parameters, arguments)                                                          \
    UNO_BESIDE_AND_BLOCKING(uno_mpi_##name, name, parameters, arguments)
#define UNO_BETWEEN(name, parameters, arguments)                                                             \
    UNO_BESIDE_AND_BLOCKING(uno_inter_##name, name, parameters, arguments)

#endif

/* The program's calls of a collective beside which it goes on: the one that begins it, and the one that makes
 * it to be started often. */

#ifndef UNO_MPI_SCHEDULE_BEGIN_H
#define UNO_MPI_SCHEDULE_BEGIN_H

#include "library/calls.h"
#include "library/schedule/schedule.h"

/* Give the program a request for the schedule, which has been built, unless there was an error; then the
 * schedule is freed, and the error returned. again: the program will start it. */
int uno_schedule_begin(struct uno_schedule *s, int error, bool again, MPI_Request *request);

/* Both calls, uno_mpi_i## and uno_mpi_##_init, of a collective whose schedule a function of its name builds.
 */
#define UNO_LIST(...) __VA_ARGS__
#define UNO_SCHEDULED(name, parameters, arguments)                                                           \
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

#endif

/* Threads of a process that are its rank in turn, for MPI_THREAD_SERIALIZED and MPI_THREAD_MULTIPLE. Between
 * calls no thread is the rank, so that each entry takes its cold path, in which the thread takes the rank for
 * the call. Within the call everything is as for one thread: functions of the program that are called back
 * may call MPI. */

#ifndef UNO_MPI_THREADS_H
#define UNO_MPI_THREADS_H

#include "library/rank/rank.h"

/* From the end of MPI_Init on the rank belongs to any thread. multiple: a call that waits lets others in. */
void uno_threads_open(bool multiple);

/* Before the end of MPI_Finalize: from then on no thread takes the rank. */
void uno_threads_close(void);

/* Take the rank for a call, if it belongs to any thread and this one has not got it; and give it back. The
 * first returns false if there is nothing to give back. */
bool uno_threads_enter(void);
void uno_threads_leave(void);

#endif

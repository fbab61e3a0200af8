/* The profile: counts and times of calls. */

#ifndef UNO_PROFILE_H
#define UNO_PROFILE_H

#include "accelerator/observe/call.h"

/* After the host's MPI_Init, on all ranks. */
void uno_profile_start(void);

/* Before the host's MPI_Finalize, on all ranks: rank 0 writes the file. */
void uno_profile_end(void);

void uno_profile_collective(const struct uno_watched_call *call, bool accelerated, uint64_t ns);

/* A call of a function that sends or receives, which took so many ns. */
void uno_profile_message(const char *name, MPI_Count count, MPI_Datatype type, uint64_t ns);

#endif

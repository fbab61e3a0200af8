/* The profile: counts and times of calls. */

#ifndef UNO_PROFILE_H
#define UNO_PROFILE_H

#include "accelerator/observe/call.h"

/* Start the profile. Called on all ranks, after the host's MPI_Init. */
void uno_profile_start(void);

/* End the profile; rank 0 writes the file. Called on all ranks, before the host's MPI_Finalize. */
void uno_profile_end(void);

void uno_profile_collective(const struct uno_watched_call *call, bool accelerated, uint64_t ns);

/* Record a call of a function that sends or receives, which took `ns` ns. */
void uno_profile_message(const char *name, MPI_Count count, MPI_Datatype type, uint64_t ns);

#endif

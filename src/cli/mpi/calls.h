/* unisono mpi --stats and --trace: the recorded calls of a job. */

#ifndef UNO_CLI_MPI_CALLS_H
#define UNO_CLI_MPI_CALLS_H

#include "options.h"

/* Before the start: make the memory, and load the library that records into all programs, in front of the
 * accelerator. Ends with a message if that is impossible. */
void mpi_calls_open(const struct mpi_options *options, enum mpi_build build);

/* After the end: show or write what was recorded. Return true if it could be. */
bool mpi_calls_close(const struct mpi_options *options);

#endif

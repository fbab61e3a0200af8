/* unisono mpi --tune: measure the crossovers. */

#ifndef UNO_CLI_MPI_TUNE_H
#define UNO_CLI_MPI_TUNE_H

#include "launcher.h"
#include "options.h"

/* Run the measuring program under the user's launcher, show the table, keep it. Returns the exit status; ends
 * with a message if it cannot be done. */
int mpi_tune(const struct mpi_options *options, const struct mpi_launcher *launcher, enum mpi_build build);

#endif

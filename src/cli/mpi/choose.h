/* unisono mpi: which build of the accelerator the programs take, and where it is. */

#ifndef UNO_CLI_MPI_CHOOSE_H
#define UNO_CLI_MPI_CHOOSE_H

#include "launcher.h"

/* The build that fits; `wanted`, if it is one, by the user's word. Ends with a message if none does. */
enum mpi_build mpi_choose(const struct mpi_launcher *launcher, enum mpi_build wanted);

/* The file of an accelerator; ends with a message if it is not there. */
void mpi_accelerator(enum mpi_build build, char path[PATH_MAX]);

#endif

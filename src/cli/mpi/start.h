/* unisono mpi: the job's environment, its command line, its start and its end. */

#ifndef UNO_CLI_MPI_START_H
#define UNO_CLI_MPI_START_H

#include "launcher.h"

/* Set a variable for the job. */
void mpi_set(const char *name, const char *value);

/* Load the accelerator into all programs of the job, before what is loaded into them anyway. */
void mpi_preload(const char *accelerator);

/* The command line with options by which the launcher passes the variables on to other machines. */
char **mpi_command(const struct mpi_launcher *launcher, char **argv);

/* A file of this process, which goes with it; at most two. Ends with a message if there can be none. */
void mpi_temporary(char path[PATH_MAX]);

/* Become the command; ends with a message if that fails. */
_Noreturn void mpi_become(const struct mpi_launcher *launcher, char **command);

/* Run the command to its end; signals are passed on to it. Returns its status as of waitpid. */
int mpi_run(const struct mpi_launcher *launcher, char **command);

/* End as what had that status. */
_Noreturn void mpi_end(int status);

#endif

/* unisono mpi: the job's environment, its command line, its start and its end. */

#ifndef UNO_CLI_MPI_START_H
#define UNO_CLI_MPI_START_H

#include "launcher.h"

/* Set a variable for the job. */
void mpi_set(const char *name, const char *value);

/* Load a library, the accelerator for example, into all programs of the job, before those that are preloaded
 * anyway. */
void mpi_preload(const char *library);

/* The command line with options by which the launcher passes the variables on to other machines. */
char **mpi_command(const struct mpi_launcher *launcher, char **argv);

/* The full path of a file, not made yet, in a folder that only this user can enter and that goes with this
 * process, with all that is in it; at most two. The folder is beside the path, or among temporary files if
 * that is NULL. Ends with a message if there can be none. */
void mpi_temporary(char path[PATH_MAX], const char *beside);

/* Become the command; ends with a message if that fails. */
_Noreturn void mpi_become(const struct mpi_launcher *launcher, char **command);

/* Run the command to its end; signals are passed on to it. Returns its status as of waitpid. */
int mpi_run(const struct mpi_launcher *launcher, char **command);

/* End as what had that status. */
_Noreturn void mpi_end(int status);

#endif

/* mpirun: the machines that a command line names, which must all be this one. */

#ifndef UNO_CLI_MPIRUN_HOST_H
#define UNO_CLI_MPIRUN_HOST_H

/* A list like localhost:4,127.0.0.1,[::1]:2, or a file with a line for each machine, as those of Open MPI
 * (slots=4) and of MPICH (localhost:4). command: begins messages. Returns the number of slots, one for a name
 * without a number; -1: after a message about what is wrong. */
int mpirun_hosts(const char *list, const char *command);
int mpirun_hostfile(const char *path, const char *command);

#endif

/* The programs of a job, as a command line names them: each with its number of PEs, its environment and its
 * folder. While they are read, the environment of a part has only what the command line says. */

#ifndef UNO_CLI_PARTS_H
#define UNO_CLI_PARTS_H

#include "launch/request.h"

/* A further part, empty, at the end; it stays where it is until the next one. */
struct uno_part *parts_add(struct uno_launch *launch);

/* Give the processes of the part NAME=VALUE, or the value that NAME has here, if it has one. */
void parts_set(struct uno_part *part, const char *text);

/* Returns how many PEs all parts have, which may be more than there can be. */
long parts_pes(const struct uno_launch *launch);

/* Make the environments of all parts: what this process has, then what was said, with Unisono's MPI library
 * in front. */
void parts_finish(struct uno_launch *launch);

#endif

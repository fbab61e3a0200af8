/* The programs of a job, as a command line names them: each with its number of PEs, its environment and its
 * folder. While they are read, the environment of a part has only what the command line says. */

#ifndef UNO_CLI_PARTS_H
#define UNO_CLI_PARTS_H

#include "launch/request.h"

/* Add an empty part at the end, and return it; its address is valid until the next one is added. */
struct uno_part *parts_add(struct uno_launch *launch);

/* Give the processes of the part the variable NAME=VALUE, or, for NAME alone, the value that it has in this
 * process, if any. */
void parts_set(struct uno_part *part, const char *text);

/* Returns how many PEs all parts have, which may be more than there can be. */
long parts_pes(const struct uno_launch *launch);

/* Make the environments of all parts: the variables of this process, then those that the command line set,
 * with Unisono's MPI library in front. */
void parts_finish(struct uno_launch *launch);

/* Put these words, of which the last is NULL, in front of each part's program. Returns the memory of the new
 * lists of words, which the caller frees at the end of the job; NULL: there is none. */
char **parts_front(struct uno_launch *launch, char *const *front);

/* Free what parts_add and parts_finish have made. */
void parts_free(struct uno_launch *launch);

#endif
